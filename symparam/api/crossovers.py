"""The sequence length from which attention costs more than the feed-forward part."""

from __future__ import annotations

from symparam.analysis.crossover import find_crossover
from symparam.analysis.measures.options import Options
from symparam.api.common import AlphabetLike, alphabet_of, measured, noted, require_experts
from symparam.models.configs.changes import Changes
from symparam.models.resolution import Config, Named, resolve
from symparam.models.statements import Where
from symparam.results.crossover import CrossoverResult
from symparam.writing.phrases import phrases


def crossover(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    attention: str = "full",
) -> CrossoverResult:
    """Find the sequence length beyond which attention takes more operations than the feed-forward part: ``crossover("gpt2").threshold``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, also=("L",), set=set)
    measured(chosen, Options("flops", attention=attention))
    require_experts(chosen, Options("flops"))
    found = find_crossover(chosen.model.architecture.map_sizes(chosen.symbolic.substitute), attention, letters)
    first = found.first_length(chosen.model.values)
    told = noted(chosen, (), {"L", *found.threshold.letters}, letters, {"L": first} if first else {})
    return CrossoverResult(found, told, phrases(language).language)

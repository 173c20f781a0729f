"""One model: its formula, the explanation, its count, its tensors."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Unpack

from symparam.analysis.measures.measuring import derivation_of
from symparam.analysis.measures.options import Measuring, Options
from symparam.analysis.measures.selection import letters_of
from symparam.api.common import (
    PARAMETERS_ALONE,
    AlphabetLike,
    alphabet_of,
    letter_named,
    measured,
    noted,
    remarked,
    subject_of,
)
from symparam.core.message import message
from symparam.models.adapters import read_lora
from symparam.results.derive import DeriveResult

if TYPE_CHECKING:
    from symparam.models.configs.changes import Changes
    from symparam.models.resolution import Config, Named
    from symparam.models.statements import Where
    from symparam.results.count import CountResult
    from symparam.results.explain import ExplainResult
    from symparam.results.tensors import TensorsResult


def derive(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    form: str = "readable",
    by: str | None = None,
    alphabet: AlphabetLike = (),
    **measuring: Unpack[Measuring],
) -> DeriveResult:
    """Derive the closed formula of a measure, by default the number of parameters: ``derive("bert", where=["I=4H"])``.

    - ``model`` is an architecture (``bert``, ``BertForMaskedLM``), a preset, the path of a config.json, its keys, or an `Architecture`;
      with an architecture, ``config`` may give a preset, a path or keys.
    - ``where`` states relations, values and flags (``"I=4H"``, ``"N=12"``, ``"tie_word_embeddings=false"``) as text, as SymPy's equations
      or by letter (``{"N": 12}``). ``set`` replaces values of letters or keys of the config (``["N=16"]``).
    - ``form`` is ``readable``, ``by-symbol``, ``nested``, ``expanded``, ``factored``, ``named``, ``leading`` or ``by-module``; ``by`` is
      the letter to collect by, and ``alphabet`` the letters to write in.
    - ``measure`` is one of `symparam.analysis.measures.selection.MEASURES`: ``parameters``, ``active-parameters`` (those that one token
      uses), ``flops``, ``kv-cache`` and others.
    - For operations, ``attention`` is ``full``, ``causal`` or ``window``, and ``per`` counts them for each ``sequence`` or ``token``
      instead of a whole ``batch``.
    - For bytes, ``number_format`` is a format such as ``int8`` or ``q4_0``; for training also ``optimizer``, such as ``adam-mixed``, and
      ``zero``, the stage of ZeRO.
    - For activations and training steps, ``recomputation`` is ``none``, ``selective`` or ``full``; ``tensor_parallel`` and
      ``sequence_parallel`` say that n_t ranks share the activations (``where=["n_t=8"]``).
    - ``convention`` names a tool or a paper that counts operations, such as ``thop`` or ``kaplan``. The answer is then its own total, or
      ``macs`` or ``flops`` where it reports both, with attention in the ``implementation`` ``eager`` or ``sdpa``.
    - ``lora`` is the rank of adapters, ``16`` or ``"r"`` to leave it open, and ``lora_on`` names the matrices that get one:
      ``lora=16, lora_on="q_proj,v_proj"``. The measure ``adapter-parameters`` is what they add.

    Raises `SymparamError`.
    """
    from symparam.models.resolution import resolve  # Not every program that imports the function calls it.

    options = Options(**measuring)
    letters = alphabet_of(alphabet)
    chosen = resolve(model, config, where, letters, also=letters_of(options), set=set, lora=read_lora(lora, lora_on))
    what = measured(chosen, options)
    found = derivation_of(chosen.model.architecture, what, chosen.relations, letters, form, letter_named(by, letters, chosen.own_letters))
    all_in_letters = chosen.symbolic.stated == chosen.relations.stated
    general = found if all_in_letters else derivation_of(chosen.model.architecture, what, chosen.symbolic, letters)
    return DeriveResult.of(found, noted(chosen, (what,), general.letters, letters))


def explain(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    by: str | None = None,
    alphabet: AlphabetLike = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> ExplainResult:
    """Explain the formula step by step, with numbers if the model has values; ``language`` is ``en`` or ``zh``.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.models.configs.presets import presets
    from symparam.results.explain import ExplainResult
    from symparam.writing.phrases import phrases

    options = Options(**measuring)
    subject = subject_of(model, config, where, set, alphabet, by, options, values_first=False, lora=read_lora(lora, lora_on))
    if subject.count is None and config is None and isinstance(model, str) and model in presets():
        subject = replace(subject, model=remarked(subject.model, message("also-released", name=model)))
    return ExplainResult(subject, phrases(language).language)


def count(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
    **measuring: Unpack[Measuring],
) -> CountResult:
    """Count the parameters, or another measure, of a model with values, module by module: ``count("gpt2").total``.

    Arguments as for `derive`. Raises `SymparamError`, also where a letter has no value.
    """
    from symparam.analysis.counting import Count
    from symparam.results.count import CountResult

    options = Options(**measuring)
    subject = subject_of(model, config, where, set, alphabet, None, options, values_first=True, lora=read_lora(lora, lora_on))
    counted = subject.count or Count(subject.derivation, subject.model.values, subject.model.origin)
    return CountResult(counted, subject.model, language)


def tensors(
    model: Named,
    *,
    config: Config | None = None,
    where: Where = (),
    set: Changes = (),
    lora: str | int | None = None,
    lora_on: str | Iterable[str] = (),
    alphabet: AlphabetLike = (),
    language: str = "en",
) -> TensorsResult:
    """List every tensor with its name and shape, in the order of the reference; layer by layer if the model has values.

    Arguments as for `derive`. Raises `SymparamError`.
    """
    from symparam.analysis.listing import tensor_list
    from symparam.results.tensors import TensorsResult

    subject = subject_of(model, config, where, set, alphabet, None, PARAMETERS_ALONE, values_first=True, lora=read_lora(lora, lora_on))
    return TensorsResult(tensor_list(subject.derivation, subject.count), subject.model, language)

"""Rajbhandari et al. 2019 (ZeRO): the bytes of weights, gradients and states on one rank, in three stages."""

from __future__ import annotations

from symparam.analysis.measures.number_formats import FORMATS
from symparam.analysis.measures.optimizers import training_memory
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.core.alphabets import Alphabet
from symparam.models.architectures.gpt2 import GPT2

SOURCE = "Rajbhandari et al. 2019, ZeRO: Memory Optimizations Toward Training Trillion Parameter Models, arXiv 1910.02054"
LETTERS = Alphabet(
    "zero",
    f"{SOURCE}, figure 1; its K, 12 for Adam in mixed precision, stands as a number",
    {"n_d": "N_d", "N_d": "N_decoder", "N_parameters": "Ψ"},
    frozenset({"N_d"}),
)
PARAMETERS, RANKS = 7_500_000_000, 64  # Figure 1.


def _stage(stage: int, name: str, english: str, text: str, stated: int) -> PublishedFormula:
    """``stated`` is in units of 0.1 GB."""
    measure = training_memory("training-memory", "adam-mixed", FORMATS["bfloat16"], stage, {})
    return PublishedFormula(
        name=name,
        english=english,
        place="figure 1; section 5",
        left="",
        text=text,
        alphabet=LETTERS,
        architecture=GPT2.architecture,
        full_measure=measure,
        published_measure=measure,
        defined_letters={"N_parameters": ""},
        models=(PublishedModel({"N_parameters": PARAMETERS, "n_d": RANKS}, stated, 10**8),),
    )


ZERO = Publication(
    "zero",
    "Rajbhandari et al. 2019 (ZeRO)",
    SOURCE,
    (
        _stage(0, "baseline", "bytes of one rank without ZeRO", "(2 + 2 + 12)Ψ", 1200),
        _stage(1, "states", "bytes of one rank, the optimiser's states being shared (stage 1)", "2Ψ + 2Ψ + 12Ψ/N_d", 314),
        _stage(2, "gradients", "bytes of one rank, the gradients being shared too (stage 2)", "2Ψ + (2 + 12)Ψ/N_d", 166),
        _stage(3, "weights", "bytes of one rank, the weights being shared too (stage 3)", "(2 + 2 + 12)Ψ/N_d", 19),
    ),
)

"""Narayanan et al. 2021 (Megatron-LM): parameters, and the operations of an iteration with recomputation."""

from __future__ import annotations

from functools import partial

from symparam.analysis.comparison import ALL_PARAMETERS
from symparam.analysis.measures.compute import compute
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel, with_own_letters
from symparam.analysis.publications.simplifications import counting, parameters_without
from symparam.core.alphabets import ALPHABETS
from symparam.models.architectures.gpt2 import GPT2

LETTERS = with_own_letters(ALPHABETS["megatron"], {"P": "n_pos", "P_parameters": "P", "F_iteration": "F"})
TRAINING = compute("training-flops", recomputation="full")
VOCABULARY, LENGTH = 51_200, 2048
# Parameters in units of a hundred million, hidden size, layers. Source: Narayanan et al. 2021, arXiv 2104.04473, section 5.1 and table 1.
TABLE_1 = (
    (17, 2304, 24),
    (36, 3072, 30),
    (75, 4096, 36),
    (184, 6144, 40),
    (391, 8192, 48),
    (761, 10240, 60),
    (1456, 12288, 80),
    (3101, 16384, 96),
    (5296, 20480, 105),
    (10080, 25600, 128),
)
MODELS = tuple(PublishedModel({"V": VOCABULARY, "L": LENGTH, "H": width, "N": layers}, stated, 10**8) for stated, width, layers in TABLE_1)

MEGATRON = Publication(
    "megatron",
    "Narayanan et al. 2021 (Megatron-LM)",
    "Narayanan et al. 2021, Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, arXiv 2104.04473",
    (
        PublishedFormula(
            name="parameters",
            english="parameters",
            place="section 5.1, equation 2",
            left="P_parameters",
            text="12lh²(1 + 13/(12h) + (V + s)/(12lh))",
            alphabet=LETTERS,
            architecture=GPT2.architecture,
            full_measure=ALL_PARAMETERS,
            published_measure=counting(ALL_PARAMETERS, partial(parameters_without, "final-norm")),
            where=("I=4H", "P=L"),
            models=MODELS,
        ),
        PublishedFormula(
            name="recomputing",
            english="operations of an iteration that computes all layers again in the backward pass",
            place="section 5.1, equation 3, and appendix",
            left="F_iteration",
            text="96Bslh²(1 + s/(6h) + V/(16lh))",
            alphabet=LETTERS,
            architecture=GPT2.architecture,
            full_measure=TRAINING,
            published_measure=TRAINING,
            where=("I=4H",),
        ),
    ),
)

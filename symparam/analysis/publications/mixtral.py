"""Jiang et al. 2024 (Mixtral): all parameters, and those active for a token, for the sizes in table 1."""

from __future__ import annotations

from dataclasses import replace

from symparam.analysis.comparison import ALL_PARAMETERS
from symparam.analysis.measures.parameters import PARAMETERS
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.core.alphabets import Alphabet
from symparam.models.architectures.mixtral import MIXTRAL

SOURCE = "Jiang et al. 2024, Mixtral of Experts, arXiv 2401.04088"
LETTERS = Alphabet(
    "mixtral",
    f"{SOURCE}, table 1",
    {
        "H": "dim",
        "N": "n_layers",
        "d": "head_dim",
        "I": "hidden_dim",
        "h": "n_heads",
        "k": "n_kv_heads",
        "V": "vocab_size",
        "E": "num_experts",
        "K": "top_k_experts",
    },
)
# Source: table 1 (the sizes) and abstract (47B and 13B).
SIZES = {"H": 4096, "N": 32, "d": 128, "I": 14336, "h": 32, "k": 8, "V": 32000, "E": 8, "K": 2}
BILLION = 10**9
TOTAL = PublishedFormula(
    name="parameters",
    english="parameters, of a model of the sizes in table 1: the paper states 47B and no formula",
    place="table 1; abstract",
    left="",
    text="n_layers(2 dim head_dim(n_heads + n_kv_heads) + num_experts(3 hidden_dim dim + dim) + 2 dim) + 2 vocab_size dim + dim",
    alphabet=LETTERS,
    architecture=MIXTRAL.architecture,
    full_measure=ALL_PARAMETERS,
    published_measure=ALL_PARAMETERS,
    models=(PublishedModel(SIZES, 47, BILLION),),
)
ACTIVE = PARAMETERS["active-parameters"]
MIXTRAL_OF_EXPERTS = Publication(
    "mixtral",
    "Jiang et al. 2024 (Mixtral)",
    SOURCE,
    (
        TOTAL,
        replace(
            TOTAL,
            name="active",
            english="parameters that a token uses, of the same model: the paper states 13B and no formula",
            text="n_layers(2 dim head_dim(n_heads + n_kv_heads) + 3 top_k_experts hidden_dim dim + num_experts dim + 2 dim)"
            " + 2 vocab_size dim + dim",
            full_measure=ACTIVE,
            published_measure=ACTIVE,
            models=(PublishedModel(SIZES, 13, BILLION),),
        ),
    ),
)

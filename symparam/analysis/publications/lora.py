"""Hu et al. 2021 (LoRA): the parameters of the two low-rank matrices added to each adapted matrix."""

from __future__ import annotations

from symparam.analysis.comparison import ALL_PARAMETERS
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.core.alphabets import Alphabet
from symparam.core.dimensions import H, N, symbol
from symparam.models.blocks import Architecture, Block, Linear, Repeat

SOURCE = "Hu et al. 2021, LoRA: Low-Rank Adaptation of Large Language Models, arXiv 2106.09685"
LETTERS = Alphabet("lora", f"{SOURCE}, section 5.1", {"H": "d_model", "N": "n_layer", "N_adapted": "L_LoRA"})
rank = symbol("r")


def adapters() -> Architecture:
    """``4HrN``: for queries and values of each layer a down projection to r numbers and an up projection, without biases."""

    def adapter(role: str) -> Block:
        return Block("Adapter", role=role, down=Linear(H, rank, bias=False), up=Linear(rank, H, bias=False))

    layer = Block("Layer", role="layer", query=adapter("query"), value=adapter("value"))
    root = Block("Adapters", role="model", layers=Repeat(N, layer, role="layers"))
    return Architecture("adapters of queries and values", root, f"{SOURCE}, sections 4.1 and 4.2", {"r": "rank of an update"})


# The number of adapted matrices, d_model, r, and the stated number in units of 100,000. Source: tables 2 and 9 (RoBERTa base and large,
# queries and values in 12 and 24 layers, r = 8), and table 15 (GPT-3, d_model 12,288, one, two or four matrices in each of 96 layers).
STATED = (
    (24, 768, 8, 3),
    (48, 1024, 8, 8),
    (96, 12_288, 2, 47),
    (192, 12_288, 1, 47),
    (192, 12_288, 2, 94),
    (384, 12_288, 1, 94),
    (192, 12_288, 4, 188),
    (384, 12_288, 2, 188),
    (192, 12_288, 8, 377),
    (384, 12_288, 4, 377),
    (192, 12_288, 64, 3_019),
    (384, 12_288, 64, 6_038),
)

LORA = Publication(
    "lora",
    "Hu et al. 2021 (LoRA)",
    SOURCE,
    (
        PublishedFormula(
            name="parameters",
            english="parameters that are trained, with queries and values adapted in each layer",
            place="section 5.1",
            left="",
            text="2L_LoRA d_model r",
            alphabet=LETTERS,
            architecture=adapters,
            full_measure=ALL_PARAMETERS,
            published_measure=ALL_PARAMETERS,
            defined_letters={"N_adapted": "2n_layer"},
            models=tuple(PublishedModel({"N_adapted": adapted, "H": width, "r": r}, stated, 10**5) for adapted, width, r, stated in STATED),
        ),
    ),
)

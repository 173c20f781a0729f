"""Chowdhery et al. 2022 (PaLM): operations of training for each token, which model FLOPs utilisation (MFU) is reckoned from."""

from __future__ import annotations

from functools import partial

from symparam.alphabets import Alphabet
from symparam.measures.compute import compute
from symparam.publications.counting import counting, parameters_and_attention_times
from symparam.publications.decoder import ROWS, bias_free_decoder
from symparam.publications.publication import Publication, PublishedFormula

SOURCE = "Chowdhery et al. 2022, PaLM: Scaling Language Modeling with Pathways, arXiv 2204.02311"
LETTERS = Alphabet(
    "palm",
    f"{SOURCE}, appendix B",
    {"H": "d_model", "N": "L", "L": "T", "h": "H", "d": "Q", "I": "d_ff", "T": "n_types", "N_parameters": "N", "C_token": "C"},
    frozenset("VPTkEKBS"),
)
TRAINING = compute("training-flops")

PALM = Publication(
    "palm",
    "Chowdhery et al. 2022 (PaLM)",
    SOURCE,
    (
        PublishedFormula(
            name="training",
            english="operations of training for each token, N being all parameters",
            place="appendix B",
            left="",
            text="6N + 12LHQT",
            alphabet=LETTERS,
            architecture=bias_free_decoder,
            exact=TRAINING,
            counted=counting(TRAINING, partial(parameters_and_attention_times, 6)),
            given={"N_parameters": ""},
            per=ROWS,
        ),
    ),
)

"""Chowdhery et al. 2022 (PaLM): the sizes of table 1, and the operations of training for the model FLOPs utilisation (MFU)."""

from __future__ import annotations

from functools import partial

from symparam.analysis.comparison import ALL_PARAMETERS
from symparam.analysis.measures.compute import compute
from symparam.analysis.publications.decoder import ROWS, palm_decoder
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.analysis.publications.simplifications import counting, parameters_and_attention_times
from symparam.core.alphabets import Alphabet

SOURCE = "Chowdhery et al. 2022, PaLM: Scaling Language Modeling with Pathways, arXiv 2204.02311"
LETTERS = Alphabet(
    "palm",
    f"{SOURCE}, appendix B",
    {"H": "d_model", "N": "L", "L": "T", "h": "H", "d": "Q", "I": "d_ff", "T": "n_types", "N_parameters": "N", "C_token": "C"},
    frozenset("VPTkEKBS"),
)
TRAINING = compute("training-flops")
VOCABULARY, HEAD = 256_000, 256
# Parameters in units of ten million, layers, heads and d_model; the feed-forward part is four times as wide as the model. Source:
# Chowdhery et al. 2022, arXiv 2204.02311, table 1 (8.63, 62.50 and 540.35 billion) and section 2 (heads of 256, 256k tokens).
MODELS = tuple(
    PublishedModel({"V": VOCABULARY, "H": width, "I": 4 * width, "d": HEAD, "h": heads, "N": layers}, stated, 10**7)
    for stated, layers, heads, width in ((863, 32, 16, 4096), (6250, 64, 32, 8192), (54035, 118, 48, 18432))
)

PALM = Publication(
    "palm",
    "Chowdhery et al. 2022 (PaLM)",
    SOURCE,
    (
        PublishedFormula(
            name="sizes",
            english="parameters, as section 2 describes the model: the paper states the sizes and no formula",
            place="section 2 and table 1",
            left="N_parameters",
            text="(2HLQ + 2LQ + 3d_ff L + L + V + 1)d_model",
            alphabet=LETTERS,
            architecture=palm_decoder,
            full_measure=ALL_PARAMETERS,
            published_measure=ALL_PARAMETERS,
            models=MODELS,
        ),
        PublishedFormula(
            name="training",
            english="operations of training for each token, N being all parameters",
            place="appendix B",
            left="",
            text="6N + 12LHQT",
            alphabet=LETTERS,
            architecture=palm_decoder,
            full_measure=TRAINING,
            published_measure=counting(TRAINING, partial(parameters_and_attention_times, 6)),
            defined_letters={"N_parameters": ""},
            per=ROWS,
        ),
    ),
)

"""Hoffmann et al. 2022 (Chinchilla): the sizes of table A9, and the operations of a sequence as appendix F lists them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from symparam.analysis.comparison import ALL_PARAMETERS
from symparam.analysis.measures.compute import compute
from symparam.analysis.publications.decoder import chinchilla_decoder, described_decoder
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel, with_own_letters
from symparam.analysis.publications.simplifications import (
    counting,
    parameters_without_norms,
    parameters_without_output_biases,
    with_tables_and_softmax,
)
from symparam.core.alphabets import ALPHABETS
from symparam.core.dimensions import B, h

LETTERS = with_own_letters(ALPHABETS["chinchilla"], {"N_parameters": "N", "C_sequence": "C"})
TRAINING = compute("training-flops")
VOCABULARY = 32_000

# Parameters in millions, d_model, ffw_size, kv_size, n_heads, n_layers. The width of attention is kv_size · n_heads, which in some rows
# differs from d_model. Source: Hoffmann et al. 2022, arXiv 2203.15556, table A9.
TABLE_A9 = """
    44 512 2048 64 8 8;         57 576 2304 64 9 9;         74 640 2560 64 10 10;       90 640 2560 64 10 13
    106 640 2560 64 10 16;      117 768 3072 64 12 12;      140 768 3072 64 12 15;      163 768 3072 64 12 18
    175 896 3584 64 14 14;      196 896 3584 64 14 16;      217 896 3584 64 14 18;      251 1024 4096 64 16 16
    278 1024 4096 64 16 18;     306 1024 4096 64 16 20;     425 1280 5120 128 10 18;    489 1280 5120 128 10 21
    509 1408 5632 128 11 18;    552 1280 5120 128 10 24;    587 1408 5632 128 11 21;    632 1536 6144 128 12 19
    664 1408 5632 128 11 24;    724 1536 6144 128 12 22;    816 1536 6144 128 12 25;    893 1792 7168 128 14 20
    1018 1792 7168 128 14 23;   1143 1792 7168 128 14 26;   1266 2048 8192 128 16 22;   1424 2176 8704 128 17 22
    1429 2048 8192 128 16 25;   1593 2048 8192 128 16 28;   1609 2176 8704 128 17 25;   1731 2304 9216 128 18 24
    1794 2176 8704 128 17 28;   2007 2304 9216 128 18 28;   2283 2304 9216 128 18 32;   2298 2560 10240 128 20 26
    2639 2560 10240 128 20 30;  2980 2560 10240 128 20 34;  3530 2688 10752 128 22 36;  3802 2816 11264 128 22 36
    4084 2944 11776 128 22 36;  4516 3072 12288 128 24 36;  6796 3584 14336 128 28 40;  9293 4096 16384 128 32 42
    11452 4352 17408 128 32 47; 12295 4608 18432 128 36 44; 12569 4608 18432 128 32 47; 13735 4864 19456 128 32 47
    14940 4992 19968 128 32 49; 16183 5120 20480 128 40 47
"""
MODELS = tuple(
    PublishedModel({"V": VOCABULARY, **dict(zip("HIdhN", sizes, strict=True))}, millions, 10**6)
    for millions, *sizes in ([int(number) for number in row.split()] for row in TABLE_A9.replace("\n", ";").split(";") if row.strip())
)

SIZES = PublishedFormula(
    name="sizes",
    english="parameters that the sizes of table A9 fit: a guess, as the paper states the sizes and no formula",
    place="table A9",
    left="N_parameters",
    text="L(5Dkh + 2DF + 5kh + F + 2D) + VD",
    alphabet=LETTERS,
    architecture=chinchilla_decoder,
    full_measure=ALL_PARAMETERS,
    published_measure=counting(ALL_PARAMETERS, parameters_without_norms),
    models=MODELS,
)

CHINCHILLA = Publication(
    "chinchilla",
    "Hoffmann et al. 2022 (Chinchilla)",
    "Hoffmann et al. 2022, Training Compute-Optimal Large Language Models, arXiv 2203.15556",
    (
        SIZES,
        replace(
            SIZES,
            name="sizes-with-gains",
            english="the same read in another way: the last 2D are the gains of the norms, and there are no output biases",
            published_measure=counting(ALL_PARAMETERS, parameters_without_output_biases),
        ),
        PublishedFormula(
            name="sequence",
            english="operations of training with a sequence, the backward pass taking twice as many as the forward pass",
            place="appendix F",
            left="",
            text="3(2SVD + L(6SDkh + 2S²kh + 3hS² + 2S²kh + 2SkhD + 4SDF) + 2SDV)",
            alphabet=LETTERS,
            architecture=described_decoder,
            full_measure=TRAINING,
            published_measure=counting(TRAINING, partial(with_tables_and_softmax, h, TRAINING.of_block)),
            per=B,
        ),
    ),
)

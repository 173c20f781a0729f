"""Austin et al. 2025 (How To Scale Your Model), chapter 4: the parameters, the training operations of a layer, and the cache."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from symparam.analysis.comparison import ALL_PARAMETERS
from symparam.analysis.measures.compute import compute
from symparam.analysis.measures.memory import kv_cache
from symparam.analysis.measures.number_formats import FORMATS
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.analysis.publications.simplifications import counting, in_layers, parameters_with_one_norm_of_a_layer
from symparam.core.alphabets import ALPHABETS
from symparam.core.dimensions import B, N
from symparam.models.architectures.llama import LLAMA
from symparam.models.blocks import Architecture

SOURCE = "Austin et al. 2025, How To Scale Your Model, chapter 4 (jax-ml/scaling-book, transformers.md)"
LETTERS = ALPHABETS["scaling-book"]
MULTI_HEAD = ("k=h",)
TRAINING = compute("training-flops")
LAYERS = counting(TRAINING, partial(in_layers, TRAINING.of_block))
CACHE = kv_cache(FORMATS["int8"], {})


def with_a_cache() -> Architecture:
    """Llama's architecture with S tokens in its cache."""
    return replace(LLAMA.architecture(), meanings={"S": "tokens in the cache"})


SCALING_BOOK = Publication(
    "scaling-book",
    "Austin et al. 2025 (How To Scale Your Model), chapter 4",
    SOURCE,
    (
        PublishedFormula(
            name="parameters",
            english="parameters",
            place="question 1",
            left="",
            text="L(3DF + 4DNH + D) + 2DV",
            alphabet=LETTERS,
            architecture=LLAMA.architecture,
            full_measure=ALL_PARAMETERS,
            published_measure=counting(ALL_PARAMETERS, parameters_with_one_norm_of_a_layer),
            where=MULTI_HEAD,
        ),
        PublishedFormula(
            name="layer",
            english="operations of training of a layer",
            place="the table under the heading on what to take away",
            left="",
            text="18BTDF + 24BTDNH + 12BT²NH",
            alphabet=LETTERS,
            architecture=LLAMA.architecture,
            full_measure=LAYERS,
            published_measure=LAYERS,
            where=MULTI_HEAD,
            per=N,
        ),
        PublishedFormula(
            name="cache",
            english="bytes of the cache of a sequence, in 8 bits",
            place="the section on key-value caching",
            left="",
            text="2SLNH",
            alphabet=LETTERS,
            architecture=with_a_cache,
            full_measure=CACHE,
            published_measure=CACHE,
            where=MULTI_HEAD,
            per=B,
            models=(PublishedModel({"S": 8192, "N": 64, "h": 64, "d": 128}, 8, 2**30),),
        ),
    ),
)

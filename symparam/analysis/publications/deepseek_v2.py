"""DeepSeek-AI 2024 (DeepSeek-V2): the numbers that each kind of attention caches per token, as in table 1."""

from __future__ import annotations

from collections.abc import Callable

from symparam.analysis.measures.memory import kv_cache
from symparam.analysis.measures.number_formats import FORMATS
from symparam.analysis.publications.decoder import described_decoder, palm_decoder
from symparam.analysis.publications.publication import Publication, PublishedFormula, PublishedModel
from symparam.core.alphabets import Alphabet
from symparam.core.dimensions import B, S
from symparam.models.architectures.deepseek_v3 import DEEPSEEK_V3
from symparam.models.architectures.llama import LLAMA
from symparam.models.blocks import Architecture

SOURCE = "DeepSeek-AI 2024, DeepSeek-V2: A Strong, Economical, and Efficient Mixture-of-Experts Language Model, arXiv 2405.04434"
# d_R is the paper's d_h with superscript R.
LETTERS = Alphabet("deepseek-v2", f"{SOURCE}, table 1", {"h": "n_h", "k": "n_g", "d": "d_h", "N": "l", "r_k": "d_c", "d_r": "d_R"})
NUMBERS = kv_cache(FORMATS["int8"], {})  # One byte per number, so that bytes are numbers.


def _row(
    name: str,
    english: str,
    text: str,
    architecture: Callable[[], Architecture],
    where: tuple[str, ...] = (),
    models: tuple[PublishedModel, ...] = (),
) -> PublishedFormula:
    return PublishedFormula(
        name=name,
        english=english,
        place="table 1",
        left="",
        text=text,
        alphabet=LETTERS,
        architecture=architecture,
        full_measure=NUMBERS,
        published_measure=NUMBERS,
        where=where,
        per=B * S,
        models=models,
    )


DEEPSEEK_V2 = Publication(
    "deepseek-v2",
    "DeepSeek-AI 2024 (DeepSeek-V2)",
    SOURCE,
    (
        _row("multi-head", "numbers cached for a token by multi-head attention", "2n_h d_h l", described_decoder),
        _row("grouped-query", "numbers cached for a token by grouped-query attention", "2n_g d_h l", LLAMA.architecture),
        _row("multi-query", "numbers cached for a token by multi-query attention", "2d_h l", palm_decoder),
        _row("latent", "numbers cached for a token by multi-head latent attention", "(d_c + d_R)l", DEEPSEEK_V3.architecture),
        _row(
            "latent-in-heads",
            "the same with latents of four heads and half a head that is rotated, as DeepSeek-V2 has them",
            "9/2 d_h l",
            DEEPSEEK_V3.architecture,
            where=("r_k=4d", "d_r=d/2"),
        ),
    ),
)

"""Every formula that a docstring of a block or of an architecture states is proven equal to the parameters of what is built."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
import sympy

import symparam.models as models
from symparam.analysis.measures.conventions import electra_script, papers
from symparam.core.algebra.polynomial import equal
from symparam.core.dimensions import BY_LETTER, H, I, L, V, d, h, k, symbol
from symparam.core.parsing.reader import read_formula
from symparam.models import blocks
from symparam.models.architectures import (
    albert,
    bert,
    bloom,
    clip,
    deepseek_v3,
    deepseek_v32,
    distilbert,
    electra,
    encoder,
    falcon,
    find_architecture,
    gated_decoder,
    glm4_moe,
    gpt1,
    gpt2,
    gpt_neox,
    gpt_oss,
    jamba,
    llama,
    llama4,
    llava,
    mamba,
    mamba2,
    mixtral,
    modernbert,
    opt,
    qwen3_moe,
    qwen3_next,
    roberta,
    t5,
    vit,
    whisper,
)
from symparam.models.blocks import Block, Linear, Module, window
from symparam.models.blocks.architecture import Place
from symparam.models.blocks.module import SIZE
from symparam.models.blocks.operation import AttentionProducts, MatrixProduct, Operation

ROOT = Path(models.__path__[0])
FORMULA = re.compile(r"``([^`\"]*(?:[·²+]|(?<![A-Za-z])\d[A-Za-z])[^`\"]*)``")
P_E = symbol("P_e")


def flags(name: str, **changes: Any) -> dict[str, Any]:
    """The flags of a family as the reference has them by default, with changes."""
    choice = find_architecture(name)
    assert choice
    return {**choice.family.flags, **changes}


def parts(inside: Mapping[str, Module]) -> Block:
    return Block("Parts", **inside)


BERT, NO_POOLER = flags("bert"), flags("bert", add_pooling_layer=False)
GPT2, GPT2_CROSS = flags("gpt2"), flags("gpt2", add_cross_attention=True)
FALCON, FALCON_NEW = flags("falcon"), flags("falcon", new_decoder_architecture=True)
LLAMA = llama.design(flags("llama"))
T5, GATED = flags("t5", is_gated_act=False), flags("t5", is_gated_act=True)
ELECTRA, WIDE = flags("electra", embeddings_project=True), flags("electra", embeddings_project=False)
EMPTY = Block("Empty")
Built = Module | tuple[Module, Module]
"""What a formula is the number of parameters of: a block, or what the first of two has more than the second."""

STATED: dict[str, list[Built]] = {
    "albert.layer": [albert.layer(), albert.layer()],
    "albert.albert_model": [albert.albert_model(flags("albert"))],
    "albert.albert_for_masked_lm": [
        (albert.albert_for_masked_lm(flags("albert")), albert.albert_model(flags("albert", add_pooling_layer=False)))
    ],
    "bert.bert_model": [bert.bert_model(BERT)],
    "bert.predictions": [bert.predictions(BERT)],
    "bert.bert_for_masked_lm": [(bert.bert_for_masked_lm(BERT), bert.bert_model(NO_POOLER))],
    "bert.bert_for_pre_training": [(bert.bert_for_pre_training(BERT), Block("Both", a=bert.bert_model(BERT), b=bert.predictions(BERT)))],
    "bert.bert_for_sequence_classification": [(bert.bert_for_sequence_classification(BERT), bert.bert_model(BERT))],
    "bert.bert_for_token_classification": [(bert.bert_for_token_classification(BERT), bert.bert_model(NO_POOLER))],
    "bloom.layer": [bloom.layer()],
    "bloom.bloom_for_causal_lm": [bloom.bloom_for_causal_lm(flags("bloom"))],
    "clip.layer": [clip.layer(H, I, h, L, "gelu")],
    "clip.text_encoder": [clip.text_encoder(flags("clip"))],
    "clip.image_encoder": [clip.image_encoder(flags("clip"))],
    "clip.clip_model": [
        (clip.clip_model(flags("clip")), Block("Both", a=clip.text_encoder(flags("clip")), b=clip.image_encoder(flags("clip"))))
    ],
    "deepseek_v3.latent_attention": [deepseek_v3.latent_attention(flags("deepseek-v3"))],
    "deepseek_v3.expert_layer": [deepseek_v3.expert_layer()],
    "deepseek_v3.deepseek_v3_for_causal_lm": [deepseek_v3.deepseek_v3_for_causal_lm(flags("deepseek-v3"))],
    "deepseek_v32.indexer": [deepseek_v32.indexer()],
    "deepseek_v32.deepseek_v32_for_causal_lm": [
        (deepseek_v32.deepseek_v32_for_causal_lm(flags("deepseek-v32")), deepseek_v3.deepseek_v3_for_causal_lm(flags("deepseek-v3")))
    ],
    "distilbert.layer": [distilbert.layer(), distilbert.layer()],
    "distilbert.distilbert_model": [distilbert.distilbert_model(flags("distilbert"))],
    "distilbert.distilbert_for_masked_lm": [
        (distilbert.distilbert_for_masked_lm(flags("distilbert")), distilbert.distilbert_model(flags("distilbert")))
    ],
    "distilbert.distilbert_for_sequence_classification": [
        (distilbert.distilbert_for_sequence_classification(flags("distilbert")), distilbert.distilbert_model(flags("distilbert")))
    ],
    "electra.electra_model": [electra.electra_model(ELECTRA), electra.electra_model(WIDE).parts[0][1]],
    "electra.electra_for_pre_training": [(electra.electra_for_pre_training(ELECTRA), electra.electra_model(ELECTRA))],
    "electra.electra_for_masked_lm": [(electra.electra_for_masked_lm(ELECTRA), electra.electra_model(ELECTRA))],
    "encoder.embeddings": [encoder.embeddings("Bert")],
    "encoder.attention": [encoder.attention("Bert", "attention", False)],
    "encoder.layer": [
        encoder.layer("Bert", BERT),
        (encoder.layer("Bert", {**BERT, "add_cross_attention": True}), encoder.layer("Bert", BERT)),
    ],
    "encoder.layers": [encoder.layers("Bert", BERT)],
    "encoder.pooler": [parts(encoder.pooler("Bert", BERT))],
    "falcon.attention": [
        falcon.attention(FALCON),
        falcon.attention(FALCON_NEW),
        falcon.attention({**FALCON, "multi_query": False}),
    ],
    "falcon.norms": [parts(falcon.norms(FALCON)), parts(falcon.norms({**FALCON, "parallel_attn": False}))],
    "falcon.layer": [falcon.layer(FALCON)],
    "falcon.falcon_for_causal_lm": [falcon.falcon_for_causal_lm(FALCON)],
    "gated_decoder.attention": [gated_decoder.attention(LLAMA)],
    "gated_decoder.feed_forward": [gated_decoder.feed_forward(LLAMA)],
    "gated_decoder.body": [gated_decoder.body(LLAMA, EMPTY)],
    "gated_decoder.causal_lm": [gated_decoder.causal_lm(LLAMA, EMPTY, {"tie_word_embeddings": True})],
    "glm4_moe.glm4_moe_for_causal_lm": [glm4_moe.glm4_moe_for_causal_lm(flags("glm4-moe"))],
    "gpt1.layer": [gpt1.layer()],
    "gpt1.gpt1_lm_head_model": [gpt1.gpt1_lm_head_model(flags("gpt1"))],
    "gpt2.cross_attention": [parts(gpt2.cross_attention(GPT2_CROSS))],
    "gpt2.layer": [gpt2.layer(GPT2), gpt2.layer(GPT2).map_sizes(lambda size: size.xreplace({I: 4 * H}))],
    "gpt2.gpt2_model": [gpt2.gpt2_model(GPT2)],
    "gpt2.gpt2_lm_head_model": [gpt2.gpt2_lm_head_model(GPT2)],
    "gpt_neox.layer": [gpt_neox.layer(flags("gpt-neox"))],
    "gpt_neox.gpt_neox_for_causal_lm": [gpt_neox.gpt_neox_for_causal_lm(flags("gpt-neox"))],
    "gpt_oss.expert_layer": [gpt_oss.expert_layer()],
    "gpt_oss.attention_with_sinks": [gpt_oss.attention_with_sinks(gated_decoder.Design("GptOss", query_bias=True, output_bias=True))],
    "gpt_oss.gpt_oss_for_causal_lm": [gpt_oss.gpt_oss_for_causal_lm(flags("gpt-oss"))],
    "jamba.mixer": [jamba.mixer(flags("jamba"))],
    "jamba.jamba_for_causal_lm": [jamba.jamba_for_causal_lm(flags("jamba"))],
    "llama4.expert_layer": [llama4.expert_layer()],
    "llama4.llama4_for_causal_lm": [llama4.llama4_for_causal_lm(flags("llama4"))],
    "llama.design": [gated_decoder.causal_lm(LLAMA, gated_decoder.dense_layers(LLAMA), flags("llama"))],
    "mamba.mixer": [mamba.mixer(flags("mamba"))],
    "mamba.mamba_for_causal_lm": [mamba.mamba_for_causal_lm(flags("mamba"))],
    "mamba2.mixer": [mamba2.mixer(flags("mamba2"))],
    "mamba2.mamba2_for_causal_lm": [mamba2.mamba2_for_causal_lm(flags("mamba2"))],
    "mixtral.expert_layer": [mixtral.expert_layer()],
    "mixtral.mixtral_for_causal_lm": [mixtral.mixtral_for_causal_lm(flags("mixtral"))],
    "modernbert.layer": [modernbert.layer(flags("modernbert"))],
    "modernbert.modernbert_for_masked_lm": [modernbert.modernbert_for_masked_lm(flags("modernbert"))],
    "opt.norm": [parts(opt.norm(flags("opt"), "norm", "norm"))],
    "opt.layer": [opt.layer(flags("opt"))],
    "opt.decoder": [opt.decoder(flags("opt"))],
    "qwen3_moe.expert_layer": [qwen3_moe.expert_layer()],
    "qwen3_moe.qwen3_moe_for_causal_lm": [qwen3_moe.qwen3_moe_for_causal_lm(flags("qwen3-moe"))],
    "qwen3_next.gated_attention": [qwen3_next.gated_attention(False)],
    "qwen3_next.delta_net": [qwen3_next.delta_net()],
    "qwen3_next.expert_layer": [qwen3_next.expert_layer()],
    "qwen3_next.qwen3_next_for_causal_lm": [qwen3_next.qwen3_next_for_causal_lm(flags("qwen3-next"))],
    "roberta.roberta_model": [roberta.roberta_model(flags("roberta"))],
    "roberta.roberta_for_masked_lm": [
        (roberta.roberta_for_masked_lm(flags("roberta")), roberta.roberta_model(flags("roberta", add_pooling_layer=False)))
    ],
    "roberta.roberta_for_sequence_classification": [
        (roberta.roberta_for_sequence_classification(flags("roberta")), roberta.roberta_model(flags("roberta", add_pooling_layer=False)))
    ],
    "t5.attention": [t5.attention("attention", L)],
    "t5.feed_forward": [t5.feed_forward(T5), t5.feed_forward(GATED)],
    "t5.layer": [t5.layer(T5, decoder=False, first=False), t5.layer(T5, decoder=True, first=False)],
    "t5.t5_for_conditional_generation": [
        t5.t5_for_conditional_generation(T5),
        (t5.t5_for_conditional_generation(GATED), t5.t5_for_conditional_generation(T5)),
    ],
    "vit.embeddings": [vit.embeddings(flags("vit"))],
    "vit.layer": [vit.layer(flags("vit"))],
    "vit.vit_model": [vit.vit_model(flags("vit"))],
    "vit.vit_for_image_classification": [
        (vit.vit_for_image_classification(flags("vit")), vit.vit_model(flags("vit", add_pooling_layer=False)))
    ],
    "llava.projector": [llava.projector(flags("llava"))],
    "whisper.attention": [whisper.attention("attention", L, h)],
    "whisper.layer": [
        whisper.layer("Layer", I, L, h),
        Block("Cross", attention=whisper.attention("cross-attention", P_E, h), norm=blocks.LayerNorm(H)),
    ],
    "whisper.encoder": [whisper.encoder()],
    "whisper.decoder": [whisper.decoder()],
}


def documented(folder: Path) -> Iterator[tuple[str, str]]:
    """The functions of the modules in a folder whose docstrings state formulas, as ``module.function``, with the docstring."""
    for path in sorted(folder.glob("*.py")):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                text = ast.get_docstring(node) or ""
                if FORMULA.search(text):
                    yield f"{path.stem}.{node.name}", text


FUNCTIONS = dict(documented(ROOT / "architectures"))
LETTERS = {letter: letter for letter in (*BY_LETTER, "attention")}


def parameters(module: Module) -> sympy.Expr:
    """All elements of all tensors, tied ones once."""
    places = Place("", module).walk()
    return sympy.Add(*(place.copies * tensor.elements for place in places for tensor in place.module.tensors if not tensor.tied_to))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_builds_what_its_docstring_states(name: str) -> None:
    assert name in STATED, f"say what the formulas of {name} are the parameters of"
    stated = [read_formula(text, names=LETTERS).expr for text in FORMULA.findall(FUNCTIONS[name])]
    # What DeepSeek's attention comes to is stated where it is built.
    attention = parameters(deepseek_v3.latent_attention(flags("deepseek-v3")))
    built = [parameters(each) if isinstance(each, Module) else parameters(each[0]) - parameters(each[1]) for each in STATED[name]]
    assert len(stated) == len(built)
    for left, right in zip(stated, built, strict=True):
        assert equal(left.xreplace({symbol("attention"): attention}), right), f"{left} is stated, and it is {right}"


def test_every_function_that_is_held_against_its_docstring_states_a_formula() -> None:
    assert STATED.keys() == FUNCTIONS.keys()


CLASSES = {name.partition(".")[2]: text for name, text in documented(ROOT / "blocks")}
FILES = {name: file for file, _, name in (each.partition(".") for each, _ in documented(ROOT / "blocks"))}


def products(operations: tuple[Operation, ...]) -> sympy.Expr:
    """The multiplications of all operations for one row."""
    return sympy.Add(
        *(
            each.in_features * each.out_features if isinstance(each, MatrixProduct) else each.keys * (each.key_width + each.value_width)
            for each in operations
        )
    )


BLOCKS: Mapping[str, Module] = {
    "Convolution": blocks.Conv1d(H, I, k, groups=h),
    "ConvTranspose1d": blocks.ConvTranspose1d(H, I, k, groups=h),
    "MultiheadAttention": blocks.MultiheadAttention(H, h, kdim=I, vdim=V),
}
"""Blocks whose arguments are more than their sizes one after the other."""
WINDOWS = ("reached", "Pooling")


@pytest.mark.parametrize("name", sorted(CLASSES.keys() - WINDOWS))
def test_a_block_has_the_parameters_or_products_of_its_docstring(name: str) -> None:
    found = FORMULA.search(CLASSES[name])
    assert found
    if name in ("MatrixProduct", "AttentionProducts"):
        operation = MatrixProduct(H, I) if name == "MatrixProduct" else AttentionProducts(L, h * d, k * d, causal=True)
        values, counted = vars(operation), products((operation,))
    else:
        kind = getattr(importlib.import_module(f"{blocks.__name__}.{FILES[name]}"), name)
        sizes = (symbol(letter) for letter, each in zip("HIVL", fields(kind)[2:], strict=False) if each.metadata == SIZE)
        block = BLOCKS[name] if name in BLOCKS else kind(*sizes)
        values = {each: getattr(block, each) for each in ("gates", *vars(block)) if hasattr(block, each)}
        counted = parameters(block) if block.tensors else products(block.operations)
    formula = read_formula(found[1], names={name: name for name in values})
    values = {name: value[0] if isinstance(value, tuple) and value else value for name, value in values.items()}
    assert equal(formula.expr.xreplace({symbol(letter): sympy.sympify(values[letter]) for letter in formula.letters}), counted)


@pytest.mark.parametrize("name", WINDOWS)
def test_a_window_has_the_places_of_its_docstring(name: str) -> None:
    found = FORMULA.search(CLASSES[name])
    assert found
    sizes = {each: symbol(each) for each in ("n", "kernel_size", "stride", "padding", "dilation")}
    assert read_formula(found[1], names={each: each for each in sizes}).expr == window.reached(*sizes.values())


@pytest.mark.parametrize("function", [papers.kaplan, papers.megatron, papers.palm, electra_script._matrix], ids=lambda each: each.__name__)
def test_a_convention_counts_what_its_docstring_states(function: Callable[[Place], sympy.Expr]) -> None:
    place = Place("", Linear(H, V, bias=function is electra_script._matrix))
    found = FORMULA.search(function.__doc__ or "")
    assert found
    values = {"rows": place.rows, "in_features": H, "out_features": V, "parameters": parameters(place.module)}
    formula = read_formula(found[1], names={name: name for name in values})
    assert equal(formula.expr.xreplace({symbol(letter): values[letter] for letter in formula.letters}), function(place))

"""Blocks of traced and printed models have roles by their names, so that pages and other models are compared with them part by part."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import symparam
from symparam import check_text
from symparam.documents.roles.named_roles import with_named_roles
from symparam.models.blocks import Block, Layers, Module, Parameter, Repeat, Tied
from symparam.models.resolution import resolve

BART = {
    "model_type": "bart", "architectures": ["BartForConditionalGeneration"], "vocab_size": 50265, "d_model": 768, "encoder_layers": 6,
    "decoder_layers": 6, "encoder_attention_heads": 12, "decoder_attention_heads": 12, "encoder_ffn_dim": 3072, "decoder_ffn_dim": 3072,
    "max_position_embeddings": 1024,
}  # fmt: skip
ROLES = {
    "": "model",
    "model": "transformer",
    "model.shared": "token-embedding",
    "model.encoder": "encoder",
    "model.encoder.embed_positions": "position-embedding",
    "model.encoder.layernorm_embedding": "embedding-norm",
    "model.encoder.layers": "layers",
    "model.encoder.layers.{i}": "layer",
    "model.encoder.layers.{i}.self_attn": "attention",
    "model.encoder.layers.{i}.self_attn.k_proj": "key",
    "model.encoder.layers.{i}.self_attn.out_proj": "output-projection",
    "model.encoder.layers.{i}.self_attn_layer_norm": "attention-norm",
    "model.encoder.layers.{i}.fc1": "feed-forward-in",
    "model.encoder.layers.{i}.fc2": "feed-forward-out",
    "model.encoder.layers.{i}.final_layer_norm": "feed-forward-norm",
    "model.decoder.layers.{i}.encoder_attn": "cross-attention",
    "model.decoder.layers.{i}.encoder_attn_layer_norm": "cross-attention-norm",
    "lm_head": "language-model-head",
}
# 4 · (768² + 768) = 2,362,368; 2 · 768 · 3072 + 3072 + 768 = 4,722,432; norms of 2 · 768 each; positions (1024 + 2) · 768.
PAGE = """
| part | parameters |
|---|---:|
| token embedding | 38,603,520 |
| position embeddings of the encoder | 787,968 |
| self-attention of an encoder layer | {:,} |
| feed-forward of an encoder layer | {:,} |
| one encoder layer | 7,087,872 |
| cross-attention of a decoder layer | 2,362,368 |
| one decoder layer | 9,451,776 |
| encoder | 43,316,736 |
| decoder | 57,500,160 |
| total | 139,420,416 |
"""


@pytest.fixture
def bart(tmp_path: Path) -> str:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(BART), encoding="utf-8")
    return str(path)


def test_roles_by_names(bart: str) -> None:
    named = with_named_roles(resolve(bart, None).model.architecture)
    found = {place.path: place.module.role for place in named.places()}
    assert {path: found[path] for path in ROLES} == ROLES


def test_parts_of_a_traced_model_hold(bart: str) -> None:
    codes = [each.code for each in check_text(PAGE.format(2_362_368, 4_722_432), config=bart).findings]
    assert codes == ["component"] * 9 + ["total"]
    assert [each.text for each in check_text(PAGE.format(2_362_368, 9_444_864), config=bart).wrong] == ["9,444,864"]
    assert [each.text for each in check_text(PAGE.format(1_181_184, 4_722_432), config=bart).wrong] == ["1,181,184"]


def test_two_models_are_aligned_by_role(bart: str) -> None:
    parts = {part.group: part for part in symparam.compare(bart, "t5-base").comparison.parts}
    keys = next(role for role in parts["attention"].roles if role.role == "key")
    assert keys.paths[0][0].endswith("self_attn.k_proj")
    assert keys.paths[1][0].endswith("SelfAttention.k")
    norms = {role.role: str(role.difference) for role in parts["norm"].roles}
    assert norms["cross-attention-norm"] == "−N_d\u2009H"  # RMSNorm has no bias.


def without_roles(module: Module) -> Module:
    match module:
        case Parameter():
            return module
        case Repeat():
            return replace(module, role=None, body=without_roles(module.body))
        case Layers():
            return type(module)(*(each for each in map(without_roles, module.groups) if isinstance(each, Repeat)))
        case Tied():
            return type(module)(without_roles(module.inner), **dict(module.targets))
        case Block():
            parts = {name: without_roles(part) for name, part in module.parts}
            return type(module)(module.name, rows=module.rows, execution_order=module.execution_order, takes=dict(module.takes), **parts)
    return replace(module, role=None)


ALIKE = {
    "grouped-attention": "attention", "latent-attention": "attention", "gated-feed-forward": "feed-forward", "expert-layer": "feed-forward",
    "shared-layers": "encoder", "backbone": "transformer",
}  # fmt: skip
"""Roles that only a person can tell from the other by the name."""


@pytest.mark.parametrize("name", ["GPT2LMHeadModel", "LlamaForCausalLM", "MixtralForCausalLM", "Qwen3ForCausalLM", "OPTForCausalLM"])
def test_families_would_get_their_own_roles(name: str) -> None:
    stated = resolve(name, None).model.architecture
    assert with_named_roles(stated) is stated
    named = with_named_roles(replace(stated, root=without_roles(stated.root)))
    off = {
        place.path: (place.module.role, own.module.role)
        for place, own in zip(stated.places(), named.places(), strict=True)
        if place.module.tensors and ALIKE.get(place.module.role or "", place.module.role) != own.module.role
    }
    assert off == {}

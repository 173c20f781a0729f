"""Settings that a class reads although its config has no such key, and values of words by which it chooses variants."""

from __future__ import annotations

import ast
import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from atlas_bases import Pair
from atlas_given import config_at
from transformers.configuration_utils import ALLOWED_LAYER_TYPES

from symparam.models.traced.expressions import Expression, evaluate, keys_of
from symparam.models.traced.network import Network
from symparam.models.tracing.observation import Observer
from symparam.models.tracing.subjects import CannotBuildError, ConfigSubject

VARIANTS: dict[str, tuple[object, ...]] = {
    "feat_extract_norm": ("layer",),
    "feed_forward_proj": ("gated-gelu", "gated-silu"),
    "norm_rel_ebd": ("layer_norm",),
    "pos_att_type": (["p2c", "c2p"],),
    "attn_layer_indices": ([1], [0, 2], []),
    "cross_attention_hidden_size": (768,),
    "encoder_attention_type": ("transient-global",),
    "position_embedding_type": ("rotary",),
    "q_lora_rank": (None,),
}
"""Values by which keys of these names choose a variant."""
ALIKE: dict[str, tuple[object, ...]] = {"pos_att_type": ("p2c|c2p", "c2p|p2c", ["p2c", "c2p"], ["c2p", "p2c"])}
"""Spellings of one of these."""
LAYER_TYPES = re.compile(r"(^|\.)(layer_types|layers_block_type)$")
"""Keys that list the kind of each layer."""
FULL = "full_attention"
"""The kind of layer that classes name least, since it is what remains."""
PER_HEAD: Expression = ("//", ("key", "hidden_size"), ("key", "num_attention_heads"))
COMPUTED: dict[str, Expression] = {"attention_head_size": PER_HEAD, "head_dim": PER_HEAD}
"""Settings that a class computes from others where its config does not have them."""


def subject_of(pair: Pair) -> ConfigSubject:
    """The subject of a class with the settings that its module reads with a default of its own, ``getattr(config, "conv_groups", 1)``, and
    that the config does not have; of several defaults the one that changes no tensor.
    """
    subject = pair.subject()
    kind = subject.kind
    plain = Observer(subject).observe({}, plainly=True).tensors
    more: dict[str, object] = {}
    for name, value in _unlisted(kind, subject.prepare({})):
        if name not in more and name not in COMPUTED:
            found = pair.subject({**more, name: value})
            with suppress(CannotBuildError):  # Some defaults lead to code that the class never runs.
                more |= {name: value} if Observer(found).observe({}, plainly=True).tensors == plain else {}
    own: Any = subject.prepare({})
    settings = subject.settings(own)
    source = inspect.getsource(sys.modules[kind.__module__])
    for name, computed in COMPUTED.items():
        # Falcon's configs compute it, and nobody can set it; those of GLM-4.7 Flash have it under another name.
        is_own = isinstance(getattr(type(own), name, None), property) or name in own.attribute_map
        if not is_own and f'getattr(config, "{name}"' in source and name not in settings and keys_of(computed) <= settings.keys():
            more[name] = evaluate(computed, settings)
    subject = pair.subject(more)
    config = subject.prepare({})
    paths = subject.settings(config)
    subject.hints = {path: VARIANTS[name] for path in paths if (name := path.rpartition(".")[2]) in VARIANTS}
    subject.hints |= {path: hints for path, value in paths.items() if (hints := _other_layers(path, value, source))}
    subject.hints |= {path: hints for path, value in paths.items() if (hints := _words_beside(config, path, value))}
    return subject


def _other_layers(path: str, value: object, source: str) -> tuple[object, ...]:
    """Lists of three layers, of which one is of a kind that the default has nowhere, though the sources compare layers with its word."""
    if not LAYER_TYPES.search(path) or not isinstance(value, list) or len({*value}) != 1:
        return ()
    (word,) = {*value}
    compared = re.search(rf"[=!]= ['\"]{re.escape(word)}['\"]", source)
    others = [each for each in ALLOWED_LAYER_TYPES if each != word and (each == FULL or f'"{each}"' in source)] if compared else []
    return tuple([word, other, word] for other in others)


def _words_beside(config: object, path: str, value: object) -> tuple[object, ...]:
    """The other words that a config class lists for a key: ``layer_types`` for ``layer_type``."""
    outer, _, name = path.rpartition(".")
    words = getattr(type(config_at(config, outer)), f"{name}s", None)
    if not isinstance(value, str) or not isinstance(words, list) or value not in words:
        return ()
    return tuple(each for each in words if each != value)


def _unlisted(kind: type, config: object) -> Iterator[tuple[str, object]]:
    for node in ast.walk(ast.parse(inspect.getsource(sys.modules[kind.__module__]))):
        if isinstance(node, ast.Call) and ast.unparse(node.func) == "getattr" and ast.unparse(node.args[0]) in ("config", "self.config"):
            yield from ((name, value) for name, value in _literal(node) if not hasattr(config, name))


def _literal(node: ast.Call) -> Iterator[tuple[str, object]]:
    if len(node.args) == 3 and isinstance(node.args[1], ast.Constant):
        try:
            value = ast.literal_eval(node.args[2])
        except ValueError:  # Computed from others.
            return
        if value is not None and not str(node.args[1].value).startswith("_"):
            yield str(node.args[1].value), value


def with_spellings(pair: Pair, network: Network) -> Network:
    """The network with keys restricted to the spellings of a value, where nothing else was seen, and with what it computes itself where the
    config has no such setting.
    """
    own = pair.subject().settings(pair.subject().prepare({}))
    spelled = {path: ALIKE[name] for path in network.keys if (name := path.rpartition(".")[2]) in ALIKE}
    keys = {path: replace(network.keys[path], status="held", values=values) for path, values in spelled.items()}
    keys |= {path: replace(network.keys[path], follows=COMPUTED[path]) for path in COMPUTED if path in network.keys and path not in own}
    conditions = tuple(each for each in network.conditions if not keys_of(each) or keys_of(each) - spelled.keys())
    return replace(network, keys={**network.keys, **keys}, conditions=conditions)

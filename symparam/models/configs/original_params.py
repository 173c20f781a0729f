"""The params.json of the code with which Llama and Mistral were released, as the config that transformers reads.

Source: the code of the releases, llama/model.py (FeedForward) and mistral, model.py (ModelArgs).
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from symparam.core.json_types import JsonObject
from symparam.core.message import Message, message
from symparam.errors import ConfigError, shorten
from symparam.models.configs.config_file import ConfigDocument

_SIZES = {
    "dim": "hidden_size",
    "n_layers": "num_hidden_layers",
    "n_heads": "num_attention_heads",
    "n_kv_heads": "num_key_value_heads",
    "head_dim": "head_dim",
    "hidden_dim": "intermediate_size",
    "vocab_size": "vocab_size",
}
_WITHOUT_TENSORS = {"norm_eps", "rope_theta", "use_scaled_rope", "max_seq_len", "max_batch_size", "sliding_window"}
_OF_THE_WIDTH = {"multiple_of", "ffn_dim_multiplier"}


def is_original(document: ConfigDocument) -> bool:
    """Whether these are the keys of a params.json."""
    keys = document.keys.keys()
    return (
        {"dim", "n_layers", "n_heads", "norm_eps"} <= keys
        and not keys.isdisjoint({"multiple_of", "hidden_dim"})
        and not (keys & {"architectures", "model_type"})
    )


def as_config(document: ConfigDocument, changed: Collection[str]) -> tuple[ConfigDocument, Message]:
    """The same sizes under the keys of transformers, and a remark that says so. ``changed`` are the sizes that a what-if gives.

    Raises `ConfigError` for keys of other layers, and for a vocabulary that only the tokenizer knows.
    """
    given = document.keys
    for key in given:
        if key not in {*_SIZES, *_WITHOUT_TENSORS, *_OF_THE_WIDTH}:
            raise ConfigError(
                f"{document.place(key)}: this is a params.json of the original code, and what its {shorten(key, 40)!r} adds is not known; "
                "give the config.json that transformers reads"
            )
    keys: JsonObject = {new: given[old] for old, new in _SIZES.items() if given.get(old) is not None}
    if "hidden_dim" not in given:
        keys["intermediate_size"] = _width(document)
    if type(vocabulary := given.get("vocab_size", -1)) is int and vocabulary < 0:
        if not {"V", "vocab_size"} & {*changed}:
            raise ConfigError(
                f"{document.place('vocab_size')}: this params.json leaves the size of the vocabulary to the tokenizer; "
                "give it, as in --set V=32000"
            )
        keys.pop("vocab_size", None)
    keys |= {"architectures": ["LlamaForCausalLM"], "model_type": "llama"}
    width = str(keys["intermediate_size"])
    return replace(document, keys=keys), message("original-params", origin=document.origin, taken="LlamaForCausalLM", width=width)


def _width(document: ConfigDocument) -> int:
    """The feed-forward size: two thirds of 4H, times the factor, rounded down each time and then up to a multiple."""
    hidden, multiple = (_number(document, key, (int,)) for key in ("dim", "multiple_of"))
    wide = int(8 * hidden // 3)
    if document.keys.get("ffn_dim_multiplier") is not None:
        wide = int(_number(document, "ffn_dim_multiplier", (int, float)) * wide)  # In floats, as the original code has it.
    return int(-(-wide // multiple) * multiple)


def _number(document: ConfigDocument, key: str, kinds: tuple[type, ...]) -> int | float:
    value = document.keys.get(key)
    if not isinstance(value, (int, float)) or type(value) not in kinds or not 0 < value < 10**9:
        raise ConfigError(f'{document.place(key)}: "{key}" is {shorten(str(value), 40)}, but a positive number is expected')
    return value

"""The activation functions that configs can name. Source: ``ACT2FN``, transformers 5.23.0."""

from __future__ import annotations

from symparam.core.json_types import JsonMapping
from symparam.errors import KeyValueError

WITH_PARAMETERS = frozenset({"prelu", "xielu"})
WITHOUT_PARAMETERS = frozenset(
    {"gelu", "gelu_10", "gelu_accurate", "gelu_fast", "gelu_new", "gelu_python", "gelu_python_tanh", "gelu_pytorch_tanh", "hardswish"}
    | {"laplace", "leaky_relu", "linear", "mish", "quick_gelu", "relu", "relu2", "relu6", "sigmoid", "silu", "sqrtsoftplus", "swish"}
    | {"tanh"}
)


def activation_function(keys: JsonMapping, key: str, default: str) -> str:
    """The activation function under the key. Raises `KeyValueError` for one with parameters, and for one that the reference lacks."""
    name = keys.get(key, default)
    if not isinstance(name, str) or name not in WITH_PARAMETERS | WITHOUT_PARAMETERS:
        raise KeyValueError(key, f'an activation function that transformers has, such as "{default}",')
    if name in WITH_PARAMETERS:
        raise KeyValueError(key, "an activation without parameters of its own")
    return name

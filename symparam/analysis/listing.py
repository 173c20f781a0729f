"""The tensors of a model in the order of ``named_parameters()`` of the reference."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from symparam.analysis.counting import Count
from symparam.analysis.derivation import Derivation
from symparam.core.algebra.closed_form import expanded
from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula, number
from symparam.core.frozen import frozen
from symparam.core.notation import UNICODE
from symparam.models.blocks import Architecture


@frozen
class ListedTensor:
    """One tensor: its full name, its shape (numbers where the model has values), and its number of elements as a formula."""

    name: str
    shape: tuple[Formula, ...]
    formula: Formula


@frozen
class TensorList:
    """All tensors of a model, tied ones once, and their total: a number where the model has values, else None."""

    derivation: Derivation
    tensors: tuple[ListedTensor, ...]
    total: int | Fraction | None

    @property
    def tied(self) -> tuple[tuple[str, str], ...]:
        """The tied tensors, which are not listed: each name, with the name of the listed tensor with which it shares memory."""
        return tuple((name, tensor.tied_to) for name, tensor in self.derivation.architecture.tensors() if tensor.tied_to)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(tensor.name for tensor in self.tensors)


def tensor_list(derivation: Derivation, count: Count | None) -> TensorList:
    """The tensors of the derivation's architecture: layer by layer with a count's values, otherwise with ``{i}`` for the layer number."""
    if count is None:
        return TensorList(derivation, tuple(_symbolic(derivation.architecture, derivation.alphabet)), None)
    return TensorList(derivation, tuple(_spelled_out(derivation.architecture, count.values, derivation.alphabet)), count.total)


def _symbolic(architecture: Architecture, alphabet: Alphabet) -> list[ListedTensor]:
    notation = UNICODE.using(alphabet)
    return [
        ListedTensor(name, tuple(expanded(size, notation=notation) for size in tensor.shape), expanded(tensor.elements, notation=notation))
        for name, tensor in architecture.tensors()
        if tensor.tied_to is None
    ]


def _spelled_out(architecture: Architecture, values: Mapping[str, int], alphabet: Alphabet) -> list[ListedTensor]:
    notation = UNICODE.using(alphabet)
    return [
        ListedTensor(name, tuple(map(number, shape)), expanded(tensor.elements, notation=notation))
        for name, shape, tensor in architecture.named_parameters(values)
    ]

"""A block of one's own, in a file that does not postpone the evaluation of annotations: its sizes are those that it declares."""

from dataclasses import dataclass, field

import pytest
import sympy

from symparam import Architecture, Block, LayerNorm, SymparamError, derive
from symparam.models.blocks import Module, Tensor
from symparam.models.blocks.module import SIZE, Size


@dataclass(frozen=True)
class Bilinear(Module):
    """``in_features² · out_features`` parameters."""

    in_features: Size = field(metadata=SIZE)
    out_features: Size = field(metadata=SIZE)

    @property
    def tensors(self) -> tuple[Tensor, ...]:
        return (Tensor("weight", (self.out_features, self.in_features, self.in_features)),)


@dataclass(frozen=True)
class Undeclared(Module):
    """Has a size that is not declared as one."""

    width: Size


H, I = sympy.symbols("H I")


def test_relations_reach_the_sizes_of_a_block_of_ones_own() -> None:
    architecture = Architecture("bilinear", Block("Model", mix=Bilinear(H, I)))
    assert str(derive(architecture)) == "IH²"
    assert str(derive(architecture, where=["I=4H"])) == "4H³"


def test_a_size_has_to_be_one() -> None:
    with pytest.raises(SymparamError, match=r"^in_features of Bilinear is 0, but a size is a positive whole number$"):
        Bilinear(0, I)


def test_a_size_that_is_not_declared_is_refused() -> None:
    with pytest.raises(
        SymparamError, match=r"^width of Undeclared is H, but the field is not declared as a size, .*declare it in the class"
    ):
        Undeclared(H)


def test_a_layer_norm_has_the_tensors_of_torchs() -> None:
    kinds = (LayerNorm(H), LayerNorm(H, bias=False), LayerNorm(H, elementwise_affine=False))
    assert [[tensor.name for tensor in each.tensors] for each in kinds] == [["weight", "bias"], ["weight"], []]

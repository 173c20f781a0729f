"""LoRA: two low-rank matrices added to a frozen matrix; one projects down to r_a features, the other projects up again.

Source: Hu et al. 2021, arXiv 2106.09685; peft, ``tuners/lora/layer.py``, whose tensor names are used here.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from symparam.core.dimensions import symbol
from symparam.core.frozen import frozen
from symparam.errors import ArchitectureError, UnknownNameError, shorten
from symparam.models import blocks
from symparam.models.blocks import Block, Layers, Module, Repeat, Tied
from symparam.models.blocks.architecture import Architecture, Place, join_path

r_a = symbol("r_a")
DOWN, UP = "adapter-down", "adapter-up"
ALL_LINEAR = "all-linear"
_HEADS = ("language-model-head", "vocabulary-projection")


@frozen
class Lora:
    """The requested adapters: their rank, which may be left symbolic, and the names of the matrices to adapt."""

    rank: int | None
    targets: tuple[str, ...]

    @property
    def statements(self) -> tuple[str, ...]:
        """The rank as a statement about a model."""
        return () if self.rank is None else (f"r_a={self.rank}",)


def read_lora(rank: str | int | None, targets: str | Iterable[str]) -> Lora | None:
    """The adapters for ``r=16``, ``16`` or ``r`` and names of matrices; None if neither is given.

    Raises `ArchitectureError` for one without the other.
    """
    listed = (targets,) if isinstance(targets, str) else tuple(targets)
    names = tuple(name.strip() for each in listed for name in each.split(",") if name.strip())
    if rank is None and not names:
        return None
    if rank is None or not names:
        raise ArchitectureError("LoRA needs a rank and the matrices that it is for, as in --lora r=16 --lora-on q_proj,v_proj")
    text = str(rank).replace(" ", "").removeprefix("r=").removeprefix("r_a=")
    if text in ("r", "r_a"):
        return Lora(None, names)
    if not (text.isascii() and text.isdigit() and 0 < len(text) < 10 and int(text)):
        raise ArchitectureError(f"{shorten(str(rank))!r} is not a rank; a positive whole number is expected, as in --lora r=16, or r alone")
    return Lora(int(text), names)


def with_lora(architecture: Architecture, lora: Lora) -> Architecture:
    """The architecture with r_a(in + out) additional parameters for each adapted matrix. A matrix is named by the end of its path,
    ``q_proj`` or ``self_attn.q_proj``; ``all-linear`` means all matrices but the output head's.

    Raises `UnknownNameError` for a name that no block has, and `ArchitectureError` for a block that is not a matrix.
    """
    chosen = frozenset(place.path for name in lora.targets for place in _named(architecture, name))
    return replace(architecture, root=_adapted(architecture.root, architecture.place, chosen))


def is_adapter(module: Module) -> bool:
    """Whether a block is one of the two low-rank matrices."""
    return module.role in (DOWN, UP)


def has_adapters(architecture: Architecture) -> bool:
    """Whether any matrix has an adapter."""
    return any(is_adapter(place.module) for place in architecture.places())


def _matrix(module: Module) -> blocks.Linear | blocks.Conv1D | None:
    block = module.inner if isinstance(module, Tied) else module
    # The reference's router is a lone tensor.
    return block if isinstance(block, (blocks.Linear, blocks.Conv1D)) and module.role != "router" else None


def _named(architecture: Architecture, name: str) -> list[Place]:
    places = [place for place in architecture.places() if place.path]
    if name == ALL_LINEAR:
        if any(isinstance(place.module, blocks.Experts) for place in places):
            raise ArchitectureError(
                f"{ALL_LINEAR} of {architecture.class_name} would include its experts, for which symparam knows no LoRA; name linear "
                "layers, such as q_proj,v_proj"
            )
        return [place for place in places if _matrix(place.module) and place.module.role not in _HEADS]
    found = [place for place in places if place.path == name or place.path.endswith(f".{name}")]
    matrices = dict.fromkeys(place.path.rpartition(".")[2] for place in places if _matrix(place.module))
    if not found:
        raise UnknownNameError(f"matrix of {architecture.class_name}", name, (*matrices, ALL_LINEAR), "LoRA is for its linear layers")
    if other := next((place for place in found if _matrix(place.module) is None), None):
        raise ArchitectureError(
            f"{name} of {architecture.class_name} is {other.module.role or other.module.kind}, of which no LoRA is known here; "
            f"name linear layers, such as {', '.join(list(matrices)[:3])}"
        )
    return found


def _adapted(module: Module, place: Place, chosen: frozenset[str]) -> Module:
    """The block at a place, with an adapter if its path is among the chosen ones."""
    if place.path in chosen and (matrix := _matrix(module)):
        return _beside(module, matrix, chosen)
    inside = [_adapted(each.module, each, chosen) for each in place.inside] if module.children else []
    if isinstance(module, Repeat):
        return replace(module, body=inside[0])
    if isinstance(module, Layers):
        return module.with_groups(group for group in inside if isinstance(group, Repeat))
    if isinstance(module, Block):
        return module.with_parts(dict(zip((own for own, _ in module.parts), inside, strict=True)))
    return _tied(module, chosen)


def _tied(module: Module, chosen: frozenset[str]) -> Module:
    """A tied block whose tensors belong to a matrix that has moved into the block with the adapter."""
    if not isinstance(module, Tied):
        return module
    moved = {}
    for tensor, target in module.targets:
        path, _, last = target.rpartition(".")
        moved[tensor] = join_path(path, f"base_layer.{last}") if path in chosen else target
    return Tied(module.inner, **moved)


def _beside(module: Module, matrix: blocks.Linear | blocks.Conv1D, chosen: frozenset[str]) -> Block:
    entering, leaving = matrix.in_features, matrix.out_features
    return Block(
        "lora.Linear",
        role=module.role,
        rows=module.rows,
        takes={"lora_A": "input", "add": ("base_layer", "lora_B")},
        base_layer=_tied(module, chosen),
        lora_A=Block("ModuleDict", role="adapter", default=blocks.Linear(entering, r_a, bias=False, role=DOWN)),
        lora_B=Block("ModuleDict", role="adapter", default=blocks.Linear(r_a, leaving, bias=False, role=UP)),
        add=blocks.Add(role="adapter-sum"),
    )

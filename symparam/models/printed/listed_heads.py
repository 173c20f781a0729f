"""Output heads in a listing of a class that is not known: matrices with the shape of a token table, which a state lists twice if they are
tied.

A head is known by its name, or by its place: it is the last matrix, or a plain linear layer whose outputs no other matrix takes. Tables of
positions and of types, attention and the layers have none. A head that is transposed, as the kernel of a dense layer is, cannot be the same
tensor as the table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from symparam.core.frozen import frozen
from symparam.models.printed.named_tensors import LAYER_LISTS
from symparam.models.printed.recognition import POSITION, TYPE
from symparam.models.printed.tree import Node, PlacedModule, Shape, placed_modules

_TABLE = re.compile(r"emb|wte|tok|vocab|word|lut$|lookup|^shared$", re.IGNORECASE)
_HEAD = re.compile(
    r"head|logit|unemb|(?:^|_)out(?:put)?s?(?:_|$)|out$|pred(?:ict|$|_)|generator|classif|readout|scorer?$|softmax|(?:^|_)m?lm(?:_|$)"
    r"|to_?(?:vocab|tok|word)",
    re.IGNORECASE,
)
_LINEAR = re.compile(r"(?:^|_)(?:fc|lin|linear|dense|proj|projection|projector|final|last)(?:_|$)", re.IGNORECASE)
_OTHERS = re.compile(
    r"^seg|quer(?:y|ies)|class_?emb|(?:^|_)deg(?:ree)?s?(?:_|$)|label|time|speaker|user|(?:^|_)codes?(?:_|$)|codebook|quant|norm|patch|latent|prompt|register"
    r"|(?:cls|mask|special|mem|memory|start|bos|sos)_?tok|att(?:entio)?n\d*$|^(?:w_?)?(?:q|k|v|o|qkv|query|key|value)(?:_proj)?$",
    re.IGNORECASE,
)
"""Tables of something other than tokens, norms, and the matrices of attention."""
_OF_SOURCE = re.compile(r"(?:^|_)(?:src|source|enc|encoder)(?:_|$)", re.IGNORECASE)
_OF_TARGET = re.compile(r"(?:^|_)(?:tgt|trg|target|dec|decoder)(?:_|$)", re.IGNORECASE)
_PARAMETERS = frozenset({"weight", "kernel", "w", "W"})


@frozen
class _Matrix:
    """A matrix: its full name, its shape or number of elements, the names of its modules without numbers, the innermost first, and whether
    it stands alone, outside the layers, and has a bias.
    """

    name: str
    shape: Shape
    words: tuple[str, ...]
    alone: bool
    biased: bool

    def says(self, pattern: re.Pattern[str]) -> bool:
        """Whether one of the two innermost names matches."""
        return any(map(pattern.search, self.words[:2]))

    @property
    def is_other(self) -> bool:
        """Whether its name tells that it is neither a table of tokens nor a head."""
        return any(map(self.says, (POSITION, TYPE, _OTHERS)))

    @property
    def is_named_head(self) -> bool:
        inner = self.words[0]
        return bool(_HEAD.search(inner)) or inner == "decoder" or (self.says(_HEAD) and not _TABLE.search(inner))

    @property
    def is_table(self) -> bool:
        named = (self.says(_TABLE) and not _LINEAR.search(self.words[0])) or self.words[0] == "encoder"
        return named and self.shape[0] > 1 and not self.biased and not self.is_named_head


def listed_heads(root: Node) -> dict[str, str]:
    """The heads that may be tied, each with the table of its shape. Where source and target have tables of that shape, as with a joint
    vocabulary, the target's may be the source's.
    """
    every = [*_matrices(root)]
    matrices = [each for each in every if each.alone and not each.is_other]
    tables = [each for each in matrices if each.is_table]
    taken = {each.shape[-1] for each in every if len(each.shape) > 1}
    found = dict[str, str]()
    for each in matrices:
        alike = [table for table in tables if table.shape == each.shape]
        placed = each is every[-1] or (each.says(_LINEAR) and each.shape[0] not in taken)
        if alike and not each.is_table and (each.is_named_head or placed):
            source = next((table for table in alike if any(map(_OF_SOURCE.search, table.words))), None)
            targets = [table for table in alike if any(map(_OF_TARGET.search, table.words))]
            found |= {table.name: source.name for table in targets if source and table is not source}
            found[each.name] = (source or (*targets, *alike)[0]).name
    return found


def _matrices(root: Node) -> Iterator[_Matrix]:
    """The matrices; where only numbers of elements are listed, all weights, since any may be one."""
    placed = [*placed_modules(root)]
    only_counts = all(len(shape) < 2 for spot in placed for _, shape in spot.node.tensors)
    for spot in placed:
        for path in _paths(spot):
            for name, shape in spot.node.tensors:
                if len(shape) == 2 or (only_counts and shape and name in _PARAMETERS):
                    full = f"{path}.{name}".lstrip(".")
                    words = [part for part in full.split(".") if not part.isdecimal() and part not in _PARAMETERS]
                    alone = bool(words) and "{" not in path and LAYER_LISTS.isdisjoint(words)
                    yield _Matrix(full, shape, tuple(reversed(words)), alone, "bias" in dict(spot.node.tensors))


def _paths(spot: PlacedModule) -> list[str]:
    """The path with a number in place of a letter that only stands for one; several paths for a list of heads, numbered from 0."""
    path = re.sub(r"\{\w+=(\d+)\}", r"\1", spot.path)
    if spot.copies == 1:
        return [re.sub(r"\{[^{}]*\}", "0", path)]
    outer, _, last = path.rpartition(".")
    is_list = "{" not in outer and re.fullmatch(r"\{\w+\}", last) is not None and _HEAD.search(outer.rpartition(".")[2])
    return [f"{outer}.{at}" for at in range(spot.copies)] if is_list else [path]

"""The parts that modules of the reference's classes have by their source: a class of another library may have the same name."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from symparam.models.printed.recorded_libraries import ClassRecord

RECORDED = Path(__file__).with_name("recorded") / "parts.txt"


def has_parts_of_the_reference(kind: str, nonempty: Collection[str], shown: Collection[str]) -> bool:
    """Whether a module with these parts, of which those in ``nonempty`` hold something, can be of the reference's class of that name in one
    of its releases; true where nothing is recorded.
    """
    records = _records().get(kind, ())
    return not records or any(each.fits(nonempty, shown) for each in records)


@cache
def _records() -> Mapping[str, tuple[ClassRecord, ...]]:
    found: dict[str, tuple[ClassRecord, ...]] = {}
    for line in RECORDED.read_text(encoding="utf-8").splitlines():
        parts, _, kinds = line.partition(" : ")
        names = parts.split()
        record = ClassRecord(frozenset(name.strip("+~") for name in names), always=frozenset(n[1:] for n in names if n.startswith("+")))
        found |= {kind: (*found.get(kind, ()), record) for kind in kinds.split() if not line.startswith("#")}
    return MappingProxyType(found)

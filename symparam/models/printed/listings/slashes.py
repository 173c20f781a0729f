"""Names with slashes beside dots: each is the name of one tensor (``conv1/bn.weight``), or stands for several (``q/k/v_proj.weight``)."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Sequence

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import names_several
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.tree import Shape

_WORDS = re.compile(r"(?<!\w)\w++$")
_NUMBER = re.compile(r"(?<!\d)\d++$")


def require_whole_names(tensors: Sequence[NamedTensor]) -> None:
    """Raise a `DocumentError` for a name that may stand for several tensors.

    It is that of one tensor where every way of reading the slashes of the listing as "or" gives some tensor two shapes.
    """
    slashed = [each for each in tensors if names_several(each.name)]
    if slashed and not all(_contradicts(tensors, alternatives) for alternatives in (_each, _with_end, _with_beginning, _of_paths)):
        raise DocumentError(
            f"{slashed[0].place}: {shorten(slashed[0].name)} stands for several tensors, or is the name of one; list each by its full "
            "name, with dots for slashes"
        )


def _contradicts(tensors: Sequence[NamedTensor], alternatives: Callable[[str], list[str]]) -> bool:
    shapes = defaultdict[str, set[Shape]](set)
    for each in tensors:
        for name in alternatives(each.name) if names_several(each.name) else [each.name]:
            shapes[name].add(each.shape)
    return any(len(several) > 1 for several in shapes.values())


def _each(name: str) -> list[str]:
    """``q_proj/k_proj.weight`` as ``q_proj.weight`` and ``k_proj.weight``."""
    return _expanded(name, lambda parts: parts)


def _with_end(name: str) -> list[str]:
    """``q/k_proj.weight`` as ``q_proj.weight`` and ``k_proj.weight``."""
    return _expanded(name, lambda parts: [part + _end(parts) * (part != parts[-1]) for part in parts])


def _with_beginning(name: str) -> list[str]:
    """``block1/2.weight`` as ``block1.weight`` and ``block2.weight``."""
    return _expanded(name, lambda parts: [parts[0], *(_NUMBER.sub("", parts[0]) * part.isdecimal() + part for part in parts[1:])])


def _of_paths(name: str) -> list[str]:
    """``encoder.0/decoder.0.weight`` as ``encoder.0.weight`` and ``decoder.0.weight``."""
    path, _, last = name.rpartition(".")
    return [f"{each}.{last}" for each in path.split("/")]


def _end(parts: list[str]) -> str:
    found = _WORDS.search(parts[-1])
    _, joint, end = (found[0] if found else "").partition("_")
    return joint + end if end else ""


def _expanded(name: str, alternatives: Callable[[list[str]], list[str]]) -> list[str]:
    """The names that result where each component with slashes is one of its alternatives, in turn."""
    components = [alternatives(part.split("/")) if "/" in part else [part] for part in name.split(".")]
    longest = max(map(len, components))
    return [".".join(each[min(at, len(each) - 1)] for each in components) for at in range(longest)]

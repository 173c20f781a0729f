"""Tensors in lines that begin with their names: names, shapes and neighbours tell which of these lines are a listing."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import prod

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.frames import alignment, are_aligned, common_frame, frame
from symparam.models.printed.listings.lines import DECORATION, LONE_NAMES, Line
from symparam.models.printed.listings.pieces import PARAMETERS, is_certain, is_named, is_parameter, is_setting, pieces
from symparam.models.printed.named_tensors import NamedTensor

_DECORATED = re.compile(r"[ \t]{0,80}(?:\[\w|[-=#*]{2}|[#>])")
"""The beginning of a heading, such as ``[decoder]`` or ``--- decoder ---``."""
_NO_TENSOR = re.compile(r"(?:size|shape|dims?|stride|padding|mean|std|range|resolution|crop|input|output|image|batch)s?$", re.IGNORECASE)
"""The ends of names of settings that are lists of numbers."""
_SINGLE = re.compile(r"(?:^|_)(?:weight|bias|gamma|beta|kernel|token|scale|embed|embedding|temperature)s?$", re.IGNORECASE)
"""The ends of names without a dot that are tensors if a single number follows them."""
_COMMENTS = ("#", "//", "%")
_NUMBERED = re.compile(r"(?:layer|block|stage|group|part|section|level|module|step|epoch)s?", re.IGNORECASE)
"""Words that stand with a number above a part of a listing: ``Block 2``."""
_SEVERAL = re.compile(r"(?:layers|blocks|stages|experts|modules|parameters|params|tensors|weights)$", re.IGNORECASE)
"""The ends of names of parts that stand with a colon above their tensors."""
_HEADS = re.compile(r"\W{0,40}\w{1,40}(?:[ \t|,:]{1,400}(?:shape|sizes?|d?type|numel|count|params)){1,4}\W{0,40}", re.IGNORECASE)
"""The heads of the columns of a listing: ``weight shape``."""
HEADINGS = re.compile(r"(?:\w{1,40}_)?state_dict|(?:named_)?(?:parameters|buffers)(?:\(\))?")
"""Words that stand above a listing and are not tensors of it."""


def tensors_in_lines(lines: Mapping[int, str], order: Sequence[int], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors of lines outside tables, by line number. ``order`` holds the lines that are neither rules nor ellipses.

    Raises `DocumentError` for a line that may be a tensor of the listing but is not written as one.
    """
    found = {number: read for number, line in lines.items() if (read := [*pieces(line, number, file)])}
    certain = {
        number: read
        for number, read in found.items()
        if any(map(is_certain, read)) and all(is_certain(each) or (each.numbers and is_parameter(each.name)) for each in read)
    }
    signs = {(each.between, each.sizes.style) for read in certain.values() for each in read if each.sizes}
    columns = {read[0].column for read in certain.values()}  # A name alone in another one is a heading, such as [decoder_part].
    headings = {number for number, behind in pairwise(order) if behind in found and _heads(lines[number], found[behind][0].name)}
    frames = {number: frame(lines[number], read[0].column) for number, read in found.items() if len(read) == 1}
    told = common_frame(frames.get(number) for number in certain or order)
    accepted = dict(certain) or {number: found[number] for number in order if told is not None}
    places = [alignment(lines[number], first.column) for number, (first, *_) in found.items() if "." in first.name]
    for number, (first, *_) in found.items():
        place = alignment(lines[number], first.column) if number not in accepted and first.numbers and not is_setting(first.name) else None
        if place is not None and are_aligned(place, places):
            accepted[number] = found[number]
    for ordered in (order, order[::-1]):
        near = False
        for number in ordered:
            read = found.get(number, []) if number not in accepted else []
            if read and told is not None and frames.get(number) == told:
                accepted[number] = read
                read = []
            sure = near or all("." in each.name and each.numbers and is_parameter(each.name) for each in read)
            placed = not any(each.bare for each in read) or read[0].column in columns or not _DECORATED.match(lines[number])
            if read and sure and placed and all(_fits(each, signs) for each in read):
                accepted[number] = read
            near = number in accepted or (near and (number in headings or lines[number].lstrip().startswith("|")))
    if found and len(found) == len(order) and not (certain or any(map(_lacks_sizes, found.values()))):
        accepted = found  # There is nothing else in the text.
    begin, end = min(found, default=0), max(found, default=0)
    if found and len(found) == sum(begin <= number <= end for number in order) and are_alike([*found.values()]):
        accepted = found  # There is nothing else between them.
    accepted = {number: read for number, read in accepted.items() if not _is_heading(number, read[0], lines, accepted, file)}
    _require_together(found, accepted, file)
    _require_single(found, accepted, lines, signs, file)
    _require_shapes(found, accepted, order, file)
    return {number: [_tensor(each, number, file) for each in read] for number, read in accepted.items()}


def _lacks_sizes(read: Sequence[Line]) -> bool:
    return not all(each.sizes for each in read)


def are_alike(rows: Sequence[Sequence[Line]]) -> bool:
    """Whether all lines have a name, the same sign, and a shape or a single number, which stands for a shape of one size: some have several
    sizes, and the first and the last are certainly tensors.
    """
    lines = [each for read in rows for each in read]
    single = [each for each in lines if each.sizes and len(each.sizes.shape) == 1]
    if (
        len(lines) != len(rows)
        or len({each.between for each in lines}) > 1
        or not all(each.sizes or len(each.numbers) == 1 for each in lines)
    ):
        return False
    if single and any(each.sizes is None for each in lines):
        return False
    ends = all(each.sizes or "." in each.name or LONE_NAMES.search(each.name) for each in (lines[0], lines[-1]))
    return (
        ends
        and any(each.sizes and len(each.sizes.shape) > 1 for each in lines)
        and not any(is_setting(each.name) or _NUMBERED.fullmatch(each.name) for each in lines)
    )


def _heads(line: str, name: str) -> bool:
    """Whether a line holds nothing but the module of the tensor below it, or the tensor itself."""
    bare = line.strip("=#-*:[]<>_ \t")
    return len(line) < 200 and bare != "" and f"{name}.".startswith(f"{bare}.")


def _is_heading(number: int, line: Line, lines: Mapping[int, str], accepted: dict[int, list[Line]], file: str) -> bool:
    """Whether a name alone stands above a listing or a part of it, rather than being a single number between tensors.

    Raises `DocumentError` where it may be either.
    """
    if line.sizes or line.numbers:
        return False
    if number == min(accepted) and _HEADS.fullmatch(lines[number]):
        return True
    if line.between:
        return False
    if HEADINGS.fullmatch(line.name) or (number + 1 in accepted and accepted[number + 1][0].name.startswith(f"{line.name}.")):
        return True
    if not {number - 1, number + 1} <= accepted.keys() and lines[number].lstrip(DECORATION) == line.name:
        raise DocumentError(
            f"{file}, line {number}, column {line.column}: {shorten(line.name)} has no shape, and does not stand between tensors; give it "
            "() if it is a single number, or leave out the line"
        )
    return False


def _require_together(pieces: dict[int, list[Line]], accepted: dict[int, list[Line]], file: str) -> None:
    """Raise a `DocumentError` for a name with a shape that is written like the tensors, in the same column, but apart from them."""
    styles = {(each.column, each.between, each.sizes.style) for read in accepted.values() for each in read[:1] if each.sizes}
    for number, (line, *_) in pieces.items():
        if number in accepted or not line.sizes or line.sizes.style in ("number", "scalar") or _NO_TENSOR.search(line.name):
            continue
        if (line.column, line.between, line.sizes.style) in styles:
            raise DocumentError(
                f"{file}, line {number}, column {line.column}: {shorten(line.name)} is written like the tensors of the listing, but stands "
                "apart from them; put it beside them, or leave out the line"
            )


def _require_single(
    found: dict[int, list[Line]], accepted: dict[int, list[Line]], lines: Mapping[int, str], signs: set[tuple[str, str]], file: str
) -> None:
    """Raise a `DocumentError` for a name with a single number, or alone between tensors, that may be a tensor of the listing but is not
    written as one.
    """
    modules = {each.name[:at] for read in accepted.values() for each in read for at, sign in enumerate(each.name) if sign == "."}
    alone = {number for number, read in found.items() if read[0].bare} | accepted.keys()
    elements = sum(prod(_tensor(each, number, file).shape) for number, read in accepted.items() for each in read)
    columns, first, last = {read[0].column for read in accepted.values()}, min(accepted, default=0), max(accepted, default=0)
    for number, line in ((number, each) for number, read in found.items() if accepted and number not in accepted for each in read):
        beside = accepted.keys() & {number - 1, number + 1}
        crossed = bool(beside) and (line.between, "crossed") in signs
        is_size = crossed and ("." not in line.name or first < number) and line.numbers not in ((), (elements,))
        if line.name in modules or (is_setting(line.name) and not is_size) or lines[number].lstrip().startswith(_COMMENTS):
            continue
        if _SEVERAL.search(line.name) if line.bare and line.between == ":" else not line.between and _NUMBERED.fullmatch(line.name):
            continue  # The heading of a part.
        if line.numbers or line.sizes:
            told = "." in line.name or (bool(line.numbers) and (crossed or (bool(beside) and _SINGLE.search(line.name) is not None)))
        elif "." in line.name:
            told = line.bare and first - 1 <= number <= last + (number < max(lines)) and not line.name.rpartition(".")[2][0].isupper()
        else:
            like_tensors = "_" in line.name or LONE_NAMES.search(line.name) is not None
            between = first < number < last and {number - 1, number + 1} <= alone
            told = line.bare and between and line.column in columns and like_tensors and not HEADINGS.fullmatch(line.name)
        if told:
            what = "a single number" if line.numbers else "no shape"
            raise DocumentError(
                f"{file}, line {number}, column {line.column}: {shorten(line.name)} has {what} and may be a tensor of the listing, but is "
                "not written as one; give it a shape as the tensors beside it have, [] for a single number, or leave out the line"
            )


def _fits(line: Line, signs: set[tuple[str, str]]) -> bool:
    """Whether a line can belong to a listing whose lines have these signs between name and shape."""
    styles = {style for between, style in signs if between == line.between}
    if line.sizes is not None:
        return line.sizes.style in styles or (line.sizes.style in ("square", "round", "scalar") and bool(styles))
    if line.numbers:
        likely = is_named(line.name) or _SINGLE.search(line.name) is not None
        return likely and "crossed" in styles and len(line.numbers) <= 2
    crossed = any(style == "crossed" for _, style in signs)
    signed = line.between in {"", *(between for between, _ in signs)}
    like_tensors = ("_" in line.name or LONE_NAMES.search(line.name) is not None) and not line.name[-1].isdecimal()
    return line.bare and crossed and signed and like_tensors and not ("." in line.name and is_parameter(line.name))


def _require_shapes(pieces: dict[int, list[Line]], accepted: dict[int, list[Line]], order: Sequence[int], file: str) -> None:
    """Raise a `DocumentError` for a line of the listing that names a tensor whose shape cannot be read."""
    for before, number, behind in zip([0, *order], order, [*order[1:], 0], strict=False):
        if number in accepted or number not in pieces:
            continue
        line = pieces[number][0]
        named = "." in line.name and line.name.rpartition(".")[2] in PARAMETERS
        if (line.faulty and (named or "Size(" in line.faulty)) or (accepted.keys() >= {before, behind} and (named or line.faulty)):
            what = f"the shape {shorten(line.faulty, 40)!r}, which cannot" if line.faulty else "no shape that can"
            raise DocumentError(
                f"{file}, line {number}, column {line.column}: {shorten(line.name)} has {what} be read; "
                "one such as torch.Size([64, 64]), [64, 64] or 64 x 64 is expected"
            )


def _tensor(line: Line, number: int, file: str) -> NamedTensor:
    shape = line.sizes.shape if line.sizes else line.numbers[:1]
    return NamedTensor(line.name, shape, f"{file}, line {number}, column {line.column}", number)

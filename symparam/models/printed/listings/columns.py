"""Tensors in lines of a common pattern, as in a log or a box: finds the column of the shape and that of the name.

The pattern of a line is its sequence of words, numbers, shapes and signs; lines with the same pattern belong together. The name is the word
that differs in every line, whereas log levels, types and headings repeat.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import replace
from functools import lru_cache
from itertools import pairwise, takewhile
from math import prod

from symparam.core.frozen import frozen
from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import KNOWN_WORD, LONE_NAMES, MAX_LINE, SUMS, dotted, read_sizes
from symparam.models.printed.named_tensors import NamedTensor
from symparam.models.printed.tree import Shape

MAX_TOKENS = 80
_MOST_KEPT = 100_000  # Lines whose tokens are kept while a listing is read.
_WORD = re.compile(r"(?:\d{1,6}_)?[^\W\d][\w-]*(?:[./](?:~/)?[\w-]+)*|\d+(?:[./]\d+)*[./][^\W\d][\w-]*(?:[./][\w-]+)*")
_NUMBER = re.compile(r"\d[\d.]*")
_OTHER = re.compile(r"[^\w\s(\[]+")
_LIKELY = re.compile(r"[(\[{][\d\s,]*[)\]}]|\d ?[xX×✕*] ?\d|\d by \d")  # At least one line of a listing has such a shape.
SCALAR = "scalar"
"""The word that stands for the shape of a single number."""
STYLES = frozenset({"sized", "square", "round", "curly"})
NO_SIGNS = STYLES | {"W", "N", "call"}
"""The kinds of tokens that are not signs."""
BULLETS = ("|", "│", "┃", "-", "*", "+", "•", ">", "#", "=", "_")
ARROWS = ("->", "=>", "→", "-->")
_NO_SHAPE = re.compile(r"(?:strides?|padding|offsets?|kernel_size|dilation) ?[=:] ?$", re.IGNORECASE)
_NAMED = re.compile(r"\w[./]\w")
_GOES_ON = re.compile(r"\.(?!\.)")
_CLOSES = re.compile(r"[\])}>]\.")
"""A dot that continues a name, directly or after a bracket: the bracket is then a part of a name that stands for several tensors."""
_LIKE_A_NAME = re.compile(r"[._/]")


Beginnings = dict[tuple[str, ...], tuple[int, int]]
"""The beginnings of the lines of a listing, up to name and shape: the kinds of tokens, with the positions of these two."""


@frozen
class ListingToken:
    """A word (``W``, or ``call`` before a bracket), a shape in brackets (by its style), a number or a shape such as 3 x 4 (``N``), or a
    sign as it stands.
    """

    kind: str
    text: str
    column: int
    shape: Shape = ()


def tensors_in_columns(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors in lines of a common pattern, by line number.

    A name may stand in the line before its shape. Raises `DocumentError` for a line with a name and a shape that does not follow the
    pattern.
    """
    if not _is_likely(lines):
        return {}
    return _required(lines, file) or _required(_joined(lines), file)


def require_none(lines: Mapping[int, str], file: str) -> None:
    """Raise a `DocumentError` where other lines list further tensors in another way."""
    if _is_likely(lines) and (found := _alike(_read(lines), file)[0]):
        number, (first, *_) = min(found.items())
        raise DocumentError(
            f"{file}, line {number}: {shorten(first.name)} and {len(found) - 1} more are written differently from the tensors of the "
            "listing; write all in one way, or leave out those that are not meant"
        )


def modules_of(names: Iterable[str]) -> set[str]:
    """The names of all modules that the tensors of these names are in."""
    return {name[:at] for name in names for at, sign in enumerate(name) if sign == "."}


def _is_likely(lines: Mapping[int, str]) -> bool:
    return any(_LIKELY.search(line[:MAX_LINE]) for line in lines.values())


def _joined(lines: Mapping[int, str]) -> dict[int, str]:
    """Each line with a shape, joined to the line before it if that has none."""
    found: dict[int, str] = {}
    before = ""
    for number, line in lines.items():
        if any(each.kind in STYLES for each in tokens_of(line)):
            found[number] = f"{before} {line}"
            before = ""
        else:
            before = line
    return found


def _read(lines: Mapping[int, str]) -> dict[int, list[ListingToken]]:
    return {number: tokens for number, line in lines.items() if (tokens := [*tokens_of(line)]) and any(map(may_be_shape, tokens))}


def _alike(read: Mapping[int, list[ListingToken]], file: str) -> tuple[dict[int, list[NamedTensor]], Beginnings]:
    """The tensors of lines with a common pattern, if there are at least two, and of those that agree with them up to name and shape."""
    unwrapped = {number: _unwrapped(tokens) for number, tokens in read.items()}
    alike = defaultdict[str, dict[int, list[ListingToken]]](dict)
    for number, tokens in unwrapped.items():
        alike["".join(each.kind for each in tokens)][number] = tokens
    found: dict[int, list[NamedTensor]] = {}
    beginnings: Beginnings = {}
    read_alike = [(group, places) for group in alike.values() if (places := _places(list(group.values()))) is not None]
    styles = {next(iter(group.values()))[shape].kind for group, (_, shape) in read_alike if len(group) > 1}
    for group, places in read_alike:
        if len(group) > 1 or not styles or next(iter(group.values()))[places[1]].kind in styles:
            found |= {number: [_tensor(tokens, places, number, file)] for number, tokens in group.items()}
            if len(group) > 1:
                beginnings.setdefault(_beginning(next(iter(group.values())), places), places)
    for number, tokens in unwrapped.items():
        fitting = (at for kinds, at in beginnings.items() if number not in found and kinds == _beginning(tokens, at))
        if (places := next(fitting, None)) is not None and may_be_shape(tokens[places[1]]):
            found[number] = [_tensor(tokens, places, number, file)]
    return (dict(sorted(found.items())), beginnings) if len(found) > 1 else ({}, {})


def _beginning(tokens: list[ListingToken], places: tuple[int, int]) -> tuple[str, ...]:
    """The kinds of the tokens up to the name and the shape, and of the shapes after them, none of which may be overlooked."""
    end = max(places) + 1
    return (
        *(each.kind for each in tokens[:end]),
        *(each.kind for each in tokens[end:] if each.shape and (each.kind in STYLES or len(each.shape) > 1)),
    )


def _tensor(tokens: list[ListingToken], places: tuple[int, int], number: int, file: str) -> NamedTensor:
    name, shape = (tokens[at] for at in places)
    before = tokens[places[0] - 1] if places[0] else name
    behind = tokens[places[0] + 1] if places[0] + 1 < len(tokens) else name
    directly = behind.kind not in NO_SIGNS and behind.column == name.column + len(name.text)
    goes_on = _GOES_ON.match(behind.kind) or any(_CLOSES.match(each.kind) for each in tokens[places[0] + 2 : places[0] + 5])
    if directly and goes_on:
        raise DocumentError(
            f"{file}, line {number}, column {name.column}: {shorten(name.text)} stands for several tensors, or is the beginning of a name "
            "that does; list each by its full name"
        )
    if before.kind not in NO_SIGNS and "." in before.kind and before.column + len(before.kind) == name.column:
        raise DocumentError(
            f"{file}, line {number}, column {name.column}: {shorten(name.text)} is the end of a name that stands for several tensors; list "
            "each by its full name"
        )
    return NamedTensor(dotted(name.text), shape.shape, f"{file}, line {number}, column {name.column}", number)


def _unwrapped(tokens: list[ListingToken]) -> list[ListingToken]:
    """The tokens without what opens or closes a list or a dictionary in the first or the last line of a listing."""
    last = tokens[-1]
    while tokens and tokens[0].kind not in NO_SIGNS and tokens[0].kind[0] in "{[(":
        rest = tokens[0].kind.lstrip("{[(")
        tokens = [*([replace(tokens[0], kind=rest)] if rest else []), *tokens[1:]]
    if tokens and last.kind not in NO_SIGNS:
        tokens = [*tokens[:-1], replace(last, kind=last.kind.rstrip("}]),;"))]
    return [each for each in tokens if each.kind]


def _framed(tokens: list[ListingToken]) -> tuple[str, ...]:
    """The signs around the name at the beginning of a line, such as a percent sign and a bracket; empty if it does not begin so."""
    kinds = tuple(each.kind for each in tokens[:3])
    return kinds if kinds[1:2] == ("W",) and kinds[0] not in NO_SIGNS and not kinds[0].startswith(BULLETS) else ()


def _named_alike(tokens: list[ListingToken], beginnings: Beginnings, common: Set[str], starts: Set[str]) -> ListingToken | None:
    """The name in a line that agrees with those of the listing up to the shape, or in all words before the name and in the last sign.

    ``common`` are the words and signs that all lines of the listing have, ``starts`` those that all have before the name.
    """
    unwrapped = _unwrapped(tokens)
    if not starts <= {each.text for each in unwrapped}:
        return None
    kinds = tuple(each.kind for each in unwrapped)
    closed = tokens[-1].kind not in NO_SIGNS and tokens[-1].text in common
    for known, (at, shape) in beginnings.items():
        name = unwrapped[at] if kinds[: at + 1] == known[: at + 1] else None
        if name and closed and at and common >= {each.text for each in unwrapped[:at]}:
            return name
        if name is None or at >= shape or kinds[:shape] != known[:shape]:
            continue
        between = unwrapped[at + 1 : shape]
        as_all = any(each.kind not in NO_SIGNS for each in between) and any(each.kind == "W" for each in between)
        if (as_all and common >= {each.text for each in between}) or _LIKE_A_NAME.search(name.text) or LONE_NAMES.search(name.text):
            return name
    return None


def _shaped(tokens: list[ListingToken], is_between: bool) -> ListingToken | None:
    """The word with which a line begins that has a shape in brackets or is a scalar, or that stands alone between tensors."""
    words = [each for each in tokens if each.kind == "W" and not (KNOWN_WORD.fullmatch(each.text) or SUMS.fullmatch(each.text))]
    shaped = any(each.kind in STYLES or each.text == SCALAR for each in tokens)
    return words[0] if words and (shaped or (is_between and len(tokens) == 1)) else None


def _before(tokens: list[ListingToken], name: str) -> set[str]:
    """The words and signs of a line before the name."""
    return {each.text for each in takewhile(lambda each: dotted(each.text) != name, tokens)}


def _required(lines: Mapping[int, str], file: str) -> dict[int, list[NamedTensor]]:
    """The tensors of lines with a common pattern. Raises `DocumentError` if another line names a tensor and a shape, or a line beside them
    begins as they do.
    """
    read = _read(lines)
    found, beginnings = _alike(read, file)
    starts = [(_unwrapped(read[number]), first.name) for number, (first, *_) in found.items()]
    frames = {_framed(tokens) for tokens, name in starts if dotted(tokens[1].text) == name} - {()}
    beside = {near for number in found for near in (number - 1, number + 1)} & lines.keys() - found.keys()
    modules = modules_of(name for _, name in starts)
    common = set.intersection(*({each.text for each in read[number]} for number in found)) if found else set()
    every = common.intersection(*(_before(tokens, name) for tokens, name in starts))
    for number in sorted(beside):
        if not (tokens := [*tokens_of(lines[number])]):
            continue
        framed = _unwrapped(tokens)[1] if _framed(_unwrapped(tokens)) in frames else _named_alike(tokens, beginnings, common, every)
        if framed is not None and dotted(framed.text) not in modules:
            raise DocumentError(
                f"{file}, line {number}, column {framed.column}: {shorten(framed.text)} is written like the tensors beside it, but "
                "without a shape that can be read; one such as [64, 64] is expected, or [] for a single number"
            )
    kinds = {each.kind for number in found for each in read[number] if may_be_shape(each)}
    styles = kinds & STYLES or kinds
    first, last = min(found, default=0), max(found, default=0)
    for number, tokens in read.items():
        words = [each for each in tokens if each.kind == "W" and each.text not in common]
        shared = {each.text for each in tokens if each.kind == "W"} & common
        inside = kinds & STYLES and (first < number < last or len(shared) > 1)
        named = next((each for each in words if inside or _NAMED.search(each.text)), None)
        if number not in found and named is not None and styles & {each.kind for each in tokens}:
            raise DocumentError(
                f"{file}, line {number}, column {named.column}: {shorten(named.text)} is not written as in the other lines of the "
                "listing; one tensor in each line is expected, as 'encoder.weight [64, 64]'"
            )
    for number in sorted(beside):
        named = _shaped([*tokens_of(lines[number])], {number - 1, number + 1} <= found.keys())
        if named is not None and dotted(named.text) not in modules:
            raise DocumentError(
                f"{file}, line {number}, column {named.column}: {shorten(named.text)} stands beside tensors and may be one; give it a "
                "shape as they have, [] for a single number, or leave out the line"
            )
    return found


def may_be_shape(token: ListingToken) -> bool:
    """Whether the token is a shape, or a number or a word that may be one."""
    return token.kind in STYLES or bool(token.shape) or token.text == SCALAR


@lru_cache(maxsize=_MOST_KEPT)
def tokens_of(line: str) -> tuple[ListingToken, ...]:
    """The words, shapes, numbers and signs of a line, without spaces; empty for a line that is too long.

    Each way of reading a listing asks for those of all lines, so they are kept; whoever is done with a listing clears them.
    """
    return tuple(_tokens(line))


def _tokens(line: str) -> Iterator[ListingToken]:
    place, count = 0, 0
    while place < len(line) <= MAX_LINE and count < MAX_TOKENS:
        if line[place].isspace():
            place += 1
            continue
        count += 1
        word = _WORD.match(line, place)
        sizes = read_sizes(line, place)
        if sizes is not None and _NO_SHAPE.search(line, max(0, place - 20), place):
            place = sizes.end
        elif sizes is not None and not (word and sizes.style == "number"):
            kind = "N" if sizes.style in ("crossed", "number", SCALAR) else sizes.style
            yield ListingToken(kind, line[place : sizes.end], place + 1, sizes.shape)
            place = sizes.end
        elif word is not None:
            yield ListingToken("call" if line[word.end() : word.end() + 1] == "(" else "W", word[0], place + 1)
            place = word.end() + 2 * ("." in word[0] and line.startswith("()", word.end()))  # The brackets of a call are not a shape.
        elif number := _NUMBER.match(line, place):
            yield ListingToken("N", number[0], place + 1)
            place = number.end()
        else:
            sign = _OTHER.match(line, place)
            yield ListingToken(sign[0] if sign else line[place], line[place], place + 1)
            place = sign.end() if sign else place + 1


def _places(group: list[list[ListingToken]]) -> tuple[int, int] | None:
    """The positions of name and shape in lines of a common pattern; None if they cannot be determined.

    The names are what differs most. Each occurs once, or all equally often where several processes write the listing.
    """
    places = range(len(group[0]))
    counts = {at: Counter(dotted(tokens[at].text) for tokens in group) for at in places if group[0][at].kind == "W"}
    counts = {at: texts for at, texts in counts.items() if 4 * sum(KNOWN_WORD.fullmatch(text) is not None for text in texts) <= len(texts)}
    most = max(map(len, counts.values()), default=0)
    differ = most > 1 or len(group) == 1
    names = [at for at, texts in counts.items() if differ and len(texts) == most and len({*texts.values()}) == 1]
    names = [at for at in names if any(_NAMED.search(tokens[at].text) for tokens in group)] or names
    names = [at for at in names if at == names[0] or counts[at] != counts[names[0]]]  # The same name may stand there twice.
    if len(names) == 2 and names[1] == names[0] + 2 and all(tokens[names[0] + 1].kind in ARROWS for tokens in group):
        names = names[:1]  # The names before and after a conversion.
    shapes = [at for at in places if any(len(tokens[at].shape) > 1 for tokens in group)]
    single = [at for at in places if group[0][at].kind in STYLES and at not in shapes]
    if shapes and not all(_is_no_shape(group, at, shapes[0], names) for at in single):
        return None  # Two shapes of one name, of which neither may be overlooked.
    shapes = shapes or [at for at in single if not _is_prefix(group, at, names)]
    return (names[0], shapes[0]) if len(names) == 1 and len(shapes) == 1 else None


def _is_prefix(group: list[list[ListingToken]], at: int, names: list[int]) -> bool:
    """Whether the bracket there is before the name and the same in all lines, like the number of a process."""
    return len(group) > 1 and len({tokens[at].shape for tokens in group}) == 1 and all(at < name for name in names)


def _is_no_shape(group: list[list[ListingToken]], at: int, shape: int, names: list[int]) -> bool:
    """Whether the bracket there is not the shape: it is before the name and holds the same in all lines, or numbers them, or it holds the
    number of elements of the shape.
    """
    inside = [tokens[at].shape for tokens in group]
    numbered = all(len(one) == len(other) == 1 and other[0] == one[0] + 1 for one, other in pairwise(inside))
    if all(at < name for name in names) and (len({*inside}) == 1 or numbered):
        return True
    return all(here == (prod(tokens[shape].shape),) for here, tokens in zip(inside, group, strict=True))

"""A listing of tensors with their shapes, as people print it: ``encoder.layer.0.output.dense.bias torch.Size([768])``.

Every line is a tensor, an ellipsis or prose; any other line is an error. Whether a line of one word and one number, such as ``bias 64``, is
a tensor follows from its neighbours, since all lines of a listing have the same form.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace

from symparam.core.message import Message
from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.bare import tensors_of_bare_sizes
from symparam.models.printed.listings.columns import require_none, tensors_in_columns
from symparam.models.printed.listings.counts import require_no_numbers, tensors_of_counts
from symparam.models.printed.listings.layout import in_groups, laid_out
from symparam.models.printed.listings.lines import MAX_LINE, read_sizes
from symparam.models.printed.listings.pieces import is_parameter
from symparam.models.printed.listings.plain import tensors_in_lines
from symparam.models.printed.listings.records import tensors_of_records
from symparam.models.printed.listings.rows import require_own, require_rows
from symparam.models.printed.listings.slashes import require_whole_names
from symparam.models.printed.listings.summaries import tensors_of_summary
from symparam.models.printed.listings.sums import lines_of_sums, without_sums
from symparam.models.printed.listings.tables import Row, rows_of_tables
from symparam.models.printed.listings.trees import tensors_of_indents, tensors_of_tree
from symparam.models.printed.listings.yaml import tensors_of_yaml
from symparam.models.printed.named_tensors import Filling, NamedTensor, tree
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.tree import Node

ELLIPSIS = re.compile(r"(?:(?:\. ?){3,}|…+|⋮|[\[(<{] ?(?:\.\.\.|…) ?[\])>}])")
_OMITTED = re.compile(
    r"\b(?:omitt(?:ed|ing)|truncated|snip(?:ped)?|abbreviated|hidden|elided|left out|not shown|the rest|and so on|etc"
    r"|\d{1,6} (?:more|others?))\b|省略",
    re.IGNORECASE,
)
"""Words of a line that stands for tensors left out."""
_CUT = re.compile(r"\boutput (?:is |was )?truncated\b|\btruncated (?:cell )?output\b", re.IGNORECASE)
"""What a notebook says where it does not show all that was printed."""
_CUT_NAME = re.compile(r"^\W{0,40}\w[\w.-]{0,400}(?:…|\.{3})[\s|:,]{1,200}[\[(]?\d")
"""A name of which only the beginning is shown, before a size."""
_PAGED = re.compile(r"\W{0,20}more\W{0,20}(?:\(\d{1,3}%\))?\W{0,9}|[ \t]{0,40}[.:·][ \t]{0,9}", re.IGNORECASE)
"""What a pager prints where its screen ends, ``--More--`` or a colon, and each of the dots of which several lines have one."""
_BEGINS_WITH_DOTS = re.compile(r"[\s|>#*(\[]{0,40}(?:\.{3,9}|…{1,3})[ \w(,:-]{1,60}")
"""The beginning of a line whose words say what it leaves out: ``... (2 layers)``."""
_STATED = re.compile(
    r"(?<![\d,.])(\d{1,3}(?:,\d{3}){1,2}|\d{1,6}) (?:tensor(?:s\b|\(s\))|rows x \d{1,3} columns\])|\btensor_count\W{1,3}(\d{1,6})\b"
)
"""The number of tensors, as a loader reports it, or of rows, as pandas does."""
_PART = re.compile(
    r"\b(\d{1,6}) ?(?:/|of|out of) ?(\d{1,6}) (?:tensors?|param(?:eter)?s|weights|layers|rows|entries|lines)\b", re.IGNORECASE
)
"""How many of how many are shown."""
_SKIPPED = re.compile(r"\b(?:skip(?:s|ped|ping)?|ignor(?:ed|ing)):? {1,3}(?:\w{1,20}:? {1,3})?([\w.]{3,400})", re.IGNORECASE)
AROUND = " \t|>#*`'\",."
RULES = " \t-=_|+*#"
_SHAPE = re.compile(r"Size\(|[(\[]\d{1,18}, ?\d")
_ANY_SHAPE = re.compile(
    _SHAPE.pattern + r"|\(\d{1,18},\)|[(\[]\d{0,18}[)\]],?$|[(\[]\d{1,18}[, ]{0,9}$"
    r"|[(\[]\d{1,18}\.\d{1,6}[,)\]]|\d[xX×][ \t]{0,9}$|\.\w{1,80} \(\w{1,20}=\d"
)
"""A shape, also one without its end, or with names for its sizes."""
_WITH_BLANKS = re.compile(r"\[\d{1,18}(?: {1,9}\d{1,18}){1,9}\]")
_WITH_COMMAS = re.compile(r"\[[\d ]{1,40},[\d ,]{1,200}\]")
_MAY_BE_SHAPE = re.compile(r"Size\(|(?:(?<!\w)\(|\[)[\d, ]{0,60}[)\]]")
_PATH = re.compile(r"\W{0,9}(?:\d{1,6}\W{1,9})?\w[\w-]{0,80}/[\w/.-]{1,300}[^\w/.-]")
"""The beginning of a line with a name that has slashes."""
_BEGUN = re.compile(r"[A-Za-z_][\w./-]*")
"""A name, or the beginning of one, at the end of a listing."""
_CALL = re.compile(r"[#\s]{0,9}(?:\w{1,60}\.){1,9}(?:(?:named_)?(?:parameters|buffers)|state_dict|summary)\(\)\s{0,9}")
"""The call whose result stands below it."""
_BUFFERS = re.compile(
    r"(?:(?!no |and |with|exclu|total|0)[\w-]{1,20}[ _])?buffers(?: ?\([^()]{0,40}\)?)?(?:[ \t]?[:=(][ \t]?[1-9][\d,]{0,9})?", re.IGNORECASE
)
"""A heading above tensors that are not parameters."""
ListedItem = NamedTensor | int


def tensors_in(text: NamedText) -> list[ListedItem]:
    """The tensors that lines of the text list, in order, and the number of each line between them that is an ellipsis.

    Raises `DocumentError` for a line that begins like those of a listing but cannot be read, and for a table of outputs.
    """
    found = _tensors_in(text)
    require_whole_names([each for each in found if isinstance(each, NamedTensor)])
    tensors = {*without_sums([each for each in found if isinstance(each, NamedTensor)], text.all.split("\n"))}
    return [each for each in found if isinstance(each, int) or each in tensors]


def _tensors_in(text: NamedText) -> list[ListedItem]:
    lines = laid_out(text)
    if counted := tensors_of_counts(lines, text.name) or tensors_of_summary(lines, text.name):
        return [*counted]
    listed, tables = dict[int, list[ListedItem]](), set[int]()
    for each in rows_of_tables(lines, text.name):
        if isinstance(each, Row):
            listed[each.line] = [NamedTensor(each.name, each.shape, f"{text.name}, line {each.line}", each.line)]
        else:
            tables |= {number for number in each if not _is_ellipsis(lines[number - 1])}
    for at, name, shape in in_groups(lines, text.name):
        sizes = read_sizes(shape, 0)
        if sizes is None or sizes.end != len(shape):
            raise DocumentError(f"{text.name}, line {at}: {shorten(name)} has the shape {shorten(shape, 40)!r}, which cannot be read")
        listed.setdefault(at, []).append(NamedTensor(name, sizes.shape, f"{text.name}, line {at}", at))
    aside = tables | lines_of_sums(lines).keys()
    plain = {number: line for number, line in enumerate(lines, 1) if number not in aside and line.strip() and not _CALL.fullmatch(line)}
    is_whole = not listed and not any(map(_is_ellipsis, plain.values()))
    for spread in (tensors_of_yaml, tensors_of_tree, tensors_of_indents, tensors_of_records) if is_whole else ():
        if found := spread(plain, text.name):
            _require_parameters(lines, max(found), text.name)
            return [each for _, several in sorted(found.items()) for each in several]
    listed |= {number: [number] for number, line in plain.items() if _is_ellipsis(line)}
    order = [number for number, line in plain.items() if not _is_ellipsis(line) and not _is_rule(line)]
    listed |= {number: [*found] for number, found in tensors_in_lines(plain, order, text.name).items()}
    if not _has_tensors(listed):
        listed |= {number: [*found] for number, found in tensors_in_columns(plain, text.name).items()}
        if not _has_tensors(listed):
            listed |= {number: [*found] for number, found in tensors_of_bare_sizes(plain, text.name).items()}
        if not _has_tensors(listed):
            require_no_numbers(lines, text.name)
    else:
        in_paths = any(_PATH.match(line) for number, line in plain.items() if number not in listed)
        in_columns = tensors_in_columns(plain, text.name) if in_paths or _beside(plain, listed, _MAY_BE_SHAPE) else {}
        columns = {each.place.rpartition("column")[2] for found in in_columns.values() for each in found}
        if in_columns.keys() > listed.keys() and (len(columns) == 1 or _beside(plain, listed, _SHAPE)):
            listed |= {number: [*found] for number, found in in_columns.items()}
        require_none({number: line for number, line in plain.items() if number not in listed}, text.name)
    if number := min((*_beside(plain, listed, _ANY_SHAPE), *_beside(plain, listed, _CUT_NAME)), default=0):
        raise DocumentError(
            f"{text.name}, line {number}: {shorten(plain[number].strip(), 60)!r} has a shape, but is not written like the tensors "
            "beside it; one tensor in each line is expected, as 'encoder.weight [64, 64]'"
        )
    names = {each.name for several in listed.values() for each in several if isinstance(each, NamedTensor)}
    with_tensors = [at for at, several in listed.items() if any(isinstance(each, NamedTensor) for each in several)]
    _require_uncut(lines, with_tensors, text.name)
    _require_end({number: line for number, line in enumerate(lines, 1) if line.strip()}, listed, text.name)
    _require_one_sign({number: lines[number - 1] for number in listed}, text.name)
    tensors = {at: [each for each in several if isinstance(each, NamedTensor)] for at, several in listed.items()}
    require_rows(plain, tensors, text.name)
    require_own(dict(enumerate(lines, 1)), tensors, tables, text.name)
    _require_one_listing(plain, listed, text.name)
    _require_kept(text, names)
    _require_parameters(lines, max(listed, default=0), text.name)
    _require_number(text, listed)
    return _trimmed(_without_attribute([each for _, several in sorted(listed.items()) for each in several]))


def _has_tensors(listed: Mapping[int, list[ListedItem]]) -> bool:
    return any(isinstance(each, NamedTensor) for several in listed.values() for each in several)


def _without_attribute(found: list[ListedItem]) -> list[ListedItem]:
    """The tensors with only their names where all are written as the expression that was printed: ``encoder.weight.shape``."""
    names = [each.name for each in found if isinstance(each, NamedTensor)]
    last = {name.rpartition(".")[2] for name in names}
    if last not in ({"shape"}, {"size"}) or not all("." in name for name in names):
        return found
    return [replace(each, name=each.name.rpartition(".")[0]) if isinstance(each, NamedTensor) else each for each in found]


def _require_parameters(lines: list[str], last: int, file: str) -> None:
    """Raise a `DocumentError` where a heading above tensors says that they are buffers."""
    for number, line in enumerate(lines[: max(last - 1, 0)], 1):
        if len(line) < 80 and _BUFFERS.fullmatch(line.strip("=#-*:[]<>_|\"' \t")):
            raise DocumentError(
                f"{file}, line {number}: what is listed below {shorten(line.strip())!r} are buffers and no parameters; leave them out"
            )


def _require_one_listing(plain: dict[int, str], listed: dict[int, list[ListedItem]], file: str) -> None:
    """Raise a `DocumentError` where names occur again below another heading: those are other tensors rather than a second print of the same
    ones.
    """
    first, above, heading = dict[str, int](), set[str](), (0, "")
    for number, line in plain.items():
        if number not in listed and not _is_rule(line):
            heading = heading if line.strip() in above else (number, line.strip())
            above.add(line.strip())
        for each in listed.get(number, ()):
            if isinstance(each, NamedTensor) and "." in each.name and first.setdefault(each.name, number) < heading[0]:
                raise DocumentError(
                    f"{file}, line {number}: {shorten(each.name)} is listed in line {first[each.name]} too, above {shorten(heading[1])!r}; "
                    "if these are two tensors, list them by their full names, and otherwise once"
                )


def _require_kept(text: NamedText, names: set[str]) -> None:
    """Raise a `DocumentError` where a tensor is listed and said to be skipped, as a converter does with buffers."""
    for found in _SKIPPED.finditer(text.all):
        if found[1] in names:
            raise DocumentError(
                f"{text.place(found.start(1))}: {shorten(found[1])} is listed, and said to be skipped here; leave out both lines "
                "if it is no parameter, and this one if it is"
            )


def _require_number(text: NamedText, listed: dict[int, list[ListedItem]]) -> None:
    """Raise a `DocumentError` where the text states more tensors than it lists, none of them by an ellipsis, or says that it shows some of
    them.
    """
    found = [each for several in listed.values() for each in several]
    if part := next((part for part in _PART.finditer(text.all) if 0 < int(part[1]) < int(part[2])), None):
        raise DocumentError(f"{text.place(part.start())}: {part[0]} are shown; list all tensors, or leave out this line if it is of others")
    stated = max((int((many or count).replace(",", "")) for many, count in _STATED.findall(text.all)), default=0)
    if stated > len(found) > 1 and all(isinstance(each, NamedTensor) for each in found):
        raise DocumentError(
            f"{text.name}: {stated:,} tensors are stated beside the listing, and {len(found):,} are listed; give it whole, or leave out "
            "the number"
        )


def _require_end(lines: dict[int, str], listed: dict[int, list[ListedItem]], file: str) -> None:
    """Raise a `DocumentError` where the last line is the beginning of a tensor, as in a listing that is cut off."""
    last = max(lines, default=0)
    before = [each for each in listed.get(last - 1, ()) if isinstance(each, NamedTensor)]
    place = lines[last - 1].replace("/", ".").find(before[0].name) if before and last not in listed else -1
    if place < 0 or len(lines[last]) > MAX_LINE:
        return
    opening, closing = lines[last - 1][:place], lines[last - 1][place + len(before[0].name) :]
    named = _BEGUN.match(lines[last], place) if lines[last].startswith(opening) else None
    if named is None:
        return
    begun = named[0].replace("/", ".")
    rest = " ".join(lines[last][named.end() :].split())
    tensors = [each for several in listed.values() for each in several if isinstance(each, NamedTensor)]
    like_tensors = re.search(r"[._]", begun.rstrip(".")) or any(each.name.startswith(begun) for each in tensors)
    if " ".join(closing.split()).startswith(rest) and (like_tensors or any(map(str.isalnum, rest))):
        raise DocumentError(
            f"{file}, line {last}, column {place + 1}: {shorten(named[0])} has no shape, and nothing follows it: the listing is cut off "
            "here; give it whole, or leave out the line"
        )


def _require_uncut(lines: list[str], tensors: list[int], file: str) -> None:
    """Raise a `DocumentError` where a line above or below the tensors says that others are left out."""
    first, last = min(tensors, default=0), max(tensors, default=0)
    for number, line in enumerate(lines, 1):
        told = len(line) < 200 and (_CUT.search(line) or (_BEGINS_WITH_DOTS.match(line) and _OMITTED.search(line)))
        if told and tensors and not first <= number <= last:
            raise DocumentError(f"{file}, line {number}: {shorten(line.strip(), 60)!r} says that tensors are left out; list all of them")


def _require_one_sign(lines: dict[int, str], file: str) -> None:
    """Raise a `DocumentError` where blanks separate the sizes of one shape and commas those of another: these commas may separate
    thousands.
    """
    blanks = ((number, found[0]) for number, line in lines.items() if (found := _WITH_BLANKS.search(line[:MAX_LINE])))
    number, shown = next(blanks, (0, ""))
    if number and any(_WITH_COMMAS.search(line[:MAX_LINE]) for line in lines.values()):
        raise DocumentError(
            f"{file}, line {number}: in {shown!r} a blank separates two numbers, and in other lines a comma does; write sizes without "
            "blanks inside them, and commas between them"
        )


def _beside(plain: dict[int, str], listed: dict[int, list[ListedItem]], shape: re.Pattern[str]) -> list[int]:
    """The lines next to a tensor that have such a shape but are not tensors."""
    near = {at + step for at, several in listed.items() for step in (-1, 1) if any(isinstance(each, NamedTensor) for each in several)}
    return [at for at in near if at in plain and at not in listed and len(plain[at]) <= MAX_LINE and shape.search(plain[at])]


def _is_ellipsis(line: str) -> bool:
    bare = line.replace("|", " ").strip(AROUND)
    if len(line) < 80 and _PAGED.fullmatch(line):
        return True
    told = _OMITTED.search(line) or _BEGINS_WITH_DOTS.match(line) if len(line) < 120 else None
    if told and not _ANY_SHAPE.search(line):
        return True
    dots = not bare or all(each == ".." or ELLIPSIS.fullmatch(each) for each in bare.replace(",", " ").split())
    return len(line) < 80 and (dots or ELLIPSIS.fullmatch(bare) is not None) and ELLIPSIS.search(line) is not None


def _is_rule(line: str) -> bool:
    """Whether the line only divides others."""
    return len(line) <= MAX_LINE and not line.strip(RULES)


def _trimmed(found: list[ListedItem]) -> list[ListedItem]:
    """The ellipses of the listing, without those before it or after its end."""
    while found and isinstance(found[0], int):
        del found[0]
    while found and isinstance(found[-1], int) and not _directly_behind(found):
        del found[-1]
    return found


def _directly_behind(found: list[ListedItem]) -> bool:
    before = found[-2] if len(found) > 1 else None
    return isinstance(before, NamedTensor) and found[-1] == before.line + 1


def read(found: list[ListedItem], filling: Filling) -> tuple[Node, tuple[Message, ...]]:
    """The module that the listing describes, with the layers filled in that an ellipsis omits, and remarks on them.

    Raises `DocumentError` where it contradicts itself, or omits something that cannot be inferred.
    """
    ellipses = defaultdict[str, set[int]](set)
    for at, line in enumerate(found):
        if isinstance(line, int):
            jump = _jump(found, at)
            if jump is None:
                raise DocumentError(
                    f"{filling.name}, line {line}: '...' leaves tensors out of the listing, and no later layer shows how many; "
                    "list the last layer too, or all of them"
                )
            path, before = jump
            ellipses[path].add(before)
    filling.ellipses = {path: frozenset(numbers) for path, numbers in ellipses.items()}
    return tree((each for each in found if isinstance(each, NamedTensor)), "Model", filling)


def _jump(found: list[ListedItem], at: int) -> tuple[str, int] | None:
    """The list of layers whose numbers jump at the ellipsis, and the number before it: the names before and after differ in one number,
    which increases by more than one.
    """
    before = next((each.name for each in reversed(found[:at]) if isinstance(each, NamedTensor)), "").split(".")
    behind = next((each.name for each in found[at:] if isinstance(each, NamedTensor)), "").split(".")
    for place, (one, other) in enumerate(zip(before, behind, strict=False)):
        if one != other:
            of_modules = place + 1 < min(len(before), len(behind))  # Numbered tensors may have any shapes.
            jumps = of_modules and one.isdecimal() and other.isdecimal() and int(other) > int(one) + 1
            return (".".join(before[:place]), int(one)) if jumps else None
    return None


def is_listing(found: list[ListedItem]) -> bool:
    """Whether the lines are a listing: at least two tensors, or one with a dotted name or that of a parameter."""
    tensors = [each for each in found if isinstance(each, NamedTensor)]
    return len(tensors) > 1 or any("." in each.name or is_parameter(each.name) for each in tensors)

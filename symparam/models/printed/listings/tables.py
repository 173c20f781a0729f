"""Tables of tensors, in Markdown or as CSV: a header row tells the columns of the names, the shapes and the numbers of elements."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from itertools import takewhile
from math import prod

from symparam.core.frozen import frozen
from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.lines import LONE_NAMES, NUMBER_FORMAT, SUMS, dotted, read_sizes
from symparam.models.printed.listings.pieces import is_parameter
from symparam.models.printed.tree import Shape

_NAMES = re.compile(
    r"(?:tensor|param(?:eter)?|weight|layer|module)?(?:[ _]layer)?[ _]?(?:names?|keys?)|tensors?|layers?|modules?|param(?:eter)?s?"
    r"|variables?|initializers?|weights?"
    r"|名称|参数名?|张量|键",
    re.I,
)
_SHAPES = re.compile(r"(?:tensor[ _])?(?:shapes?|sizes?|dim(?:ension)?s?)|形状|尺寸|大小", re.I)
_COUNTS = re.compile(
    r"(?:#|num(?:ber)?(?:[ _]of)?|no\.?)?[ _]?(?:param(?:eter)?s?|elements?|numel|count|total)(?:[ _]count)?|参数量|元素数|数量", re.I
)
_ONE_OF_SIZES = re.compile(r"(?:dim(?:ension)?|d|axis|size|shape)?[ _.]?\[?\d\]?", re.I)
"""The head of a column with one of the sizes: ``dim0``, ``shape[1]``, ``d_2`` or ``3``."""
_TOLD_AGAIN = re.compile(r"(?:shape|size|dims?) ?[=:] ?", re.IGNORECASE)
"""What some write before each shape although the head of the column says it."""
_NO_SIZE = frozenset({"", "-", "–", "—", "nan", "none", "null", "<na>"})
"""What stands in such a column where a tensor has fewer sizes than others."""
_HEADS = re.compile(
    rf"{_NAMES.pattern}|{_ONE_OF_SIZES.pattern}|{_SHAPES.pattern}|{_COUNTS.pattern}|d?types?|device|trainable|requires_grad|bytes|stride|offset",
    re.IGNORECASE,
)
"""Heads of the columns of a table of tensors."""
_CELL = re.compile(r"\S{1,2000}")
_NAME = re.compile(r"[\w-]+(?:[./](?:~/)?[\w-]+)*")
_SIZES = re.compile(r"\d{1,18}(?:(?:, ?\d{1,18}){0,9}|(?: \d{1,18}){0,9})")
_THOUSANDS = re.compile(r"\d{1,3}(?:[, ]\d{3}){0,6}|\d{1,18}")
_SIZE = re.compile(r"\d+")
_SUMMED = re.compile(r"total|sum\b|trainable|param|合计|总", re.IGNORECASE)
_TIMES = re.compile(
    r"(?:#|n|num(?:ber)?(?:[ _]of)?)?[ _]?(?:layers|blocks|copies|times|repeats?|repetitions)|[xX×✕]|number|multiplicity", re.IGNORECASE
)
"""The head of a column whose numbers may say how often a tensor occurs."""
_DUMPED = re.compile(r" {0,9}\d{1,6}: {1,20}(\d{1,19}) \| {1,9}(\d{1,19}(?:, {1,9}\d{1,19}){0,9}) \| \w{1,9} {1,9}\| ([\w./-]{1,400})\s*")
"""A line printed by gguf-dump: a number, the elements, the sizes from last to first padded with ones, the type and the name."""
_SEVERAL = (
    "is not the name of one tensor, or stands for several tensors; list each by its own name, or the first and the last layer with a row "
    "'...' between them"
)
_LIKE_A_NAME = re.compile(f"[._]|{LONE_NAMES.pattern}", re.IGNORECASE)
_RULE = re.compile(r"[\s|:+=-]+")
_STRIPPED = " \t`*\"'"
_GUTTER = re.compile(r"^(?:[>#*•-][ \t]{0,9}|\d{1,6}[:.)]?[ \t]{1,9})(?=[A-Za-z_\d\"'])")
_COMMA = re.compile(r"[\"']?[,:]$")


@frozen
class Row:
    """A tensor of a table: its name, its shape and its line number."""

    name: str
    shape: Shape
    line: int


@frozen
class TableColumns:
    """How the cells of a table are separated, and what is in which column; there may be several with names. ``sizes`` are the columns, one
    for each size, that are read as a single one.
    """

    divided_by: str
    names: tuple[int, ...]
    shape: int
    count: int | None
    cells: int
    times: tuple[int, ...] = ()
    sizes: range = range(0)


def rows_of_tables(lines: list[str], file: str) -> Iterator[Row | range]:
    """The tensors of the tables in the lines, and the line numbers of each table.

    Raises `DocumentError` for a row whose shape cannot be read or does not match its number of elements.
    """
    at = 0
    while at < len(lines):
        if dumped := _DUMPED.fullmatch(lines[at]) if len(lines[at]) < 2_000 else None:
            yield range(at + 1, at + 2)
            yield _of_dump(dumped, at + 1, file)
            at += 1
            continue
        columns = _heads(lines[at]) if len(lines[at]) < 2_000 else None
        if columns is not None and columns.divided_by == " ":
            columns = _with_index(columns, lines, at)
        if columns is None or at + 1 >= len(lines):
            at += 1
            continue
        end, read = at + 1, dict[int, list[str]]()
        while end < len(lines) and lines[end].strip():
            cells = [] if _RULE.fullmatch(lines[end]) else _merged(_cells(lines[end], columns.divided_by), columns.sizes)
            if cells and len(cells) <= columns.names[0]:
                break
            if cells:
                read[end + 1] = cells
            end += 1
        read = _with_brackets(_joined(read, columns, file), columns)
        names = _named([*read.values()], columns)
        _require_shapes(read, names, columns, file)
        rows = [row for (line, cells), name in zip(read.items(), names, strict=True) if (row := _row(cells, name, columns, line, file))]
        _require_names(read, names, columns, file, any_read=bool(rows))
        _require_once(read, rows, columns, file)
        if rows:
            yield range(at + 1, end + 1)
            yield from rows
        at = end


def _of_dump(found: re.Match[str], line: int, file: str) -> Row:
    sizes = [int(size) for size in found[2].split(",")]
    while len(sizes) > 1 and sizes[-1] == 1:
        sizes.pop()
    if prod(sizes) != int(found[1]):
        counted = f"{int(found[1]):,} elements by its count and {prod(sizes):,} by its shape"
        raise DocumentError(f"{file}, line {line}: {shorten(found[3])} has {counted}; correct one of them")
    return Row(dotted(found[3]), tuple(reversed(sizes)), line)


def _heads(line: str) -> TableColumns | None:
    for sign in ("|", "\t", ";", ",", " "):
        cells = [cell.strip(_STRIPPED) for cell in _cells(line, sign)] if sign in line else []
        if sign == " " and not all(map(_HEADS.fullmatch, cells)):
            return None
        if not any(map(_NAMES.fullmatch, cells)):
            continue  # As most lines are no heads.
        sizes = _columns_of_sizes(cells)
        cells = [*cells[: sizes.start], "shape", *cells[sizes.stop :]] if sizes else cells
        names = [at for at, cell in enumerate(cells) if _NAMES.fullmatch(cell)]
        shapes = [at for at, cell in enumerate(cells) if _SHAPES.fullmatch(cell)]
        if names and shapes and names[0] != shapes[0]:
            counts = [at for at, cell in enumerate(cells) if _COUNTS.fullmatch(cell) and at not in (names[0], shapes[0])]
            times = [at for at, cell in enumerate(cells) if _TIMES.fullmatch(cell) and at != shapes[0]]
            return TableColumns(sign, tuple(names), shapes[0], counts[-1] if counts else None, len(cells), tuple(times), sizes)
    return None


def _columns_of_sizes(heads: list[str]) -> range:
    """The columns of which each holds one size: heads alike but for a number, which goes up by one from 0 or 1."""
    found = [at for at, head in enumerate(heads) if _ONE_OF_SIZES.fullmatch(head)]
    told = range(found[0], found[-1] + 1) if len(found) > 1 else range(0)
    numbers = [int(_SIZE.findall(heads[at])[0]) for at in told] if [*told] == found else []
    alike = len({_SIZE.sub("", heads[at]) for at in told}) == 1
    return told if numbers and alike and numbers[0] < 2 and numbers == [*range(numbers[0], numbers[0] + len(numbers))] else range(0)


def _merged(cells: list[str], sizes: range) -> list[str]:
    """The cells with those of single sizes as one: ``[64, 3]``. Zeros at the end may stand for none, so that they are not read."""
    if not sizes:
        return cells
    told = [cell.strip(_STRIPPED).removesuffix(".0") for cell in cells[sizes.start : sizes.stop]]
    while told and told[-1].lower() in _NO_SIZE:
        told.pop()
    shape = ", ".join(told) + " or none" * (told[-1:] == ["0"])
    return [*cells[: sizes.start], f"[{shape}]", *cells[sizes.stop :]]


def _with_index(columns: TableColumns, lines: list[str], at: int) -> TableColumns | None:
    """The columns of a table that only blanks divide, with the row numbers that pandas prints before them; None where the rows below do not
    match the heads, apart from rules, ellipses and sums.
    """
    below = [_cells(line, " ") for line in takewhile(str.strip, lines[at + 1 :]) if not _RULE.fullmatch(line)]
    rows = [cells for cells in below if any(cell.strip(".…") for cell in cells) and not SUMS.fullmatch(cells[0])]
    if columns.sizes:  # The number of cells, with the index if there is one, tells where they are.
        index = {len(cells) - columns.cells - len(columns.sizes) + 1 for cells in rows}
        if index not in ({0}, {1}) or (index == {1} and not all(cells[0].isdecimal() for cells in rows)):
            return None
        rows = [_merged(cells, range(columns.sizes.start + min(index), columns.sizes.stop + min(index))) for cells in rows]
    if rows and all(len(cells) == columns.cells and read_sizes(cells[columns.shape], 0) for cells in rows):
        return columns
    if not rows or not all(len(cells) == columns.cells + 1 and cells[0].isdecimal() for cells in rows):
        return None
    names, times = (tuple(place + 1 for place in places) for places in (columns.names, columns.times))
    count = None if columns.count is None else columns.count + 1
    sizes = range(columns.sizes.start + 1, columns.sizes.stop + 1) if columns.sizes else columns.sizes
    return TableColumns(" ", names, columns.shape + 1, count, columns.cells + 1, times, sizes)


def _named(rows: list[list[str]], columns: TableColumns) -> list[str]:
    """The names in the rows: those of the first column whose names differ in every row, else those of all columns together, such as layer
    and parameter.
    """
    texts = [_without_gutter([row[at].strip(_STRIPPED) if at < len(row) else "" for row in rows]) for at in columns.names]
    meant = [at for at, each in enumerate(zip(*texts, strict=True)) if any(each) and not any(map(SUMS.fullmatch, each))]
    named = [each for each in texts[1:] if all(_NAME.fullmatch(each[at]) for at in meant)]
    others = [each for each in named if not all(each[at].isdecimal() for at in meant)]
    alone = [each for each in others if not any(each[at].isdecimal() for at in meant)]
    told = [texts[0], *alone, [".".join(filter(None, each)) for each in zip(texts[0], *others, strict=True)]]
    return next((each for each in told if len({each[at] for at in meant} - {""}) == len(meant)), texts[0])


def _without_gutter(names: list[str]) -> list[str]:
    """The names without the sign or the number of the row that stands before all of them, and without a comma or a colon behind them."""
    for sign in (_GUTTER, _COMMA):
        bare = [sign.sub("", name).strip(_STRIPPED) for name in names]
        names = bare if all(name != each for name, each in zip(names, bare, strict=True) if name) else names
    return names


def _joined(rows: dict[int, list[str]], columns: TableColumns, file: str) -> dict[int, list[str]]:
    """The rows, each joined with a row below that only continues its cells: a name that fills its column, or a shape whose bracket is open.
    Raises `DocumentError` where no rules between the rows tell such a row from that of a single number.
    """
    if columns.divided_by != "|":
        return rows
    first = columns.names[0]
    wide = max((len(cells[first]) for cells in rows.values()), default=0)
    found = dict[int, list[str]]()
    last, before = 0, list[str]()
    full = {line for line, cells in rows.items() if columns.shape < len(cells) and read_sizes(cells[columns.shape], 0)}
    ruled = any(line + 1 not in rows for line in [*rows][:-1]) and not any(line - 1 in full for line in full)
    for line, cells in rows.items():
        below = line - 1 in rows and len(cells) == len(before)
        is_open = below and columns.shape < len(before) and before[columns.shape].endswith((",", "[", "("))
        goes_on = below and cells[first] != "" and len(before[first]) == wide and not any((*cells[:first], *cells[first + 1 :]))
        if goes_on and ruled and is_parameter(found[last][first]) and cells[first][0] not in "._":
            goes_on = False  # The name above is complete.
        elif goes_on and not (ruled and (is_parameter(found[last][first] + cells[first]) or not _LIKE_A_NAME.search(cells[first]))):
            name = f"{shorten(cells[first])} has no shape, and may be the end of the name above"
            raise DocumentError(f"{file}, line {line}: {name}; give it () if it is a single number, or print the table wider")
        if is_open or goes_on:
            pairs = enumerate(zip(found[last], cells, strict=True))
            found[last] = [f"{one}{other}" if at == first else f"{one} {other}".strip() for at, (one, other) in pairs]
        else:
            found[line], last = cells, line
        before = cells
    return found


def _with_brackets(rows: dict[int, list[str]], columns: TableColumns) -> dict[int, list[str]]:
    """The rows with brackets around sizes that only commas or blanks divide, if one of them shows that these do not divide thousands."""
    cells = [row[columns.shape].strip(_STRIPPED) for row in rows.values() if columns.shape < len(row)]
    if not all(map(_SIZES.fullmatch, filter(None, cells))) or all(map(_THOUSANDS.fullmatch, filter(None, cells))):
        return rows
    at = columns.shape
    return {
        line: [*row[:at], f"[{', '.join(_SIZE.findall(row[at]))}]", *row[at + 1 :]] if at < len(row) else row for line, row in rows.items()
    }


def _cells(line: str, sign: str) -> list[str]:
    if sign == "|":
        return [cell.strip() for cell in line.strip().removeprefix("|").removesuffix("|").split("|")]
    if sign == ",":
        return [cell.strip() for cell in _at_commas(line)]
    if sign == " ":
        return [*_at_blanks(line)]
    return [cell.strip() for cell in next(csv.reader([line.replace("\r", " ")], delimiter=sign), [])]


def _at_commas(line: str) -> list[str]:
    """The cells of CSV; commas inside brackets do not separate, since shapes are often written without quotes."""
    cells, depth, quoted, start = list[str](), 0, False, 0
    for place, sign in enumerate(line):
        if sign == '"':
            quoted = not quoted
        elif not quoted:
            depth += (sign in "([") - (sign in ")]")
            if sign == "," and depth <= 0:
                cells.append(line[start:place])
                start = place + 1
    return [*cells, line[start:]]


def _at_blanks(line: str) -> Iterator[str]:
    """The cells between blanks; those inside a shape do not separate."""
    place = 0
    while found := _CELL.search(line, place):
        sizes = read_sizes(line, found.start())
        if not place and sizes and sizes.style == "crossed":
            sizes = None  # In "0 x 3", x is the name of the first row.
        place = sizes.end if sizes and line[sizes.end : sizes.end + 1].strip() == "" else found.end()
        yield line[found.start() : place]


def _require_names(read: dict[int, list[str]], names: list[str], columns: TableColumns, file: str, *, any_read: bool) -> None:
    """Raise a `DocumentError` for a row with a shape that neither names a single tensor nor is a sum."""
    for (line, cells), name in zip(read.items(), names, strict=True):
        written = cells[columns.shape].strip(_STRIPPED) if columns.shape < len(cells) else ""
        shown = read_sizes(written, 0) if name and not (_NAME.fullmatch(name) and not name.isdecimal()) else None
        number = shown is not None and shown.style == "number"
        if shown and shown.end == len(written) and not (number and (_SUMMED.search(name) or not any_read)):
            raise DocumentError(f"{file}, line {line}: {shorten(name)} {_SEVERAL}")


def _require_shapes(read: dict[int, list[str]], names: list[str], columns: TableColumns, file: str) -> None:
    """Raise a `DocumentError` for a row of CSV without a shape where others have theirs in brackets, as a single number has: ``()``."""
    shapes = [cells[columns.shape].strip(_STRIPPED) if columns.shape < len(cells) else "cut off" for cells in read.values()]
    if columns.divided_by == "|" or not any(shape.startswith(("(", "[", "torch.Size(")) for shape in shapes):
        return
    for line, name, shape in zip(read, names, shapes, strict=True):
        if not shape and _NAME.fullmatch(name) and not _SUMMED.search(name) and not name.isdecimal():
            raise DocumentError(f"{file}, line {line}: {shorten(name)} has no shape; give it one, or () for a single number")


def _require_once(read: dict[int, list[str]], rows: list[Row], columns: TableColumns, file: str) -> None:
    """Raise a `DocumentError` where a column may say how often each tensor occurs: numbers that are neither those of the rows or the layers
    nor those of elements.
    """
    for at in columns.times:
        told = [(row, read[row.line][at].strip(_STRIPPED)) for row in rows if at < len(read[row.line])]
        told = [(row, cell[:9]) for row, cell in told if cell]
        if not told or not all(cell.isdecimal() for _, cell in told):
            continue
        numbers = [int(cell) for _, cell in told]
        counted = all(number == prod(row.shape) for number, (row, _) in zip(numbers, told, strict=True))
        numbered = numbers == [*range(numbers[0], numbers[0] + len(numbers))] and len(numbers) > 1
        many = [(row, cell) for row, cell in told if int(cell) > 1 and cell not in row.name.split(".")]
        if many and not counted and not numbered:
            row, cell = many[0]
            told_by = f"{cell} in the row of {shorten(row.name)} may say how often it occurs"
            raise DocumentError(f"{file}, line {row.line}: {told_by}; list each tensor by its own name, or leave out the column")


def _is_tensor(cells: list[str], columns: TableColumns) -> bool:
    """Whether a row named like a sum has a type, or both a size and a number of elements, as only those of tensors have."""
    filled = [at for at in (columns.shape, columns.count) if at is not None and at < len(cells) and cells[at].strip(_STRIPPED)]
    return len(filled) > 1 or any(NUMBER_FORMAT.fullmatch(cell.strip(_STRIPPED)) for cell in cells)


def _row(cells: list[str], name: str, columns: TableColumns, line: int, file: str) -> Row | None:
    written = _TOLD_AGAIN.sub("", cells[columns.shape].strip(_STRIPPED)) if columns.shape < len(cells) else ""
    where = f"{file}, line {line}: {shorten(name)}"
    shown = read_sizes(written, 0)
    if not name and shown:
        raise DocumentError(f"{where}a row has the shape {shorten(written, 40)}, but no name; give each tensor its own")
    if not name or (SUMS.fullmatch(name) and (shown is None or shown.style == "number") and not _is_tensor(cells, columns)):
        return None
    if any(cell.strip(_STRIPPED) for cell in cells[columns.cells :]):
        raise DocumentError(f"{where} has {len(cells)} cells below {columns.cells} heads; write a shape with commas in brackets")
    if not _NAME.fullmatch(name) or name.isdecimal():
        return None  # What has a shape is refused afterwards.
    stated = cells[columns.count].strip(_STRIPPED).replace(",", "") if columns.count is not None and columns.count < len(cells) else ""
    if columns.shape >= len(cells):
        raise DocumentError(f"{where} has no shape, as where a table is cut off; give it one, or () for a single number")
    if written.lower() in ("", "scalar") or (written in ("-", "–", "—") and stated == "1"):
        shape: Shape = ()
    elif shown is None or shown.end != len(written):
        raise DocumentError(f"{where} has the shape {shorten(written, 40)!r}, which cannot be read; [64, 64] or 64 x 64 is expected")
    else:
        shape = shown.shape
    if stated.isdecimal() and int(stated[:40]) != prod(shape):
        raise DocumentError(f"{where} has {int(stated[:40]):,} elements by its count and {prod(shape):,} by its shape; correct one of them")
    return Row(dotted(name), shape, line)

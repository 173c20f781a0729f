"""Brings the lines that tools lay out around a listing into the form of one tensor per line; line numbers do not change."""

from __future__ import annotations

import re
from collections.abc import Iterator

from symparam.errors import DocumentError, shorten
from symparam.models.printed.listings.html import rows_of_html
from symparam.models.printed.listings.lines import MAX_LINE, NUMBER_FORMAT, read_line
from symparam.models.printed.listings.logs import common_beginning, without_log
from symparam.models.printed.listings.pieces import is_parameter
from symparam.models.printed.listings.single import with_single_sizes
from symparam.models.printed.listings.spellings import spelled_as_usual
from symparam.models.printed.source_text import NamedText

_PROMPT = re.compile(r"(?:In|Out) ?\[[\d *]{0,6}\]:|>>>")
"""The prompts of a notebook and of Python's shell."""
_CHECKBOX = re.compile(r"[ \t]{0,40}[-*+] \[[ xX]\](?= )")
"""The box before an item of a task list, which is not a shape."""
_GRAPH = re.compile(r"graph \S{1,200}(?: \()?")
_INITIALIZERS = re.compile(r"\) (?:\w+ ){0,6}initializers \(")
_GRAPH_END = re.compile(r"\) \{")
"""The weights of an ONNX graph are between these two lines; everything else in it is an input or an operation."""
_GROUP = re.compile(
    r"\| {0,200}([\w.]{1,400}?)(\.\*)? {0,200}\| {0,200}([\w.]{1,400}?)(?:\.?\{([\w, .]{1,400})\})? {0,200}\|([^|]{1,2000})\| *"
)
_ROUND = re.compile(r"\([\d, ]{0,60}\)")
_KEYS = re.compile(r"(?:\['[\w-]{1,80}'\])+")
_PATH = re.compile(r"\((?:(?:'[\w-]{1,80}'|\w{1,20}Key\(\w{1,20}=(?:'[\w-]{1,80}'|\d{1,6})\)),? ?){1,60}\)")
"""A name as JAX flattens its trees: ``('layer', 'weight')`` or ``(DictKey(key='layer'), DictKey(key='weight'))``."""
_TEX = re.compile(r"\\(?:texttt|verb|text|mathtt|code)\b|\\times\b|\\_|\$")
_LEADERS = re.compile(r"(?<=[\w \]])(?<!\.)\.{4,200}(?= ?[:=]? ?(?:[\d(\[]|torch|scalar\b))")
"""Dots that lead from a name to its sizes."""
_SHORT_LEADERS = re.compile(r"(?<=[\w\]] )\.{1,3}(?= ?[:=]? ?(?:[\d(\[]|torch))|(?<=\w)\.{1,3}(?= ?[:=]? ?(?:[(\[]|torch\.Size))")
"""What is left of them after a long name; elsewhere such dots are an ellipsis."""
_ESCAPED = re.compile(r"\\([\[\]_*()#|.`-])")
"""A sign after the backslash that Markdown and LaTeX have before it."""
_VALUE = re.compile(
    r"(?<![\w.])%?([\w.]{1,400}) : \w{1,20}\(([^()a-z]{0,200})(?:strides=\[[\d, ]{0,200}\], )?(requires_grad=[^()]{0,80})\)"
)
"""A tensor in a graph of TorchScript: ``%fc.weight : Float(10, 64, strides=[64, 1], requires_grad=1, device=cpu)``."""
_HEXADECIMAL = re.compile(r"\b0x[\da-f]{1,16}\b", re.IGNORECASE)
_FILE = re.compile(r"((?:\.{0,2}/)?(?:[\w-]{1,80}/){0,20})([\w.-]{1,400})(\.(?:npy|bin|raw|pt|pth))(?=[\s:])")
"""The file of a tensor, with its folder, its name and its ending."""
_CROSSED = re.compile(r"\d{1,18}(?:[xX×*]\d{1,18}){1,9}")
_GLUED = re.compile(r"([\w./-]{1,400}?[A-Za-z_])(\d{1,18}(?:[xX×*]\d{1,18}){0,9})")
"""A name and the sizes behind it without a blank."""
_SIZE_AT_NAME = re.compile(r"(?<=[A-Za-z\d])(?=torch\.Size\()")
_WIDE = str.maketrans("（）［］，：", "()[],:")
"""The signs of Chinese and Japanese texts that stand around sizes."""
_TEX_SIGNS = {r"\times": "×", r"\_": "_"}


def laid_out(text: NamedText) -> list[str]:
    """The lines of a text: names with dots, no dotted leaders, no prompts, no commands of LaTeX, and only the weights of ONNX graphs.

    Raises `DocumentError` for a tensor outside of such a graph.
    """
    lines = rows_of_html(without_log(_without_leaders(text.all.split("\n"))))
    lines = _of_files([_with_dots(_plain(_without_prompt(line))) for line in lines])
    lines = with_single_sizes(_with_gaps(lines))
    return [*_weights_of_graphs(lines, text.name)] if any(map(_begins_weights, lines)) else lines


def _weights_of_graphs(lines: list[str], file: str) -> Iterator[str]:
    in_graph = among_weights = False
    for at, line in enumerate(lines, 1):
        bare = line.strip() if len(line) < MAX_LINE else ""
        if _begins_weights(line):
            in_graph = among_weights = True
            yield ""
        elif _GRAPH.fullmatch(bare):
            in_graph, among_weights = True, False
            yield ""
        elif _GRAPH_END.fullmatch(bare):
            among_weights = False
            yield ""
        elif not in_graph and (read := read_line(bare)) is not None and read.sizes is not None:
            raise DocumentError(f"{file}, line {at}: {shorten(read.name)} stands beside a graph; give only one of the two")
        else:
            yield line if among_weights else ""
            in_graph = in_graph and bare != "}"


def _begins_weights(line: str) -> bool:
    return len(line) < MAX_LINE and _INITIALIZERS.fullmatch(line.strip()) is not None


def _without_prompt(line: str) -> str:
    """A line without the prompt of a notebook. Of typed input only tensors are kept: they are a quoted listing."""
    prompt = _PROMPT.match(line)
    if prompt is None:
        return _blank(_CHECKBOX, line) if "[" in line and _CHECKBOX.match(line) else line
    rest = " " * prompt.end() + line[prompt.end() :]
    read = read_line(rest) if len(line) <= MAX_LINE else None
    return rest if prompt[0].startswith("Out") or (read and read.sizes) else ""


def _with_dots(line: str) -> str:
    """A line in which ``['layer']['weight']``, as JAX prints its trees, is a dotted name."""
    if len(line) > MAX_LINE or "'" not in line:
        return line
    return _PATH.sub(_dotted, _KEYS.sub(_dotted, line))


def _dotted(keys: re.Match[str]) -> str:
    """The name that such keys give; what ends in sizes as text is no path: ``('fc', '64x3')``."""
    parts = re.findall(r"'([^']*)'|=(\d+)", keys[0])
    return keys[0] if keys[0].startswith("(") and parts[-1][0][:1].isdecimal() else ".".join(name or number for name, number in parts)


def _without_leaders(lines: list[str]) -> list[str]:
    """The lines with blanks for the dots that lead from names to their sizes."""
    found = [_blank(_LEADERS, line) if "...." in line else line for line in lines]
    return [_blank(_SHORT_LEADERS, line) if "." in line else line for line in found] if found != lines else lines


def _with_gaps(lines: list[str]) -> list[str]:
    """The lines with a blank behind a name that fills its column, before the type or the crossed sizes that stand apart in other lines, and
    before ``torch.Size``.
    """
    lines = [_SIZE_AT_NAME.sub(" ", line) if "torch.Size(" in line and len(line) <= MAX_LINE else line for line in lines]
    split = {at: line.split() for at, line in enumerate(lines) if len(line) <= MAX_LINE}
    named = {at: (place, cells) for at, cells in split.items() if (place := _place_of_name(cells)) is not None}
    behind = {at: cells[place + 1] if place + 1 < len(cells) else "" for at, (place, cells) in named.items()}
    types = {each for each in behind.values() if NUMBER_FORMAT.fullmatch(each)}
    widths = {(place, len(cells)) for at, (place, cells) in named.items() if _CROSSED.fullmatch(behind[at])}
    for at, (place, cells) in named.items():
        name = cells[place]
        glued = next((each for each in types if name.endswith(each) and name[: -len(each)][-1:].isalnum()), "")
        if not glued and (place, len(cells) + 1) in widths and (sizes := _GLUED.fullmatch(name)) and is_parameter(sizes[1]):
            glued = sizes[2]
        if glued and behind[at] not in types:
            end = lines[at].index(name) + len(name) - len(glued)
            lines[at] = f"{lines[at][:end]} {lines[at][end:]}"
    return lines


def _place_of_name(cells: list[str]) -> int | None:
    """Which of the first cells between blanks is a dotted name; None if there is none."""
    return next((place for place, cell in enumerate(cells[:3]) if "." in cell and (cell[0].isalpha() or cell[0] == "_")), None)


def _blank(signs: re.Pattern[str], line: str) -> str:
    return signs.sub(lambda found: " " * len(found[0]), line) if len(line) <= MAX_LINE else line


def _plain(line: str) -> str:
    """A line without the commands of LaTeX and the backslashes of Markdown, with the sizes of TorchScript's values as a list, and without
    two hexadecimal numbers: where a tensor is stored, and in how many bytes.
    """
    if len(line) > MAX_LINE:
        return line
    line = spelled_as_usual(line.translate(_WIDE))
    if "\\" in line:
        line = _ESCAPED.sub(r"\1", line)
    if "requires_grad=" in line:
        line = _VALUE.sub(lambda found: f"{found[1]} : [{found[2].strip(', ')}] {found[3]}", line)
    if line.count("0x") > 1:
        line = _blank(_HEXADECIMAL, line)
    if not _TEX.search(line):
        return line
    return _TEX.sub(lambda found: _TEX_SIGNS.get(found[0], ""), line).replace("{", "").replace("}", "")


def _of_files(lines: list[str]) -> list[str]:
    """The lines without the folder and the ending of the file in which each tensor is stored, if several lines begin so."""
    read = {at: found for at, line in enumerate(lines) if len(line) <= MAX_LINE and (found := _FILE.match(line))}
    if len(read) < 2 or len({found[3] for found in read.values()}) > 1:
        return lines
    folder = common_beginning([found[1] + found[2].rpartition("/")[0] + "/" for found in read.values()]).rpartition("/")[0]
    kept = list[str](lines)
    for at, found in read.items():
        path = found[1] + found[2]
        name = path[len(folder) :].removeprefix("/")
        kept[at] = " " * (len(path) - len(name)) + name + " " * len(found[3]) + lines[at][found.end() :]
    return kept


def in_groups(lines: list[str], file: str) -> Iterator[tuple[int, str, str]]:
    """The number of the line, the name and the shape of each tensor in a table whose rows hold several, as Detectron2 prints what it loads:
    ``| conv.* | backbone.conv.{bias,weight} | (64,) (64,3,7,7) |``. Raises `DocumentError` for a row with more
    names or shapes than the other.
    """
    read = {at: found for at, line in enumerate(lines, 1) if len(line) <= MAX_LINE and (found := _GROUP.fullmatch(line.strip()))}
    if not any(found[4] for found in read.values()):
        return
    for at, found in read.items():
        shapes = _ROUND.findall(found[5])
        parts = [f".{part.strip()}" for part in found[4].split(",")] if found[4] else [""]
        if bool(found[2]) != bool(found[4]) or len(parts) != len(shapes) or _ROUND.sub("", found[5]).strip():
            sizes = f"{len(parts)} names and {len(shapes)} shapes"
            raise DocumentError(f"{file}, line {at}: the row of {shorten(found[1])} has {sizes}; one shape for each name is expected")
        yield from ((at, found[1] + part, shape) for part, shape in zip(parts, shapes, strict=True))

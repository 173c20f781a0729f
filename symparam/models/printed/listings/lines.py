"""One line of a listing of tensors: the name at its beginning and the sizes after it.

A line is read from left to right without backtracking, so that its time is linear in its length.
"""

from __future__ import annotations

import re

from symparam.core.frozen import frozen
from symparam.models.printed.tree import Shape

MAX_LINE = 2_000
"""Characters of the longest line that is read."""
DECORATION = " \t|>#*`'\"([{,•-"
LONE_NAMES = re.compile(r"weight|bias|gamma|beta|embed|token|scale|query|proj|head|kernel|temperature", re.IGNORECASE)
"""Words in names of tensors that have no dot."""
SUMS = re.compile(r"(?:(?:grand |sub)?totals?|sum|合计|总计):?", re.IGNORECASE)
"""What stands in place of a name beside a sum, if a single number follows; with a shape it is a tensor of that name."""
SEPARATORS = " \t|:,;'\"`=&-–→>"
STYLES = {"(": (")", "round"), "[": ("]", "square"), "{": ("}", "curly")}
"""The brackets around sizes, by the opening one: the closing one, and what the style is called."""
_NAME = re.compile(r"[A-Za-z_][\w-]*(?:\.[\w-]+)*|\d+(?:\.[\w-]+)*\.[A-Za-z_][\w-]*(?:\.[\w-]+)*|\d{1,6}[A-Za-z_][\w-]*(?:\.[\w-]+)+")
_INDEX = re.compile(r"\d{1,6}(?=[ \t.:|,)])")
_SIZED = re.compile(r"(?:torch\.Size|Size|TensorShape|shape=torch\.Size)\(")
_DIGITS = re.compile(r"\d{1,3}(?:,\d{3})+(?![\d,])|\d{1,25}")
_SIZE = re.compile(r"(?:(?:np\.|numpy\.)?u?int\d{1,2}\((?P<typed>\d{1,25})\)|(?:1:)?(?P<bare>\d{1,25})L?)")
"""A size as Python 2 (``64L``), NumPy 2 (``np.int64(64)``) or R (``1:64``) writes it."""
_BEGINS = frozenset(("t", "S", "T", "s", *STYLES))
"""The first characters of `_SIZED`, of `_SCALAR` and of shapes in brackets."""
_INDEXED = re.compile(r"\[(\d{1,25})\]")
_SCALAR = re.compile(r"\{SCALAR\}|scalar(?![\w.-])")
_BETWEEN = re.compile(r"[ \t]*(?:[,xX×✕*]|by(?=[ \t]))?[ \t]*")
_CROSS = re.compile(r"[ \t]+[xX×✕*][ \t]+|[xX×✕*]|[ \t]+by[ \t]+")
_TYPED = re.compile(r"x(?:bf|f|ui|si|i)\d{1,3}(?![\w.])")
"""The type after the sizes as MLIR writes them: ``64x3xf32``."""
_HYPHENATED = re.compile(r"-[A-Za-z]")
_WORD = re.compile(r"[A-Za-z_][\w.]*")
NUMBER_FORMAT = re.compile(
    r"(?:torch\.)?(?:bfloat16|float\d+(?:_e\dm\d\w*)?|u?int\d+|complex\d+|(?:bf|f|u|i|ui|si)(?:4|8|16|32|64|128)(?:_e\dm\d)?|fp\d+)",
    re.IGNORECASE,
)
"""The type of the numbers of a tensor, such as ``float32`` or ``BF16``."""
_BRACKETED_FORMAT = re.compile(rf"[(\[](?:{NUMBER_FORMAT.pattern})[)\]]", re.IGNORECASE)
KNOWN_WORD = re.compile(
    NUMBER_FORMAT.pattern + r"|(?:torch\.)?(?:float|double|half|int|long|bool)"
    r"|shape|size|sizes|dtype|Parameters?|Tensor|torch|True|False|requires_grad|trainable|device|cpu|cuda|meta|params|numel",
    re.IGNORECASE,
)
"""Words beside a name and a shape that are neither."""
_FORMAT = re.compile(rf"(?:{NUMBER_FORMAT.pattern}|(?:torch\.)?(?:float|double|half))\b", re.IGNORECASE)
_IN_ROUND = re.compile(r"\((?:\d{1,3}(?:,\d{3}){1,8}|\d{1,25})\)")
"""A number in brackets, as sums are sometimes written."""
_PARAMETER = re.compile(r"\.(?:weight|bias|gamma|beta|kernel|running_mean|running_var)$")
_PARAMETERS = re.compile(r"(?:^|[./])(?:weight|bias|gamma|beta|kernel)/(?:weight|bias|gamma|beta|kernel)(?:/|$)")
_DESCRIBED = re.compile(r"\{[^{}]{0,120}?['\"]shape['\"]: ?")
"""A dictionary that holds the shape beside other things."""
_DASH = re.compile(r"[ \t|:,;]{1,400}[-–—][ \t|]{0,400}")
"""A dash in place of a shape: a single number, or one that is not known."""
_COUNTED = re.compile(r"\(\d[\d,]{0,25} (?:param|element|value|number)")
"""A number of elements in words after the sizes."""
_LIKE_SIZES = re.compile(r"(?:[\w?.\-]{0,20}|\d{1,3}(?: \d{3}){1,5})(?:\s?,\s?(?:[\w?.\-]{0,20}|\d{1,3}(?: \d{3}){1,5})){0,9}")


@frozen
class Sizes:
    """A shape, its style (``sized``, ``square``, ``round``, ``curly``, ``crossed``, ``number`` or ``scalar``), and its end."""

    shape: Shape
    style: str
    end: int


@frozen
class Line:
    """A line that may begin with the name of a tensor.

    ``sizes`` is the shape after the name, ``numbers`` are single numbers there, ``between`` the signs before the first of these, and
    ``faulty`` is what looks like a shape but is not one. ``bare`` says that only known words follow the name, and
    ``end`` is where the last of the numbers ends.
    """

    name: str
    column: int
    between: str
    sizes: Sizes | None = None
    numbers: tuple[int, ...] = ()
    faulty: str = ""
    bare: bool = False
    end: int = 0


def read_line(text: str) -> Line | None:
    """The name and what follows it; None for a line that does not begin with a name, or that continues in words."""
    place = _skipped(text, 0, DECORATION)
    if not _NAME.match(text, place) and (index := _INDEX.match(text, place)):
        place = _skipped(text, index.end(), DECORATION + ".:)")
    name = _NAME.match(text, place)
    if name is None or (text[name.end() : name.end() + 1] in ("(", "[", ".", "/", "\\", "{", "@") and not _is_full(name)):
        return None  # A call, a path, or the end of a sentence.
    if NUMBER_FORMAT.fullmatch(name[0]):
        return None  # The first column, before the name.
    is_sum = SUMS.fullmatch(name[0]) is not None
    column, numbers, first, last = place + 1, list[int](), -1, 0
    place = name.end()
    while True:
        behind = _skipped(text, place, SEPARATORS)
        if behind >= len(text.rstrip(" \t|)],;'\"`")) and behind >= place:
            shown = text[name.end() : first if first >= 0 else len(text)]
            if not numbers and not is_sum and _DASH.fullmatch(shown):
                return Line(name[0], column, "", faulty=shown.strip(" \t|"))
            return None if is_sum else Line(name[0], column, _signs(shown), numbers=tuple(numbers), bare=not numbers, end=last)
        if (sizes := read_sizes(text, behind)) is not None:
            first = behind if first < 0 else first
            if sizes.style != "number":
                if is_sum and _IN_ROUND.fullmatch(text, behind, sizes.end):
                    return None
                return Line(name[0], column, _signs(text[name.end() : behind]), sizes, tuple(numbers))
            numbers += sizes.shape
            place = last = sizes.end
        elif is_sum and not _FORMAT.match(text, behind):
            return None
        elif described := _DESCRIBED.match(text, behind):
            inside = read_sizes(text, described.end())
            return Line(name[0], column, _signs(text[name.end() : behind]), inside) if inside else None
        elif (typed := _BRACKETED_FORMAT.match(text, behind)) and not _SIZED.match(text, behind):
            place = typed.end()
        elif numbers and _COUNTED.match(text, behind):
            return _in_words(text, name, column, numbers, first, last)
        elif text[behind] in "([" or _SIZED.match(text, behind):
            return Line(name[0], column, _signs(text[name.end() : behind]), faulty=_faulty(text, behind))
        elif word := _WORD.match(text, behind):
            if behind == name.end() or not KNOWN_WORD.fullmatch(word[0]):
                return _in_words(text, name, column, numbers, first, last)
            place, is_sum = word.end(), False  # A type, which no sum has.
        else:
            return _in_words(text, name, column, numbers, first, last)


def _is_full(name: re.Match[str]) -> bool:
    """Whether this is the name of a tensor that fills its column, so that the shape follows without a blank."""
    return name.string.startswith("(", name.end()) and _PARAMETER.search(name[0]) is not None


def read_sizes(text: str, place: int) -> Sizes | None:
    """The shape at this place; None for anything else."""
    opening = text[place : place + 1]
    if opening not in _BEGINS and not opening.isdecimal():
        return None  # As most words of a listing: they are asked first, as a pattern takes longer.
    if sized := _SIZED.match(text, place):
        inner = read_sizes(text, _skipped(text, sized.end(), " \t"))
        end = _skipped(text, inner.end, " \t") if inner else 0
        return Sizes(inner.shape, "sized", end + 1) if inner and inner.style in ("square", "round") and text[end : end + 1] == ")" else None
    if scalar := _SCALAR.match(text, place):
        return Sizes((), "curly" if opening == "{" else "scalar", scalar.end())
    if opening and opening in STYLES:
        sizes = _bracketed(text, place, *STYLES[opening])
        while sizes and opening == "[" and len(sizes.shape) < 10 and (further := _INDEXED.match(text, sizes.end)):
            sizes = Sizes((*sizes.shape, int(further[1])), "square", further.end())  # As C writes arrays: [64][3].
        return sizes
    found = _DIGITS.match(text, place)
    if found is None or text[found.end() : found.end() + 1] in (".", "_", "%"):
        return None
    shape, end = [_number(found[0])], found.end()
    spaced = text[end : end + 1].isspace()  # In "64x3 x 4" the last number is no size, but a number of times.
    while text[end : end + 1].isspace() == spaced and (cross := _CROSS.match(text, end)) and (found := _DIGITS.match(text, cross.end())):
        shape.append(_number(found[0]))
        end = found.end()
    if typed := _TYPED.match(text, end):
        return Sizes(tuple(shape), "crossed", typed.end())
    if text[end : end + 1].isalnum() or text[end : end + 1] in (*"÷^",) or len(shape) > 10:
        return None
    if len(shape) == 1 and _HYPHENATED.match(text, end):
        return None  # 3-element is a word.
    return Sizes(tuple(shape), "crossed" if len(shape) > 1 else "number", end)


def _bracketed(text: str, place: int, closing: str, style: str) -> Sizes | None:
    """The shape in brackets, with commas, crosses or, as Go writes it, blanks between its sizes, but only one of these."""
    shape: list[int] = []
    signs = set[str]()
    zero_first = False  # As after the comma of thousands: [1,024].
    place = _skipped(text, place + 1, " \t")
    while (found := _SIZE.match(text, place)) and (sign := _BETWEEN.match(text, found.end())):
        digits = found["typed"] or found["bare"]
        zero_first |= digits[0] == "0" and len(digits) > 1
        shape.append(int(digits))
        place = sign.end()
        if _SIZE.match(text, place):
            signs.add(sign[0].strip() and ("," if "," in sign[0] else "x"))
        elif sign[0].strip() not in ("", ","):
            return None
    if text[place : place + 1] != closing or len(shape) > 10 or len(signs) > 1 or ("" in signs and style != "square"):
        return None
    if zero_first and "," in signs:
        return None
    return Sizes(tuple(shape), style, place + 1)


def with_commas(shape: Shape) -> int:
    """The number whose digits are these sizes: ``(12,345)`` is 12,345."""
    first, *groups = shape or (0,)
    return int("".join((str(first), *(f"{group:03d}" for group in groups))))


def dotted(name: str) -> str:
    """A name with dots for slashes, also for those that Haiku writes around a tilde, and without the ``:0`` of TensorFlow. Beside dots a
    slash stays, as it may stand for "or".
    """
    return name if names_several(name) else name.removesuffix(":0").replace("/~/", ".").replace("/", ".")


def names_several(name: str) -> bool:
    """Whether slashes may stand for "or": before a dot, as in ``q_proj/k_proj.weight``, or between parameters, as in ``norm.weight/bias``;
    TensorFlow writes ``layer_._0`` between slashes.
    """
    if "/" not in name:
        return False
    return "." in name.replace("_._", "").partition("/")[2].replace("/~/", "") or _PARAMETERS.search(name) is not None


def _number(digits: str) -> int:
    return int(digits.replace(",", ""))


def _skipped(text: str, place: int, signs: str) -> int:
    while place < len(text) and text[place] in signs:
        place += 1
    return place


def _signs(text: str) -> str:
    """The signs between a name and its shape by kind, without words and regardless of the number of spaces."""
    return "".join(dict.fromkeys(sign for sign in text if sign in ":|,;=>\t"))


def _in_words(text: str, name: re.Match[str], column: int, numbers: list[int], first: int, last: int) -> Line | None:
    """A line that continues in words after single numbers, which may be a shape and further columns."""
    return Line(name[0], column, _signs(text[name.end() : first]), numbers=tuple(numbers), end=last) if numbers else None


def _faulty(text: str, place: int) -> str:
    """The text there that looks like a shape but cannot be read as one."""
    if sized := _SIZED.match(text, place):
        return text[place : sized.end() + 40].strip()
    inside = text[place + 1 : place + 80].partition(")" if text[place] == "(" else "]")[0]
    return text[place : place + len(inside) + 2] if _LIKE_SIZES.fullmatch(inside) and re.search(r"\d|\?", inside) else ""

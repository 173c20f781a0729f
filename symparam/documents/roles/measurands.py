"""Finds what a quantity of a page measures: parameters, operations or bytes, of which passes, per token, sequence or batch."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from functools import cache

from symparam.core.frozen import frozen
from symparam.documents.checking.labelled_quantities import LabelledQuantity, last_clause
from symparam.documents.checking.line_checker import LineChecker
from symparam.documents.roles.devices import devices_in, without_devices
from symparam.documents.roles.labels import Label, read_label
from symparam.documents.roles.stated_measure import StatedMeasure
from symparam.documents.words import label_words, thing_words, words

NOTHING = StatedMeasure()
_UNITS = {"FLOPs": "operations", "MACs": "macs", "bytes": "bytes", "": ""}
_BYTES = ("cache", "activations", "gradients", "optimizer", "bytes")
_OPERATIONS = ("macs", "operations")
_LARGEST = 10_000_000  # A larger number in a column of lengths is not a length.
_MOST = 4  # Lengths and batches of one page that are tried.
_IN_ASCII = re.IGNORECASE | re.ASCII  # Other letters may stand beside these words, as in 以fp16存储.
_IS = r"\W{1,3}(?:(?:is|of|to|at|=)\W{1,3}){0,2}"
_GROUPED = r"\d{1,3}(?:[.,\u00a0\u202f ]\d{3}){1,3}+(?!\d)"
"""A whole number with separators of thousands: ``32.768 Token``, ``2 048 tokens``."""
_LENGTH = re.compile(
    rf"\b(?:seq(?:uence)?|context)[ _-]?(?:len(?:gth)?|window|size)?{_IS}(\d[\d,]{{0,9}}+)(?![\d.])(?!\s*[kKMB%])(?:[ -]tokens?\b)?"
    rf"|(?<![\w.,])({_GROUPED}|\d[\d,]{{0,9}}+)[ -](?:(?:tokens?|positions|jetons)\b|токен)(?:[ -](?:context|sequence|window|prompt)s?\b)?"
    r"|(?<![\w.,])(\d{1,4}+ ?[kK])[ -](?:tokens?|context|positions|sequence)\b(?:[ -](?:context|sequence|window|prompt)s?\b)?"
    r"|(?<![\d.,])(\d[\d,]{0,9}+)\s?的?(?:长度|上下文|序列)"
    r"|(?:序列长度|序列長度|上下文长度)\D{0,6}(\d[\d,]{0,9}+)|(?<![\d.,])(\d[\d,]{0,9}+)\s?[个個]?\s?(?:token|词元|詞元|トークン|토큰)",
    _IN_ASCII,
)
_BATCH = re.compile(
    rf"\bbatch(?:[ _-]?size)?{_IS}(\d{{1,6}}+)(?![\d.,])(?: (?:sequences|prompts|requests|samples)\b)?"
    r"|(?:批(?:次|量|大小|次大小)|バッチ|배치)\D{0,6}(\d{1,6}+)",
    re.IGNORECASE,
)
_OF_BATCHES = re.compile(r"\bbatch|批|バッチ|배치", re.IGNORECASE)
_OF_BATCH = ("B", "b")
_OWN_LENGTH = re.compile("[LS]")
_SIZE = re.compile(r"(\d[\d,]{0,9}+(?: ?[kK])?)")
_MOST_ROWS = 64  # Rows of tables whose runs are read.
_OF_LENGTHS = re.compile(r"\b(?:tokens?|context|sequence|seq[ _-]?len)\b|序列|上下文|トークン|토큰", re.IGNORECASE)
_FORMATS = (
    (
        4,
        re.compile(
            r"\b(?:fp32|float32|f32|single[ -]precision|32[ -]bits?|4 bytes (?:each|per)|master(?= (?:weight|parameter|copy|copies)))\b"
            r"|单精度|全精度|主(?=权重|参数)",
            _IN_ASCII,
        ),
    ),
    (2, re.compile(r"\b(?:fp16|bf16|float16|bfloat16|half[ -]precision|16[ -]bits?|2 bytes (?:each|per))\b|半精度", _IN_ASCII)),
    (1, re.compile(r"\b(?:fp8|int8|float8|8[ -]bits?|1 byte (?:each|per))\b", _IN_ASCII)),
)
_BYTES_EACH = re.compile(
    r"(?<![\d.,])(\d{1,2}) ?(?:bytes?|Bytes?|B|octets?|字节|バイト|바이트) ?(?:per|pro|je|par|por|a|/) ?(?:trainable )?[Pp]ar[aá]m"
    r"|每(?:个|一)?参数(?:需要|需|占用|占|共)?\s?(\d{1,2})\s?(?:个)?(?:字节|[Bb]ytes?)|(?:1)?パラメータ(?:あたり|につき)\s?(\d{1,2})\s?バイト"
)
"""The bytes per parameter that a sentence states: ``16 bytes per parameter``."""
_BYTES_FACTOR = re.compile(r"[×*·⋅]\s?([124])\s?(?:B|[Bb]ytes?)(?:\s?[=≈][^=≈\n]{0,24}){1,3}\Z")
_BYTES_FACTORS = re.compile(r"[×*·⋅]\s?([124])\s?[Bb]ytes?\b")
_PACKED = re.compile(
    r"\b(?:mx|nv)?fp[46]\w{0,8}|\bnf4\b|\bu?int[2-6]\b|\bi?q[2-8]_\w{1,8}|\bw[2-6]a\d{1,2}\b|\b(?:awq|gptq|bpw)\b"
    r"|\b[2-6](?:\.\d{1,4})?[ -]?bits?\b",
    _IN_ASCII,
)
"""Formats with several numbers in a byte, and with scales for groups of them."""


def packed_format(text: str) -> str:
    """The format of less than a byte that the text names, whose bytes per number are not known; empty if it names none."""
    match = _PACKED.search(text)
    return match[0] if match else ""


def formats_in(text: str) -> tuple[int, ...]:
    """The bytes per number of the formats that the text names."""
    return tuple(size for size, words in _FORMATS if words.search(text))


def bytes_each(text: str) -> tuple[int, ...]:
    """The bytes per parameter that the text states, if it does so once."""
    found = [next(filter(None, match)) for match in _BYTES_EACH.findall(text)]
    return (int(found[0]),) if len(found) == 1 else ()


def format_in_factors(before: str) -> tuple[int, ...]:
    """The bytes per number that are a factor of the calculation whose result follows the text: ``× 2 B = 98,304 B =``."""
    match = _BYTES_FACTOR.search(before)
    return (int(match[1]),) if match else ()


def format_of_sentence(sentence: str) -> tuple[int, ...]:
    """The bytes per number by which all calculations of a sentence multiply: ``× 2 bytes = 36,864 bytes per token, and 37.7 MB for …``."""
    found = {int(match[1]) for match in _BYTES_FACTORS.finditer(sentence)}
    return tuple(found) if len(found) == 1 else ()


def without_setting(text: str) -> str:
    """The label with spaces in place of its words about the setting: ``at 512 tokens``, ``in fp16``."""
    for each in (_LENGTH, _BATCH, *(pattern for _, pattern in _FORMATS)):
        text = each.sub(_blanks, text)
    return without_devices(text)


def _blanks(match: re.Match[str]) -> str:
    return " " * len(match[0])


@frozen
class Run:
    """The tokens per sequence and the sequences per batch that a number's own words or the other cells of its row state."""

    lengths: tuple[int, ...] = ()
    batches: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lengths or self.batches)


NO_RUN = Run()


@frozen
class Measurand:
    """What a number measures. ``measure`` is ``parameters``, ``operations``, ``weights``, ``cache``, ``activations``, ``gradients`` or
    ``optimizer``, or ``stated`` for what the user states. ``unit`` is the unit of operations, if given; ``work`` and ``per`` are those of
    the label. ``is_explicit`` says whether the number's own words or unit name the measure, and ``formats`` are the bytes per number of
    the formats that they name; ``is_inherited`` says that another clause names them. ``moments`` is the number of
    moments of an optimizer that they name, and ``run`` is the run that they name. ``by_row`` says that its row states the bytes that each
    parameter takes. ``devices`` are the numbers of devices of which one may hold it.
    """

    measure: str = "parameters"
    unit: str = ""
    work: str = ""
    per: str = ""
    is_explicit: bool = False
    stated: StatedMeasure = NOTHING
    formats: tuple[int, ...] = ()
    is_inherited: bool = False
    moments: int = 0
    run: Run = NO_RUN
    by_row: bool = False
    devices: tuple[int, ...] = ()


@frozen
class RunSetting:
    """What the page says about the runs that it counts: tokens per sequence, sequences per batch, bytes per number, whether attention is
    causal, and whether it speaks of batches; ``stated`` is what its numbers measure where it does not say, and ``remarks`` the same for
    stretches of it. ``trains_a_part`` says that the page speaks of adapters or of what is trainable, and ``devices`` are the numbers of
    devices that it states.
    """

    lengths: tuple[int, ...] = ()
    batches: tuple[int, ...] = ()
    formats: tuple[int, ...] = ()
    causal: bool = False
    in_batches: bool = False
    stated: StatedMeasure = NOTHING
    remarks: tuple[tuple[int, int, StatedMeasure], ...] = ()
    trains_a_part: bool = False
    devices: tuple[int, ...] = ()

    def stated_at(self, place: int) -> StatedMeasure:
        """What the numbers at an offset of the page measure, if that is stated."""
        return next((each for start, end, each in reversed(self.remarks) if start <= place < end), self.stated)


def run_setting(
    checker: LineChecker, stated: StatedMeasure = NOTHING, remarks: tuple[tuple[int, int, StatedMeasure], ...] = ()
) -> RunSetting:
    """The setting of a page, from the values of its letters and from its words."""
    text = checker.text
    given = checker.knowledge.assigned
    lengths = [int(value) for letter in ("L", "S") for value in given.get(letter, []) if Fraction(value).denominator == 1]
    lengths += [length for match in _LENGTH.finditer(text) for length in _numbers(match)]
    batches = [int(value) for value in given.get("B", []) if Fraction(value).denominator == 1]
    batches += [batch for match in _BATCH.finditer(text) for batch in _numbers(match)]
    for each in checker.quantities.stated:
        size = each.expression.exact
        if each.column and isinstance(size, int) and size < _LARGEST and not read_label(each.column).measures:  # FLOPs per token
            lengths += [size] if _OF_LENGTHS.search(each.column) else []
            batches += [size] if _OF_BATCHES.search(each.column) else []
    lower = text.lower()
    return RunSetting(
        tuple(dict.fromkeys(each for each in lengths if each > 1))[:_MOST],
        tuple(dict.fromkeys(each for each in batches if each > 1))[:_MOST],
        formats_in(text),
        any(word in lower for word in label_words()["causal"]),
        bool(_OF_BATCHES.search(text)),
        stated,
        remarks,
        words("added").in_text(text),
        devices_in(text)[:_MOST],
    )


def run_in(said: str) -> Run:
    """The run that the words name."""
    return Run(
        tuple(length for match in _LENGTH.finditer(said) for length in _numbers(match) if length > 1),
        tuple(batch for match in _BATCH.finditer(said) for batch in _numbers(match)),
    )


def runs_of_rows(text: str) -> Mapping[int, Run]:
    """The runs that the rows of tables give in columns of lengths and batches, by the offset of the line."""
    found: dict[int, Run] = {}
    place, columns = 0, dict[int, re.Pattern[str]]()
    is_inside = False
    for line in text.splitlines(keepends=True):
        cells = line.strip().strip("|").split("|") if line.lstrip().startswith("|") else []
        if cells and not is_inside:
            columns = {at: kind for at, cell in enumerate(cells) if (kind := _kind_of_column(cell)) is not None}
        elif columns and cells and len(found) < _MOST_ROWS:
            given = [(kind, size) for at, kind in columns.items() if at < len(cells) for size in _sizes_of(cells[at])]
            run = Run(*(tuple(size for kind, size in given if kind is wanted) for wanted in (_OF_LENGTHS, _OF_BATCHES)))
            if run:
                found[place] = run
        is_inside = bool(cells)
        place += len(line)
    return found


def _kind_of_column(head: str) -> re.Pattern[str] | None:
    """Whether the column has lengths or batches, by the pattern of its head; FLOPs per token are neither."""
    kinds = [kind for kind in (_OF_LENGTHS, _OF_BATCHES) if kind.search(head)]
    return kinds[0] if len(kinds) == 1 and not read_label(head).measures else None


def _sizes_of(cell: str) -> tuple[int, ...]:
    size = _SIZE.fullmatch(cell.strip(" *`$"))
    return tuple(each for each in _numbers(size) if 0 < each < _LARGEST) if size else ()


def says_batch(words: str) -> bool:
    """Whether the words say how many sequences a batch has."""
    return bool(_BATCH.search(words))


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    """The number, or both for one in thousands: 8k are 8,192 or 8,000."""
    written = re.sub(r"[.,\s](?=\d)", "", next(filter(None, match.groups()))).rstrip(", ")
    count = written.rstrip("kK ")
    return (int(count or 0),) if count == written else (int(count) * 1024, int(count) * 1000)


def names_weights(clause: str) -> bool:
    """Whether a clause says that weights take the bytes, whatever is spoken of around it; ``bytes per parameter`` does not."""
    found = _weights().finditer(clause)
    return any(not (match[1] and words("per_one").is_one(match[1])) for match in found)


@cache
def _weights() -> re.Pattern[str]:
    stems = sorted({word.rstrip("*") for word in thing_words()["parameter"]}, key=len, reverse=True)
    return re.compile(rf"(?:([^\W\d_]{{1,20}})[ /])?(?:{'|'.join(map(re.escape, stems))})", re.IGNORECASE)


def is_of_run(quantity: LabelledQuantity, page: str) -> bool:
    """Whether a formula has the letters of a run, the sequences of a batch or the tokens of a sequence, on which no parameter depends. An L
    of the author's own may be the layers.
    """
    expression = quantity.expression
    of_tokens = "LS" if not _OWN_LENGTH.search(page, expression.start, expression.end) else ""
    return not expression.letters.isdisjoint((*_OF_BATCH, *of_tokens))


def measurand_of(
    quantity: LabelledQuantity, label: Label, introduced: Label, stated: StatedMeasure = NOTHING, of_run: bool = False
) -> Measurand | None:
    """What the quantity under the label measures; None if its words contradict each other or the unit.

    Its unit decides, then its label, then what its list is ``introduced`` with, then the heading above it if that names a single measure,
    and then what the user states. For a formula with the letters ``of_run`` all headings around it are asked.
    """
    expression = quantity.expression
    unit = expression.literal.unit if expression.literal else None
    if expression.letters:  # The unit behind a power, ``16Bsh^2 FLOPs``, is that of the product.
        units = [each.unit for each in expression.literals.values() if each.unit is not None and each.unit.senses == (Fraction(1),)]
        unit = units[0] if len(units) == 1 else unit
    counted = _UNITS.get(unit.counted) if unit is not None else ""
    if counted is None or (unit is not None and unit.divided):
        return None
    title = read_label(quantity.title)
    if of_run:
        title = next((each for each in (title, *map(read_label, quantity.headings)) if each.measures), title)
    said = (counted, *label.measures) if counted else label.measures
    if not said and not label.parameters:
        over = introduced if introduced.measures or introduced.parameters else title
        above = over.measures if not over.parameters else ()
        # Bytes have a unit: 525M below "Memory" counts parameters.
        said = above if of_run or not any(each in _BYTES for each in above) else ()
    work, per = label.work or introduced.work or title.work, label.per or introduced.per or title.per
    is_open = not said and not label.parameters
    if stated and (is_open or (stated.convention and any(each in _OPERATIONS for each in said))):
        words, of_pass = stated.as_words
        if not words:
            return Measurand("stated", per=per, is_explicit=True, stated=stated)
        said, work = words, work or of_pass
    if not (said or label.parameters or quantity.expression.letters.isdisjoint(_OF_BATCH)):
        return None
    if not said:
        return Measurand(is_explicit=label.parameters) if not label.work and not label.per else None
    if label.parameters and not counted and (said[0] not in _OPERATIONS or not (work or per)):
        return None  # Bytes per parameter, or parameters with which a model computes.
    of_bytes = [each for each in said if each in _BYTES]
    if of_bytes and any(each in _OPERATIONS for each in said):
        return None
    is_said = bool(counted or label.measures or (stated and is_open))
    if of_bytes:
        of = next((each for each in _BYTES if each in said and each != "bytes"), "")
        if not of and title.measures and not names_weights(last_clause(quantity.words)):
            of = next((each for each in title.measures if each in _BYTES and each != "bytes"), "")
        if not of and label.work == "training":
            return None  # The memory of training is weights, gradients, states and activations together.
        return Measurand(of or "weights", "", work, per, is_said, moments=label.moments or title.moments)
    is_in_macs = "macs" in said and counted != "operations"  # ``17.6 GMACs, i.e. 35.1 GFLOPs``
    return Measurand("operations", "MACs" if is_in_macs else "FLOPs", work, per, is_said)

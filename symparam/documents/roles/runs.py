"""Finds what words say about a run and about the numbers in memory: tokens per sequence, sequences per batch, bytes per number."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache

from symparam.core.frozen import frozen
from symparam.documents.roles.devices import without_devices
from symparam.documents.roles.labels import read_label
from symparam.documents.words import precision_words, run_words, thing_words, unit_words, words_of
from symparam.documents.words.scripts import SPACED, either, ended, joined

_LARGEST = 10_000_000  # A larger number in a column of lengths is not a length.
_MOST_ROWS = 64  # Rows of tables whose runs are read.
_GROUPED = r"\d{1,3}(?>(?:[.,\u00a0\u202f ]\d{3}){1,3})(?!\d)"
"""A whole number with separators of thousands: ``32.768 Token``, ``2 048 tokens``."""
_PLAIN = r"\d[\d,]{0,9}+"
_THOUSANDS = r"\d{1,4}+ ?[kK]"
_CLASSIFIER = f"(?:{joined(words_of('classifier'), unspaced=True)})?"
_NEAR = 40  # Characters beside a number of tokens that may say what has them.
_OTHER_CLAUSE = re.compile(r"[\d.,;:\n，。；：、]")
_COLON = re.compile(r"[*_`]{0,2}[:：][*_` ]{0,4}\Z")
_SIZE = re.compile(rf"({_PLAIN}(?: ?[kK])?)")
_FORMATS = {4: ("fp32", "float32", "f32"), 2: ("fp16", "bf16", "float16", "bfloat16"), 1: ("fp8", "int8", "float8")}
_PACKED = r"(?:mx|nv)?fp[46]\w{0,8}|nf4|u?int[2-6]|i?q[2-8]_\w{1,8}|w[2-6]a\d{1,2}|awq|gptq|bpw"  # And what has that many bits.


@frozen
class Run:
    """The tokens per sequence and the sequences per batch that a number's own words or the other cells of its row state."""

    lengths: tuple[int, ...] = ()
    batches: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.lengths or self.batches)

    def beside(self, other: Run) -> Run:
        """What it states, and otherwise what the other one does: a row of a table has the length, and the head of a column the batch."""
        return Run(self.lengths or other.lengths, self.batches or other.batches)


NO_RUN = Run()


def run_in(said: str) -> Run:
    """The run that the words name."""
    return Run(tuple(each for each in lengths_in(said) if each > 1), batches_in(said))


def lengths_in(text: str) -> tuple[int, ...]:
    """The tokens per sequence that the text states; those of a vocabulary are none."""
    matches = (match for match in _lengths().finditer(text) if not _is_of_vocabulary(match))
    return tuple(length for match in matches for length in _numbers(match))


def _is_of_vocabulary(match: re.Match[str]) -> bool:
    """Whether the tokens are those of a vocabulary: ``a vocabulary of 50,257 tokens``, ``a 50,257-token vocabulary``, ``Vocabulary: 50,257
    tokens``.
    """
    before = _OTHER_CLAUSE.split(_COLON.sub("", match.string[max(0, match.start() - _NEAR) : match.start()]))[-1]
    return bool(_vocabulary().search(before) or _vocabulary().match(match.string[match.end() : match.end() + _NEAR].lstrip(" -")))


def batches_in(text: str) -> tuple[int, ...]:
    """The sequences per batch that the text states."""
    return tuple(batch for match in _batches().finditer(text) for batch in _numbers(match))


def says_batch(words: str) -> bool:
    """Whether the words say how many sequences a batch has."""
    return bool(_batches().search(words))


def is_of_batches(text: str) -> bool:
    """Whether the text speaks of batches."""
    return bool(_of_batches().search(text))


def is_of_lengths(text: str) -> bool:
    """Whether the text speaks of tokens or of sequences."""
    return bool(_of_lengths().search(text))


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
            run = Run(*(tuple(size for kind, size in given if kind is wanted) for wanted in (_of_lengths(), _of_batches())))
            if run:
                found[place] = run
        is_inside = bool(cells)
        place += len(line)
    return found


def is_length(size: object) -> bool:
    """Whether a number in a column of lengths or batches may be one."""
    return isinstance(size, int) and 0 < size < _LARGEST


def _kind_of_column(head: str) -> re.Pattern[str] | None:
    """Whether the column has lengths or batches, by the pattern of its head; FLOPs per token are neither."""
    kinds = [kind for kind in (_of_lengths(), _of_batches()) if kind.search(head)]
    return kinds[0] if len(kinds) == 1 and not read_label(head).measures else None


def _sizes_of(cell: str) -> tuple[int, ...]:
    size = _SIZE.fullmatch(cell.strip(" *`$"))
    return tuple(filter(is_length, _numbers(size))) if size else ()


def _numbers(match: re.Match[str]) -> tuple[int, ...]:
    """The number, or both for one in thousands: 8k are 8,192 or 8,000."""
    written = re.sub(r"[.,\s](?=\d)", "", next(filter(None, match.groups()))).rstrip(", ")
    count = written.rstrip("kK ")
    return (int(count or 0),) if count == written else (int(count) * 1024, int(count) * 1000)


def packed_format(text: str) -> str:
    """The format of less than a byte that the text names, whose bytes per number are not known, as several numbers share one and have
    scales; empty if it names none.
    """
    match = _packed().search(text)
    return match[0] if match else ""


def formats_in(text: str) -> tuple[int, ...]:
    """The bytes per number of the formats that the text names."""
    said = {*(int(size) for _, size in precision_words(text, 0, len(text))), *([4] if _masters().search(text) else [])}
    return tuple(size for size, named in _formats().items() if size in said or named.search(text))


def bytes_each(text: str) -> tuple[int, ...]:
    """The bytes per parameter that the text states, if it does so once: ``16 bytes per parameter``, ``每个参数占 16 字节``."""
    found = [next(filter(None, match)) for match in _bytes_each().findall(text)]
    return (int(found[0]),) if len(found) == 1 else ()


def format_in_factors(before: str) -> tuple[int, ...]:
    """The bytes per number that are a factor of the calculation whose result follows the text: ``× 2 B = 98,304 B =``."""
    match = _last_factor().search(before)
    return (int(match[1]),) if match else ()


def bytes_in_factors(before: str) -> tuple[int, ...]:
    """The bytes per parameter that are a factor of the calculation whose result follows, also those of two moments: ``× 8 bytes =``."""
    match = _last_bytes().search(before)
    return (int(match[1]),) if match else ()


def format_of_sentence(sentence: str) -> tuple[int, ...]:
    """The bytes per number by which all calculations of a sentence multiply: ``× 2 bytes = 36,864 bytes per token, and 37.7 MB for …``."""
    found = {int(match[1]) for match in _factors().finditer(sentence)}
    return tuple(found) if len(found) == 1 else ()


@lru_cache(maxsize=4_000)  # The words of one label are read with different numbers.
def without_setting(text: str) -> str:
    """The label with spaces in place of its words about the setting: ``at 512 tokens``, ``in fp16``."""
    spans = [match.span() for match, _ in precision_words(text, 0, len(text))]
    for pattern in (_lengths(), _batches(), *_formats().values()):
        spans += [match.span() for match in pattern.finditer(text)]
    for start, end in spans:
        text = text[:start] + " " * (end - start) + text[end:]
    return without_devices(text)


@cache
def _lengths() -> re.Pattern[str]:
    """``sequence length of 512``, ``512 tokens``, ``8k context``, ``序列长度为512``, ``512个token``, ``8K 上下文``."""
    told = run_words()
    behind = rf"(?:[ -]{ended(told['span'])})?"
    tokens = rf"\s?{_CLASSIFIER}\s?(?:{joined(told['tokens'], unspaced=True)}|tokens?(?![{SPACED}]))"
    return re.compile(
        rf"{_named(told['length'])}({_PLAIN})(?![\d.])(?!\s*[kKMB%])(?:[ -]{ended(told['tokens'])}|{tokens})?"
        rf"|(?<![\w.,])({_GROUPED}|{_PLAIN})[ -]{ended(told['tokens'])}{behind}"
        rf"|(?<![\w.,])({_THOUSANDS})[ -]{ended((*told['tokens'], *told['span']))}{behind}"
        rf"|(?<![\d.,])({_THOUSANDS}|{_PLAIN}){tokens}",
        re.IGNORECASE,
    )


@cache
def _vocabulary() -> re.Pattern[str]:
    return either(run_words()["vocabulary"])


@cache
def _batches() -> re.Pattern[str]:
    """``batch size of 8``, ``批次大小为8``."""
    told = run_words()
    return re.compile(rf"{_named(told['batch'])}(\d{{1,6}}+)(?!\d|[.,]\d)(?: {ended(told['members'])})?", re.IGNORECASE)


@cache
def _of_batches() -> re.Pattern[str]:
    batch = run_words()["batch"]
    return re.compile(rf"(?<![{SPACED}])(?:{joined(batch, unspaced=False)})|{joined(batch, unspaced=True)}", re.IGNORECASE)


@cache
def _of_lengths() -> re.Pattern[str]:
    told = (*run_words()["length"], *run_words()["tokens"])
    return re.compile(rf"(?<![{SPACED}]){ended(told)}|{joined(told, unspaced=True)}", re.IGNORECASE)


@cache
def _formats() -> dict[int, re.Pattern[str]]:
    """The formats by their bytes: by name, by bits, and by bytes where it is said that each number takes them."""
    bits, bytes_ = ended(unit_words()["bit"]), ended(unit_words()["byte"])
    each = ended((*words_of("per_one"), *words_of("each")))
    return {
        size: re.compile(rf"(?<![{SPACED}\d_.,])(?:{ended(names)}|{8 * size}[ -]?{bits}|{size} {bytes_} {each})", re.IGNORECASE)
        for size, names in _FORMATS.items()
    }


@cache
def _packed() -> re.Pattern[str]:
    bits = ended(unit_words()["bit"])
    return re.compile(rf"(?<![{SPACED}\d_.])(?:(?:{_PACKED})(?![{SPACED}\d_])|[2-6](?:\.\d{{1,4}})?[ -]?{bits})", re.IGNORECASE)


@cache
def _masters() -> re.Pattern[str]:
    return either(run_words()["master"])


@cache
def _bytes_each() -> re.Pattern[str]:
    bytes_, each = ("B", *unit_words()["byte"]), words_of("per_one")
    stems = [word.rstrip("*") for word in thing_words()["parameter"]]
    spaced, unspaced = (joined(stems, unspaced=which) for which in (False, True))
    counted = rf"(\d{{1,2}})\s?{_CLASSIFIER}\s?(?:{joined(bytes_, unspaced=True)}|bytes?(?![{SPACED}]))"
    return re.compile(
        rf"(?<![\d.,])(\d{{1,2}}) ?{ended(bytes_)} ?(?:{ended(each)}|a |/) ?(?:[^\W\d_]{{1,12}} )?(?:{spaced})"
        rf"|(?:{joined(each, unspaced=True)})(?:{unspaced})[^\W\d_]{{0,3}}\s?{counted}"
        rf"|(?:{unspaced})(?:{joined(each, unspaced=True)})\s?{counted}",
        re.IGNORECASE,
    )


@cache
def _last_factor() -> re.Pattern[str]:
    return re.compile(rf"[×*·⋅]\s?([124])\s?{ended(('B', *unit_words()['byte']))}(?:\s?[=≈][^=≈\n]{{0,24}}){{1,3}}\Z")


@cache
def _last_bytes() -> re.Pattern[str]:
    return re.compile(rf"[×*·⋅]\s?([1-9]\d?)\s?{ended(('B', *unit_words()['byte']))}(?:\s?/\s?[^\W\d_]{{1,12}})?\s?[=≈][ *`~]{{0,4}}\Z")


@cache
def _factors() -> re.Pattern[str]:
    return re.compile(rf"[×*·⋅]\s?([124])\s?{ended(unit_words()['byte'])}")


def _named(names: Iterable[str]) -> str:
    """The name of a number and what links them."""
    links = run_words()["link"]
    apart, together = joined(links, unspaced=False), joined(links, unspaced=True)  # ``batch size of 8``, ``batch 为 8``
    return (
        rf"(?:(?<![{SPACED}])(?:{joined(names, unspaced=False)})(?:\W{{1,3}}|(?={together}))"
        rf"(?:(?:{apart}|=)\W{{1,3}}|(?:{together})\W{{0,3}}){{0,2}}"
        rf"|(?:{joined(names, unspaced=True)})(?>(?:[\s:：=≈]|{joined(links, unspaced=True)}){{0,6}}))"
    )

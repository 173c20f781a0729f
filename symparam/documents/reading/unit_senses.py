"""The units after a number: scales such as M and 亿, units such as GB, and the senses in which people use them.

A unit library knows one sense of each name. Here ``M`` is 10⁶ or 2²⁰, ``B`` billions or bytes, ``FLOPS`` operations or operations per
second, and the reader has to try them all, so we have a table of our own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from symparam.core.frozen import frozen
from symparam.documents.rules.rule import in_force
from symparam.documents.words import unit_words, words, words_of
from symparam.documents.words.scripts import joined

Dimension = tuple[tuple[str, int], ...]
"""What a quantity measures, as powers of ``data``, ``work``, ``time``, ``money`` and ``energy``; ``()`` is a pure number."""

_DATA, _WORK, _TIME, _MONEY, _ENERGY = (((base, 1),) for base in ("data", "work", "time", "money", "energy"))
_DIMENSIONS: dict[str, frozenset[Dimension]] = {
    "": frozenset({()}),
    "bytes": frozenset({_DATA}),
    "bits": frozenset({_DATA}),
    # TFLOPs are operations to one author and operations per second to another.
    "FLOPs": frozenset({_WORK, (("time", -1), ("work", 1))}),
    "MACs": frozenset({_WORK, (("time", -1), ("work", 1))}),
    "seconds": frozenset({_TIME}),
    "bytes/second": frozenset({(("data", 1), ("time", -1))}),
    "money": frozenset({_MONEY, (("money", 1), ("time", -1))}),  # A price is often one for an hour.
    "energy": frozenset({_ENERGY}),
    "energy/second": frozenset({(("energy", 1), ("time", -1))}),
}
PURE: frozenset[Dimension] = _DIMENSIONS[""]


@frozen
class Unit:
    """A scale or unit. ``senses`` are the factors it may stand for, the usual one first; ``counted`` is what it counts."""

    written: str
    senses: tuple[Fraction, ...]
    counted: str = ""
    divided: bool = False  # Whether it is divided by time, like GB in GB/s.
    per_byte: bool = False  # Whether it is divided by bytes, like FLOPs in FLOPs/byte.

    @property
    def dimensions(self) -> frozenset[Dimension]:
        """What it may measure."""
        found = _DIMENSIONS[self.counted]
        found = combined_dimensions(found, _DIMENSIONS["seconds"], -1) if self.divided else found
        return combined_dimensions(found, _DIMENSIONS["bytes"], -1) if self.per_byte else found


def combined_dimensions(first: Iterable[Dimension], second: Iterable[Dimension], power: int = 1) -> frozenset[Dimension]:
    """The dimensions of a product, or of a quotient if ``power`` is -1."""
    return frozenset(_times(one, other, power) for one in first for other in second)


def _times(first: Dimension, second: Dimension, power: int) -> Dimension:
    powers = dict(first)
    for base, exponent in second:
        powers[base] = powers.get(base, 0) + power * exponent
    return tuple(sorted((base, exponent) for base, exponent in powers.items() if exponent))


POWERS = {"K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6, "Z": 7, "Y": 8}
_SECONDS = {"m": 3, "u": 6, "µ": 6, "μ": 6, "n": 9, "p": 12}
_MONTH, _YEAR = Fraction(365, 12) * 86400, Fraction(36525, 100) * 86400
_IN_WORDS: dict[str, tuple[str, tuple[int | Fraction, ...]]] = {
    "thousand": ("", (10**3,)),
    "ten_thousand": ("", (10**4,)),
    "million": ("", (10**6,)),
    "ten_million": ("", (10**7,)),
    "hundred_million": ("", (10**8,)),
    "billion": ("", (10**9,)),
    "trillion": ("", (10**12,)),
    "sextillion": ("", (10**21,)),
    "bit": ("bits", (1, Fraction(1, 8))),
    "byte": ("bytes", (1,)),
    "kilobyte": ("bytes", (1000, 1024)),
    "megabyte": ("bytes", (10**6, 2**20)),
    "gigabyte": ("bytes", (10**9, 2**30)),
    "terabyte": ("bytes", (10**12, 2**40)),
    "kibibyte": ("bytes", (2**10,)),
    "mebibyte": ("bytes", (2**20,)),
    "gibibyte": ("bytes", (2**30,)),
    "tebibyte": ("bytes", (2**40,)),
    "microsecond": ("seconds", (Fraction(1, 10**6), 1)),
    "millisecond": ("seconds", (Fraction(1, 1000), 1)),
    "second": ("seconds", (1,)),
    "minute": ("seconds", (60, 1)),
    "hour": ("seconds", (3600, 1)),
    "day": ("seconds", (86400, 1)),
    "week": ("seconds", (7 * 86400, 1)),
    "month": ("seconds", (30 * 86400, _MONTH, 1)),
    "year": ("seconds", (365 * 86400, _YEAR, 1)),
    "money": ("money", (1,)),
    "percent": ("", (Fraction(1, 100),)),
}
"""The meanings of the words in `symparam.documents.words.unit_words`: what they count, and their senses."""


def _table() -> dict[str, Unit]:
    found: dict[str, Unit] = {}

    def add(names: str, *senses: int | Fraction, counted: str = "") -> None:
        for name in names.split():
            found[name] = Unit(name, tuple(map(Fraction, senses)), counted)

    for letter, power in POWERS.items():
        both = (Fraction(1000**power), Fraction(1024**power))
        bits = tuple(Fraction(sense, 8) for sense in both)
        small = letter.lower() if letter in "KM" else letter
        if letter in "KMGTPE":
            add(letter, *both)
        add(f"{letter}B {letter}Byte {letter}Bytes {letter}byte {letter}bytes", *both, counted="bytes")
        add(f"{letter}b {letter}bit {letter}bits {small}bit", *bits, *both, counted="bytes")
        add(f"{letter}iB {letter}i", 1024**power, counted="bytes")
        add(f"{letter}Bps {letter}B/s", *both, counted="bytes/second")
        add(f"{letter}bps", *bits, *both, counted="bytes/second")
        for name in ("FLOP", "FLOPs", "FLOPS", "Flop", "Flops", "flop", "flops"):
            add(f"{letter}{name}", 1000**power, counted="FLOPs")
        for name in ("MAC", "MACs", "MACS", "Mac", "Macs"):
            add(f"{letter}{name}", 1000**power, counted="MACs")
    add("k", 1000, 1024)
    add("B", 10**9, 1)  # Billions of parameters, or bytes.
    add("kB kb", 1000, 1024, counted="bytes")
    for name, power in (("mb", 2), ("gb", 3), ("tb", 4)):
        add(name, 1000**power, 1024**power, Fraction(1000**power, 8), counted="bytes")
    add("FLOPs FLOP FLOPS flops flop", 1, counted="FLOPs")
    add("MACs MAC MACS", 1, counted="MACs")
    for letter, power in (("", 0), ("k", 1), ("M", 2), ("G", 3), ("T", 4)):
        add(f"{letter}Wh", *dict.fromkeys((3600 * 1000**power, 1000**power, 1)), counted="energy")
    for letter, power in (("k", 1), ("M", 2), ("G", 3)):  # A W is as often a matrix.
        add(f"{letter}W", 1000**power, counted="energy/second")
    for letter, power in _SECONDS.items():
        add(f"{letter}s {letter}sec", Fraction(1, 10**power), 1, counted="seconds")
    for name, written in unit_words().items():
        counted, senses = _IN_WORDS[name]
        add(" ".join(written), *senses, counted=counted)
    add("%", Fraction(1, 100))
    found |= dict.fromkeys(unit_words()["percent"], found["%"])
    return found


UNITS: dict[str, Unit] = _table()
HOUR = Unit("h", (Fraction(3600),), "seconds")
"""Not in the table: an h is as often the number of heads, and what stands around it decides."""
_SCALES = (word for name, (counted, _) in _IN_WORDS.items() if not counted for word in unit_words()[name])
_RUN_ON = re.compile(joined(_SCALES, unspaced=True))
_SPELLED = re.compile(r"(yotta|zetta|exa|peta|tera|giga|mega|kilo)(flops?|macs?|bytes?|bits?)", re.IGNORECASE)
_PREFIXES = {"kilo": 1, "mega": 2, "giga": 3, "tera": 4, "peta": 5, "exa": 6, "zetta": 7, "yotta": 8}


_MEASURES = tuple(word for name, (counted, _) in _IN_WORDS.items() if counted for word in unit_words()[name])
_BEFORE_PARTICLE = re.compile(
    f"(?:{joined(_MEASURES, unspaced=True)})(?!{joined(words_of('belonging'), unspaced=True)})"
    f"(?=[\u3041-\u3096]|{joined(words_of('ending'), unspaced=True)})"
)


def unit_of(written: str) -> tuple[Unit, int] | None:
    """The unit that a word is or begins with (``亿参数``), and the number of characters that belong to it."""
    if written in UNITS:
        return UNITS[written], len(written)
    scale = _RUN_ON.match(written)
    if scale and in_force("scale-in-word"):
        return UNITS[scale[0]], scale.end()
    measure = _BEFORE_PARTICLE.match(written)
    if measure and not words("per_one").begins(written[measure.end() :]):
        return UNITS[measure[0]], measure.end()  # ``0.4 秒なら``
    spelled = _SPELLED.fullmatch(written)
    if spelled and in_force("spelled-prefix"):
        return _spelled(written, _PREFIXES[spelled[1].lower()], spelled[2].lower()), len(written)
    return None


def _spelled(written: str, power: int, counted: str) -> Unit:
    """The unit with its prefix in words: ``gigabytes``, ``teraflops``."""
    decimal, binary = Fraction(1000**power), Fraction(1024**power)
    if counted.startswith("byte"):
        return Unit(written, (decimal, binary), "bytes")
    if counted.startswith("bit"):
        return Unit(written, (decimal / 8, binary / 8), "bytes")
    return Unit(written, (decimal,), "MACs" if counted.startswith("mac") else "FLOPs")


def for_each(unit: Unit, word: str) -> Unit:
    """The unit for each of what a word says, ``GB/s`` or ``FLOPs/byte``; what else is counted does not change what it measures."""
    if word in unit_words()["second"]:
        return replace(unit, written=f"{unit.written}/s", divided=True)
    if unit.counted in ("FLOPs", "MACs") and (word == "B" or word in unit_words()["byte"]):
        return replace(unit, written=f"{unit.written}/{word}", per_byte=True)
    return unit


def unit_in_label(word: str) -> Unit | None:
    """The unit that a word of a label or a head is, also with a capital letter; not a mere scale."""
    found = HOUR if word == "h" else UNITS.get(word) or UNITS.get(word.lower())
    return found if found is not None and found.counted else None

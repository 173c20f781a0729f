"""What may stand behind a number: scales such as M and 亿, units such as GB, and the senses in which people use them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True)
class Unit:
    """A scale or unit. ``senses`` are the numbers that it may multiply by, the usual one first; ``counted`` is what it counts."""

    written: str
    senses: tuple[Fraction, ...]
    counted: str = ""


_POWERS = {"K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}


def _scales() -> dict[str, Unit]:
    found: dict[str, Unit] = {}

    def add(names: str, *senses: int | Fraction, counted: str = "") -> None:
        for name in names.split():
            found[name] = Unit(name, tuple(map(Fraction, senses)), counted)

    for letter, power in _POWERS.items():
        both = (Fraction(1000**power), Fraction(1024**power))
        add(letter, *both)
        add(f"{letter}B {letter}Byte {letter}Bytes", *both, counted="bytes")
        bits = tuple(Fraction(sense, 8) for sense in both)
        add(f"{letter}b {letter}bit {letter}bits", *bits, *both, counted="bytes")
        add(f"{letter}iB {letter}i", 1024**power, counted="bytes")
        for counted in ("FLOP", "FLOPs", "FLOPS", "Flop", "Flops", "flop", "flops"):
            add(f"{letter}{counted}", 1000**power, counted="FLOPs")
        for counted in ("MAC", "MACs", "MACS", "Mac", "Macs"):
            add(f"{letter}{counted}", 1000**power, counted="MACs")
    add("k", 1000, 1024)
    add("bit bits Bit Bits 比特 位", 1, Fraction(1, 8), counted="bits")
    add("s sec second seconds 秒", 1, counted="seconds")
    add("min mins minute minutes 分钟 Minuten minutos", 60, 1, counted="seconds")
    add("ms", Fraction(1, 1000), 1, counted="seconds")
    add("hours hour 小时 Stunden heures horas", 3600, 1, counted="seconds")
    add("days day 天 Tage jours dias días", 86400, 1, counted="seconds")
    add("years year 年 Jahre ans anos años", 365 * 86400, Fraction(36525, 100) * 86400, 1, counted="seconds")
    add("Ko ko", 1000, 1024, counted="bytes")
    add("КБ Кб кБ", 1000, 1024, counted="bytes")
    add("Mo МБ Мб", 10**6, 2**20, counted="bytes")
    add("Go ГБ Гб", 10**9, 2**30, counted="bytes")
    add("To ТБ", 10**12, 2**40, counted="bytes")
    add("байт байта байтов バイト 바이트 octet", 1, counted="bytes")
    for letter, power in (("K", 1), ("M", 2), ("G", 3), ("T", 4)):
        add(f"{letter}Bps {letter}B/s", 1000**power, 1024**power, counted="bytes")
        add(f"{letter}bps", Fraction(1000**power, 8), 1000**power, counted="bytes")
    add("kB", 1000, 1024, counted="bytes")
    add("B", 10**9, 1)  # Billions of parameters, or bytes.
    add("bn bln billion Billion billions bilhões bilhão Milliarden Mrd milliards миллиардов млрд", 10**9)
    add("thousand thousands mil Tausend тысяч тыс", 1000)
    add("m mn mln million Million millions milhões milhão Millionen Mio millones миллионов млн", 10**6)
    add("trillion Trillion trillions trilhões", 10**12)
    add("万 萬 만", 10**4)
    add("百万", 10**6)
    add("千万", 10**7)
    add("亿 億 억", 10**8)
    add("十亿", 10**9)
    add("万亿 조", 10**12)
    add("bytes byte Bytes Byte 字节 字節 octets", 1, counted="bytes")
    add("FLOPs FLOP FLOPS flops flop", 1, counted="FLOPs")
    add("MACs MAC MACS", 1, counted="MACs")
    add("zetta", 10**21)
    add("%", Fraction(1, 100))
    return found


UNITS: dict[str, Unit] = _scales()
_FAR_EASTERN = re.compile(r"万亿|百万|千万|十亿|[万萬亿億만억조]")
_FLOPS = re.compile(r"(zetta|exa|peta|tera|giga|mega)(flops?|macs?)", re.IGNORECASE)
_PREFIXES = {"mega": 2, "giga": 3, "tera": 4, "peta": 5, "exa": 6, "zetta": 7}


def unit_of(written: str) -> tuple[Unit, int] | None:
    """The unit that a word is or begins with (``亿参数``), and how many of its characters belong to it."""
    if written in UNITS:
        return UNITS[written], len(written)
    eastern = _FAR_EASTERN.match(written)
    if eastern:
        return UNITS[eastern[0]], eastern.end()
    spelled = _FLOPS.fullmatch(written)
    if spelled:
        counted = "MACs" if spelled[2].lower().startswith("mac") else "FLOPs"
        return Unit(written, (Fraction(1000 ** _PREFIXES[spelled[1].lower()]),), counted), len(written)
    return None

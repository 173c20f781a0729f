"""Rules of units: the senses in which scales and units are tried until one of them makes a claim hold."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

UNITS = (
    Rule(
        "other-sense",
        "Scales and units may have any sense in which people use them: M is 10⁶ or 2²⁰, B billions or bytes.",
        "8 × 1,048,576 = 8.00M", "holds", "wrong",
        "8 × 1,048,576 = 9.00M", "wrong",
        ("unit-read-as", "unit-as-name"),
    ),
    Rule(
        "unit-of-result",
        "A unit on the right side only may be that of the result, in which the left side is counted already.",
        "14.2 × 2 = 28.4 GB", "holds", "undecided",
        "14.2 × 2 = 29.4 GB", "wrong",
        ("unit-of-result", "unit-of-result-of-several"),
    ),
    Rule(
        "only-the-unit",
        "A unit on the left side only may merely say what is counted.",
        "8 × 80 GFLOPs = 640", "holds", "undecided",
        "8 × 80 GFLOPs = 650", "wrong",
        ("only-the-unit", "only-the-unit-of-several"),
    ),
    Rule(
        "right-counts-in",
        "A right side with decimals and no unit may count in thousands, millions or billions.",
        "12 × 7,087,872 = 85.05", "holds", "wrong",
        "12 × 7,087,872 = 86.05", "undecided",
    ),
    Rule(
        "left-in-smaller-unit",
        "The left side may be in a unit a thousand times smaller than the bytes on the right.",
        "2,048 × 4 = 8.192 GB", "holds", "undecided",
        "2,048 × 4 = 8.392 GB", "wrong",
    ),
    Rule(
        "right-counts-in-bytes",
        "A number without a unit after bytes may be in a larger unit.",
        "2.15 GB = 2048", "holds", "undecided",
        "2.25 GB = 2048", "undecided",
    ),
    Rule(
        "left-in-per-cent",
        "The left side of a percentage may already be in percent.",
        "20 + 11 = 31 %", "holds", "undecided",
        "20 + 11 = 32 %", "undecided",
    ),
    Rule(
        "mac-as-two-flops",
        "A MAC is two FLOPs.",
        "2.00 GMACs = 4.00 GFLOPs", "holds", "undecided",
        "2.00 GMACs = 4.50 GFLOPs", "undecided",
    ),
    Rule(
        "other-kind",
        "Two sides in units of different kinds are not an equation.",
        "14 GB / 2 GB/s = 7 FLOPs", "undecided", "holds",
        "14 GB / 2 GB/s = 70 s", "wrong",
    ),
    Rule(
        "unit-of-quotient",
        "A unit behind a divisor is that of the quotient if the result has it, too.",
        "14 × 10^9 / 1024^3 GB = 13.04 GB", "holds", "undecided",
        "14 × 10^9 / 2 GB = 7", "holds",
    ),
    Rule(
        "unit-of-page",
        "A unit of data has one sense on a page: a claim that holds only in another is undecided.",
        "8 × 10^9 bytes = 8.00 GB\n\n16 × 2^30 bytes = 16.00 GB", "undecided", "holds",
        "16 × 2^30 bytes = 16.00 GB", "holds",
    ),
)  # fmt: skip

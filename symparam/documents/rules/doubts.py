"""Rules of doubt: what keeps a claim that does not hold from being called wrong."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule


def _doubt(code: str, sentence: str, example: str, counterexample: str) -> Rule:
    return Rule(code, sentence, example, "undecided", "wrong", counterexample, "wrong")


_TABLE = "| part | formula | parameters |\n|---|---|---|\n| a | {} | 2,359,297 |"
DOUBTS = (
    Rule(
        "exponent-not-read",
        "An exponent cannot be read.",
        _TABLE.format("768 × 3072^√"),
        "nothing",
        "wrong",
        _TABLE.format("768 × 3072^1"),
        "wrong",
    ),
    Rule(
        "not-read-behind",
        "The text after a sign cannot be read.",
        _TABLE.format("768 × 3072 + …"),
        "nothing",
        "wrong",
        _TABLE.format("768 × 3072"),
        "wrong",
    ),
    _doubt("maybe-range", "A number minus a larger one may be a range.", "12-14 × 14 × 25 = 4,550.5", "12-8 = 5"),
    _doubt("sign-ends-it", "A sign with no number after it ends the expression.", "29 × 53 = 1538 -", "29 × 53 = 1538"),
    _doubt(
        "maybe-goes-on-behind-minus", "An expression may continue after a minus sign.", "29 × 53 = 1538 - words of it", "29 × 53 = 1538"
    ),
    _doubt("maybe-function", "A letter before a bracket may be a function.", "$f = 2$\n\n7 + f(-2) = 4", "$f = 2$\n\n3 × (f + 2) = 13"),
    _doubt("bracket-behind-number", "A bracket after a number may or may not multiply it.", "3 (2 + 2) = 13", "3 × (2 + 2) = 13"),
    _doubt(
        "unclear-divisor",
        "It is unclear whether all factors after a division sign divide.",
        "$H = 4$\n\n80/2H = 11",
        "$H = 4$\n\n80/H = 21",
    ),
    _doubt(
        "maybe-change-of-unit", "A division by a thousand may only change the unit.", "2,048,000 MB / 1024 = 30 GB", "2,048 MB / 2 = 3 GB"
    ),
    _doubt("index-in-brackets", "An index in brackets is not an exponent.", "$2^{(2)} + 1 = 7$", "$2^{2} + 1 = 7$"),
    _doubt(
        "differentials",
        "A fraction of differentials is not a quotient of sizes.",
        "$d = 2$, $s = 5$, $t = 1$\n\n$\\frac{ds}{dt} = 6$",
        "$\\frac{4 + 4}{2} = 5$",
    ),
    _doubt("maybe-thousands-point", "A point before three digits may separate thousands.", "1.024 + 1000 = 2024", "1.024 + 1000 = 2025"),
    _doubt("maybe-two-numbers", "A comma may separate two numbers.", "200 × 1,5 = 325", "200 × 1.5 = 325"),
    _doubt("two-scales", "Two scales follow one number.", "2 × 3230 = 7 mil millones", "2 × 3230 = 7 mil"),
    _doubt("words-before-number", "Words precede a number in a sum.", "1,000 + embeddings 24 = 1,025", "1,000 + 24 = 1,025"),
    _doubt("words-may-multiply", "Words after a number may multiply it.", "12 heads each × 2 = 25", "12 heads × 2 = 25"),
    _doubt("maybe-other-subject", "The equation may be about what a word such as *and* adds.", "2 × 3 and width = 7", "2 × 3 widths = 7"),
    _doubt("maybe-sign-of-number", "A minus after a word may be a sign.", "2 × 3 = 6 and -3 + 5 = 2", "6 - 3 + 5 = 2"),
    _doubt("goes-on-behind-formula", "A calculation continues after a formula.", "$12$ layers $+ 3 = 16$", "$12 + 3 = 16$"),
    _doubt("words-in-bracket", "Words in a bracket may change its meaning.", "2 × (3 pairs) = 7", "2 × (3) = 7"),
    _doubt("unread-bracket", "A bracket inside cannot be read.", "2,048 (for 4 × 2 heads) × 2 = 4,097", "2,048 (for 2 heads) × 2 = 4,097"),
    _doubt("sum-sign-before", "A sum sign precedes the expression.", "∑ 29 × 53 = 1538", "29 × 53 = 1538"),
    _doubt("words-before", "Words before the expression may belong to the calculation.", "7 plus 29 × 53 = 1545", "with 29 × 53 = 1545"),
    _doubt("maybe-before", "The text before the expression may belong to it.", "2 × = 29 × 53 = 1538", "29 × 53 = 1538"),
    _doubt("number-goes-on", "The number before the expression may continue in it.", "1.2e3.6 × 253 = 1519", "6 × 253 = 1519"),
    _doubt("unread-before-it", "The text before the expression cannot be read.", "\\frac{2} 29 × 53 = 1538", "29 × 53 = 1538"),
    _doubt("maybe-minus", "The expression may begin with a minus sign.", "loss: - 29 × 53 = 1538", "loss: 29 × 53 = 1538"),
    _doubt("bracket-not-closed", "A bracket before the expression is not closed.", "a (29 × 53 = 1538", "29 × 53 = 1538"),
    _doubt("begins-with-plus", "The expression begins with a plus sign.", "+ 29 × 53 = 1538", "29 × 53 = 1538"),
    _doubt("unread-before", "The text before its sign cannot be read.", "/ 29 × 53 = 1538", "and 29 × 53 = 1538"),
    _doubt("unread-sign-before", "A sign before the expression cannot be read.", "√ 29 × 53 = 1538", "29 × 53 = 1538"),
    _doubt("bracket-before", "A bracket directly precedes the expression.", "a] (29 × 53) = 1538", "(29 × 53) = 1538"),
    _doubt(
        "copied",
        "A formula occurs more than once, as on pages that were copied together with their rendered formulas.",
        "29 × 53 = 1538 and 29 \\times 53 = 1538",
        "29 \\times 53 = 1538",
    ),
    _doubt("unread-behind", "The text after the expression cannot be read.", "29 × 53 = 1538 √", "29 × 53 = 1538"),
    _doubt("maybe-goes-on", "The expression may continue after a sign.", "29 × 53 = 1538 ± 1", "29 × 53 = 1538"),
    _doubt("not-meant", "Nothing shows that the two sides are meant to be equal.", "1,979 = 1,978", "989 × 2 = 1,979"),
    _doubt(
        "little-evidence",
        "Sides of few numbers that are far apart or measure different things were more likely misread than calculated wrong.",
        "730 PB × 10 = 7.3 boxes",
        "730 PB × 10 = 7.5 EB",
    ),
    _doubt(
        "roughly",
        "A few digits after an approximate sign are close enough within two and a half percent.",
        "12 × 7,087,872 ≈ 83.5M",
        "12 × 7,087,872 ≈ 82.5M",
    ),
    _doubt("maybe-lost-exponent", "An exponent may have been lost in copying.", "0.5 + 0.85 + 0.5 = 1.7225", "0.5 + 0.85 + 0.5 = 1.8225"),
    _doubt(
        "rounded-operands", "Operands with decimals may be rounded in their last digits.", "0.778 * 65536 = 50972", "0.778 * 65536 = 50872"
    ),
    _doubt(
        "rounded-step",
        "A step may round a part of the calculation, or be in a unit that is named later on the line.",
        "3 × 67 MB + 9 MB = 205.5 + 9",
        "3 × 67 + 9 = 205.5 + 9",
    ),
    _doubt(
        "unit-left-out",
        "A term without a unit may be in another unit than the terms beside it.",
        "86 × 2 + 35,000 MB = 207,000 MB",
        "86 × 2 + 35,000 MB = 208,000 MB",
    ),
    _doubt(
        "shares-of-a-whole",
        "Percentages on one side may be shares of a whole that is named elsewhere.",
        "90% + 90% + 90% = 1 + 1",
        "10% + 5% = 20%",
    ),
    _doubt("maybe-single-name", "Letters written together may be a single name.", "$X = 3$\n\nXX = 10", "$X = 3$\n\nX² = 10"),
    _doubt(
        "maybe-to-be-solved",
        "Two of x, y and z may be unknowns, as may one without other letters.",
        "$x = 3$, $y = 4$\n\nx + 2y = 12",
        "$x = 3$\n\nx + 2 = 6",
    ),
    _doubt("maybe-neglected", "Higher powers of a small quantity may be neglected.", "(2 + ε)² = 4 + 4ε", "(2 + ε)² = 4 + 2ε"),
    _doubt("maybe-bits", "A claim may be about numbers in base two, or about their bits.", "1011 + 1 = 1100", "1011 + 2 = 1100"),
    _doubt(
        "floating-point",
        "Sides that differ by less than one in a billion may be floating-point numbers.",
        "0.1 + 0.2 = 0.30000000000000004",
        "0.1 + 0.2 = 0.30000004",
    ),
    _doubt(
        "maybe-lists",
        "Two sides of equally many whole numbers with slashes between them may be lists.",
        "2/3/4 = 2/8/3",
        "120/3/4 = 24/3",
    ),
    _doubt(
        "one-magnitude",
        "An approximate sign between two calculations, or before a bare power of ten, says no more than the order of magnitude.",
        "3^5 ≈ 2^8",
        "40 × 60 × 5 ≈ 40 × 99 × 7",
    ),
    _doubt(
        "maybe-last-term",
        "If words divide a sum, the equation may be that of its last term alone.",
        "400 input + 20 × 50 = 1000",
        "400 + 20 × 50 = 1000",
    ),
    _doubt(
        "maybe-without-last-term",
        "A last term that counts something else may stand beside a sum rather than in it.",
        "11 runs × 200 items + 2 references = 2200",
        "11 runs × 200 items + 2 references = 2201",
    ),
    _doubt(
        "maybe-scale-in-words",
        "An unknown word behind numbers may be a scale, if a power of a thousand is all that the number lacks.",
        "3 × 4096 × 14336 ≈ 176 juta",
        "3 × 4096 × 14336 ≈ 176 tokens",
    ),
    _doubt(
        "maybe-separate",
        "A slash after a result may separate two equations.",
        "50 + 2 = 52 / 50 + 10 = 60",
        "50 + 2 = 52 / 50 + 10 = 61",
    ),
    _doubt("asked", "An equation with a question mark is not a statement.", "is 29 × 53 = 1538?", "so 29 × 53 = 1538."),
    _doubt("refuted", "A cross, a word or a line through it marks a claim as wrong on purpose.", "29 × 53 = 1538 ✗", "29 × 53 = 1538 ✓"),
    _doubt(
        "value-of-data",
        "A quoted value behind a quoted name is data, in which a mistake may be shown.",
        '"answer": "29 × 53 = 1538"',
        '"answer": 29 × 53 = 1538',
    ),
    _doubt(
        "right-beside",
        "A quoted result beside the right one of the same calculation is an example of a mistake.",
        "A: 151 × 83 = 12533\n\nB: “151 × 83 = 12518”",
        "A: 151 × 84 = 12684\n\nB: “151 × 83 = 12518”",
    ),
    _doubt(
        "rounded-at-zeros",
        "A number with a unit may be rounded at its trailing zeros.",
        "4 × 23,440,896 = 90 MB",
        "4 × 23,440,896 = 80 MB",
    ),
    _doubt("leading-zero", "A number that begins with a zero may be part of a date.", "17-04 = 14", "17-4 = 14"),
    _doubt("maybe-mixed-number", "A number before a fraction may be added to it.", "$2\\frac{1}{2} × 2 = 4$", "$2 · \\frac{1}{2} × 2 = 4$"),
    _doubt("maybe-rounded-up", "A quotient may be rounded up to an integer.", "1024 / 768 = 2", "1024 / 768 = 3"),
    _doubt(
        "percentage-of-number",
        "An added percentage may be a percentage of the number before it.",
        "140 GB + 20 % = 169 GB",
        "140 GB + 20 GB = 169 GB",
    ),
    _doubt("own-numbers", "The right side introduces numbers of its own.", "$H = 4$\n\n3H = 2 × 7", "$H = 4$\n\n3H = 14"),
    _doubt("no-step", "A product that shares no number with the left side may not follow from it.", "3 × 5 = 2 × 7", "3 × 5 = 3 × 7"),
    _doubt("maybe-per-cent", "A share may be in percent, with the sign left out.", "(900 + 96)/1000 = 99.6", "(900 + 96)/1000 = 0.986"),
    _doubt("maybe-factorial", "An exclamation mark may mean a factorial.", "29 × 53 = 1536!", "29 × 53 = 1536"),
    _doubt("maybe-behind-colon", "What follows a colon may belong to the number.", "29 × 53 = 1536:1", "29 × 53 = 1536: so"),
    _doubt("congruence", "A mod after the claim makes it a congruence.", "29 × 53 = 1550 mod 13", "29 × 53 = 1550"),
)

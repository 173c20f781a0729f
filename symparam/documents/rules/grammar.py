"""Rules of grammar: where an expression begins and ends, and how its parts are related."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

GRAMMAR = (
    Rule(
        "bracket-multiplies",
        "A number in brackets directly after a number multiplies it; it may also repeat the value before it.",
        "1(1) + 2(0.5) = 2", "holds", "undecided",
        "2 × 6(12) + 1 = 13", "holds",
    ),
    Rule(
        "letter-scales",
        "A K, M, G, T or B after a number is a scale, an h hours; it may also be a letter of the page.",
        "$M$ has 2 × 3,500,000 = 7M", "holds", "undecided",
        "$10 = M$, so $J = 2M = 20$", "undecided",
    ),
    Rule(
        "letters-multiply",
        "Letters written together after a number are sizes that multiply it; they may also be a word.",
        "$H = 3$ and $V = 5$, so 29 × 15 = 29 HV", "holds", "undecided",
        "$s = 1$, $a = 0$ and $t = 0$, and 50 + 47 = 97 sat", "holds",
    ),
    Rule(
        "x-is-a-letter",
        "If a line has x as a letter, an x between two numbers is one too; it may also multiply them.",
        "x = 3\n\n20x - 2 = 58", "holds", "undecided",
        "$x = 3$\n\n(x) is moved by 2 x -2 = -4", "holds",
    ),
    Rule(
        "label-of-term",
        "Words after a plus sign and before a number name what is added.",
        "1,000 + embeddings 24 = 1,024", "holds", "nothing",
        "1,000 + embeddings = 1,024", "undecided",
    ),
    Rule(
        "power-of-ten",
        "A number times a power of ten is one number: a division before it divides by both.",
        "6 × 10^21 / 3 × 10^20 = 20", "holds", "undecided",
        "6 × 2^10 / 3 × 2^10 = 2,097,152", "holds",
    ),
    Rule(
        "rate",
        "A slash and a word directly after a unit name what it is counted per; they do not divide.",
        "3 KB/token × 4 = 12 KB", "holds", "undecided",
        "12 KB / 4 = 3 KB", "holds",
    ),
    Rule(
        "note",
        "A bracket with words is a remark and not a factor.",
        "2,048 (for the two norms) × 2 = 4,096", "holds", "undecided",
        "2,048 (1 + 1) = 4,096", "holds",
    ),
    Rule(
        "repeated-value",
        "A bracket with one number after an expression repeats its value, which is a claim.",
        "12 × 2,359,296 (28,311,552)", "holds", "nothing",
        "12 × 2,359,296 (in 12 layers)", "nothing",
    ),
    Rule(
        "explained-in-bracket",
        "A bracket with a calculation after a number that is close to its result explains the number, which is a claim; so does a formula "
        "in letters after a long number.",
        "49,152 (4 × 12,288)", "holds", "nothing",
        "49,152 (4 × 12,289)", "nothing",
    ),
    Rule(
        "words-in-brackets",
        "A bracket with words is no operand by itself: its numbers are read one by one.",
        "It is memory-bound (reading 140 GB 3 times takes 420 GB).", "holds", "nothing",
        "It is memory-bound (reading 140 GB 3 times takes 520 GB).", "nothing",
    ),
    Rule(
        "share-of-number",
        "A percentage of a number in brackets is the share that the number before it has, which is a claim.",
        "38,597,376 (31% of 124M total)", "holds", "nothing",
        "38,597,376 (31% more)", "nothing",
    ),
    Rule(
        "labelled-number",
        "A number in brackets after a word is that number with its label, and so is a calculation with numbers only.",
        "Head(2,000) + q(3 × 1,000) = 5,000", "holds", "undecided",
        "exp(4) + 1 = 3", "undecided",
    ),
    Rule(
        "square-root",
        "The square root of numbers is calculated.",
        "3 × sqrt(768 / 12) = 24", "holds", "undecided",
        "3 × sqrt(7) = 24", "wrong",
    ),
    Rule(
        "whole-number",
        "The next whole number above or below a calculation with numbers is calculated.",
        "3 × ceil(90 / 12.6) = 24", "holds", "undecided",
        "3 × ceil(90 / 12.6) = 21", "wrong",
    ),
    Rule(
        "name-with-arguments",
        "A name followed by brackets with only names in them is one name.",
        "d(model) = 4H\n\n3 × d(model) = 12H", "holds", "undecided",
        "$H = 4$\n\n3(H) = 12", "holds",
    ),
    Rule(
        "noun",
        "Words between a number and a sign say what the number counts.",
        "12 layers × 64 heads = 768", "holds", "nothing",
        "12 or 13 layers × 2 = 26", "holds",
    ),
    Rule(
        "unit-of-power",
        "A unit after an exponent belongs to the power.",
        "2^13 B = 8 KB", "holds", "undecided",
        "2^13 = 8192", "holds",
    ),
    Rule(
        "scale-in-word",
        "In scripts without spaces a scale may begin a word.",
        "3 × 2亿参数 = 600000000", "holds", "undecided",
        "3 × 2个亿参数 = 6", "holds",
    ),
    Rule(
        "spelled-prefix",
        "The prefixes of units may be spelled out: petaFLOPs, gigabytes.",
        "2 × 10^15 = 2 petaFLOPs", "holds", "undecided",
        "2 × 3 = 6 petals", "holds",
    ),
    Rule(
        "merely",
        'A word such as "only" after an equals sign is ignored.',
        "3 × 4 = only 12", "holds", "nothing",
        "3 × 4 = twelve 12", "nothing",
    ),
    Rule(
        "column-of-spaces",
        "A calculation and a number after at least three spaces are two columns, and the second is the value of the first.",
        "28 × 64      1,792", "holds", "nothing",
        "28 × 64 1,792", "nothing",
    ),
    Rule(
        "result-in-comment",
        "A comment after a calculation in code that begins with a single number, or with a label of one, states its result.",
        "```\nwidth = 768\nsize = 12 * width ** 2  # 7,077,888\n```", "holds", "nothing",
        "```\nwidth = 768\nsize = 12 * width ** 2  # 7,077,889 with the bias\n```", "nothing",
    ),
)  # fmt: skip

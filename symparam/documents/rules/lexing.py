"""Rules of lexing: how the characters of a page form tokens, before anything is calculated."""

from __future__ import annotations

from symparam.documents.rules.rule import Rule

LEXING = (
    Rule(
        "thousands-comma",
        "Commas between groups of three digits separate thousands.",
        "2 × 1,024 = 2048", "holds", "undecided",
        "f(1,2) = 3 and 29 × 53 = 1538", "wrong",
    ),
    Rule(
        "thousands-point",
        "Two or more points between groups of three digits separate thousands.",
        "2 × 1.024.000 = 2048000", "holds", "undecided",
        "2 × 1.024 = 2.048", "holds",
    ),
    Rule(
        "thousands-space",
        "Spaces between groups of three digits separate thousands; a single space does so only after a sign or alone in a cell.",
        "2 × 1 024 000 = 2048000", "holds", "undecided",
        "in 2019 768 × 2 = 1536", "holds",
    ),
    Rule(
        "thousands-underscore",
        "Underscores between groups of three digits separate thousands, as in code.",
        "2 * 1_024 = 2048", "holds", "nothing",
        "2 * 1_02 = 2", "nothing",
    ),
    Rule(
        "thousands-apostrophe",
        "Apostrophes between groups of three digits separate thousands.",
        "2 × 1'024 = 2048", "holds", "undecided",
        "the '1024' is 2 × 512 = 1024", "holds",
    ),
    Rule(
        "thousands-tex",
        "A comma in braces, or a thin space of TeX, between groups of three digits separates thousands.",
        "$2 \\times 1{,}024 = 2048$", "holds", "undecided",
        "$2 \\times 3 = 6$, $x_{1,2} = 7$ and $2 \\times 4 = 8$", "holds",
    ),
    Rule(
        "tex-tie",
        "A tilde between a number and a unit or a word is a space of TeX that does not break; between two numbers it makes a range.",
        "$29 × 53~\\text{GB} = 1537~\\text{GB}$", "holds", "nothing",
        "29 × 53~71 = 1537", "undecided",
    ),
    Rule(
        "brace-with-label",
        "A brace above or below a term groups it; its label is not part of the formula, but a number in the label repeats its value.",
        "$\\underbrace{4 \\cdot 768}_{W_Q} + 768 = 3840$", "holds", "undecided",
        "$\\underbrace{4 \\cdot 768}_{W_Q} + 768 = 3072$", "undecided",
    ),
    Rule(
        "sign-in-braces",
        "A sign alone in braces of TeX is that sign; the braces only set the space around it.",
        "$384{\\times}2048{=}786432$", "holds", "nothing",
        "$384{\\times}2048{=}786433$", "wrong",
    ),
    Rule(
        "tex-over",
        "The sign of TeX that puts what stands before it in its braces over what stands behind divides one by the other.",
        "${256 \\times 96 \\over 2} = 12288$", "holds", "nothing",
        "$256 \\times 96 \\over 2 = 12288$", "nothing",
    ),
    Rule(
        "number-with-label",
        "An index with letters after a number says what it counts; an index of digits only is the base of the number.",
        "$2_{K,V} \\times 8_{heads} \\times 128 = 2048$", "holds", "undecided",
        "$10_{2} \\times 8 = 80$", "undecided",
    ),
    Rule(
        "spaced-comma",
        "Commas with spaces around them between groups of three digits separate thousands, as in formulas copied from browsers.",
        "2 × 11 , 917 , 824 = 23835648", "holds", "undecided",
        "2 × 4 = 8 , 12 more", "holds",
    ),
    Rule(
        "decimal-comma",
        "A comma before one or two digits and a sign or a unit is a decimal comma.",
        "2 × 1,5 = 3", "holds", "undecided",
        "in layers 1, 2 × 4 = 8", "holds",
    ),
    Rule(
        "wide-comma",
        "A full-width comma between a number and three digits separates thousands; it may also separate two numbers.",
        "5 × 6000 = 30，000", "holds", "undecided",
        "4 × 8 = 32，128 follows", "holds",
    ),
    Rule(
        "hexadecimal",
        "A number that begins with 0x is hexadecimal; it may also be zero times a number.",
        "0x10 + 10 = 26", "holds", "wrong",
        "3x32 + 2x1 + 0x16 + 1x8 = 106", "holds",
    ),
    Rule(
        "point-first",
        "A number may begin with its decimal point.",
        "8 / .5 = 16", "holds", "undecided",
        "It ends here.5 + 6 = 11", "holds",
    ),
    Rule(
        "x-times",
        "An x after a number and before an operand multiplies.",
        "3 x 768 = 2304", "holds", "nothing",
        "x = 3\n\n2x - 2 = 4", "holds",
    ),
    Rule(
        "emphasis",
        "A star at the beginning of words or of a list item is markup and does not multiply.",
        "2 × 3 = *6*", "holds", "nothing",
        "2*3 = 6", "holds",
    ),
    Rule(
        "struck-out",
        "Struck-out text is not read.",
        "2 × 3 = ~~5~~ 6", "holds", "not-read",
        "~5 × 3 = 15", "holds",
    ),
    Rule(
        "range-dash",
        "A long dash between two numbers makes a range.",
        "2 × 5 = 10–20", "not-read", "holds",
        "12 – 1 = 11", "holds",
    ),
    Rule(
        "range-tilde",
        "A tilde without spaces between two numbers makes a range.",
        "2 × 300M~900M", "nothing", "wrong",
        "3 × 300 ~ 900", "holds",
    ),
    Rule(
        "double-star",
        "Two stars between operands are the power operator; elsewhere they begin and end bold words.",
        "2**10 = 1024", "holds", "undecided",
        "**2 × 3** = 6", "holds",
    ),
    Rule(
        "superscript",
        "Raised digits are an exponent.",
        "32² = 1024", "holds", "undecided",
        "2 × 32 = 64", "holds",
    ),
    Rule(
        "html-entity",
        "Entities of HTML such as &times; are read as the signs they stand for.",
        "3 &times; 768 = 2304", "holds", "undecided",
        "3 &copy; 2 × 2 = 4", "holds",
    ),
    Rule(
        "doubled-backslash",
        "The backslash of a TeX command may be doubled, as in pages copied from code.",
        "$3 \\\\times 768 = 2304$", "holds", "nothing",
        "$3 \\times 768 = 2304 \\\\ 2 \\times 2 = 4$", "holds",
    ),
    Rule(
        "colour",
        "A command of TeX that sets a colour is ignored.",
        "$3 \\times {\\color{red}12} = 36$", "holds", "undecided",
        "$3 \\times 12 = 36$ in red", "holds",
    ),
    Rule(
        "escaped-bracket",
        "Backslashes before brackets that do not enclose a formula only escape them for Markdown.",
        "2 × \\(3 + 4 \\) + 1\\) = 15", "holds", "wrong",
        "\\(2 × 3 = 6\\)", "holds",
    ),
    Rule(
        "rendered-copies",
        "A formula that a page holds three times, as rendered, as TeX and as rendered again, is read once.",
        "4×7682=2,359,2964 \\times 768^2 = 2,359,2964×7682=2,359,296", "holds", "undecided",
        "4×7682=30,728 and 4 \\times 7682 = 30,728", "holds",
    ),
    Rule(
        "line-goes-on",
        "A line that ends with a sign or an open bracket continues in the next one, and so does a line before one that begins with a sign.",
        "1,000 + 200 +\n30 = 1,230", "holds", "undecided",
        "1,000 + 200 = 1,200\n- 30 = 30", "holds",
    ),
)  # fmt: skip

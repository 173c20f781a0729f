"""Notations that a page may use, each with its rule: what it looks like, and the tokens that it stands for.

A notation is one entry of `NOTATIONS`: a rule, a pattern that matches in linear time, and the tokens that the match stands for, each with
its place on the page. A bracket whose value is the rule's name says that the notation may mean something else: it can make a claim hold,
but never wrong. Nothing else is needed: the reader uses the entry, `symparam rules` lists it, and ``tests/documents/test_rules.py`` checks
its example and its counterexample.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from fractions import Fraction

from symparam.core.frozen import frozen
from symparam.core.parsing.lexer import Token
from symparam.documents.rules.rule import Rule, applies, in_force
from symparam.documents.words import words_of
from symparam.documents.words.scripts import joined


@frozen
class NotationRule:
    """``pattern`` matches the notation on the page, and every match contains one of the ``signs``; ``tokens`` gives the tokens that
    a match stands for, and none if it is not this notation after all. It is read in no other way if it ``is_certain``.
    """

    rule: Rule
    signs: tuple[str, ...]
    pattern: re.Pattern[str]
    tokens: Callable[[re.Match[str]], list[Token]]
    is_certain: bool = False


def _as_many(match: re.Match[str]) -> list[Token]:
    """``x_{1..N}`` as ``(N x)``: N things, each as large as x."""
    name, count = match.span("name"), match.span("count")
    written = match["count"]
    number = Token("number", *count, int(written)) if written.isdecimal() else Token("name", *count, written)
    return [
        Token("(", name[0], name[0], "name-over-range"),
        number,
        Token("*", *count),
        Token("name", *name, match["name"]),
        Token(")", match.end() - 1, match.end()),
    ]


def _entries(match: re.Match[str]) -> list[Token]:
    """``W[6x12] + b[6]`` as ``(6 × 12) + (6)``: as many numbers as the arrays have."""
    found: list[Token] = []
    for array in _ARRAY.finditer(match.string, *match.span()):
        if found:
            plus = match.string.index("+", found[-1].end)
            found.append(Token("+", plus, plus + 1))
        found.append(Token("(", *array.span("name"), "sizes-in-brackets"))
        for size in _SIZE.finditer(match.string, *array.span("sizes")):
            if found[-1].kind == "number":
                found.append(Token("*", found[-1].end, size.start()))
            found.append(Token("number", *size.span(), int(size[0])))
        found.append(Token(")", array.end() - 1, array.end()))
    return found


def _bytes_of(match: re.Match[str]) -> list[Token]:
    """``× bf16`` as ``× (2)``: a number in that format has two bytes."""
    begin, end = match.span("name")
    return [
        Token("*", match.start(), begin),
        Token("(", begin, begin + 1, "format-as-bytes"),
        Token("number", begin, end, 2),
        Token(")", end - 1, end),
    ]


def _parameters_of(match: re.Match[str]) -> list[Token]:
    """``nn.Linear(768, 3072)`` as ``(768 × 3072 + 3072)``: the parameters of a layer as a program makes it."""
    sizes = [(int(size[1]), *size.span(1)) for size in _ARGUMENT.finditer(match["arguments"])]
    settings = dict(_SETTING.findall(match["arguments"]))
    kind, dimensions = match["kind"], int(match["dimensions"] or 0)
    if dimensions:
        sizes += [(int(settings["kernel_size"]), 0, 0)] if len(sizes) == 2 and settings.get("kernel_size", "").isdecimal() else []
        sizes = [*sizes[:2], *[sizes[2]] * dimensions] if len(sizes) >= 3 else []
    if "groups" in settings or len(sizes) < _LEAST_SIZES[kind] or (not dimensions and len(sizes) > _LEAST_SIZES[kind]):
        return []
    at, end = match.span("arguments")
    factors = [size for size, *_ in sizes] if kind != "LayerNorm" else [2, *(size for size, *_ in sizes)]
    added = factors[1] if kind in ("Linear", "Conv") and settings.get("bias") != "False" else 0
    found = [Token("(", match.start(), at, "layer-as-parameters")]
    for place, size in enumerate(factors):
        found += [Token("*", at, at)] * (place > 0) + [Token("number", at, at, size)]
    found += [Token("+", end, end), Token("number", end, end, added)] if added else []
    return [*found, Token(")", end, end + 1)]


def _whole(match: re.Match[str]) -> list[Token]:
    """``⌈126/16⌉`` as ``ceil(126/16)``."""
    at, end = match.span()
    name = "above" if match["above"] else "below"
    found = [Token("name", at, at, "ceil" if name == "above" else "floor"), Token("(", at, at)]
    for part in _PART.finditer(match.string, *match.span(name)):
        sign = "*" if part[0] in ("×", "·", "\\times", "\\cdot") else part[0]
        value = Fraction(sign.replace(",", "")) if sign[0].isdecimal() else Fraction(0)
        number = Token("number", *part.span(), int(value) if value.denominator == 1 else value)
        found.append(number if sign[0].isdecimal() else Token(sign, *part.span()))
    return [*found, Token(")", end, end)]


def _rest(match: re.Match[str]) -> list[Token]:
    """``50,257 mod 128`` as ``(50257 - 50257 // 128 * 128)``."""
    (at, sign), (behind, end) = match.span("whole"), match.span("divisor")
    whole, divisor = (int(match[name].replace(",", "")) for name in ("whole", "divisor"))
    return [
        Token("(", at, at, "rest-of-division"),
        Token("number", at, sign, whole),
        Token("-", sign, sign), Token("number", sign, sign, whole),
        Token("//", sign, behind), Token("number", behind, end, divisor),
        Token("*", end, end), Token("number", end, end, divisor),
        Token(")", end, end),
    ]  # fmt: skip


def _scientific(match: re.Match[str]) -> list[Token]:
    """``312\\text{e}12`` as ``(312 × 10^12)``."""
    at, end = match.span()
    (first, last), power = match.span("number"), int(match["power"])
    number = Fraction(match["number"])
    scale = [Token("^", last, last), Token("number", last, end, abs(power))]
    return [
        Token("(", at, at),
        Token("number", first, last, int(number) if number.denominator == 1 else number),
        Token("*" if power >= 0 else "/", last, last), Token("number", last, last, 10), *scale,
        Token(")", end, end),
    ]  # fmt: skip


def _root(match: re.Match[str]) -> list[Token]:
    """``√(`` as ``sqrt(``, and ``√64`` as ``sqrt(64)``."""
    at, end = match.span()
    if match["number"] is None:
        return [Token("name", at, end, "sqrt")]
    begin = match.start("number")
    inside = [Token("(", begin, begin), Token("number", begin, end, int(match["number"].replace(",", ""))), Token(")", end, end)]
    return [Token("name", at, begin, "sqrt"), *inside]


def _unit(match: re.Match[str]) -> list[Token]:
    """``[GB/s]`` behind a number as ``GB/s``."""
    (at, end), per = match.span(), match["per"]
    rate = [Token("/", *match.span("slash")), Token("name", match.start("per"), end, per)] if per else []
    return [Token("name", at, match.end("unit") if per else end, match["unit"]), *rate]


_LEAST_SIZES = {"Linear": 2, "Embedding": 2, "LayerNorm": 1, "Conv": 2}
_ARGUMENT = re.compile(
    r"(?:^|,)\s?(?:(?:in|out)_(?:features|channels)=|num_embeddings=|embedding_dim=|normalized_shape=)?(\d{1,7})(?=\s?(?:,|$))"
)
_SETTING = re.compile(r"(\w{1,20})=(\w{1,20})")
_SIZES = r"\d{1,7}(?:\s?[x×]\s?\d{1,7})"
_ARRAY = re.compile(rf"(?P<name>[A-Za-z]\w{{0,20}})\[(?P<sizes>{_SIZES}{{0,4}})\]")
_SIZE = re.compile(r"\d+")
_UNIT = r"(?:[kKMGTPE]i?)?(?:[Bb]|[Bb]ytes?|[Bb]its?|FLOPs?|FLOPS|MACs?)|[mµn]?s"
_WHOLE = r"\d{1,3}(?:,\d{3}){1,3}|\d{1,9}"
_SIGN = r"[+*/×·()-]|\\times|\\cdot"
_DECIMAL = rf"(?:{_WHOLE})(?:\.\d{{1,9}})?"
_PART = re.compile(rf"{_DECIMAL}|{_SIGN}")
_NUMBERS = rf"(?>(?:(?:{_DECIMAL}|{_SIGN}) ?){{1,20}})"
NOTATIONS: tuple[NotationRule, ...] = (
    NotationRule(
        Rule(
            "name-over-range",
            "A name with an index from 1 to N stands for N things, each as large as the name says.",
            "$x = 768$\n\n$x_{1..12} = 9216$", "holds", "nothing",
            "$x = 768$\n\n$x_{12} = 768$", "nothing",
        ),
        ("_{1",),
        re.compile(r"(?<![\w\\])(?P<name>[A-Za-z])_\{1\s?(?:\.\.\.?|…|\\l?dots)\s?(?P<count>\d{1,9}|[A-Za-z])\}"),
        _as_many,
    ),
    NotationRule(
        Rule(
            "sizes-in-brackets",
            "Sizes in brackets after the names of arrays, joined by x, stand for the number of their entries.",
            "W[6x12] + b[6] = 78", "holds", "undecided",
            "w[6] + b[12] = 18", "undecided",
        ),
        ("[",),
        re.compile(rf"(?<![\w\\])[A-Za-z]\w{{0,20}}\[{_SIZES}{{1,4}}\](?:\s?\+\s?[A-Za-z]\w{{0,20}}\[{_SIZES}{{0,4}}\]){{0,20}}"),
        _entries,
    ),
    NotationRule(
        Rule(
            "layer-as-parameters",
            "A layer as a program makes it, before its number, stands for its parameters.",
            "nn.Linear(768, 3072) → 2,362,368", "holds", "nothing",
            "nn.Linear(768, 3072) → 3,072", "nothing",
        ),
        ("nn.",),
        re.compile(
            r"(?<![\w.])(?:torch\.)?nn\.(?P<kind>Linear|Embedding|LayerNorm|Conv(?=[123]d))(?:(?P<dimensions>[123])d)?"
            r"\((?P<arguments>[\w=, ]{1,80})\)(?! ?\()"
        ),
        _parameters_of,
    ),
    NotationRule(
        Rule(
            "format-as-bytes",
            "The name of a number format as a factor stands for the bytes of one number.",
            "128 × 2 × bf16 = 512 bytes", "holds", "undecided",
            "128 × bf16 (2 bytes) = 256 bytes", "undecided",
        ),
        ("16",),
        re.compile(r"(?<=[\w)] )[×*] ?(?P<name>(?i:fp|bf|float)16)\b(?! ?[(\w])"),
        _bytes_of,
    ),
    NotationRule(
        Rule(
            "percentage-of",
            "A percentage of a number before an equals sign stands for their product.",
            "15% of 240 = 2.25 × 16", "holds", "nothing",
            "15% of 240 = 2.25 × 17", "undecided",
        ),
        ("%",),
        re.compile(
            rf"(?:(?<=%)|(?<=% ))(?:\\text\{{ ?)?(?:{joined(words_of('share_of'), unspaced=False)})(?: ?\}})? ?"
            r"(?=\$?\d[\d.,]{0,15}(?:\\?[ ~,])?[^\W\d_]{0,6}\$? ?(?:=|≈|\\approx))"
        ),
        lambda match: [Token("*", *match.span())],
    ),
    NotationRule(
        Rule(
            "whole-quotient",
            "Two slashes between numbers or brackets stand for the quotient without its rest.",
            "227 // 54 = 4 stages", "holds", "undecided",
            "227 // 54 = 5 stages", "undecided",
        ),
        ("//",),
        re.compile(r"(?:(?<=[\d)])|(?<=[\d)] ))//(?= ?[\d(])"),
        lambda match: [Token("//", *match.span())],
        is_certain=True,
    ),
    NotationRule(
        Rule(
            "rest-of-division",
            "A percent sign or mod between two numbers stands for the rest of their division.",
            "50,257 mod 128 = 81", "holds", "nothing",
            "50,257 mod 128 = 82", "undecided",
        ),
        ("mod", "%"),
        re.compile(rf"(?<![\w.,*/+×-])(?<![*/+×-] )(?P<whole>{_WHOLE})(?: ?\\?b?mod | ?% ?)(?P<divisor>{_WHOLE})(?=[ $`]{{0,2}}[=≈])"),
        _rest,
    ),
    NotationRule(
        Rule(
            "rounded-to-whole",
            "Brackets without their lower or upper ends stand for the whole number above or below.",
            "⌈126 / 16⌉ = 8 layers", "holds", "nothing",
            "⌈126 / 16⌉ = 7 layers", "undecided",
        ),
        ("⌈", "\\lceil", "⌊", "\\lfloor"),
        re.compile(rf"(?:\\lceil|⌈) ?(?P<above>{_NUMBERS})(?:\\rceil|⌉)|(?:\\lfloor|⌊) ?(?P<below>{_NUMBERS})(?:\\rfloor|⌋)"),
        _whole,
        is_certain=True,
    ),
    NotationRule(
        Rule(
            "exponent-in-text",
            "A number, an e in a command for text, and digits are a number with an exponent.",
            "$2 \\times 530\\text{e}9 = 1060\\text{e}9$", "holds", "not-read",
            "$2 \\times 530\\text{e} = 1060$", "undecided",
        ),
        ("\\text{e}", "\\text{E}", "\\mathrm{e}"),
        re.compile(r"(?<![\w.,])(?P<number>\d{1,9}(?:\.\d{1,9})?)\\(?:text|mathrm)\{[eE]\}(?P<power>[-+]?\d{1,3})(?![\w.])"),
        _scientific,
    ),
    NotationRule(
        Rule(
            "root-sign",
            "A root sign before a bracket or a whole number stands for the square root.",
            "3 × √(768 / 12) = 24", "holds", "undecided",
            "3 × √(768 / 12) = 25", "wrong",
        ),
        ("√",),
        re.compile(rf"√(?:(?=\()|(?P<number>{_WHOLE})(?![\d.,]\d))"),
        _root,
    ),
    NotationRule(
        Rule(
            "unit-in-brackets",
            "A unit in square brackets behind a number is its unit.",
            "12 × 4,096 MB = 53 [GB]", "wrong", "undecided",
            "12 × 4,096 MB = 53 [3]", "undecided",
        ),
        ("[",),
        re.compile(rf"(?:(?<=\d)|(?<=\d ))\[(?P<unit>{_UNIT})(?:(?P<slash>/)(?P<per>[^\W\d_]{{1,12}}))?\]"),
        _unit,
    ),
    NotationRule(
        Rule(
            "device-as-thing",
            "The name of a device between a count and a factor says what is counted.",
            "8 × H100 × 80 GB = 640 GB", "holds", "undecided",
            "8 × H100 = 640 GB", "undecided",
        ),
        ("×", " x ", "*", "·", "\\times"),
        re.compile(
            r"(?:(?<=\d)|(?<=\d )|(?<=[\d ]\$))(?:[×x*·]|\\times) ?"
            r"(?P<device>(?:[A-Z]{1,4}\d{2,4}[A-Za-z]{0,4}|HBM\d[eE]?|[LT]4|RTX ?\d{4}|TPU ?v\d[ep]?)(?:[ -][^\W\d_]{2,12}){0,2})"
            r"(?= ?(?:[×x*·]|\\times) ?\d)"
        ),
        lambda match: [Token("word", *match.span("device"), match["device"])],
    ),
    NotationRule(
        Rule(
            "so-many-a-second",
            "A slash and an s behind a number at the end of a cell or clause say that it is for each second.",
            "125 × 8 = 1,002/s", "wrong", "undecided",
            "125 × 8 = 1,002/s × 2", "undecided",
        ),
        ("/s",),
        re.compile(r"(?<=\d)/s(?:ec)?(?=[*_` ]{0,4}(?:[|,;)\n]|\Z))"),
        lambda match: [Token("word", *match.span(), match[0])],
    ),
    NotationRule(
        Rule(
            "node-of-diagram",
            "A text in quotation marks and brackets behind the name of a node of a diagram is read on its own.",
            'A["MLP: 29 × 53 = 1,537"] --> B', "holds", "nothing",
            'A[29 × 53 = 1,537] --> B', "nothing",
        ),
        ('["', '("', '{"'),
        re.compile(r"""(?<=\w)[\[({]{1,2}"(?=[^"\n]{0,300}[=≈][^"\n]{0,300}"[\])}])"""),
        lambda match: [Token("separator", *match.span(), "|")],
    ),
    NotationRule(
        Rule(
            "label-of-bracket",
            "An index with words behind the bracket of a calculation says what it is for.",
            "$2 \\times (80 \\times 64)_{large} = 10240$", "holds", "undecided",
            "$2 \\times f(n)_{large} = 10240$", "undecided",
        ),
        (")_{", ")_\\text{"),
        re.compile(r"(?<=\d)\)_(?:\\text)?\{(?=[^{}\n]{0,60}[A-Za-z]{2})[^{}\n]{1,60}\}"),
        lambda match: [Token(")", match.start(), match.start() + 1)],
    ),
)  # fmt: skip
"""The notations; a new one is a further entry."""


_ANY_SIGN = re.compile("|".join(re.escape(sign) for notation in NOTATIONS for sign in notation.signs))


def notations_in(text: str, start: int, end: int) -> Iterator[tuple[int, int, list[Token]]]:
    """The notations in a stretch of the page, in order: the start and end of each, and its tokens."""
    for notation in NOTATIONS if _ANY_SIGN.search(text, start, end) else ():
        if all(text.find(sign, start, end) < 0 for sign in notation.signs):
            continue
        for match in notation.pattern.finditer(text, start, end):
            found = notation.tokens(match)
            if found and (in_force if notation.is_certain else applies)(notation.rule.code, match.start()):
                yield match.start(), match.end(), found

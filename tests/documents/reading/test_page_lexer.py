"""Running text taken apart into tokens: numbers, names, signs and relations in every notation, and where each stands."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from symparam.core.parsing.lexer import MAX_DIGITS
from symparam.documents.reading.page_lexer import page_tokens


def shown(text: str) -> str:
    """The kinds of the tokens, each with its value."""
    found = page_tokens(text, 0, len(text))
    return " ".join(f"{token.kind}:{token.value}" if token.value != "" else token.kind for token in found)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("007", 7),
        ("31,254,528", 31254528),
        ("31{,}254{,}528", 31254528),
        ("31_254_528", 31254528),
        ("31\\,254\\,528", 31254528),
        ("31 254 528", 31254528),
        ("31\u00a0254\u00a0528", 31254528),
        ("31\u202f254", 31254),
        ("31\u2009254", 31254),
        ("31'254", 31254),
        ("31’254", 31254),
        ("40，000", 40000),
        ("1.234.567", 1234567),
        ("2.50", Fraction(5, 2)),
        ("1,234.5", Fraction(2469, 2)),
        ("1e9", 10**9),
        ("2.5E-3", Fraction(1, 400)),
        ("0x1F", 31),
        ("0X1f", 31),
    ],
)
def test_one_number_in_every_notation(text: str, value: int | Fraction) -> None:
    ((kind, start, end, found),) = page_tokens(text, 0, len(text))
    assert (kind, start, end, found) == ("number", 0, len(text), value)


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("12,34", [12, 34]),
        ("1234,567", [1234, 567]),
        ("0,123", [0, 123]),
        ("1,2,3", [1, 2, 3]),
        ("12 345", [12, 345]),
        ("x 12 345", [12, 345]),
        ("= 12 345", [12345]),
        ("2 × 12 345 words", [2, 12345]),
        ("= 12 345 678 9", [12345678, 9]),
        ("= 12 345 67", [12, 345, 67]),
        ("= 12 3456", [12, 3456]),
        ("= 12 345,6", [12, 345, 6]),
        ("0 345 678", [0, 345, 678]),
        ("1.234.56", []),
        ("0,5 × 3", [Fraction(1, 2), 3]),
        ("2,75 GB", [Fraction(11, 4)]),
        ("2,5%", [Fraction(5, 2)]),
        ("1,234_567", [1234]),
        ("5e3x", [5]),
    ],
)
def test_what_only_looks_like_one_number(text: str, numbers: list[int | Fraction]) -> None:
    assert [token.value for token in page_tokens(text, 0, len(text)) if token.kind == "number"] == numbers


@pytest.mark.parametrize("text", ["2,359,2964", "1,23,456", "31,25,528", "1,234,5678", "12,3456,789"])
def test_digits_that_are_grouped_wrongly_are_no_number(text: str) -> None:
    assert shown(text) == f"malformed:{text}"


def test_a_number_has_at_most_so_many_digits() -> None:
    assert shown("9" * MAX_DIGITS) == f"number:{10**MAX_DIGITS - 1}"
    assert shown("9" * (MAX_DIGITS + 1)) == "other:large"
    assert shown("1," + ",".join(["000"] * 500)) == "other:large"


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("**a** = 2**3", "name:a relation:= number:2 ^ number:3"),
        ("a ** 2", "name:a ^ number:2"),
        ("**2 * 3**", "number:2 * number:3"),
        ("*a* 5 * 6", "name:a * number:5 * number:6"),
        ("\\*5 \\* 6", "number:5 * number:6"),
        ("2•3 • 4", "number:2 * number:3 * number:4"),
        ("H²³", "name:H ^ { number:23 }"),
        ("H⁻²", "name:H ^ { - number:2 }"),
        ("H<sup>2</sup>", "name:H ^ { number:2 }"),
        (
            "H&sup2; &times; 3 &minus; 1 &approx; 4 &middot; 5 &divide; 2",
            "name:H ^ { number:2 } * number:3 - number:1 relation:≈ number:4 * number:5 / number:2",
        ),
        ("x<sup>12345678</sup>", "name:x number:12345678"),
        ("<b>5</b><br>6<td>7</td>", "number:5 separator:tag number:6 separator:| number:7"),
        ("<!-- 5 = 6 --> 7", "number:7"),
        ("see https://a.b/c=5 or [x](y=5)", "name:see word:https://a.b/c=5 name:or [ name:x word:](y=5)"),
        ("d_{\\text{model}} + d_\\text{ff} + d_{k}", "name:d_model + name:d_ff + name:d_k"),
        ("\\text{Params}_{total} = 5", "name:Params_total relation:= number:5"),
        ("\\text{ total params} 5", "name:total name:params number:5"),
        ("\\text{hidden\\_size}", "name:hidden_size"),
        ("\\mathbf{5{,}000}", "number:5000"),
        ("\\frac{a}{b} \\cdot 2 \\approx 5 \\to 6", "frac { name:a } { name:b } * number:2 relation:≈ number:5 relation:? number:6"),
        ("\\alpha_1 + \\Theta", "name:α_1 + name:Θ"),
        ("\\left( 5 \\right) \\, \\quad 6", "( number:5 ) number:6"),
        ("\\begin{array}{ll} 5 & 6 \\\\ 7 \\end{array}", "separator:begin number:5 number:6 newline number:7 separator:end"),
        ("\\sqrt{5}", "name:sqrt { number:5 }"),
        ("\\label{a} \\underbrace{5}_{x}", "separator:label { name:a } {:brace-with-label number:5 }"),
        ("xLxH 3xLxH 5x6 x y", "name:xLxH number:3 * name:L * name:H number:5 * number:6 * name:y"),
        ("5 x 6 and Vx5", "number:5 * number:6 name:and name:Vx5"),
        ("hidden\\_size hidden_size config.n_embd", "name:hidden_size name:hidden_size name:config.n_embd"),
        ("12-layer GPT-2 multi-head", "number:12 - name:layer word:GPT-2 word:multi-head"),
        (
            "5–6 5 – 6 a–b 60%–70%",
            "number:5 relation:? number:6 number:5 - number:6 name:a - name:b number:60 other:% relation:? number:70 other:%",
        ),
        ("5~6 ~6 5 ~ 6", "number:5 relation:? number:6 relation:≈ number:6 number:5 relation:≈ number:6"),
        ("= ≡ ＝ ≈ ~= =≈", "relation:= relation:= relation:= relation:≈ relation:≈ relation:= relation:≈"),
        (":= == → <= != += =>", "relation:? relation:? relation:? relation:? relation:? relation:? relation:?"),
        ("参数 총 5개 всего", "word:参数 word:총 number:5 word:개 word:всего"),
        ("0x1F 0xZ 5e3 5e3x 1e-2 2.50", "number:31 number:0 * name:Z number:5000 number:5 name:e3x number:1/100 number:5/2"),
        ("Σ Π Ω", "other:Σ other:Π name:Ω"),
        ("____ 2_a", "name:_ name:_ name:_ name:_ number:2 name:_a"),
        ("a₁ + b₂", "name:a₁ + name:b₂"),
        ("$5$ `6` 5&nbsp;6", "number:5 number:6 number:5 number:6"),
        ("5~GB 5~\\text{GB} $6$~GB", "number:5 name:GB number:5 name:GB number:6 name:GB"),  # A tie of TeX, no sign for about.
        ("5 ~6 x ~ 7", "number:5 relation:≈ number:6 name:x relation:≈ number:7"),
        ("5​6", "number:5 number:6"),
        ("…“5” | 6，7", "separator:… separator:“ number:5 separator:” separator:| number:6 separator:， number:7"),
    ],
)
def test_tokens(text: str, tokens: str) -> None:
    assert shown(text) == tokens


def test_places_are_those_in_the_whole_text() -> None:
    text = "ab 5 × \\mathbf{12} H² \\text{ok go}"
    places = [text[token.start : token.end] for token in page_tokens(text, 3, len(text))]
    assert places == ["5", "×", "12", "H", *["²"] * 4, "ok", "go"]


PIECES = [
    "5", "12,345", "1.5", " ", "x", "H", "²", "**", "*", "_", "{", "}", "(", ")", "$", "\\", "\\text{", "\\frac", "d_{k}", "=", "≈",
    "~", "-", "–", "<sup>2</sup>", "<td>", "&", "&times;", "\n", "参数", "，", "|", "e", "E9", "·", "•", "`", "0x", "https://", "](", "%",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=60), st.data())
@example("\ud800", None)
@example("\\text{" * 20, None)
@example("\\begin{a}{b", None)
def test_any_text_gives_tokens_in_order_within_it(text: str, data: st.DataObject | None) -> None:
    start = data.draw(st.integers(0, len(text))) if data else 0
    end = data.draw(st.integers(start, len(text))) if data else len(text)
    at = start
    for token in page_tokens(text, start, end):
        assert start <= token.start < token.end
        assert token.end <= end or token.kind == "name"  # A subscript may go on behind the end.
        assert token.start >= at
        at = token.start
        assert isinstance(token.value, str) == (token.kind != "number")
    assert at <= end


def test_a_subscript_stands_on_the_line_of_its_letter() -> None:
    assert shown("x _{5} y\n_{6}") == "name:x_5 name:y newline name:_ { number:6 }"


@pytest.mark.parametrize("piece", ["\\text{", "{", "_{", "<!--", "<a", "1,", "12 ", "0x", "\\frac", "d_", "&", "](", "**", "a.", "x", "a-"])
def test_long_lines_of_anything_end(piece: str) -> None:
    text = piece * 5_000
    assert len(page_tokens(text, 0, len(text))) <= len(text)

"""Formulas that a page holds three times: the rendered copies become spaces, and the TeX stays where it is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from symparam.documents.reading.copied_formulas import MAX_LINE, with_decimal_points, with_figure_spaces, without_copies

# «» stands around what is to become spaces.
COPIES = [
    "«4×7682=2,359,296»4 \\times 768^2 = 2,359,296«4×7682=2,359,296»",
    "- 对 BERT：«30522×768=23,449,856»30522 \\times 768 = 23,449,856«30522×768=23,449,856»，约",
    "参数量 = «4×H2»4 \\times H^2 «4×H2»，每个 «H×H»H \\times H«H×H» 矩阵",
    "«2⋅dmodel−1»2 \\cdot d_{\\text{model}} - 1«2⋅dmodel−1»",
    # Without a command of TeX, on such a page.
    "«4×H2»4 \\times H^2«4×H2»\n«24,608+824=25,432»24,608 + 824 = 25,432«24,608+824=25,432»",
]
KEPT = [
    # No page that was copied.
    "2×2 = 2×2 = 2×2 = 4",
    "$4×H2$ 4 \\times H^2",
    "24,608+824=25,43224,608 + 824 = 25,43224,608+824=25,432",
    # One of the three is another one.
    "5×62=3,844 \\times 62 = 3,8445×62=3,844",
    "4×7682=2,359,2964 \\times 768^2 = 2,359,2974×7682=2,359,296",
    "4×7682=2,359,2964 \\times 768^2 = 2,359,2964×7682=2,359,297",
    # TeX alone, and the same four times over.
    "×\n4 \\times H^2 4 \\times H^2 4 \\times H^2",
    "4×H24×H24 \\times H^2 4×H2",
]


@pytest.mark.parametrize("marked", COPIES)
def test_copies_become_spaces(marked: str) -> None:
    pieces = marked.replace("»", "«").split("«")
    assert without_copies("".join(pieces)) == "".join(" " * len(each) if index % 2 else each for index, each in enumerate(pieces))


@pytest.mark.parametrize("text", [*KEPT, f"{'x' * MAX_LINE} 4×H24 \\times H^2 4×H2"])
def test_what_is_not_the_same_three_times_over_stays(text: str) -> None:
    assert without_copies(text) == text


@given(st.text(alphabet="5×=+ \\{}^_$\n\\times", max_size=60).map(lambda text: f"× \\times {text}"))
def test_places_stay_and_only_spaces_come(text: str) -> None:
    found = without_copies(text)
    assert len(found) == len(text)
    assert all(after in (before, " ") for before, after in zip(text, found, strict=True))


def test_a_page_of_patterns_takes_time_in_proportion_to_its_length() -> None:
    aperiodic = "".join("×+"[bin(each).count("1") % 2] for each in range(MAX_LINE - 20))
    for line in (aperiodic, "×" * (MAX_LINE - 20), "5×" * (MAX_LINE // 2 - 10)):
        text = f"× \\times {line}\n" * 60
        assert without_copies(text) == text


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("512 · 2.048 = 1.048.576, also 0,4 · 10 = 4,0", "512 · 2,048 = 1,048,576, also 0.4 · 10 = 4.0"),
        ("2,5 МБ × 2 = 5,0 МБ, а 1,25 × 2 = 2,5", "2.5 МБ × 2 = 5.0 МБ, а 1.25 × 2 = 2.5"),
        ("4 × (1.024² + 1.024) = 4.198.400 je Schicht; 355.359.744", "4 × (1,024² + 1,024) = 4,198,400 je Schicht; 355,359,744"),
        (
            "Die Karte schafft 62,5 Token bei 32.768 je Anfrage, das ist nicht viel.",
            "Die Karte schafft 62.5 Token bei 32,768 je Anfrage, das ist nicht viel.",
        ),
        ("The card does 62,5 tokens at 32.768 per request, which is not much.", None),
        # What can be read in both ways decides nothing, nor does one number, lists, shapes, versions or numbers with points.
        ("512 × 2.048 = 1.048", None),
        ("512 × 2.048 = 1.048.576", None),
        ("(3,16) and (16,32) and x_{1,2} and [1,8]", None),
        ("2.5 × 2 = 5.0 and 1,5", None),
        ("1.2.3 and 4.5.6", None),
    ],
)
def test_a_page_has_one_convention_for_numbers(text: str, found: str | None) -> None:
    assert with_decimal_points(text) == (found or text)


@given(st.text(alphabet="0123456789.,( x", max_size=60))
def test_points_and_commas_alone_change(text: str) -> None:
    found = with_decimal_points(f"1.048.576 und 2,5 und 7,5 {text}")
    assert [each in ".," for each in found[26:]] == [each in ".," for each in text]


def test_numbers_without_end_take_time_in_proportion_to_their_length() -> None:
    for part in ("1.234", "1,5 ", "1.234,", "1,2.", "12"):
        with_decimal_points(f"1,5 km und 2,5 km {part * 100_000}")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Total : 23 835 648.\n(30 522 × 768) et 1 024²", "Total : 23 835 648.\n(30\u2007522 × 768) et 1\u2007024²"),
        ("23\u202f835\u202f648 : 30 522 \\times 768", "23\u202f835\u202f648 : 30\u2007522 \\times 768"),
        # A language with decimal commas.
        ("Le modèle a 12 288 neurones et les poids sont sur le disque", "Le modèle a 12\u2007288 neurones et les poids sont sur le disque"),
        ("The model has 12 288 neurons and the weights are on the disk", None),
        # No number shows that spaces separate thousands, or as many that commas do; two numbers and a list; no sign behind it.
        ("30 522 × 768", None),
        ("23 835 648 and 23,835,648 : 30 522 × 768", None),
        ("12 512 512 2048 : 12 512 × 2", None),
        ("23 835 648 in 30 522 tokens, 3.5 522 × 2, v2 522 × 2", None),
    ],
)
def test_a_page_separates_thousands_by_spaces_or_does_not(text: str, found: str | None) -> None:
    assert with_figure_spaces(text) == (found or text)

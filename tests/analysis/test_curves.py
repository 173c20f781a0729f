"""Two letters solved for together: compared with trying all pairs, with divisibility, and refused input."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from symparam import SymparamError, curve
from tests import command

GPT2 = ("I=4H", "V=50257", "P=1024")


def gpt2(width: int, layers: int) -> int:
    """The parameters of a GPT-2, from its tensors by hand: embeddings, the two norms and matrices of each layer, the last norm."""
    layer = 2 * 2 * width + (width * 3 * width + 3 * width) + (width * width + width) + 2 * (4 * width * width) + 4 * width + width
    return 50257 * width + 1024 * width + layers * layer + 2 * width


@pytest.mark.slow
@settings(max_examples=30)
@given(st.integers(2, 40), st.integers(1, 12), st.integers(10**6, 10**8), st.integers(0, 10**7), st.sampled_from([1, 7, 64]))
def test_no_pair_is_missed_and_none_is_wrong(ratio: int, wider: int, least: int, more: int, step: int) -> None:
    found = curve(
        "gpt2", ("H", "N"), total=f"{least}..{least + more}", between=[f"H/N={ratio}..{ratio + wider}"], where=GPT2, multiple_of=step
    )
    by_hand = {
        (width, layers)
        for layers in range(1, 200)
        for width in range(ratio * layers, (ratio + wider) * layers + 1)
        if width % step == 0 and least <= gpt2(width, layers) <= least + more
    }
    assert set(found.pairs) == by_hand
    assert len(found.pairs) == len(by_hand)
    for row in found.curve.rows:
        assert row.totals == (gpt2(row.values[0], row.other), gpt2(row.values[-1], row.other))


def test_sizes_that_follow_are_whole_and_heads_divide() -> None:
    found = curve(
        "llama", ("H", "N"), total="1B..1.1B", between=["H/N=32..160", "N=8..24"], where=["I=(8/3)H", "d=64", "h=16", "k=h", "V=32000"]
    )
    assert found.pairs
    assert all(width % 48 == 0 and 8 <= layers <= 24 for width, layers in found.pairs)


def test_the_curve_is_there_in_letters_alone() -> None:
    found = curve("gpt2", ("H", "N"), total="7B", where=["I=4H"])
    assert (found.curve.missing, found.pairs) == (("P", "V"), ())
    assert found.curve.inverse is not None
    assert {name: str(each) for name, each in found.curve.inverse.names.items()} == {"b": "13N + P + V + 2"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            (("H", "N"), "6.9B..7.1B", []),
            "more than 20,000 values of N are possible; narrow them with --between, as in --between H/N=64..160",
        ),
        ((("H", "N"), "7B..6B", []), "'7B..6B' begins with the larger number; write it as 6B..7B"),
        ((("H", "N"), "7B", ["H/N"]), "'H/N' is not a condition; a formula, '=' and two numbers are expected, as in H/N=64..160"),
        ((("H", "H"), "7B", []), "H (hidden size) is asked for twice; two letters are expected"),
        (
            (("H", "N"), "7B", ["H*(N-40)=1..2"]),
            "nothing proves that H(N − 40) grows or falls with H, so there is no curve; give H a number",
        ),
    ],
)
def test_what_has_no_curve_is_said(arguments: tuple[tuple[str, str], str, list[str]], message: str) -> None:
    unknowns, total, between = arguments
    with pytest.raises(SymparamError) as error:
        curve("gpt2", unknowns, total=total, between=between, where=GPT2)
    assert str(error.value) == message


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    found = curve("gpt2", ("H", "N"), total="6.9B..7.1B", between=["H/N=120..160"], where=GPT2, multiple_of=64, language=language)
    assert "28" in found.write(format)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--for", "H", "--for", "N", "--for", "V"), "--for is given 3 times; only one letter or two can be solved for"),
        (
            ("--for", "H", "--for", "N", "--fits", "7B"),
            "two unknowns are solved for a total; give --total, as one number or two with .. between them",
        ),
        (
            ("--for", "H", "--total", "7B", "--between", "N=1..2"),
            "--between N=1..2 needs two unknowns; name both, as in --for H --for N",
        ),
    ],
)
def test_options_that_do_not_go_together(options: tuple[str, ...], message: str) -> None:
    done = command.run("solve", "gpt2", *options)
    assert (done.returncode, done.stderr.decode()) == (2, f"symparam: {message}\n")

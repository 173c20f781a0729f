"""Sweeps against counting each point by itself, ranges as they are typed, points that are no model; and charts."""

from __future__ import annotations

import csv
import json
import re
from fractions import Fraction
from itertools import pairwise, product
from pathlib import Path

import pytest

from symparam import SymparamError, analyze, count, sweep
from symparam.analysis.sweeping import axis_values
from tests import command


@pytest.mark.parametrize(
    ("model", "over", "options"),
    [
        ("gpt2", ["H=768..3072:768", "N=1,12,48"], {"also": ["flops"], "where": ["L=1024", "B=2"]}),
        ("llama-3-8b", ["S=1024..8192:x2", "B=1..3"], {"measure": "kv-cache", "also": ["decoding-memory", "decoding-flops"]}),
        ("deepseek-v3", ["E=8..64:8"], {"measure": "active-parameters"}),
        ("bert-base-uncased", ["L=3,128,511"], {"measure": "flops", "per": "token", "where": ["B=7"]}),
        ("mixtral-8x7b", ["K=1..8", "N=1,32"], {"measure": "active-parameters", "also": ["parameters"]}),
    ],
)
def test_each_point_is_what_counting_it_gives(model: str, over: list[str], options: dict[str, object]) -> None:
    found = sweep(model, over, **options)  # type: ignore[arg-type]
    where = options.pop("where", [])
    measures = [options.pop("measure", "parameters"), *options.pop("also", [])]  # type: ignore[misc]
    letters = [each.partition("=")[0] for each in over]
    points = list(product(*(axis_values(each.partition("=")[2]) for each in over)))
    assert [row.point for row in found.rows] == points
    for row in found.rows:
        at = [f"{letter}={value}" for letter, value in zip(letters, row.point, strict=True)]
        own, asked = ([each for each in at if (each[0] in "SBL") is measured] for measured in (False, True))
        by_hand = []
        for measure in measures:
            stated = [each for each in (*where, *asked) if measure not in ("parameters", "active-parameters")]  # type: ignore[misc]
            by_hand.append(count(model, set=own, where=stated, measure=measure, **options).total)  # type: ignore[arg-type]
        assert list(row.numbers) == by_hand


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("16,32,64", (16, 32, 64)),
        ("1024..4096:1024", (1024, 2048, 3072, 4096)),
        ("1..4", (1, 2, 3, 4)),
        ("1024..8192:x2", (1024, 2048, 4096, 8192)),
        ("1,4..6,10", (1, 4, 5, 6, 10)),
        ("5..6:9", (5,)),
    ],
)
def test_ranges(text: str, values: tuple[int, ...]) -> None:
    assert axis_values(text) == values


@pytest.mark.parametrize("text", ["", "a", "0", "-1", "4..1", "1..4:x1", "1..4:0", "1,1", "1..", "1.5", "1..2..3", "9" * 30, "1..9000000"])
def test_what_is_no_range_is_said(text: str) -> None:
    with pytest.raises(SymparamError, match=r"expected|twice|more than|begins with"):
        axis_values(text)


@pytest.mark.parametrize(
    ("over", "options", "message"),
    [
        (["H=1024"], {}, "H = 1,024 is not divisible by h = 12, so there is no such model"),
        (["H=768"], {"where": ["I=(8/3)H"], "config": None}, "I"),
        (["d=64"], {}, "d (head size) does not occur in what is measured; sweep over one of H, I, N, P, V"),
        (["N"], {}, "'N' is not a range of a letter; LETTER=VALUES is expected"),
        (["N=1", "N=2"], {}, "one or two letters can be swept, not N, N"),
        ([], {}, "one or two letters can be swept, not none"),
        (["N=0,5"], {}, "'0' are not values; positive whole numbers are expected"),
        (["N=4..1"], {}, "'4..1' begins with the larger number; write the smaller one first"),
        (["N=1..4:x1"], {}, "'1..4:x1' does not grow; a factor of at least 2 is expected, as in 1024..131072:x2"),
        (["L=1..3"], {"measure": "flops"}, "there is no number for B; name a preset or a config, or state it with --where B=NUMBER"),
        (["N=1..2000", "P=1..2000"], {}, "these are more than 1,000,000 points"),
    ],
)
def test_what_cannot_be_swept_is_said(over: list[str], options: dict[str, object], message: str) -> None:
    with pytest.raises(SymparamError, match=re.escape(message)):
        sweep("gpt2", over, **options)  # type: ignore[arg-type]


def test_sizes_that_follow_have_to_be_whole() -> None:
    stated = ["I=(8/3)H", "d=64", "h=1", "k=1", "N=2", "V=99"]
    assert [row.point for row in sweep("llama", "H=3..9:3", where=stated).rows] == [(3,), (6,), (9,)]
    with pytest.raises(SymparamError, match=r"^H = 4 gives I = 32/3, which is not a whole number"):
        sweep("llama", "H=3,4", where=stated)


def test_csv_and_json_have_plain_numbers() -> None:
    found = sweep("gpt2", ["N=12,24", "P=512,1024"], also=["active-parameters"])
    rows = list(csv.reader(found.write("csv").splitlines()))
    assert rows[0] == ["N", "P", "parameters", "active-parameters"]
    assert [(*map(int, row[:2]), *map(Fraction, row[2:])) for row in rows[1:]] == [(*row.point, *row.numbers) for row in found.rows]
    written = json.loads(found.write("json"))
    assert written["over"] == {"N": [12, 24], "P": [512, 1024]}
    assert written["rows"][0][:3] == [12, 512, found.rows[0].numbers[0]]
    assert "I" in written["held"]


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("format", ["text", "csv", "markdown", "latex", "html", "rst", "mathml", "json"])
def test_it_is_written_in_every_format(format: str, language: str) -> None:
    text = sweep("gpt2", "N=12,13", language=language).write(format)
    assert "124,439,808" in text.replace("{,}", ",").replace("124439808", "124,439,808")


def test_charts() -> None:
    pytest.importorskip("matplotlib")
    found = sweep("gpt2", ["H=768..9216:2112", "N=4..16:4"])
    light, dark = (found.chart("svg", each).decode() for each in (False, True))
    assert light != dark
    assert found.chart("svg").decode() == light
    for value in range(4, 17, 4):
        assert f"N = {value}<" in light  # Each line has its name at its end, as text.
    assert found.chart("png").startswith(b"\x89PNG")
    page = found.chart("html").decode()
    assert page.count("<svg") == 2
    assert "prefers-color-scheme" in page
    assert "<svg" in found._repr_html_()


def test_names_at_the_ends_of_lines_do_not_touch() -> None:
    pytest.importorskip("matplotlib")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.text import Text

    from symparam.writing.charts import LIGHT, _figure
    from symparam.writing.phrases import phrases

    for over in (["H=768..9216:768", "N=4..80:4"], ["H=768..9216:768", "N=4,5"], ["N=4..80:4", "H=768,9216"]):
        figure = _figure(sweep("gpt2", over, where=["I=4H"]).sweep, "name", phrases("en"), LIGHT)
        figure.canvas.draw()
        for text in figure.axes[0].texts:
            text.update_positions(FigureCanvasAgg(figure).get_renderer())
        boxes = sorted((Text.get_window_extent(text) for text in figure.axes[0].texts), key=lambda box: box.y0)
        assert all(above.y0 >= below.y1 - 2 for below, above in pairwise(boxes))
        assert all(box.x1 <= figure.bbox.x1 for box in boxes)


def test_the_command_draws(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "chart.svg"
    done = command.run("sweep", "gpt2", "--over", "N=12,24", "--format", "csv", "--chart", str(file))
    assert done.stdout == b"N,parameters\n12,124439808\n24,209494272\n"
    assert file.read_text(encoding="utf-8").startswith("<?xml")
    for options, message in (
        (("--chart", "a.pdf"), "there is no format of a chart named 'pdf'"),
        (("--dark",), "--dark applies only to a chart; name its file with --chart, or leave it out"),
    ):
        done = command.run("sweep", "gpt2", "--over", "N=12,24", *options)
        assert done.returncode == 2
        assert message in done.stderr.decode()


def test_chunks_have_steps_and_each_point_is_what_count_says() -> None:
    lengths = [8192, 8193, 12000, 16384, 16385]
    found = sweep("llama-4-scout", f"L={','.join(map(str, lengths))}", measure="flops", attention="window", where=["B=1"])
    told = [count("llama-4-scout", measure="flops", attention="window", where=["B=1", f"L={length}"]).total for length in lengths]
    assert [row.numbers for row in found.rows] == [(total,) for total in told]
    assert found.notes[-1] == "The formula holds for windows no longer than the sequence, w <= L."


def test_a_step_is_not_solved_for_in_letters() -> None:
    with pytest.raises(SymparamError, match=r"^floor\(L/w\) is a whole number, so nothing can be solved in letters"):
        analyze("llama-4-scout", measure="flops", attention="window", where=["B=1"])

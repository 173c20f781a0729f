"""A real notebook, executed by a real kernel: what its cells show, and what they say of what is at fault."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

import symparam

pytest.importorskip("nbclient", reason="nbclient is not installed")
pytest.importorskip("ipykernel", reason="ipykernel is not installed")

CELLS = {
    "load": "%load_ext symparam\nimport symparam",
    "formula": 'symparam.derive("gpt2", where=["I=4H"])',
    "explained": 'symparam.explain("gpt2")',
    "compared": 'symparam.compare("gpt2", "gpt1")',
    "counted": "%symparam count config.json",
    "derived": 'name = "gpt1"\nfound = %symparam derive {name}\nfound',
    "number": "total = %symparam count gpt2 --format number\ntotal + 1",
    "latex": "%symparam derive gpt1 --format latex",
    "myst": "%symparam derive gpt1 --dialect myst",
    "checked": "%%symparam --architecture gpt2 --config gpt2 --where I=4H --symbol width=H\n"
    "A layer has 12 × width² + 13 × width = 7,087,872.\nAll have 12 × 7,087,872 = 85,045,464.\n",
    "wrong": 'len(symparam.check_text("1 + 1 = 3").wrong)',
}
FAULTS = {
    "%symparam derive gtp2": "there is no architecture, preset or file named 'gtp2'; did you mean 'gpt2'?",
    "%symparam dervie gpt2": "there is no command for pages named 'dervie'; did you mean 'derive'?",
    "%symparam derive gpt2 --label size": "--label applies only to marked places in pages; leave it out",
    "%symparam derive gpt2 --format number": "--format number applies only to count, which has a total",
    '%symparam derive "gpt2': "'derive \"gpt2' is not a command (no closing quotation); close what is open",
    "%%symparam --config gtp2\n1 + 1 = 2": "there is no architecture, preset or file named 'gtp2'; did you mean 'gpt2'?",
    "%%symparam --config gpt2 --set M=24 --measure kv-cash\n1 + 1 = 2": "there is no measure named 'kv-cash'; did you mean 'kv-cache'?",
    "%%symparam --without thousand\n1 + 1 = 2": "there is no rule named 'thousand'",
    "%%symparam --wehre I=4H\n1 + 1 = 2": "No such option: --wehre (Possible options: --measure, --where); options as on the command line",
    "%%symparam\n<!-- symparam: ignore nothing-at-all -->": "cell:1:1: there is no code named 'nothing-at-all'",
}


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[dict[str, Any]]]:
    """The outputs of each cell, under its name or its text."""
    folder = tmp_path_factory.mktemp("jupyter")
    (folder / "config.json").write_text('{"model_type": "gpt2", "n_layer": 3}', encoding="utf-8")
    named = {**CELLS, **{text: text for text in FAULTS}}
    cells = [
        {"cell_type": "code", "id": f"c{number}", "source": text, "metadata": {}, "outputs": [], "execution_count": None}
        for number, text in enumerate(named.values())
    ]
    path = folder / "notebook.ipynb"
    path.write_text(json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}), encoding="utf-8")
    own = {"HOME": str(folder), "IPYTHONDIR": str(folder), "JUPYTER_CONFIG_DIR": str(folder), "JUPYTER_RUNTIME_DIR": str(folder)}
    words = [sys.executable, "-c", "from nbclient.cli import main; main()", "--inplace", "--allow-errors", str(path)]
    done = subprocess.run(words, cwd=folder, env={**os.environ, **own}, capture_output=True, encoding="utf-8", timeout=180, check=False)
    assert done.returncode == 0, done.stderr
    executed = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return {name: cell["outputs"] for name, cell in zip(named, executed, strict=True)}


def data(outputs: list[dict[str, Any]]) -> dict[str, str]:
    """What the last output of a cell shows itself as."""
    assert outputs[-1]["output_type"] == "execute_result", outputs
    return {kind: "".join(text) for kind, text in outputs[-1]["data"].items()}


def printed(outputs: list[dict[str, Any]], stream: str) -> str:
    """What a cell printed, to that stream alone. A kernel sends whenever its timer fires, so one line may come in two outputs."""
    assert {(output["output_type"], output["name"]) for output in outputs} == {("stream", stream)}
    return "".join(text for output in outputs for text in output["text"])


def test_a_formula_is_mathematics(outputs: Mapping[str, list[dict[str, Any]]]) -> None:
    assert outputs["load"] == []
    assert data(outputs["formula"])["text/latex"] == "$\\displaystyle (13N + P + V + 2)H + 12NH^{2}$"
    assert data(outputs["derived"])["text/latex"] == "$\\displaystyle (13N + P + V)H + 12NH^{2}$"


def test_documents_are_html_and_markdown(outputs: Mapping[str, list[dict[str, Any]]]) -> None:
    for name, found in (("explained", symparam.explain("gpt2")), ("compared", symparam.compare("gpt2", "gpt1"))):
        kinds = data(outputs[name])
        assert kinds["text/html"] == found.write("html", fragment=True)
        assert kinds["text/markdown"] == found.write("markdown")
    assert data(outputs["compared"])["text/latex"] == "$\\displaystyle (8H^{2} - 2HI + 4H - I)N - 2H$"


def test_a_command_answers_with_notes_beside(outputs: Mapping[str, list[dict[str, Any]]]) -> None:
    *notes, _ = outputs["counted"]
    assert {note["name"] for note in notes} == {"stderr"}
    told = "".join(text for note in notes for text in note["text"])
    assert "symparam: note: config.json leaves out some keys, so the reference's defaults are used" in told
    total = symparam.count({"model_type": "gpt2", "n_layer": 3}).total
    assert f"{total:,}" in data(outputs["counted"])["text/html"]


def test_a_format_is_printed_and_a_number_is_a_number(outputs: Mapping[str, list[dict[str, Any]]]) -> None:
    assert data(outputs["number"]) == {"text/plain": "124439809"}
    for name, text in (("latex", "(13N + P + V)H + 12NH^{2}\n"), ("myst", "{math}`(13N + P + V)H + 12NH^{2}`\n")):
        assert printed(outputs[name], "stdout") == text


def test_a_cell_is_checked(outputs: Mapping[str, list[dict[str, Any]]]) -> None:
    kinds = data(outputs["checked"])
    assert kinds["text/plain"] == "<CheckResult 1 file: 3 claims hold, 1 is wrong>"
    assert "<b>✗ wrong</b> the left side is 85,054,464 <small>wrong-number</small>" in kinds["text/html"]
    assert "<mark>85,045,464</mark>" in kinds["text/html"]
    assert data(outputs["wrong"]) == {"text/plain": "1"}


@pytest.mark.parametrize("text", FAULTS)
def test_what_is_at_fault_is_said_in_one_line(text: str, outputs: Mapping[str, list[dict[str, Any]]]) -> None:
    (line,) = printed(outputs[text], "stderr").splitlines()
    assert line.startswith(f"UsageError: {FAULTS[text]}")

"""Every class of torch.nn with parameters, built with each combination of its arguments: its print gives its number of parameters, or says
that it does not show it.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from pathlib import Path

import pytest

from symparam.models.blocks.missing import least
from symparam.models.printed.model_files import missing_from, read
from symparam.models.printed.source_text import NamedText

sys.path.insert(0, str(Path(__file__).parent))
from record_torch_classes import FILE, built

RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


def verdict(text: str, total: int | None) -> str:
    """``exact``, ``said`` or what is wrong."""
    root = read(NamedText("m.txt", text)).root
    missing = (*missing_from(root),)
    if not missing:
        return "exact" if root.elements == total else f"silently wrong: {root.elements} for {total} of {text}"
    fewest = least(missing) or (0 if root.kind == "" else root.elements)
    return "said" if total is None or fewest <= total else f"not a bound: {fewest} for {total} of {text}"


def test_every_number_of_a_torch_class_is_right_or_said_to_be_open() -> None:
    found: dict[str, Counter[str]] = {}
    for text, total in RECORDED["prints"]:
        kind = re.findall(r"\w+\(", text)[1 if text.startswith("Sequential") else 0][:-1]
        found.setdefault(kind, Counter())[verdict(text, total)] += 1
    assert {each for verdicts in found.values() for each in verdicts} == {"exact", "said"}
    doubted = {kind for kind, verdicts in found.items() if "said" in verdicts}
    assert doubted == {kind for kind in found if kind.startswith(("Lazy", "Parametrized"))} | {"MultiheadAttention"}
    assert len(found) > 40
    assert sum(map(Counter.total, found.values())) > 400


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_torch_prints_what_is_recorded() -> None:
    torch = pytest.importorskip("torch", reason="the live comparison needs torch")
    if torch.__version__.partition("+")[0] == RECORDED["torch"].partition("+")[0]:
        assert [[*each] for each in dict.fromkeys(built())] == RECORDED["prints"]
    else:
        assert [said for each in built() if (said := verdict(*each)) not in ("exact", "said")] == []


MODULE = """Block(
  (attn): MultiheadAttention(
    (out_proj): NonDynamicallyQuantizableLinear(in_features=8, out_features=8, bias=True)
  )
)
"""
SOURCE = "from torch import nn\nclass Block(nn.Module):\n    def __init__(self, width):\n        super().__init__()\n        self.attn = "


@pytest.mark.parametrize(
    ("attention", "why"),
    [
        ("nn.MultiheadAttention(width, 2, batch_first=True)", []),
        ("nn.MultiheadAttention(width, 2, 0.1, True)", []),
        ("nn.MultiheadAttention(width, 2, kdim=5)", ["attention"]),
        ("nn.MultiheadAttention(width, 2, 0.1, True, True)", ["attention"]),
        ("nn.MultiheadAttention(width, 2, **options)", ["attention"]),
    ],
)
def test_the_source_of_the_class_that_makes_an_attention_settles_it(attention: str, why: list[str]) -> None:
    missing = [*missing_from(read(NamedText("m.txt", f"{MODULE}\n{SOURCE}{attention}\n")).root)]
    assert [each.why for each in missing] == why
    assert [each.least for each in missing] == [176] * len(why)  # q: 64, k and v: 8 each, biases: 24, output: 72.


def test_a_class_of_that_name_with_other_parts_is_not_torchs() -> None:
    linear = "Linear(in_features=8, out_features=8, bias=True)"
    root = read(NamedText("m.txt", f"M(\n (a): MultiheadAttention(\n (q_proj): {linear}\n (out_proj): {linear}\n)\n)")).root
    assert root.elements == 144
    assert [each.what for each in missing_from(root)] == ["M", "MultiheadAttention"]

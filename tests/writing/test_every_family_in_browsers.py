"""The pages of every family, to read and to explore: nothing overlaps or sticks out, on any screen and on paper, in both languages."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import symparam
from symparam.models.architectures import families
from symparam.models.configs.presets import presets_of
from tests.writing.browser import about
from tests.writing.driven import Step, driven

pytestmark = pytest.mark.slow

NAMES = {family.name: next(iter(presets_of(family.model_type))) for family in families()}
LONG = ("Qwen2MoeForCausalLM", "BigBirdPegasusForConditionalGeneration")
"""Traced classes, with long names of modules and sizes."""
LANGUAGES = ("en", "zh")
SCREENS = tuple((width, scheme, "screen") for width in (1440, 1280, 768, 360) for scheme in ("light", "dark"))
PAPER = (680, "light", "print")
"""As wide as A4 within usual margins."""
SMALLEST = 7.4
"""Pixels of the smallest letters, which are those of a drawing on a telephone."""
TALL = 90_000
"""Pixels; nothing that stays at the edge of a screen then lies on anything."""

LOOKED_AT = (Path(__file__).parent / "looked_at.js").read_text(encoding="utf-8")
MEASURED = f"""(frame => {{
for (const measure of document.querySelectorAll('.measure')) measure.hidden = false;
const {{ width, viewport, pieces, overlaps, outside, wide, smallest, scrolling }} = (() => {{ {LOOKED_AT} }})();
return {{ width, viewport, pieces, overlaps, outside, wide, smallest, missed: scrolling.filter(index => index !== 0) }};
}})(window)"""


def pages(name: str) -> dict[str, str]:
    shown = {}
    for language in LANGUAGES:
        shown[f"{name}-explore-{language}"] = symparam.explore(name, language=language).write()
        shown[f"{name}-explain-{language}"] = symparam.explain(name, language=language).write("html")
    return shown


def measured(kind: str, shown: dict[str, str], looks: tuple[tuple[int, str, str], ...], folder: Path) -> None:
    steps: list[Step] = []
    for name, page in shown.items():
        file = folder / f"{name}.html"
        file.write_text(page, encoding="utf-8")
        steps.append(("open", file.as_uri(), 1280))
        steps += [step for width, *others in looks for step in (("view", width, TALL, *others), ("ask", MEASURED))]
    answers = iter(driven(kind, steps, folder))
    for name in shown:
        for look, found in zip(looks, answers, strict=False):
            with about(f"{name}, {look}"):
                in_order(found, look[0])


def in_order(found: dict[str, Any], width: int) -> None:
    assert (found["width"], found["viewport"]) == (width, width)
    assert found["pieces"] > 25
    assert (found["overlaps"], found["outside"], found["wide"], found["missed"]) == ([], [], [], [])
    assert found["smallest"] >= SMALLEST


@pytest.mark.parametrize("family", NAMES)
def test_nothing_overlaps_or_sticks_out(family: str, tmp_path: Path) -> None:
    measured("chromium", pages(NAMES[family]), (*SCREENS, PAPER), tmp_path)


@pytest.mark.parametrize("name", LONG)
def test_long_names_have_room(name: str, tmp_path: Path) -> None:
    measured("chromium", pages(name), (*SCREENS, PAPER), tmp_path)


SAMPLE = [*LONG, *(NAMES[name] for name in ("bert", "llama", "deepseek-v3", "t5", "vit", "mamba", "clip"))]


@pytest.mark.parametrize("name", SAMPLE)
def test_nothing_overlaps_or_sticks_out_in_firefox(name: str, tmp_path: Path) -> None:
    measured("firefox", pages(name), tuple(screen for screen in SCREENS if screen[1] == "light"), tmp_path)

"""The page to explore as browsers, a validator and axe see it: nothing sticks out, everything has a name and can be reached by keyboard."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import symparam
from tests.writing.browser import View, about, node_file, seen

NAMES = ("llama-3-8b", "deepseek-v3", "t5-small")
WIDTHS = (360, 768, 1280, 1440)

STICKS_OUT = """
const page = frame.document, width = page.documentElement.clientWidth, found = [];
for (const each of page.body.querySelectorAll('*')) {
  const box = each.getBoundingClientRect();
  const out = box.width && (box.right > width + 0.5 || box.left < -0.5);
  if (out && !each.closest('.scroll, option')) found.push(each.tagName + ' ' + each.className);
}
return found;
"""
AXE = """
const found = await frame.axe.run(frame.document);
return found.violations.map(each => [each.id, each.nodes.map(node => node.html.slice(0, 200))]);
"""
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')


def page(name: str, language: str = "en") -> str:
    return symparam.explore(name, language=language).write()


@pytest.mark.slow
@pytest.mark.parametrize("names", [NAMES[:1], NAMES[1:]])
def test_nothing_sticks_out(names: tuple[str, ...], tmp_path: Path) -> None:
    pages = {(name, language): page(name, language) for name in names for language in ("en", "zh")}
    looks = [(*look, width) for look in pages for width in WIDTHS]
    views = [View(pages[name, language], STICKS_OUT, width) for name, language, width in looks]
    for look, found in zip(looks, seen(views, tmp_path), strict=True):
        with about(str(look)):
            assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("dark", [False, True])
def test_axe_finds_nothing(dark: bool, tmp_path: Path) -> None:
    axe = node_file("axe-core/axe.min.js").read_text(encoding="utf-8")
    # The policy of the page would not let axe run either.
    views = [View(POLICY.sub("", page(name)).replace("</body>", f"<script>{axe}</script></body>"), AXE, 1280) for name in NAMES]
    for name, found in zip(NAMES, seen(views, tmp_path, dark), strict=True):
        with about(name):
            assert found == []


@pytest.mark.slow
def test_the_validator_finds_nothing(tmp_path: Path) -> None:
    if shutil.which("java") is None:
        pytest.skip("Java is not installed")
    jar = node_file("vnu-jar/build/dist/vnu.jar")
    for name in NAMES:
        (tmp_path / f"{name}.html").write_text(page(name), encoding="utf-8")
        (tmp_path / f"{name}.svg").write_text(symparam.draw(name).svg(), encoding="utf-8")
    for kind in ("html", "svg"):
        command = ["java", "-Xss8m", "-jar", str(jar), f"--{kind}", "--errors-only", "--stdout"]
        files = map(str, sorted(tmp_path.glob(f"*.{kind}")))
        done = subprocess.run([*command, *files], capture_output=True, text=True, timeout=300, check=False)
        assert (done.returncode, done.stdout) == (0, "")

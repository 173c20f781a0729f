"""A real Chromium, and what pages say of themselves in it."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

QUIET = [
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@dataclass(frozen=True)
class View:
    """A page in a frame of so many pixels, and what is asked of it: the body of a function of ``frame``, the page's window."""

    page: str
    script: str
    width: int = 1280


FRAMES = """<!doctype html><meta charset=utf-8><style>body { margin: 0 } iframe { border: 0; height: 2000px }</style>
<script>
const views = VIEWS, asked = SCRIPTS;
onload = async () => {
  const found = [];
  for (const [page, width, script] of views) {
    const shown = document.createElement('iframe');
    shown.style.width = width + 'px';
    shown.srcdoc = page;
    await new Promise(loaded => { shown.onload = loaded; document.body.append(shown); });
    found.push(await asked[script](shown.contentWindow));
    shown.remove();
  }
  document.body.innerHTML = '<pre id=said></pre>';
  document.getElementById('said').textContent = JSON.stringify(found);
};
</script>"""


def seen(views: Sequence[View], folder: Path, dark: bool = False) -> list[Any]:
    """What each script finds in its page; the browser, which takes longer to start than to lay out a page, shows one after the other.

    The pages are in frames, as no window can be as narrow as a telephone.
    """
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    scripts = list(dict.fromkeys(view.script for view in views))
    told = json.dumps([(view.page, view.width, scripts.index(view.script)) for view in views]).replace("<", "\\u003c")
    functions = ", ".join(f"async frame => {{ {script} }}" for script in scripts)
    file = folder / "frames.html"
    file.write_text(FRAMES.replace("VIEWS", told).replace("SCRIPTS", f"[{functions}]"), encoding="utf-8")
    done = subprocess.run(
        [
            chromium,
            "--headless",
            "--hide-scrollbars",
            "--no-sandbox",
            *QUIET,
            f"--blink-settings=preferredColorScheme={0 if dark else 1}",
            f"--user-data-dir={folder / 'profile'}",
            "--window-size=1280,1000",
            f"--virtual-time-budget={60_000 * len(views)}",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        timeout=120 + 5 * len(views),
        check=True,
    )
    found = re.search(r'<pre id="said">(.*?)</pre>', done.stdout.decode(), re.DOTALL)
    assert found, done.stdout.decode()[:2000]
    listed: list[Any] = json.loads(html.unescape(found[1]))
    return listed


@contextmanager
def about(name: str) -> Iterator[None]:
    """Says of what fails inside which of many pages it is about."""
    try:
        yield
    except AssertionError as error:
        error.add_note(f"in {name}")
        raise


def node_file(name: str) -> Path:
    """A file of an npm package, of those that NODE_PATH knows."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run([node, "-p", f"require.resolve('{name}')"], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        pytest.skip(f"{name.partition('/')[0]} is not installed; NODE_PATH names a folder that has it")
    return Path(done.stdout.strip())

"""A real Chromium, and what pages say of themselves in it."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
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


def said(page: str, folder: Path, dark: bool = False) -> Any:
    """What a page writes as JSON into the element ``<pre id=said>``, in a window of 1280 pixels, light or dark."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
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
            "--virtual-time-budget=60000",
            "--dump-dom",
            file.as_uri(),
        ],
        capture_output=True,
        timeout=120,
        check=True,
    )
    found = re.search(r'<pre id="said">(.*?)</pre>', done.stdout.decode(), re.DOTALL)
    assert found, done.stdout.decode()[:2000]
    return json.loads(html.unescape(found[1]))


def framed(page: str, script: str, folder: Path, width: int, dark: bool = False) -> Any:
    """What the script finds in the page, shown in a frame of so many pixels; windows cannot be as narrow as a telephone.

    The script is the body of a function of ``frame``, the page's window, and may be asynchronous.
    """
    shown = f"""<!doctype html><meta charset=utf-8><style>body {{ margin: 0 }}</style>
<iframe style="border: 0; width: {width}px; height: 2000px" srcdoc="{html.escape(page)}"></iframe>
<script>
onload = async () => {{
  const found = await (async frame => {{ {script} }})(document.querySelector('iframe').contentWindow);
  document.body.innerHTML = '<pre id=said></pre>';
  document.getElementById('said').textContent = JSON.stringify(found);
}};
</script>"""
    return said(shown, folder, dark)


def node_file(name: str) -> Path:
    """A file of an npm package, of those that NODE_PATH knows."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    done = subprocess.run([node, "-p", f"require.resolve('{name}')"], capture_output=True, text=True, timeout=60, check=False)
    if done.returncode:
        pytest.skip(f"{name.partition('/')[0]} is not installed; NODE_PATH names a folder that has it")
    return Path(done.stdout.strip())

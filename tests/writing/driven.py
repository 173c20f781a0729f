"""Drives Chromium and Firefox by mouse, touch and keys."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

PROGRAMS = {"chromium": ("chromium", "chromium-browser", "google-chrome"), "firefox": ("firefox-esr", "firefox")}
SCRIPT = Path(__file__).with_suffix(".mjs")
Step = tuple[Any, ...]


def driven(kind: str, steps: Sequence[Step], folder: Path) -> list[Any]:
    """What the page answers to each step ``("ask", EXPRESSION)``; the others are named in the script."""
    program = next(filter(None, map(shutil.which, PROGRAMS[kind])), None)
    if program is None:
        pytest.skip(f"{kind.title()} is not installed")
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    profile = folder / f"profile-{kind}"
    profile.mkdir(exist_ok=True)
    command = [node, "--experimental-websocket", "--no-warnings", str(SCRIPT), kind, program, str(profile)]
    done = subprocess.run(command, input=json.dumps(steps), capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    found: list[Any] = json.loads(done.stdout)
    return found

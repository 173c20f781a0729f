"""The walk-through of CONTRIBUTING.md works: its code, put where it says, makes a family that equals the reference's tensors."""

from __future__ import annotations

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import symparam

ROOT = Path(__file__).parents[2]
PACKAGE = Path(symparam.__file__).parent
HERE = Path(__file__).parent
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
FAMILY, REGISTRY, CONFIGS = re.findall(r"```python\n(.*?)```", CONTRIBUTING, re.DOTALL)
(PAGE,) = re.findall(r"```markdown\n(.*?)```", CONTRIBUTING, re.DOTALL)
FORMULA = r"`symparam derive gpt-j` prints `([^`]+)`"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project in which the steps of the page have been done."""
    copy = tmp_path_factory.mktemp("checkout")
    ignore = shutil.ignore_patterns("recordings")  # What is compiled stays so: a copy is as old as its original.
    shutil.copytree(PACKAGE, copy / "symparam", ignore=ignore)
    shutil.copytree(ROOT / "tests" / "reference", copy / "tests" / "reference", ignore=ignore)
    shutil.copy(ROOT / "pyproject.toml", copy)
    shutil.copy(ROOT / "tests" / "sampling.py", copy / "tests")
    (copy / "symparam" / "models" / "architectures" / "gpt_j.py").write_text(FAMILY, encoding="utf-8")
    registry = copy / "symparam" / "models" / "architectures" / "registry.py"
    choice = "\n\n@frozen\nclass Choice"
    registry.write_text(registry.read_text(encoding="utf-8").replace(choice, f"\n{REGISTRY}{choice}", 1), encoding="utf-8")
    (copy / "tests" / "reference" / "configs" / "gptj.py").write_text(CONFIGS, encoding="utf-8")
    record = copy / "tests" / "reference" / "record.py"
    text = record.read_text(encoding="utf-8").replace("configs import (", "configs import (gptj,", 1)
    record.write_text(text.replace("] = (", "] = (gptj, ", 1), encoding="utf-8")
    (copy / "tests" / "reference" / "recordings").mkdir()
    (copy / "docs" / "families").mkdir(parents=True)
    (copy / "docs" / "families" / "gpt-j.md").write_text(PAGE, encoding="utf-8")
    return copy


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    # Options for the run of these tests name a profile of Hypothesis that the copy does not have.
    environment = {**os.environ, "PYTHONPATH": str(copy), "PYTEST_ADDOPTS": ""}
    return subprocess.run([sys.executable, *arguments], cwd=copy, env=environment, capture_output=True, text=True, encoding="utf-8")


def test_the_family_equals_the_recordings_of_the_reference(checkout: Path) -> None:
    shutil.copy(HERE / "GPTJForCausalLM.json", checkout / "tests" / "reference" / "recordings")
    done = run(checkout, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider", "tests/reference", "-k", "GPTJ and tensors", "-m", "")
    assert re.search(r"31 passed", done.stdout), done.stdout + done.stderr


def test_the_formula_is_the_one_that_the_page_shows(checkout: Path) -> None:
    shown = re.search(FORMULA, CONTRIBUTING)
    done = run(checkout, "-m", "symparam", "derive", "gpt-j")
    assert shown, "the page shows no formula"
    assert done.stdout == shown[1] + "\n", done.stderr


@pytest.mark.slow
def test_the_page_of_the_family_is_filled_and_checked(checkout: Path) -> None:
    shown = re.search(FORMULA, CONTRIBUTING)
    assert shown, "the page shows no formula"
    done = run(checkout, "-m", "symparam", "docs", "docs/families/gpt-j.md")
    assert done.stdout == "1 page, 3 marked places: 3 filled\n", done.stderr
    page = (checkout / "docs" / "families" / "gpt-j.md").read_text(encoding="utf-8")
    assert f"\n{shown[1].replace('²', '^{2}')}\n" in page
    assert run(checkout, "-m", "symparam", "check", "docs/families/gpt-j.md").returncode == 0


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_the_script_of_the_page_records_the_same(checkout: Path) -> None:
    pytest.importorskip("torch", reason="recording needs torch")
    transformers = pytest.importorskip("transformers", reason="recording needs transformers")
    recorded_with = json.loads((HERE / "GPTJForCausalLM.json").read_text(encoding="utf-8"))["versions"]["transformers"]
    if transformers.__version__ != recorded_with:
        pytest.skip(f"recorded with transformers {recorded_with}")
    recorded = checkout / "tests" / "reference" / "recordings" / "GPTJForCausalLM.json"
    recorded.unlink(missing_ok=True)  # The recording that the test of the tensors reads.
    done = run(checkout, "-m", "tests.reference.record", "GPTJForCausalLM")
    assert done.returncode == 0, done.stderr
    versions = re.compile(r'"(?:python|torch)": "[^"]*"')
    before, after = (versions.sub("", path.read_text(encoding="utf-8")) for path in (HERE / recorded.name, recorded))
    assert before == after, done.stderr


def test_the_functions_of_the_walks_are_there() -> None:
    """Each name with a room in front of it is one of the package."""
    rooms = "|".join(folder.name for folder in PACKAGE.iterdir() if (folder / "__init__.py").is_file())
    names = re.findall(rf"`((?:{rooms})(?:\.\w+){{2,}}|api\.\w+)`", CONTRIBUTING)
    assert len(names) > 20
    for name in names:
        module, _, function = name.rpartition(".")
        assert hasattr(importlib.import_module(f"symparam.{module}"), function), name

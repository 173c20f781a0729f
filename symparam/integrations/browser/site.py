"""Writes a folder of static pages: models to explore, and a checker into which a reader pastes text."""

from __future__ import annotations

import json
from collections.abc import Iterable
from importlib.resources import files
from pathlib import Path

import symparam
from symparam.errors import SymparamError
from symparam.integrations.browser.examples import examples
from symparam.integrations.browser.packages import packages
from symparam.models.architectures import families
from symparam.models.configs.presets import presets_of
from symparam.writing.file import write_file
from symparam.writing.html.elements import Content, element
from symparam.writing.html.whole import whole
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.progress import Progress

PYODIDE = ("pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json", "package.json")
"""The files of Pyodide's package that a page needs."""
STAGES = (
    *("site-python", "site-packages", "site-symparam", "site-ready", "site-answering", "site-answered", "site-failed"),
    *("site-stopped", "site-too-slow", "site-too-long"),
)
"""The messages of the page while it starts, while and after it answers, and of what it does not do."""
RUNS = "; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'"
"""What the content security policy of the page allows: its own files, and Pyodide's program."""


def site(
    folder: str,
    models: Iterable[str] = (),
    pyodide: str | None = None,
    language: str = "en",
    progress: Progress | None = None,
) -> int:
    """Write the folder and return the number of its files.

    ``models`` are presets, by default the first of each family. ``pyodide`` is the folder of Pyodide's npm package; without it the checker
    is left out. Raises `SymparamError`, also if the folder holds something else.
    """
    words, root = phrases(language), Path(folder)
    if root.exists() and (not root.is_dir() or (any(root.iterdir()) and not (root / "index.html").is_file())):
        raise SymparamError(f"{folder!r} has other contents; give an empty folder, or one that symparam site has written")
    chosen = tuple(models) or tuple(next(iter(presets_of(family.model_type))) for family in families())
    runtime = _runtime(pyodide) if pyodide is not None else {}
    pages: dict[str, bytes] = {}
    for number, name in enumerate(chosen, 1):
        if progress:
            progress(name, number, len(chosen))
        pages[f"models/{name}.html"] = symparam.explore(name, language=language).write().encode()
    written: dict[str, bytes] = {**pages, "index.html": _index(chosen, bool(runtime), words).encode()}
    if pyodide is not None:
        written |= runtime | {"packages.zip": packages(pyodide), "check.html": _tab(words).encode()}
        written |= {name: files(__package__).joinpath(name).read_bytes() for name in ("tab.mjs", "worker.mjs", "start.mjs")}
    for name, content in written.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(str(root / name), content)
    return len(written)


def _runtime(folder: str) -> dict[str, bytes]:
    missing = [name for name in PYODIDE if not Path(folder, name).is_file()]
    if missing:
        raise SymparamError(f"{folder!r} has no {missing[0]}; the folder of the npm package pyodide is expected, node_modules/pyodide")
    return {f"pyodide/{name}": Path(folder, name).read_bytes() for name in PYODIDE}


def _index(models: Iterable[str], has_tab: bool, words: Phrases) -> str:
    said = words.sentences
    links = [element("li", element("a", name, href=f"models/{name}.html")) for name in models]
    tab = [element("p", element("a", said["site-check"], href="check.html"))] if has_tab else []
    return _page(words, "symparam", [*tab, element("h2", said["site-models"]), element("ul", *links, class_="models")])


def _tab(words: Phrases) -> str:
    said = words.sentences
    stages = {key.removeprefix("site-"): said[key] for key in STAGES}
    data = element("script", type="application/json", id="words")
    data.text = json.dumps(stages).replace("<", "\\u003c")
    ask = element("button", said["site-ask"], type="submit")
    stop = element("button", said["site-stop"], type="button", id="stop", hidden="")
    link = element("button", said["site-link"], type="button", id="link")
    model = element("input", id="model", autocomplete="off")
    form = element(
        "form",
        element("p", element("label", said["site-text"], for_="text")),
        element("textarea", id="text", spellcheck="false"),
        element("p", element("label", said["site-model"], for_="model"), " ", model),
        element("p", ask, " ", stop, " ", link),
        id="paste",
    )
    content: list[Content] = [
        element("p", said["site-opening"]),
        form,
        element("p", said["site-python"], id="status", role="status"),
        element("div", id="answer"),
        *examples(words),
        data,
        element("script", type="module", src="tab.mjs"),
    ]
    return _page(words, said["site-check"], content)


def _page(words: Phrases, title: str, content: list[Content]) -> str:
    styles = files(__package__).joinpath("tab.css").read_text(encoding="utf-8")
    return whole(title, element("main", element("h1", title), *content), tag=words.tag, styles=styles, runs=RUNS)

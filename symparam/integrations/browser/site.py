"""Writes a folder of static pages: models to explore, and a checker into which a reader pastes text."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterable, Iterator
from importlib.metadata import distribution
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

import symparam
from symparam.errors import SymparamError
from symparam.integrations.browser.examples import examples
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
PACKAGES = ("symparam", "sympy", "mpmath", "latex2mathml", "wcwidth", "yaml", "typer", "annotated_doc", "shellingham")
"""The pure Python packages that the page imports."""
_LEFT_OUT = ("tests", "benchmarks", "__pycache__", "testing", "tracing", "cli")
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
        raise SymparamError(f"{folder!r} holds something else; give an empty folder, or one that symparam site has written")
    chosen = tuple(models) or tuple(next(iter(presets_of(family.model_type))) for family in families())
    runtime = _runtime(pyodide) if pyodide is not None else {}
    pages: dict[str, bytes] = {}
    for number, name in enumerate(chosen, 1):
        if progress:
            progress(name, number, len(chosen))
        pages[f"models/{name}.html"] = symparam.explore(name, language=language).write().encode()
    written: dict[str, bytes] = {**pages, "index.html": _index(chosen, bool(runtime), words).encode()}
    if runtime:
        written |= runtime | {"packages.zip": _packages(), "check.html": _tab(words).encode()}
        written |= {name: files(__package__).joinpath(name).read_bytes() for name in ("tab.mjs", "worker.mjs")}
    for name, content in written.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        write_file(str(root / name), content)
    return len(written)


def _runtime(folder: str) -> dict[str, bytes]:
    missing = [name for name in PYODIDE if not Path(folder, name).is_file()]
    if missing:
        raise SymparamError(f"{folder!r} has no {missing[0]}; the folder of the npm package pyodide is expected, node_modules/pyodide")
    return {f"pyodide/{name}": Path(folder, name).read_bytes() for name in PYODIDE}


def _packages() -> bytes:
    """The packages as one archive, without their tests."""
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as archive:
        told = distribution("latex2mathml")  # The package asks for its own version.
        archive.writestr(zipfile.ZipInfo(f"latex2mathml-{told.version}.dist-info/METADATA"), told.read_text("METADATA") or "")
        for package in PACKAGES:
            (place,) = _folder_of(package)
            for name, path in _sources(Path(place), package):
                # A fixed date: the same packages give the same bytes.
                archive.writestr(zipfile.ZipInfo(name), path.read_bytes(), zipfile.ZIP_DEFLATED)
    return found.getvalue()


def _folder_of(package: str) -> list[str]:
    spec = find_spec(package)
    assert spec is not None  # What runs in the tab needs it.
    return list(spec.submodule_search_locations or ())


def _sources(folder: Path, name: str) -> Iterator[tuple[str, Path]]:
    for path in sorted(folder.iterdir()):
        if path.is_dir() and path.name not in _LEFT_OUT:
            yield from _sources(path, f"{name}/{path.name}")
        elif path.is_file() and path.suffix not in (".pyc", ".so", ".pyd"):
            yield f"{name}/{path.name}", path


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

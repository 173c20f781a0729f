"""The folder for a browser, and its page in a real one: what is pasted is read there, by Python in the tab, with the network cut off."""

from __future__ import annotations

import json
import shutil
import subprocess
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

import symparam
from symparam.documents.rules.registry import RULES
from symparam.errors import SymparamError
from symparam.integrations.browser.answering import CONFIG, DERIVATION, PRINT, answer, kind_of
from symparam.integrations.browser.examples import FIRST, examples
from symparam.integrations.browser.site import PYODIDE, site
from symparam.writing.phrases import phrases
from tests.command import text
from tests.writing.browser import QUIET, node_file

SOURCES = Path(__file__).parents[2] / "derivations"
PRINTED = "Net(\n  (a): Linear(in_features=3, out_features=2, bias=True)\n)"
KINDS = {
    "The total is 12 + 3 = 16.": DERIVATION,
    '{"model_type": "gpt2"}': CONFIG,
    "{12 + 3} = 15": DERIVATION,
    "[1, 2]": DERIVATION,
    PRINTED: PRINT,
    "embed.weight [1000, 64]\nhead.weight [64, 1000]\nhead.bias [64]": PRINT,
    "embed.weight [1000, 64] has 64,000 parameters.\nIn all: 64,000 + 64 = 64,064.\nThat is all.": DERIVATION,
}


@pytest.mark.parametrize("pasted", KINDS)
def test_what_is_pasted_is_told_apart(pasted: str) -> None:
    assert kind_of(pasted) == KINDS[pasted]


def test_answers_are_those_of_the_commands() -> None:
    assert "85,054,464" in answer("12 × 7,087,872 = 85,045,464", "", "en")
    assert f"{symparam.count('gpt2').total:,}" in answer('{"model_type": "gpt2"}', "", "en")
    assert "8" in answer(PRINTED, "", "zh")
    assert answer("x", "<b>bert</b>", "en").startswith('<p class="error">')
    assert "<b>bert" not in answer("x", "<b>bert</b>", "en")
    assert "<img" not in answer("<img src=x onerror=alert(1)> 1 + 1 = 3", "", "en")


def test_examples_are_links_that_carry_what_is_pasted() -> None:
    links = [each.get("href", "") for part in examples(phrases("en")) for each in part.iter("a")]
    carried = [(found["text"][0], found.get("model", [""])[0]) for link in links if (found := parse_qs(link.removeprefix("#")))]
    assert carried == [*FIRST, *((rule.example, "") for rule in RULES.values())]
    assert all(link.startswith("#text=") for link in links)
    derivation, config, derived, solved, printed = (answer(text, model, "en") for text, model in FIRST)
    assert "one of the two LayerNorms" in derivation
    assert f"{symparam.count(json.loads(FIRST[1][0])).total:,}" in config
    assert derived.startswith("<math ")
    assert "<mi>N</mi>" in solved
    assert "129,000" in printed  # 1000 · 64 + 64 · 1000 + 1000


def test_a_folder_of_pages(tmp_path: Path) -> None:
    done = text("site", "-o", str(tmp_path / "site"), "gpt2")
    assert (done.returncode, done.stdout) == (0, f"2 files in {tmp_path / 'site'}\n")
    assert "npm install pyodide" in done.stderr
    assert (tmp_path / "site" / "models" / "gpt2.html").read_text(encoding="utf-8") == symparam.explore("gpt2").write()
    assert 'href="models/gpt2.html"' in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert site(str(tmp_path / "site"), ["gpt2"]) == 2  # Once more over itself.


def test_folders_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    with pytest.raises(SymparamError, match="has other contents"):
        site(str(tmp_path), ["gpt2"])
    with pytest.raises(SymparamError, match="the npm package pyodide is expected"):
        site(str(tmp_path / "site"), ["gpt2"], pyodide=str(tmp_path))
    assert [each.name for each in tmp_path.iterdir()] == ["mine.txt"]


def test_a_pyodide_that_does_not_start(tmp_path: Path) -> None:
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    for name in PYODIDE:
        (tmp_path / name).write_text("export const loadPyodide = () => { throw Error('no WebAssembly'); };")
    with pytest.raises(SymparamError, match="does not start in node: Error: no WebAssembly"):
        site(str(tmp_path / "site"), ["gpt2"], pyodide=str(tmp_path))
    assert not (tmp_path / "site").exists()


DRIVER = """<!doctype html><meta charset=utf-8><script>
const frame = Object.assign(document.createElement('iframe'), { src: 'check.html' }), pasted = PASTED, found = [];
const started = performance.now(), passed = from => (performance.now() - from) / 1000;
const wait = async until => { while (!until()) await new Promise(go => setTimeout(go, 20)); };
const refused = () => { try { return frame.contentWindow.eval('1'); } catch { return 'refused'; } };
frame.onload = async () => {
  const page = frame.contentDocument, one = id => page.getElementById(id);
  await wait(() => /Ready|not work/.test(one('status').textContent));
  const start = passed(started);
  for (const [text, model] of pasted) {
    const before = performance.now();
    one('text').value = text;
    one('model').value = model;
    one('paste').requestSubmit();
    await wait(() => !one('answer').hasAttribute('aria-busy'));
    found.push({ text: one('answer').textContent, seconds: passed(before) });
  }
  one('link').click();
  const told = { found, start, hash: frame.contentWindow.location.hash, images: page.images.length, run: refused() };
  await fetch('/done', { method: 'POST', body: JSON.stringify(told) });
};
addEventListener('DOMContentLoaded', () => document.body.append(frame));
</script><body>"""


@contextmanager
def served(folder: Path, told: list[Any], done: threading.Event) -> Iterator[int]:
    """A server of the folder on this machine, which notes what the driver posts and everything that was asked for."""

    class Handler(SimpleHTTPRequestHandler):
        def do_POST(self) -> None:
            told.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            self.send_response(204)
            self.end_headers()
            done.set()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.slow
def test_a_tab_reads_what_is_pasted(tmp_path: Path) -> None:
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("Chromium is not installed")
    folder = tmp_path / "site"
    site(str(folder), ["gpt2"], pyodide=str(node_file("pyodide/package.json").parent))
    with zipfile.ZipFile(folder / "packages.zip") as packages:
        assert packages.testzip() is None
        assert {"sympy/__init__.pyc", "symparam/api/checking.pyc", "sympy/physics/__init__.py"} <= {*packages.namelist()}
    lost = "BERT-base has 12 layers with H = 768: 4(H² + H) + 2H is 2,363,904 each, and 12 × 7,087,872 = 85,045,464."
    sum_of_layers = "(V + P + T + 2)H + N(4(H² + H) + 8H² + 5H + 2H) + H² + H = (V + P + T + 11N + 3)H + (12N + 1)H²"
    total = f"Total parameters: {sum_of_layers}"
    pasted = [
        (total, "bert-base-uncased"),
        (lost, ""),
        ('{"model_type": "gpt2"}', ""),
        (PRINTED, ""),
        ("symparam count gpt2 --set N=24", ""),
        ("<img src=x onerror=alert(1)> 2 + 2 = 5", "bert"),
        ("x", "brt"),
    ]
    (folder / "drive.html").write_text(DRIVER.replace("PASTED", json.dumps(pasted).replace("<", "\\u003c")), encoding="utf-8")
    told: list[Any] = []
    done = threading.Event()
    with served(folder, told, done) as port:
        # Nothing but this server can be reached.
        cut = ["--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={tmp_path / 'profile'}"]
        browser = subprocess.Popen(
            [chromium, "--headless", "--no-sandbox", *QUIET, *cut, "--remote-debugging-port=0", f"http://127.0.0.1:{port}/drive.html"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            assert done.wait(240), "the page did not answer"
        finally:
            browser.terminate()
            browser.wait(20)
    (said,) = told
    missing, wrong, counted, printed, larger, image, unknown = (each["text"] for each in said["found"])
    assert "one of the two LayerNorms in each of the 12 layers" in missing
    assert "85,054,464" in wrong
    assert f"{symparam.count('gpt2').total:,}" in counted
    assert "8" in printed
    assert f"{symparam.count('gpt2', set=['N=24']).total:,}" in larger
    assert "4" in image
    assert "bert" in unknown  # The nearest name.
    assert said["images"] == 0
    assert said["run"] == "refused"
    assert said["hash"].startswith("#text=x&model=brt")
    print({"start": said["start"], "answers": [each["seconds"] for each in said["found"]]})

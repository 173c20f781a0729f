"""LaTeX: exact text, formulas that read back, and whole documents through TeX itself without one complaint."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

import symparam
from symparam.core.alphabets import ALPHABETS
from symparam.core.formula import Product, Sum, Symbol
from symparam.core.parsing.reader import read_formula
from symparam.models.architectures import Family, families
from symparam.results.result import Result
from symparam.writing.document import Bar, Box, Chain, Code, Diagram, Document, Entry, Heading, Node, Paragraph, Shape, Shares, Table
from symparam.writing.latex import document, escaped
from symparam.writing.latex.tables import GAP
from tests.strategies import presets_of
from tests.writing.documents import (
    COMBINATIONS,
    DOCUMENTS,
    PARTS,
    SHOWN,
    Reader,
    chains,
    everything,
    inline_formulas,
    meanings,
    nasty_counted,
    nasty_explained,
)

VH, NUMBERS = read_formula("VH"), read_formula("7 * 6")


@pytest.mark.parametrize(
    ("words", "latex"),
    [
        ("a_b", "a\\_\\allowbreak{}b"),
        ("50 % & #1 $2", "50 \\% \\& \\#1 \\$2"),
        ("{x}^~\\", "\\{x\\}\\textasciicircum{}\\textasciitilde{}\\textbackslash{}"),
        ("<a|b>", "\\textless{}a\\textbar{}b\\textgreater{}"),
        ("[1]*", "{[}1]{*}"),
        ("a/b", "a/\\allowbreak{}b"),
        # No ligatures, and no quotation mark that turns.
        ("a---b", "a-{}-{}-b"),
        ("x''y", "x'{}'y"),
        (",,", ",{},"),
        ('`"', "\\textasciigrave{}\\textquotedbl{}"),
        ("768² × 2 − 1", "768\\textsuperscript{2} \\ensuremath{\\times} 2 \\ensuremath{-} 1"),
        ("é – 参数", "é – 参数"),
        ("a\x07\r\nb", "ab"),
        ("λ\N{GRINNING FACE}", "{[}U+03BB]{[}U+1F600]"),
    ],
)
def test_words_come_out_as_they_are(words: str, latex: str) -> None:
    assert escaped(words) == latex


@pytest.mark.parametrize(
    ("node", "latex"),
    [
        # Letters that the fonts of mathematics do not have.
        (Paragraph((Product((Symbol("λ"), Symbol("é"), Symbol("层"))),)), "$\\ensuremath{\\lambda}\\text{é}\\text{层}$"),
        (Paragraph((Symbol("d_λ"),)), "$d_{\\ensuremath{\\lambda}}$"),
        (Heading(1, "A & B"), "\\section*{A \\& B}"),
        (Heading(2, "Sum"), "\\subsection*{Sum}"),
        (
            Paragraph(("Of ", VH, " in ", Code("a.b_c'd"), ".")),
            "Of $VH$ in \\texttt{a.\\allowbreak{}b\\_\\allowbreak{}c\\textquotesingle{}d}.",
        ),
        (Paragraph((Shape((read_formula("30522"), VH)),)), "$30{,}522 \\times VH$"),
        (Chain((VH,)), "\\vspace{-\\baselineskip}\n\\begin{align*}\nVH\n\\end{align*}"),
        (
            Chain((VH, NUMBERS, read_formula("42"))),
            "\\vspace{-\\baselineskip}\n\\begin{align*}\nVH &= 7 \\times 6 \\\\\n&= 42\n\\end{align*}",
        ),
        (
            Entry("A_", Code("x"), ("Why ", VH), Chain((VH,)), 1),
            "\\textbf{A\\_\\allowbreak{}} \\texttt{x}\\\\*\nWhy $VH$\n\\begin{align*}\nVH\n\\end{align*}",
        ),
        (Entry("Head", None, ("Tied.",), None, 0), "\\textbf{Head}\\\\*\nTied."),
    ],
)
def test_each_kind_of_node(node: Node, latex: str) -> None:
    assert body(document(Document((node,), "en", ALPHABETS["symparam"]))) == latex


def test_a_chain_below_a_line_of_words_belongs_to_its_paragraph() -> None:
    page = Document((Paragraph(("Collected:",)), Chain((VH,))), "en", ALPHABETS["symparam"])
    assert body(document(page)) == "Collected:\n\\begin{align*}\nVH\n\\end{align*}"


def test_a_table_keeps_its_depth_and_sets_numbers_to_the_right() -> None:
    rows = ((("Layers",), (VH,)), (("    [One] layer",), (read_formula("42"),)))
    table = body(document(Document((Table(("Module", "Size"), rows, frozenset({1})),), "en", ALPHABETS["symparam"])))
    assert re.sub(r"p\{[0-9]+pt\}", "p{WIDTH}", table) == (
        "{\\small\n\\begin{longtable}[l]{@{}>{\\raggedright\\hangindent=1em\\arraybackslash}p{WIDTH}"
        ">{\\raggedleft\\hangindent=1em\\arraybackslash}p{WIDTH}@{}}\n\\toprule\nModule & Size \\\\\n\\midrule\n\\endhead\n"
        "Layers & $VH$ \\\\\n\\hangindent=3em\\hspace*{2em}{[}One] layer & $42$ \\\\\n\\bottomrule\n\\end{longtable}}"
    )


def test_the_columns_of_a_table_fit_the_page() -> None:
    text_width = (210 - 2 * 22) * 72.27 / 25.4
    tables = 0
    for name, shown in everything():
        for columns in re.findall(r"\\begin\{longtable\}\[l\]\{(.*)\}\n", shown.write("latex")):
            widths = [int(width) for width in re.findall(r"p\{([0-9]+)pt\}", columns)]
            assert sum(widths) + GAP * (len(widths) - 1) <= text_width, name
            tables += 1
    assert tables > 50


def test_a_diagram_is_frames_and_shares_are_bars_in_exact_proportion() -> None:
    inner = Box("In_", Code("a.b"), "norm", ((Code("weight"), Shape((VH,))),), VH, None, (), ("see ", Code("x")))
    outer = Box("Layers", Code("a"), "other", (), None, read_formula("N - 1"), (inner,))
    bars = (Bar("A", 0, "other", read_formula("3"), Fraction(3, 4), "75 %"), Bar("B", 1, "norm", read_formula("1"), Fraction(1, 4), "25 %"))
    text = body(document(Document((Diagram("Of & X", (outer,)), Shares("Shares", bars)), "en", ALPHABETS["symparam"])))
    lines = [line for line in text.splitlines() if line.startswith(("\\hbox{\\level\\module", "\\hbox{\\module"))]
    assert [re.sub(r"[0-9.]+pt", "_", line) for line in lines] == [
        "\\hbox{\\module{_}{Layers \\ensuremath{\\times} $(N - 1)$}{}{}}",
        "\\hbox{\\level\\module{_}{In\\_\\allowbreak{}}{\\texttt{weight} $VH$ (see \\texttt{x})}{$VH$}}",
    ]
    assert "\\textit{Of \\& X}" in text
    a, b = (float(length) for length in re.findall(r"\\rule\{([0-9.]+)pt\}\{1.2ex\}", text))
    assert (a, b) == (3 * b, b)
    assert body(document(Document((Diagram("X", ()), Shares("Y", ())), "en", ALPHABETS["symparam"]))) == "\\textit{X}\n\n\\textit{Y}"


def test_a_fragment_says_what_it_needs_and_has_the_headings_of_an_appendix() -> None:
    page = Document((Heading(1, "A"), Heading(2, "B"), Heading(3, "C"), Heading(6, "D")), "en", ALPHABETS["symparam"])
    first, *_ = document(page, fragment=True).splitlines()
    assert first == "% Needs \\usepackage{amsmath,array,booktabs,longtable}, and with pdfLaTeX \\usepackage[T1]{fontenc}."
    assert re.findall(r"\\(\w*section|paragraph)\*", document(page, fragment=True)) == [
        "subsection",
        "subsubsection",
        "paragraph",
        "paragraph",
    ]
    assert re.findall(r"\\(\w*section|paragraph)\*", document(page)) == ["section", "subsection", "subsubsection", "paragraph"]
    assert document(replace(page, language="zh"), fragment=True).startswith("% Needs XeLaTeX and \\usepackage{ctex,")
    for foreign in ("documentclass", "begin{document}"):
        assert foreign not in document(page, fragment=True)


@pytest.mark.parametrize(
    ("language", "name", "first"),
    [
        ("en", "plain", "\\documentclass{article}"),
        ("en", "词表", "% Compile with xelatex.\n\\documentclass[fontset=fandol,zihao=false,scheme=plain]{ctexart}"),
        ("zh", "plain", "% Compile with xelatex.\n\\documentclass[fontset=fandol,zihao=false]{ctexart}"),
    ],
)
def test_the_class_suits_the_letters(language: str, name: str, first: str) -> None:
    assert document(Document((Heading(1, name),), language, ALPHABETS["symparam"])).startswith(first + "\n")


@pytest.mark.parametrize("letters", ALPHABETS)
def test_the_formulas_read_back(letters: str) -> None:
    reader = Reader(ALPHABETS[letters])
    pages: list[Result] = [symparam.explain(model, alphabet=letters) for model, other in DOCUMENTS if other == letters]
    for page in [*pages, *([nasty_explained(), nasty_counted()] if letters == "symparam" else [])]:
        text = body(page.write("latex"))
        rows = re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", text, re.DOTALL)
        sides = [re.sub(r"\\\\\n|&|\\quad", " ", row) for row in rows]
        assert [reader.chain(side) for side in sides] == [meanings(chain) for chain in chains(page.document)]
        inline = re.findall(r"(?<!\\)\$(.*?)(?<!\\)\$", text)
        assert [reader.meaning(formula) for formula in inline] == inline_formulas(page.document, drawn=True)


def body(text: str) -> str:
    """What is between the beginning and the end of the document."""
    return text.partition("\\begin{document}\n\n")[2].partition("\n\n\\end{document}")[0]


# TeX itself.

COMPILED = {
    "explain-bert-base-uncased-en": ("pdflatex", lambda: symparam.explain("bert", config="bert-base-uncased")),
    "explain-bert-base-uncased-kaplan-zh": (
        "xelatex",
        lambda: symparam.explain("bert", config="bert-base-uncased", alphabet="kaplan", language="zh"),
    ),
    "explain-BertForMaskedLM-hugging-face-en": ("pdflatex", lambda: symparam.explain("BertForMaskedLM", alphabet="hugging-face")),
    "explain-gpt1-en": ("xelatex", lambda: symparam.explain("gpt1")),
    "count-gpt2-xl-hugging-face-zh": ("xelatex", lambda: symparam.count("gpt2-xl", alphabet="hugging-face", language="zh")),
    "tensors-bloom-560m-en": ("pdflatex", lambda: symparam.tensors("bloom-560m")),
    "letters-hugging-face-en": ("pdflatex", lambda: symparam.letters("hugging-face")),
    "list-zh": ("xelatex", lambda: symparam.list("zh")),
    "explain-nasty-en": ("pdflatex", nasty_explained),
    "count-nasty-zh": ("xelatex", lambda: nasty_counted("zh")),
}


def compiled(name: str, engine: str, text: str, folder: Path, but: str = "") -> Path:
    """The PDF, after one run without an error, a line that sticks out, a letter that no font has, or anything undefined.

    Warnings that begin as ``but`` are not the document's.
    """
    if shutil.which(engine) is None:
        pytest.skip(f"{engine} is not installed")
    (folder / f"{name}.tex").write_text(text, encoding="utf-8")
    done = subprocess.run(
        [engine, "-interaction=nonstopmode", "-halt-on-error", f"{name}.tex"],
        cwd=folder,
        capture_output=True,
        timeout=120,
        check=False,
        env={**os.environ, "max_print_line": "1000"},
    )
    log = (folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, [line for line in log.splitlines() if line.startswith("!")]
    wide = [line for line in log.splitlines() if (match := re.match(r"Overfull .*\(([0-9.]+)pt too", line)) and float(match[1]) > 1]
    wrong = [line for line in log.splitlines() if re.match(r"LaTeX Warning|LaTeX Font Warning|Missing character|Package longtable", line)]
    assert (wide, [line for line in wrong if not but or not line.startswith(but)]) == ([], []), name
    return folder / f"{name}.pdf"


@pytest.mark.few(1)
@pytest.mark.parametrize("name", [pytest.param(name, id=name, marks=() if "nasty" in name else pytest.mark.slow) for name in COMPILED])
def test_tex_compiles_the_document(name: str, tmp_path: Path) -> None:
    engine, shown = COMPILED[name]
    pdf = compiled(name, engine, shown().write("latex"), tmp_path)
    if "nasty" in name and shutil.which("pdftotext"):
        # Nothing in the names was taken for TeX: they stand on the page sign by sign, the apostrophe of words as a raised comma.
        done = subprocess.run(["pdftotext", "-raw", str(pdf), "-"], capture_output=True, check=True)
        page = "".join(done.stdout.decode().split())
        explained = [SHOWN.replace("'", "’"), "n$%&<b>.{i}.q#~^.weight", "n$%&<b>.{i}.--''.bias"]
        for each in explained if "explain" in name else ["q#~^", "conf|ig_*.json"]:
            assert "".join(each.split()) in page


STEP = ["S=4096", "F_peak=989e12", "b_peak=3.35e12"]
ANSWERS: dict[str, Callable[[str], Result]] = {
    "solve": lambda language: symparam.solve("gpt2", "H", total="1.3B", where=["N=24", "I=4H", "V=50257", "P=1024"], language=language),
    "solve-long": lambda language: symparam.solve("deepseek-v3", "H", total="671B", language=language),
    "solve-memory": lambda language: symparam.solve(
        "llama-3-70b", "B", at_most="8x80GiB", measure="decoding-memory", where=["S=32768"], language=language
    ),
    "curve": lambda language: symparam.curve(
        "gpt2", ("H", "N"), total="6.9B..7.1B", between=["H/N=64..160"], where=["I=4H", "V=50257", "P=1024"], language=language
    ),
    "sweep": lambda language: symparam.sweep(
        "llama-3-8b", ["S=1024..131072:x2", "B=1,4"], also=["kv-cache", "decoding-flops"], language=language
    ),
    "analyze": lambda language: symparam.analyze("llama-3-8b", language=language),
    "analyze-operations": lambda language: symparam.analyze(
        "mixtral-8x7b", measure="training-flops", where=["L=4096", "B=1"], language=language
    ),
    "crossover": lambda language: symparam.crossover("llama-3-8b", language=language),
    "break-even": lambda language: symparam.break_even("llama-3-8b", ("intensity", "ridge"), "B", where=STEP, language=language),
    "break-even-number": lambda language: symparam.break_even("llama-3-8b", ("intensity", "200"), "B", where=STEP[:1], language=language),
    "compare": lambda language: symparam.compare("mistral-7b-v0.1", "mixtral-8x7b", language=language),
    "budget": lambda language: symparam.budget("llama-3-8b", given=["D=15T", "n_g=64"], where=["L=8192"], language=language),
}


@pytest.mark.slow
@pytest.mark.parametrize("answer", ANSWERS)
def test_tex_compiles_answers_with_their_reasons(answer: str, tmp_path: Path) -> None:
    for language, engine in (("en", "pdflatex"), ("zh", "xelatex")):
        compiled(f"{answer}-{language}", engine, ANSWERS[answer](language).explained().write("latex"), tmp_path)


ARTICLE = "\\documentclass{article}\n%s\n\\begin{document}\n\\section{Before}\nText.\n\n%s\nText.\n\\end{document}\n"


FRAGMENTS = [*(pytest.param(*each, marks=pytest.mark.slow) for each in (("t5-small", "en"), ("nasty", "en"))), ("deepseek-v3", "zh")]


@pytest.mark.parametrize(("model", "language"), FRAGMENTS)
def test_a_fragment_compiles_in_a_bare_article_with_what_it_says_it_needs(model: str, language: str, tmp_path: Path) -> None:
    shown: Result = nasty_explained() if model == "nasty" else symparam.explain(model, language=language)
    fragment = shown.write("latex", fragment=True)
    packages = "".join(re.findall(r"\\usepackage(?:\[\w+\])?\{[\w,]+\}", fragment.splitlines()[0]))
    # ctex asks for sizes of type between those that the fonts of an article have.
    compiled(
        model,
        "xelatex" if language == "zh" else "pdflatex",
        ARTICLE % (packages, fragment),
        tmp_path,
        "LaTeX Font Warning" * (language == "zh"),
    )


def test_every_letter_that_is_written_as_it_is_has_a_font(tmp_path: Path) -> None:
    letters = " ".join(map(chr, (*range(0x20, 0x7F), *range(0xA1, 0x180)))) + "–—‘’“”…×−"
    for engine in ("pdflatex", "xelatex"):
        names = tuple(map(Symbol, "αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩéß"))
        formulas = (Paragraph((Sum(names),)), Chain((Product((Symbol("word_λé"), Symbol("жω"))),)))
        page = Document((Paragraph((letters,)), Paragraph((Code(letters),)), *formulas), "en", ALPHABETS["symparam"])
        compiled(f"letters-{engine}", engine, document(page), tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_tex_compiles_every_document(part: int, tmp_path: Path) -> None:
    for name, shown in everything(COMBINATIONS)[part::PARTS]:
        text = shown.write("latex")
        compiled(name, "xelatex" if "xelatex" in text else "pdflatex", text, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("family", families(), ids=lambda family: family.name)
def test_tex_compiles_every_family_with_the_numbers_of_a_model(family: Family, tmp_path: Path) -> None:
    config = next(iter(presets_of(family)))
    compiled("english", "pdflatex", symparam.explain(family.name, config=config).write("latex"), tmp_path)
    compiled("chinese", "xelatex", symparam.explain(family.name, config=config, language="zh").write("latex"), tmp_path)

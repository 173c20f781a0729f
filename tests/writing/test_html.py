"""HTML: exact elements on small documents, and nothing in a page that is not ours, whatever its words are."""

from __future__ import annotations

import re
from fractions import Fraction
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import symparam
from symparam.core.alphabets import ALPHABETS
from symparam.core.formula import Quotient, Symbol, number
from symparam.core.parsing.reader import read_formula
from symparam.writing.document import (
    GROUPS,
    Bar,
    Box,
    Chain,
    Code,
    Diagram,
    Document,
    Entry,
    Heading,
    Node,
    Paragraph,
    Shape,
    Shares,
    Table,
)
from symparam.writing.html import document
from symparam.writing.html.chart import innermost, width
from symparam.writing.html.whole import POLICY, font
from symparam.writing.text import printable
from tests.writing.documents import NASTY, everything, nasty_counted, nasty_explained
from tests.writing.html_tree import tree
from tests.writing.mathml_core import CORE_ELEMENTS, GLOBAL_ATTRIBUTES, OWN_ATTRIBUTES

VH = read_formula("VH")
STYLES = (Path(symparam.__file__).parent / "writing/html/style.css").read_text(encoding="utf-8")


OF_MARKS = re.compile(
    r"(@media screen \{ "
    r"(\.symparam:has\(\.(m[0-9]+):is\(:hover, :focus-within, :target\)\) \.\3[,\n]* ?)+"
    r"\{ background: var\(--lit\); box-shadow: 0 0 0 0\.12em var\(--lit\); \} \}\n)?"
    r"(@media screen \{ "
    r"(\.symparam:has\((#section-[0-9]+):is\(:hover, :focus-within, :target\)\) nav a\[href=\"\6\"\][,\n]* ?)+"
    r"\{ border-color: currentcolor; font-weight: 600; \} \}\n)?"
)


def fragment(*nodes: Node, language: str = "en") -> str:
    """The nodes as a fragment, without its styles."""
    written = document(Document(nodes, language, ALPHABETS["symparam"]), fragment=True)
    opening, styles, content = re.split("<style>|</style>", written)
    assert opening == f'<article class="symparam" lang="{ {"en": "en", "zh": "zh-Hans"}[language] }">'
    assert styles == STYLES
    return content.removesuffix("</article>\n")


MATH_VH = "<math><mrow><mrow><mi>V</mi><mi>H</mi></mrow></mrow></math>"


@pytest.mark.parametrize(
    ("node", "html"),
    [
        (Heading(1, "A < B"), "<h2>A &lt; B</h2>"),
        (Heading(2, "A & B"), "<section><h3>A &amp; B</h3></section>"),
        (Paragraph(("Of ", VH, " in ", Code("a.b_c"), ".")), f"<p>Of {MATH_VH} in <code>a.<wbr>b_<wbr>c</code>.</p>"),
        (Paragraph((Code("layers.{i>=N_f}.q"),)), "<p><code>layers.<wbr>{i&gt;=N_f}.<wbr>q</code></p>"),
        (Paragraph((number(1234567),)), "<p><math><mrow><mrow><mn>1,234,567</mn></mrow></mrow></math></p>"),
        (
            Table(("x", "y"), ((("  a",), (number(1024),)),), frozenset({1})),
            '<div class="scroll" tabindex="0" role="group" aria-label="x"><table>'
            '<thead><tr><th scope="col">x</th><th scope="col" class="numeric">y</th></tr></thead>'
            '<tbody><tr><th scope="row" style="--depth: 1">  a</th><td class="numeric">1,024</td></tr></tbody></table></div>',
        ),
        (
            Chain((VH, number(6))),
            f'<div class="chain beside"><div class="left">{MATH_VH}</div>'
            '<div class="sign"><math><mo lspace="0" rspace="0">=</mo></math></div>'
            '<div class="right"><math><mrow><mrow><mn>6</mn></mrow></mrow></math></div></div>',
        ),
        (  # A fraction that no line break divides is no short formula.
            Chain((Quotient(number(7777777777777777777), Symbol("V")), number(6))),
            '<div class="chain"><div class="left"><math><mrow><mrow><mfrac><mrow><mn>7,777,777,777,777,777,777</mn></mrow>'
            "<mrow><mi>V</mi></mrow></mfrac></mrow></mrow></math></div>"
            '<div class="sign"><math><mo lspace="0" rspace="0">=</mo></math></div>'
            '<div class="right"><math><mrow><mrow><mn>6</mn></mrow></mrow></math></div></div>',
        ),
        (
            Shares("All", (Bar("a", 0, "norm", number(3), Fraction(3, 8), "37.50 %"),)),
            '<figure class="chart"><figcaption>All</figcaption><ul class="legend"><li>'
            '<span class="swatch norm" aria-hidden="true"></span>Norms 37.50 %</li></ul>'
            '<div class="row whole" aria-hidden="true"><span class="track"><span style="width: 37.500000%" class="norm"></span></span>'
            '</div><ol class="bars"><li class="row"><span class="name" style="--depth: 0">a</span>'
            '<span class="track" aria-hidden="true"><span style="width: 37.500000%" class="norm"></span></span>'
            '<span class="amount"><span class="number">3</span> <span class="percent">37.50 %</span></span></li></ol></figure>',
        ),
        (
            Diagram("A", (Box("b", None, "head", ((Code("w"), Shape((VH,))),), VH, read_formula("N - 1"), (), ("shares ", Code("x"))),)),
            '<figure class="diagram"><figcaption>A</figcaption><ul class="legend"><li><span class="swatch head" aria-hidden="true"></span>'
            'Output</li></ul><ol class="boxes"><li class="box head repeated"><div class="title"><span class="name"><b>b</b> '
            '<math class="times"><mrow><mrow><mo form="infix">×</mo><mo stretchy="false">(</mo><mi>N</mi><mo>−</mo><mn>1</mn>'
            f'<mo stretchy="false">)</mo></mrow></mrow></math></span> <span class="tensor"><code>w</code> {MATH_VH}</span>'
            f' <span class="note">shares <code>x</code></span> <span class="formula">{MATH_VH}</span></div></li></ol></figure>',
        ),
    ],
)
def test_each_node(node: Node, html: str) -> None:
    assert fragment(node) == html


def test_steps_lie_in_the_steps_around_them() -> None:
    marks = ("1", "1.1", "1.1.1", "1.1.1.1", "1.2", "2")
    steps = [Entry(mark, None, (), None, mark.count("."), mark.count(".") > 1) for mark in marks]

    def shape(items: ElementTree.Element) -> list[object]:
        marks = (item.findtext("div/div/h4") or item.findtext("div/div/b") for item in items)
        inside = ([*item.findall("ol"), *item.findall("details/ol")] for item in items)
        return [[mark, *shape(*steps)] if steps else mark for mark, steps in zip(marks, inside, strict=True)]

    found = tree(fragment(*steps))
    assert shape(found) == [["1", ["1.1", ["1.1.1", "1.1.1.1"]], "1.2"], "2"]
    assert [heading.text for heading in found.iter("h4")] == ["1", "1.1", "1.2", "2"]
    assert [summary.text for summary in found.iter("summary")] == ["In detail: 1.1.1"]


def test_a_long_formula_is_several_elements_that_are_the_formula_again() -> None:
    formula = read_formula(" + ".join(f"{index}H" for index in range(100, 140)))
    found = tree(f"<div>{fragment(Paragraph((formula,)))}</div>")
    parts = [re.sub(r"\s", "", "".join(part.itertext())) for part in found.iter("math")]
    assert "".join(parts) == "+".join(f"{index}H" for index in range(100, 140))
    assert len(parts) > 8
    assert len(list(found.iter("wbr"))) == len(parts) - 1
    assert all(part.startswith("+") for part in parts[1:])


# A whole page.


def test_a_page_asks_for_nothing_and_runs_nothing() -> None:
    page = symparam.explain("bert", config="bert-base-uncased").write("html")
    found = tree(page)
    assert found.get("lang") == "en"
    head = found[0]
    assert [meta.attrib for meta in head.iter("meta")] == [
        {"charset": "utf-8"},
        {"http-equiv": "Content-Security-Policy", "content": POLICY},
        {"name": "viewport", "content": "width=device-width, initial-scale=1"},
        {"name": "color-scheme", "content": "light dark"},
    ]
    assert POLICY.startswith("default-src 'none'; style-src 'unsafe-inline'")
    assert head.findtext("title") == "BERT (BertModel): the number of parameters"
    assert "url(" not in STYLES
    styles = head.findtext("style") or ""
    assert styles.startswith(font() + STYLES)
    assert OF_MARKS.fullmatch(styles.removeprefix(font() + STYLES))
    assert re.findall(r"url\((.{16})", font()) == ["data:font/woff2;"]
    assert "@import" not in STYLES
    assert "http" not in re.sub(r"<p>Source:.*?</p>", "", page).replace("http-equiv", "")


def test_the_contents_lead_to_the_sections() -> None:
    found = tree(symparam.explain("bert", config="bert-base-uncased", language="zh").write("html"))
    assert found.get("lang") == "zh-Hans"
    (nav,) = found.iter("nav")
    links = {link.get("href"): link.text for link in nav.iter("a")}
    sections = {f"#{section.get('id')}": section.findtext("h2") for section in found.iter("section")}
    assert links == sections
    assert list(links.values())[:3] == ["记号", "词语", "架构"]
    assert nav.get("aria-label") == "目录"


@pytest.mark.parametrize("model", ["bert-base-uncased", "deepseek-v3", "t5-small"])
def test_term_box_tensors_number_and_reason_of_a_module_carry_its_mark_and_lead_to_its_step(model: str) -> None:
    family = symparam.count(model).count.derivation.architecture.name
    found = tree(symparam.explain(family, config=model).write("html"))
    named = [element.get("id", "") for element in found.iter() if element.get("id")]
    assert len(named) == len(set(named))
    steps = {name: element for element in found.iter() if "step" in element.get("class", "").split() and (name := element.get("id"))}
    assert len(steps) > 15
    links = [(around, link) for around in found.iter() for link in around if (link.get("href") or "").startswith("#part=")]
    assert {unquote((link.get("href") or "").removeprefix("#")) for _, link in links} == set(steps)
    marks = {name: step.get("class", "").split()[1] for name, step in steps.items()}
    boxes = [box[0] for box in found.iter("li") if "box" in box.get("class", "").split()]
    kinds = {
        "box": [title for title in boxes if title.find(".//a") is not None],
        "number": [row for row in found.iter("li") if "row" in row.get("class", "").split()],
        "tensor": [row for row in found.iter("tr") if row.find("th/a") is not None],
        "terms": [line for line in found.iter("p") if line.get("class") == "terms"],
    }
    for kind, marked in kinds.items():
        assert marked, kind
        for element in marked:
            for link in element.iter("a"):
                mark = (link if kind == "terms" else element).get("class", "").split()[-1]
                assert mark == marks[unquote((link.get("href") or "").removeprefix("#"))], (kind, link.get("href"))
    assert set(marks.values()) <= set(re.findall(r"\bm[0-9]+", found.findtext("head/style") or ""))


def test_a_fragment_has_nothing_that_another_one_could_have_too() -> None:
    found = tree(symparam.explain("bert", config="bert-base-uncased").write("html", fragment=True))
    assert (found.tag, found.get("class")) == ("article", "symparam")
    assert not [element for element in found.iter() if element.get("id") or element.tag in ("a", "nav", "h1", "main", "body")]
    # Its styles are about itself: every selector begins with its class.
    rules = re.sub(r"/\*.*?\*/", "", STYLES, flags=re.DOTALL)
    selectors = [part.strip() for rule in re.findall(r"([^{}]+)\{[^{}]*\}", rules) for part in rule.split(",")]
    assert len(selectors) > 60
    assert [selector for selector in selectors if not selector.startswith((".symparam", "body.symparam"))] == []


@pytest.mark.parametrize(
    ("shown", "title", "tables"),
    [
        (lambda: symparam.count("gpt2"), "gpt2 (GPT2LMHeadModel): the number of parameters", 1),
        (lambda: symparam.tensors("gpt2"), "symparam", 1),
        (lambda: symparam.compare("llama-7b", "mistral-7b-v0.1"), "llama-7b and mistral-7b-v0.1", 1),
        (lambda: symparam.list("zh"), "架构", 2),
        (lambda: symparam.letters("kaplan"), "symparam", 2),
        (lambda: symparam.published("palm"), "Chowdhery et al. 2022 (PaLM)", 3),
    ],
)
def test_whatever_is_shown_is_a_page(shown: object, title: str, tables: int) -> None:
    assert callable(shown)
    found = tree(shown().write("html"))
    assert (found.findtext("head/title"), len(list(found.iter("table")))) == (title, tables)
    assert len(list(found.iter("h1"))) >= 1


# Words that would be markup.

TAGS = frozenset(
    "html head meta title style body main article nav section h1 h2 h3 h4 p ol ul li a div span b code wbr "  # noqa: SIM905
    "figure figcaption table thead tbody tr th td details summary".split()
)
ATTRIBUTES = {
    "class": r"[a-z -]*( ?m[0-9]+)?",
    "style": r"--(depth|digits): [0-9]+|width: [0-9]{1,3}\.[0-9]{6}%",
    "href": r"#section-[0-9]+|#part=[\w.=,~%-]+",
    "id": r"section-[0-9]+|part=\S*",
    "title": r"(?s).*",
    "lang": "en|zh-Hans",
    "scope": "row|col",
    "tabindex": "0",
    "role": "group",
    "aria-hidden": "true",
    "aria-label": r"(?s).*",
}
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "\\href{javascript:alert(1)}{x}",
    "$$\\input{/etc/passwd}$$",
    "</style></title></p></table><iframe src=//x>",
    "<!-- --> <![CDATA[ ]]> <?php ?>",
    "&lt;b&gt; &#60;i> &amp;amp;",
    "javascript:alert(1)",
    "\x00\x1b[31m\u202e\ud800",
    NASTY,
)


def inert(page: str) -> ElementTree.Element:
    """The page as a tree, in which every element and every attribute is one that we write, MathML is MathML Core, and styles are ours."""
    found = tree(page)
    for parent in found.iter():
        for element in parent:
            if element.tag in CORE_ELEMENTS:
                assert set(element.keys()) <= GLOBAL_ATTRIBUTES | OWN_ATTRIBUTES.get(element.tag, set()), element.attrib
                assert element.get("style") is None
                if element.tag == "mn":
                    assert re.fullmatch(r"[0-9]{1,3}(,[0-9]{3})*(\.[0-9]+)?", element.text or ""), element.text
                continue
            assert element.tag in TAGS
            if element.tag == "style":
                assert OF_MARKS.fullmatch((element.text or "").removeprefix(font()).removeprefix(STYLES))
            if element.tag != "meta":
                for name, value in element.attrib.items():
                    assert re.fullmatch(ATTRIBUTES[name], value), (element.tag, name, value)
    return found


def everywhere(words: str) -> Document:
    """A document with the words in every place that takes any."""
    code = Code(words)
    box = Box(words, code, "norm", ((code, Shape((VH,))),), VH, VH, (), (words, code))
    nodes: tuple[Node, ...] = (
        Heading(1, words),
        *(Heading(2, words) for _ in range(4)),
        Paragraph((words, code, VH)),
        Table((words, words), (((words,), (code,)), ((code,), (words, words))), frozenset({1})),
        Entry(words, code, (words, code), Chain((VH, VH)), 0),
        Diagram(words, (Box(words, code, "other", (), None, None, (box,)),)),
        Shares(words, (Bar(words, 0, "head", VH, Fraction(1), words),)),
    )
    return Document(nodes, "en", ALPHABETS["symparam"])


def shape_of(element: ElementTree.Element) -> list[object]:
    """The elements and the names of their attributes; places where a name may break are part of the name."""
    return [element.tag, sorted(element.keys()), *(shape_of(inner) for inner in element if inner.tag != "wbr")]


@pytest.mark.parametrize("words", HOSTILE)
@pytest.mark.parametrize("whole", [True, False])
def test_words_stay_words(words: str, whole: bool) -> None:
    found = inert(document(everywhere(words), fragment=not whole))
    assert shape_of(found) == shape_of(tree(document(everywhere("x"), fragment=not whole)))
    texts = ["".join(code.itertext()) for code in found.iter("code")]
    assert texts == [printable(words)] * 7
    assert ["".join(b.itertext()) for b in found.iter("b")] == [printable(words)] * 2
    assert {name.get("aria-label") for name in found.iter("div") if name.get("aria-label")} == {printable(words)}


@settings(deadline=None)
@given(st.text(st.characters() | st.sampled_from("<>&\"'`=/\\-!;#[]?"), min_size=1, max_size=20))
def test_no_words_become_anything_else(words: str) -> None:
    found = inert(document(everywhere(words)))
    assert ["".join(code.itertext()) for code in found.iter("code")] == [printable(words)] * 7


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_architecture_of_hostile_names_is_inert(language: str) -> None:
    assert (inert(nasty_explained(language).write("html")).findtext("head/title") or "").startswith(printable(NASTY))
    inert(nasty_counted(language).write("html"))


@pytest.mark.parametrize("kind", ["explain-", "count-", "tensors-", "letters-", "list-"])
def test_every_document_is_made_of_our_elements(kind: str) -> None:
    inert(next(shown for name, shown in everything() if name.startswith(kind)).write("html"))


# Bars.


@given(st.lists(st.integers(0, 10**15), min_size=1, max_size=20).filter(any))
def test_widths_are_shares_and_never_more_than_the_whole(parts: list[int]) -> None:
    whole = sum(parts)
    widths = [Fraction(width(Fraction(part, whole))[:-1]) for part in parts]
    assert all(0 <= Fraction(100 * part, whole) - each < Fraction(1, 10**6) for part, each in zip(parts, widths, strict=True))
    assert sum(widths) <= 100


@pytest.mark.parametrize(("model", "config"), [("bert", "bert-base-uncased"), ("t5", "t5-small"), ("albert", "albert-base-v2")])
def test_the_innermost_bars_are_the_whole(model: str, config: str) -> None:
    (shares,) = [node for node in symparam.explain(model, config=config).document.nodes if isinstance(node, Shares)]
    assert sum(bar.share for bar in innermost(shares.bars)) == 1
    assert {bar.group for bar in shares.bars} <= set(GROUPS)

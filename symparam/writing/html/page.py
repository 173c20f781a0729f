"""Writes the document as one HTML page without external scripts, fonts or pictures, or as a fragment of a page."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

from symparam.core.alphabets import Alphabet
from symparam.core.formula import Formula, Number, write
from symparam.writing.document import Chain, Code, Diagram, Document, Entry, Heading, Line, Node, Paragraph, Shares, SumTerm, Table, Terms
from symparam.writing.html.chart import DEEPEST, chart
from symparam.writing.html.diagram import diagram
from symparam.writing.html.elements import Content, Element, element, serialised, style
from symparam.writing.html.inline import CELL, chain, code, line
from symparam.writing.html.links import Links, terms
from symparam.writing.html.whole import style_sheet, whole
from symparam.writing.phrases import Phrases, phrases

LONG = 4  # The number of sections from which a page has a table of contents.


def document(page: Document, fragment: bool = False) -> str:
    """The document as a whole page, or, as a ``fragment``, as one ``<article>`` with its own styles, whose headings begin at ``<h2>``."""
    links = Links(() if fragment else page.nodes)
    writer = _Writer(page.alphabet, phrases(page.language), links, outermost=2 if fragment else 1)
    language, sections = writer.words.tag, _sections(page.nodes)
    if fragment:
        # Without ids, as another fragment in the same page may use the same ones.
        content = (piece for heading, nodes in sections for piece in writer.section(heading, nodes))
        return serialised(element("article", style(style_sheet()), *content, class_="symparam", lang=language))
    title = next((node.text for node in page.nodes if isinstance(node, Heading)), "symparam")
    return whole(title, element("main", *_page(sections, writer)), tag=language, styles=links.rules + _following(len(sections)))


Section = tuple[Heading | None, tuple[Node, ...]]


def _sections(nodes: tuple[Node, ...]) -> list[Section]:
    """The nodes under each heading; those before the first heading have none."""
    found: list[tuple[Heading | None, list[Node]]] = [(None, [])]
    for node in nodes:
        if isinstance(node, Heading):
            found.append((node, []))
        else:
            found[-1][1].append(node)
    return [(heading, tuple(under)) for heading, under in found if heading or under]


def _page(sections: list[Section], writer: _Writer) -> Iterator[Content]:
    """The sections of a whole page, with a table of contents after the first if there are many."""
    if sections and sections[0][0] is None:
        yield element("h1", "symparam")
    inner = [heading for heading, _ in sections if heading and heading.level > 1]
    for index, (heading, nodes) in enumerate(sections):
        yield from writer.section(heading, nodes, f"section-{index}")
        if index == 0 and len(inner) >= LONG:
            links = [
                element("li", element("a", title.text, href=f"#section-{at}")) for at, (title, _) in enumerate(sections) if title in inner
            ]
            yield element("nav", element("ol", *links), aria_label=writer.words.sentences["contents"])


def _following(sections: int) -> str:
    """The style rules by which the contents mark the section that is pointed at, focused or addressed."""
    if sections <= LONG:
        return ""
    ids = (f"section-{at}" for at in range(1, sections))
    rules = (f'.symparam:has(#{each}:is(:hover, :focus-within, :target)) nav a[href="#{each}"]' for each in ids)
    return "@media screen { " + ",\n".join(rules) + " { border-color: currentcolor; font-weight: 600; } }\n"


class _Writer:
    """Writes the nodes of one document."""

    def __init__(self, alphabet: Alphabet, words: Phrases, links: Links, outermost: int) -> None:
        self.alphabet, self.words, self.links, self.outermost = alphabet, words, links, outermost

    def section(self, heading: Heading | None, nodes: tuple[Node, ...], name: str | None = None) -> Iterator[Content]:
        """A heading with what is under it, in a ``<section>`` unless it is the title of the whole."""
        content = list(self._content(nodes, heading.text if heading else ""))
        if heading is None:
            yield from content
            return
        title = self._heading(heading.level, heading.text)
        if heading.level == 1:
            yield from (title, *content)
        else:
            # On a wide screen it scrolls separately, which must also be possible by keyboard.
            own = {"class_": "drawn", "tabindex": "0", "aria_label": heading.text}
            drawn = own if any(isinstance(node, Diagram) for node in nodes) else {}
            yield element("section", title, *content, **({"id": name} if name else {}), **drawn)

    def _heading(self, level: int, *content: Content) -> Element:
        return element(f"h{level + self.outermost - 1}", *content)

    def _content(self, nodes: tuple[Node, ...], title: str) -> Iterator[Element]:
        for is_step, alike in groupby(nodes, lambda node: isinstance(node, Entry)):
            if is_step:
                yield self._steps([node for node in alike if isinstance(node, Entry)])
            else:
                for node in alike:
                    yield from self._node(node, title)

    def _node(self, node: Node, title: str) -> Iterator[Element]:
        match node:
            case Paragraph(pieces):
                yield element("p", *line(pieces, self.alphabet))
            case Table():
                yield self._table(node, title)
            case Chain():
                yield chain(node, self.alphabet)
            case Terms() if self.links:
                yield terms(node.pieces, self.alphabet, self._term)
            case Diagram():
                yield diagram(node, self.alphabet, self.words, self.links)
            case Shares():
                yield chart(node, self.words, self.links)

    def _steps(self, entries: list[Entry]) -> Element:
        """The steps as a list, with those that lie deeper in lists of their own, which are collapsed if they are details."""
        items: list[Element] = []
        while entries:
            first, *others = entries
            end = next((index for index, entry in enumerate(others) if entry.depth <= first.depth), len(others))
            inside, entries = others[:end], others[end:]
            items.append(element("li", self._step(first), *([self._inside(inside, first)] if inside else [])))
        return element("ol", *items, class_="steps")

    def _inside(self, entries: list[Entry], around: Entry) -> Element:
        steps = self._steps(entries)
        if around.folded or not entries[0].folded:
            return steps
        titles = " · ".join(dict.fromkeys(entry.title for entry in entries if entry.depth == entries[0].depth))
        return element("details", element("summary", self.words.say("parts-in-detail", titles=titles)), steps)

    def _step(self, entry: Entry) -> Element:
        """A step; the title of one that is not a detail is a heading."""
        named = self.links.to(entry.place, entry.title)
        title = element("b", *named) if entry.folded else self._heading(3, *named)
        return element(
            "div",
            element("div", title, *([code(entry.place.text)] if entry.place else []), class_="title"),
            element("p", *line(entry.reason, self.alphabet)),
            *([chain(entry.chain, self.alphabet)] if entry.chain else []),
            class_=f"step {self.links.mark(entry.place)}".rstrip(),
            **self.links.id(entry),
        )

    def _term(self, term: SumTerm, content: list[Content]) -> list[Content]:
        return self.links.to(term.place, *content, title=term.title, class_=self.links.mark(term.place))

    def _table(self, node: Table, title: str) -> Element:
        """The table in a box that can be scrolled, also by keyboard, if the page is narrower."""
        head = (element("th", words, scope="col", **_side(column, node)) for column, words in enumerate(node.header))
        rows = (
            element("tr", *(self._cell(column, cell, node) for column, cell in enumerate(row)), **self._marked(row)) for row in node.rows
        )
        table = element("table", element("thead", element("tr", *head)), element("tbody", *rows))
        shown = element("div", table, class_="scroll", tabindex="0", role="group", aria_label=title or node.header[0])
        if not node.folded:
            return shown
        summary = self.words.say("parts-in-detail", titles=title) if title else self.words.sentences["in-detail"]
        return element("details", element("summary", summary), shown)

    def _marked(self, row: tuple[Line, ...]) -> dict[str, str]:
        """The mark of a row that begins with the name of a tensor."""
        mark = self.links.mark(self._holder(row))
        return {"class_": mark} if mark else {}

    def _holder(self, row: tuple[Line, ...]) -> Code | None:
        match row:
            case ((Code(name),), *_):
                return self.links.of_tensor(name)
        return None

    def _cell(self, column: int, pieces: Line, node: Table) -> Element:
        """A cell. The first one, if it has words, is the header of its row, and its leading spaces give its depth."""
        if column in node.numeric and len(pieces) == 1 and isinstance(pieces[0], Number):
            pieces = (write(pieces[0]),)
        content = line(pieces, self.alphabet, CELL)
        if column == 0:
            content = self.links.to(self._holder((pieces,)), *content)
        first = pieces[0] if pieces else ""
        if column or isinstance(first, Formula):  # Not every screen reader can use a formula as a name.
            return element("td", *content, **_side(column, node))
        depth = (len(first) - len(first.lstrip(" "))) // 2 if isinstance(first, str) else 0
        style = {"style": f"--depth: {min(depth, DEEPEST)}"} if depth else {}
        return element("th", *content, scope="row", **_side(column, node), **style)


def _side(column: int, node: Table) -> dict[str, str]:
    return {"class_": "numeric"} if column in node.numeric else {}

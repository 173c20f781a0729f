"""HTML read strictly: every element is closed where it ends, and what is read is a tree again."""

from __future__ import annotations

from html.parser import HTMLParser
from xml.etree import ElementTree

VOID = {"meta", "wbr"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.builder = ElementTree.TreeBuilder()
        self.open: list[str] = []
        self.doctypes: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"<{tag}> has an attribute twice: {names}"
        self.builder.start(tag, {name: value or "" for name, value in attrs})
        if tag in VOID:
            self.builder.end(tag)
        else:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        raise AssertionError(f"<{tag}/> does not end the element in HTML")

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"</{tag}> ends nothing"
        assert self.open[-1] == tag, f"</{tag}> where </{self.open[-1]}> is due"
        self.builder.end(self.open.pop())

    def handle_data(self, data: str) -> None:
        if self.open:
            self.builder.data(data)
        else:
            assert not data.strip(), f"{data!r} is in no element"

    def handle_decl(self, decl: str) -> None:
        self.doctypes.append(decl)

    def handle_comment(self, data: str) -> None:
        raise AssertionError(f"a comment: {data!r}")

    def handle_pi(self, data: str) -> None:
        raise AssertionError(f"a processing instruction: {data!r}")

    def unknown_decl(self, data: str) -> None:
        raise AssertionError(f"an unknown declaration: {data!r}")


def tree(page: str) -> ElementTree.Element:
    """The page as a tree. Raises `AssertionError` for what a browser would have to mend."""
    reader = _Reader()
    reader.feed(page)
    reader.close()
    assert not reader.open, f"not closed: {reader.open}"
    assert reader.doctypes == (["DOCTYPE html"] if page.startswith("<!") else [])
    return reader.builder.close()

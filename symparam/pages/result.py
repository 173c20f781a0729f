"""What `symparam.docs` returns: pages with their marked places filled, written as a report, a diff, or JSON."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff

from symparam.core.frozen import frozen
from symparam.core.json_types import JsonObject
from symparam.errors import UnknownNameError, visible
from symparam.pages.filling import LEFT_ALONE, FilledPage, FilledPlace, State
from symparam.writing import json
from symparam.writing.findings import github

FORMATS = ("text", "json", "github")


@frozen
class DocsResult:
    """Pages with the state of each place. ``checked`` says that no file was written; ``errors`` are sentences."""

    pages: tuple[FilledPage, ...]
    errors: tuple[str, ...] = ()
    checked: bool = False

    @property
    def changed(self) -> tuple[FilledPage, ...]:
        """The pages whose text changed, or would have changed if they had not only been checked."""
        return tuple(page for page in self.pages if page.after != page.before and not page.of(State.FAILED))

    @property
    def edited(self) -> tuple[tuple[FilledPage, FilledPlace], ...]:
        """The places that someone edited by hand or wrote, which are left as they are."""
        return self._of(*LEFT_ALONE)

    @property
    def diff(self) -> str:
        """The changes to the pages, as ``diff -u`` writes them."""
        return "".join(
            line if line.endswith("\n") else f"{line[:-1]}\n" if line.endswith("\r") else f"{line}\n\\ No newline at end of file\n"
            for page in self.changed
            for name in [visible(page.name)]
            for line in unified_diff(page.before.splitlines(keepends=True), page.after.splitlines(keepends=True), name, f"{name} (filled)")
        )

    @property
    def json(self) -> JsonObject:
        """Each place by page, line and command, with its state: ``current``, ``filled`` (``out-of-date`` where pages were only checked),
        ``edited``, ``not-filled`` or ``failed``."""
        places = [
            {
                "page": page.name,
                **({"cell": place.cell} if place.cell else {}),
                "line": place.line,
                "column": place.column,
                "command": place.words,
                "state": "out-of-date" if self.checked and place.state is State.FILLED else place.state.value,
                **({"message": place.message} if place.message else {}),
            }
            for page in self.pages
            for place in page.places
        ]
        return {"places": places, "changed": [page.name for page in self.changed], "errors": [*self.errors]}

    def write(self, format: str = "text") -> str:
        """The result in one of `FORMATS`: as text the diff if pages were only checked, the edited places, and a summary.

        Raises `UnknownNameError` for another format.
        """
        match format:
            case "text":
                return "\n".join(self._report())
            case "json":
                return json.dumps(self.json)
            case "github":
                return "".join(self._annotations())
        raise UnknownNameError("format", format, FORMATS)

    def __str__(self) -> str:
        return self.write()

    def _repr_html_(self) -> str:
        from symparam.writing.findings import html

        words = self._words()
        places = (
            (place.state is State.CURRENT or not self.checked, page.where(place), words[place.state], f"symparam {place.words}")
            for page in self.pages
            for place in page.of(State.CURRENT, State.FILLED)
        )
        edited = ((False, page.where(place), words[place.state], place.message) for page, place in self.edited)
        return html.places((*places, *edited), self.errors, self._sum())

    def __repr__(self) -> str:
        return f"<DocsResult {self._sum()}>"

    def _of(self, *states: State) -> tuple[tuple[FilledPage, FilledPlace], ...]:
        return tuple((page, place) for page in self.pages for place in page.of(*states))

    def _report(self) -> Iterator[str]:
        if self.checked and self.changed:
            yield self.diff
        for page, place in self.edited:
            yield "\n".join((f"{page.where(place)}: {place.message}", *(f"    {line}" for line in place.instead), ""))
        yield self._sum() + "\n"

    def _words(self) -> dict[State, str]:
        return {
            State.CURRENT: "up to date",
            State.FILLED: "out of date" if self.checked else "filled",
            State.EDITED: "edited by hand",
            State.NOT_FILLED: "not filled, as there is other text",
            State.FAILED: "at fault",
        }

    def _sum(self) -> str:
        counted = {state: len(self._of(state)) for state in State}
        words = self._words()
        left = 0 if self.checked else sum(len(page.of(State.FILLED)) for page in self.pages if page.of(State.FAILED))
        shown = [f"{number} {words[state]}" for state, number in {**counted, State.FILLED: counted[State.FILLED] - left}.items() if number]
        if left:
            shown.append(f"{left} not written, on pages with others at fault")
        places = sum(counted.values())
        return f"{_some(len(self.pages), 'page')}, {_some(places, 'marked place')}" + (f": {', '.join(shown)}" if shown else "")

    def _annotations(self) -> Iterator[str]:
        for page in self.pages:
            for place in page.of(State.FILLED) if self.checked else ():
                message = f"this place is out of date; fill it with symparam docs {visible(page.name)}"
                yield github.annotation("error", page.name, place.line, "symparam docs", message)
            for place in page.of(*LEFT_ALONE, State.FAILED):
                yield github.annotation("error", page.name, place.line, "symparam docs", place.message)


def _some(number: int, what: str) -> str:
    return f"{number} {what}" + "s" * (number != 1)

"""What symparam says when it cannot go on: one sentence that names what was found, where, what was expected and what to do."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable


class SymparamError(Exception):
    """The base class of all errors that are caused by the input and not by the program; the command line exits with 2. Whatever a message
    quotes from the input is escaped, so that neither a terminal nor a workflow log obeys it.
    """

    def __str__(self) -> str:
        return visible(super().__str__())


class KeyValueError(Exception):
    """A config key has a value that its family cannot use; the caller that knows the file adds the position."""

    def __init__(self, key: str, expected: str) -> None:
        super().__init__(key, expected)
        self.key, self.expected = key, expected


class ConfigError(SymparamError):
    """A config that cannot be turned into values: unreadable, of an unknown architecture, or with an impossible value."""


class DocumentError(SymparamError):
    """A document that cannot be read at all: missing, too large, binary, in an unknown encoding, or with invalid front matter."""


class RelationError(SymparamError):
    """A relation such as ``I = 4H`` that cannot be used: contradictory, circular, or impossible for a size."""


class ArchitectureError(SymparamError):
    """An architecture that cannot be built or written out: an impossible shape, a tie that leads nowhere, a clash of letters."""


class FormulaError(SymparamError):
    """A formula that cannot be read or has no exact meaning.

    ``text`` is the line as it was written and ``column`` (from 1) the place in it, or 0 where no single place is at fault.
    """

    def __init__(self, problem: str, text: str = "", column: int = 0) -> None:
        self.problem, self.text, self.column = problem, text, column
        super().__init__(f"column {column} of {shorten(text)!r}: {problem}" if column else problem)


NO_VALUE = {
    "divides-by-zero": "{formula} divides by zero",
    "may-divide-by-zero": "{formula} divides by zero for some values",
    "formula-divides-by-zero": "the formula divides by zero",
    "infinite": "the formula divides by zero or contains an infinity; numbers and letters are expected",
    "divisor-may-be-zero": "the divisor may be zero at the digits that are shown",
    "is-a-root": "{formula} is a root, and symparam counts in exact rational numbers",
    "no-rational-value": "{formula} has no exact rational value",
    "not-rational": "{formula} is not a rational expression; sums, products, quotients and whole powers are expected",
    "is-rounded": "{formula} is a whole number, so nothing can be solved in letters; give its letters numbers, or let sweep tabulate them",
    "not-proven": "two sums of rounded sizes agree wherever they were tried, and it is not proven that they always do",
}
"""The sentences on why a formula has no exact value, or none that is known, by kind."""

TOO_LARGE = {
    "large-number": "a number has more than {most:,} binary digits; nothing counted is that large",
    "large-result": "it comes to a number of more than {most:,} binary digits; nothing counted is that large",
    "large-power": "{formula} is a number of more than {most:,} binary digits; nothing counted is that large",
    "large-numbers": "the numbers in {formula} have more than {most:,} binary digits; nothing counted is that large",
    "large-coefficients": "multiplied out, it would have numbers of more than {most:,} binary digits; nothing counted is that large",
    "deep": "the formula is nested more than {most:,} levels deep; write it in several lines",
    "high-degree": "{formula} multiplies more than {most:,} letters with each other; nothing counted does",
    "high-power": "multiplied out, the formula would have a power over {most:,}",
    "many-terms": "multiplied out, the formula would come to more than {most:,} terms; keep it in smaller steps",
    "long-divisors": "the formula divides by sums that are too long to find what they have in common; keep it in smaller steps",
    "long-definitions": "with its definitions substituted it is too long to be compared",
    "long-bounds": "the digits that are not shown leave too much open",
}
"""The sentences on what is too large to be computed, by kind."""


class NoValueError(FormulaError):
    """A formula that was read but cannot be evaluated. ``kind`` is a key of `NO_VALUE` or `TOO_LARGE`, and ``about`` has the arguments of
    its sentence by name. The sentences here are English; a report has them in its own language.
    """

    def __init__(self, kind: str, **about: str | int) -> None:
        self.kind, self.about = kind, about
        super().__init__({**NO_VALUE, **TOO_LARGE}[kind].format(**about))


class UnknownNameError(SymparamError):
    """A name that is not in a list of names, or with ``part`` a part of a name that none of them has. ``nearest`` holds the closest valid
    names, best first.
    """

    def __init__(
        self, kind: str, name: str, valid: Iterable[str], remedy: str = "", part: bool = False, meant: tuple[str, ...] = ()
    ) -> None:
        self.kind, self.name, self.valid = kind, name, tuple(valid)
        self.nearest = meant or nearest(name, self.valid)
        sentence = f"there is no {kind} {'whose name contains' if part else 'named'} {shorten(name)!r}"
        if self.nearest:
            sentence += "; did you mean " + " or ".join(repr(match) for match in self.nearest) + "?"
        elif remedy:
            sentence += f"; {remedy}"
        else:
            sentence += f"; there are {listed(self.valid)}"
        super().__init__(sentence)


def listed(names: Iterable[str], most: int = 15) -> str:
    """The names, separated by commas; of many names only the first, and the number of the others."""
    known = tuple(names)
    more = f" and {len(known) - most + 1} more" if len(known) > most else ""
    return ", ".join(known[: most - 1] if more else known) + more


def nearest(name: str, valid: Iterable[str], most: int = 2, alike: float = 0.6) -> tuple[str, ...]:
    """The valid names that look most like ``name``, best first, regardless of upper and lower case."""
    from difflib import get_close_matches  # Needed only when something has gone wrong.

    # A name that is cut short or extended stands for the one with the same beginning: bert-base, llama-3.
    plain, valid = name.casefold(), tuple(valid)
    begins = sorted((each for each in valid if each.casefold().startswith(plain) and len(plain) > 2), key=len)
    if begins:
        return tuple(begins[:most])

    by_fold = {candidate.casefold(): candidate for candidate in valid}
    ends = [match for match in by_fold if plain.endswith((f"-{match}", f"_{match}"))]  # forward-flops
    found = get_close_matches(name[:100].casefold(), by_fold, n=most, cutoff=alike)
    return tuple(by_fold[match] for match in dict.fromkeys((*ends, *found)))[:most]


def shorten(text: str, most: int = 80) -> str:
    """The text, or its beginning and an ellipsis where it is too long for a message."""
    return text if len(text) <= most else text[: most - 1] + "…"


def visible(text: str) -> str:
    """The text on one line, with escapes such as ``\\x1b`` for what a terminal would obey or hide: control characters, characters that
    change the direction of the text, and lone surrogates. The beginning of a workflow command is escaped as well: ``#\\x23[``.
    """
    if not text.isprintable():
        text = "".join(map(_visible, text))
    return text.replace("##[", r"#\x23[")


def visible_lines(text: str) -> str:
    """The same for a text that keeps its line ends and tabs. No line of it begins a workflow command: ``\\x3a:error::``."""
    lines = (_visible_line(line) for line in text.split("\n"))
    return "\n".join(lines)


_WORKFLOW_COMMAND = re.compile(r"\A(\s*+):(?=:[A-Za-z])")


def _visible_line(line: str) -> str:
    if line.isprintable() and ":" not in line and "#" not in line:
        return line
    body, end = (line[:-1], "\r") if line.endswith("\r") else (line, "")
    shown = "\t".join(map(visible, body.split("\t")))
    return _WORKFLOW_COMMAND.sub(r"\1\\x3a", shown, count=1) + end if _WORKFLOW_COMMAND.match(shown) else shown + end


def _visible(character: str) -> str:
    obeyed = unicodedata.category(character) in ("Cc", "Cf", "Cs", "Zl", "Zp")
    return repr(character)[1:-1] if obeyed else character


def described(error: BaseException) -> str:
    """The type of an error of somebody else's code, with its message, if it has one, on one line of at most 200 characters."""
    text = " ".join(str(error).split())[:200]
    if isinstance(error, SystemExit):
        return f"its code exits the interpreter with sys.exit({text})"
    return f"{type(error).__name__}: {text}" if text else type(error).__name__

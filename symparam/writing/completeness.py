"""Writes incomplete totals, and what they lack."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from symparam.analysis.derivation import Derivation
from symparam.core.formula import number
from symparam.core.json_types import JsonObject
from symparam.models.blocks.missing import Missing, least
from symparam.writing.document import Code, Inline, Line, Node, Paragraph, Table
from symparam.writing.phrases import Phrases

TIES = ("tie-open", "tie-listed")
"""Why there may be fewer parameters: nothing shows whether a head is the embedding."""
MOST_NAMES = 12  # Names in one row; JSON has all of them.


def bounded(value: Inline | Line, missing: Iterable[Missing], words: Phrases) -> Line:
    """``1,476,141,056``, or ``at least 1,476,141,056`` if something is missing, with the conditions for that, if there are any:
    ``if no module is used in two places``.
    """
    missing = tuple(missing)
    if found := conditions(missing, words):
        return words.line("at-least-if", number=value, conditions=found)
    return below(value, missing, words)


def below(value: Inline | Line, missing: Iterable[Missing], words: Phrases) -> Line:
    """The same for a sentence that `holding` follows: ``at least 1,476,141,056``."""
    if not any(True for _ in missing):
        return value if isinstance(value, tuple) else (value,)
    return words.line("at-least", number=value)


def holding(missing: Iterable[Missing], words: Phrases) -> Line:
    """The sentence on the conditions under which there are at least as many; empty if there are in any case."""
    found = conditions(missing, words)
    return words.line("at-least-holds", conditions=found) if found else ()


def conditions(missing: Iterable[Missing], words: Phrases) -> str:
    """What excludes each reason why there may be fewer parameters; empty if there cannot be fewer."""
    found = dict.fromkeys(words.sentences[f"holds-if-{each.why}"] for each in missing if each.least is not None)
    return words.sentences["even-and"].join(found)


def in_all(total: int | Fraction, derivation: Derivation, words: Phrases) -> Paragraph:
    """An incomplete total as a sentence; for parameters also how many there are otherwise, and the option that decides if it is only open
    what is tied.
    """
    fewest = least(derivation.missing)
    if fewest is None:
        return Paragraph(words.line("in-all-at-least", total=number(total)))
    found = conditions(derivation.missing, words)
    if derivation.measure.name != "parameters":
        return Paragraph(words.line("in-all-if", total=number(total), conditions=found))
    kind = "in-all-if-tied" if all(each.why in TIES for each in derivation.missing) else "in-all-if-or"
    return Paragraph(words.line(kind, total=number(total), conditions=found, least=number(fewest)))


def lacking(missing: Iterable[Missing], words: Phrases) -> Iterator[Node]:
    """What is not counted, by reason; empty if everything is."""
    rows: list[tuple[Line, ...]] = [((_names(alike),), (why,), _places(alike, words)) for why, alike in _by_reason(missing, words)]
    if rows:
        yield Paragraph((words.sentences["not-whole"],))
        yield Table(tuple(words.sentences[key] for key in ("not-counted", "why", "place")), tuple(rows))


def sentences(missing: Iterable[Missing], words: Phrases) -> tuple[str, ...]:
    """What is not counted, in one sentence for each reason."""
    found = _by_reason(missing, words)
    return tuple(words.say("not-whole-sentence", what=_names(alike), place=_place(alike, words), why=why) for why, alike in found)


def as_json(missing: tuple[Missing, ...], words: Phrases) -> JsonObject:
    """``complete``, and if it is false ``missing`` with what, why and path of each; ``least_parameters`` if there may be fewer."""
    listed = [{"what": each.what, "why": _why(each, words), "path": each.path} for each in missing]
    fewest = least(missing)
    return {
        "complete": not missing,
        **({} if fewest is None else {"least_parameters": fewest}),
        **({"missing": listed} if missing else {}),
    }


def _by_reason(missing: Iterable[Missing], words: Phrases) -> list[tuple[str, list[Missing]]]:
    found: dict[str, list[Missing]] = {}
    for each in missing:
        found.setdefault(_why(each, words), []).append(each)
    return [*found.items()]


def _why(each: Missing, words: Phrases) -> str:
    return words.say(f"missing-{each.why}", **dict(each.details))


def _names(alike: list[Missing]) -> str:
    names = [*dict.fromkeys(each.what for each in alike)]
    return ", ".join(names if len(names) <= MOST_NAMES else [*names[: MOST_NAMES - 1], f"… ({len(names)})"])


def _places(alike: list[Missing], words: Phrases) -> Line:
    paths = [*dict.fromkeys(each.path for each in alike if each.path)]
    more = words.line("and-more", count=f"{len(paths) - 1:,}") if len(paths) > 1 else ()
    return (Code(paths[0]), *more) if paths else ()


def _place(alike: list[Missing], words: Phrases) -> str:
    shown = "".join(piece.text if isinstance(piece, Code) else str(piece) for piece in _places(alike, words))
    return f" ({shown})" if shown else ""

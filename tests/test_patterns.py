"""Every pattern of the package takes a time that grows as its input does: no line of a stranger's page can hold it up."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from re import _constants as sre
from re import _parser as parser
from time import thread_time
from typing import Any

import pytest

import symparam

PACKAGE = Path(symparam.__file__).parent
ANYWHERE = ("search", "finditer", "findall", "sub", "subn", "split")
FROM_THE_START = ("fullmatch", "match")
METHODS = (*ANYWHERE, *FROM_THE_START)
USUAL = " \t\n0aAé_-.,:|`\"'([{<\\/$=^*\u0663"
REPEATS = (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT)
CATEGORIES = {
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_WORD: r"\W",
}
LENGTHS = (12, 24, 96, 768, 6144)  # The short ones end what grows exponentially before it is slow.
SLOW = 0.003  # Seconds. A pattern that is through in one pass needs a tenth of that for the longest string.
GROWTH = 1.5  # How much more than twice the time a string of twice the length may take.
TRIES = 5  # A busy machine may be slow once, at either string; a pattern that backtracks is slow each time.
MOST = 0.1  # Seconds for any string: more is what many bounded repetitions come to, one in the other.


@dataclass(frozen=True)
class Used:
    """A pattern, where it stands, and the method of it that is called."""

    place: str
    pattern: re.Pattern[str]
    method: str


@dataclass(frozen=True)
class Source:
    """A module: its file, its name, its tree where it writes patterns, what it imports, and the methods that are called of names."""

    place: str
    module: str
    tree: ast.Module | None
    imported: frozenset[tuple[str | None, str]]
    called: frozenset[tuple[str, str]]


@cache
def sources() -> list[Source]:
    """The modules of the package that have to do with patterns."""
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        if file.parent.name != "integrations":
            text = file.read_text(encoding="utf-8")
            if not any(f".{method}" in text for method in (*METHODS, "compile")):
                continue
            tree = ast.parse(text)
            name = ".".join(file.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
            own = tree if "\nimport re\n" in text else None
            found.append(Source(str(file.relative_to(PACKAGE)), name, own, imported(tree), called(tree)))
    return found


def patterns() -> Iterator[Used]:
    for source in sources():
        if source.tree is None:
            continue
        try:
            names = vars(importlib.import_module(source.module))
        except ModuleNotFoundError as error:
            assert error.name == "torch"
            continue
        for name, value in names.items():
            for each in value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else [value]:
                if isinstance(each, re.Pattern) and isinstance(each.pattern, str):
                    yield Used(f"{source.place}: {name}", each, method(name, source.module))
        for node in ast.walk(source.tree):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="re"), attr=called)) if called in METHODS:
                    if (text := written(node.args[0], names)) is not None:
                        yield Used(f"{source.place}:{node.lineno}", re.compile(text), called)


def method(name: str, module: str) -> str:
    """How the pattern of this name is used: the widest of its methods; ``search`` where it is handed on."""
    used = [source.called for source in sources() if source.module == module or (module, name) in source.imported]
    return next((each for each in METHODS if any((name, each) in called for called in used)), "search")


def imported(tree: ast.AST) -> frozenset[tuple[str | None, str]]:
    return frozenset((node.module, each.name) for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for each in node.names)


def called(tree: ast.AST) -> frozenset[tuple[str, str]]:
    """Names and the methods that are called of them, or of one of what they hold."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute) and node.attr in METHODS]
    return frozenset((each.id, node.attr) for node in found for each in ast.walk(node.value) if isinstance(each, ast.Name))


def written(node: ast.expr, names: dict[str, Any]) -> str | None:
    """The text of a pattern that stands where it is used; None where it is made of what is read, and escaped there."""
    try:
        return str(eval(compile(ast.Expression(node), "", "eval"), dict(names)))
    except NameError:
        return None


def attacks(pattern: re.Pattern[str]) -> list[tuple[str, str, str]]:
    """How strings begin that the pattern takes, what one of its repetitions takes again and again, and an end that nothing takes."""
    found = list(repetitions(list(parser.parse(pattern.pattern, pattern.flags)), ""))
    again = [("", before + unit) for before, unit in found if before]  # What begins anew at each place, and is nowhere ended.
    return list(dict.fromkeys((before, unit, end) for before, unit in [*found, *again] for end in ("", "\x00")))


def repetitions(items: Any, before: str) -> Iterator[tuple[str, str]]:
    """For each repetition what leads to it, and what it may take once."""
    for at, (kind, what) in enumerate(items):
        if kind in REPEATS:
            _, most, body = what
            body = list(body)
            if most > 15:
                units = [each for each in [*USUAL, *literals(items)] if len(body) == 1 and takes(body[0], each)]
                behind = sample(items[at + 1 :])
                yield from ((before, unit) for unit in [*units, sample(body), sample(body) + behind, behind] if unit)
            yield from repetitions(body, before)
        for inner in parts(kind, what):
            yield from repetitions(list(inner), before)
        before += sample([(kind, what)])


def parts(kind: object, what: Any) -> list[Any]:
    """The patterns inside a group, the branches of a choice, or what is looked ahead for."""
    if kind is sre.BRANCH:
        return list(what[1])
    return [what[-1]] if kind in (sre.SUBPATTERN, sre.ASSERT, sre.ASSERT_NOT) else [what] if kind is sre.ATOMIC_GROUP else []


def literals(items: Any) -> list[str]:
    """The characters that stand in a pattern as themselves."""
    found = []
    for kind, what in items:
        if kind in (sre.LITERAL, sre.NOT_LITERAL):
            found.append(chr(what))
        else:
            inside = [what] if kind is sre.IN else [what[2]] if kind in REPEATS else parts(kind, what)
            found += [each for inner in inside for each in literals(inner)]
    return found


def takes(item: Any, character: str) -> bool:
    """Whether a set, a sign or the dot takes the character."""
    kind, what = item
    if kind is sre.SUBPATTERN and len(what[-1]) == 1:
        return takes(what[-1][0], character)
    if kind is sre.IN:
        return (what[0][0] is sre.NEGATE) != any(takes(each, character) for each in what)
    if kind is sre.RANGE:
        return bool(what[0] <= ord(character) <= what[1])
    if kind is sre.CATEGORY:
        return re.match(CATEGORIES[what], character) is not None
    return kind is sre.ANY or (kind is sre.LITERAL and chr(what) == character) or (kind is sre.NOT_LITERAL and chr(what) != character)


def sample(items: Any) -> str:
    """A short string that the items take."""
    text = ""
    for kind, what in items:
        if kind in REPEATS:
            text += sample(what[2]) * (what[0] or not text)
        elif kind in (sre.LITERAL, sre.NOT_LITERAL, sre.IN, sre.ANY):
            ranges = [chr(each[1][0]) for each in what if each[0] is sre.RANGE] if kind is sre.IN else []
            text += next((each for each in ["a", "0", *USUAL, *literals([(kind, what)]), *ranges] if takes((kind, what), each)), "")
        elif kind is sre.BRANCH:
            text += sample(what[1][0])
        elif kind not in (sre.ASSERT, sre.ASSERT_NOT):
            text += "".join(map(sample, parts(kind, what)))
    return text


def seconds(used: Used, text: str) -> float:
    run = getattr(used.pattern, used.method if used.method in FROM_THE_START else "findall")
    start = thread_time()
    run(text)
    return thread_time() - start


def slowness(used: Used) -> Iterator[str]:
    """Each string for which twice the length took more than twice the time, and some, whenever it was tried."""
    for before, unit, end in attacks(used.pattern):
        texts = [before + unit * (length // len(unit)) + end for length in LENGTHS]
        for short, long in pairwise(texts):
            if seconds(used, long) > SLOW and all(is_slow(used, short, long) for _ in range(TRIES)):
                yield f"{before!r} + {unit!r} * {len(long) // len(unit):,} + {end!r}"
                break


def is_slow(used: Used, short: str, long: str) -> bool:
    """Whether the longer string takes too long, or much longer than in proportion to the shorter one."""
    pairs = [(seconds(used, short), seconds(used, long)) for _ in range(3)]
    before, taken = map(min, zip(*pairs, strict=True))
    return taken > MOST or taken > SLOW < taken / GROWTH > before * len(long) / len(short)


def test_no_group_is_repeated_possessively() -> None:
    """Python before 3.11.5 goes wrong in a group that can go back: an atomic group around its repetition says the same."""
    repeated = re.compile(r"(?<!\\)\)(?:[?*+]|\{\{?[\d,]+\}?\})\+")
    files = {str(file.relative_to(PACKAGE)): file.read_text(encoding="utf-8").splitlines() for file in PACKAGE.rglob("*.py")}
    assert [f"{file}:{at}" for file, lines in files.items() for at, line in enumerate(lines, 1) if repeated.search(line)] == []


@pytest.mark.slow
@pytest.mark.parametrize("pattern", [r"\s*,\s*", r"[ |]*[|`]*(\w)", r"(?:a|\w)*-"])
def test_what_backtracks_is_found(pattern: str) -> None:
    assert next(slowness(Used("here", re.compile(pattern), "search")), None)


@pytest.mark.slow
def test_time_grows_as_the_text_does() -> None:
    used = {(each.pattern, each.method): each for each in patterns()}.values()  # Some have a name in several modules.
    assert len(used) > 100
    slow = {each.place: next(slowness(each), None) for each in used}
    assert {place: string for place, string in slow.items() if string} == {}

"""Information in the text around a printed model: classes without parameters of their own, source code, and totals."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping

from symparam.core.frozen import frozen
from symparam.core.message import Message, message
from symparam.errors import DocumentError
from symparam.models.printed import printed_module
from symparam.models.printed.class_knowledge import ClassContents, Tying
from symparam.models.printed.printed_module import Printed
from symparam.models.printed.recorded_libraries import ClassRecord, RecordedLibrary, libraries, recorded
from symparam.models.printed.source_text import NamedText
from symparam.models.printed.tree import DOUBTED, Node

PLAIN = re.compile(r"^[#>*\s]{0,20}plain classes:([\w, \t]{1,5000}+)$", re.MULTILINE)
_NUMBER = r"(\d[\d,_]{0,25})"
_PARAMETERS = r"(?:model[ _])?(?:params|parameters)"
_OF_ALL = rf"(?:(?:total|all)[ _])?(?:number of |num[ _]|n_)?{_PARAMETERS}|参数总?数?量?|总参数数?量?|模型参数总?数?量?"
TOTAL = re.compile(
    rf"^[^\w\n]{{0,200}}(?:(?:{_OF_ALL})[^\w\n]{{1,5}}{_NUMBER}(?: \([^()\n]{{1,20}}\))?"
    rf"|(?:(?:the |this )?model has |total:? (?:of )?)?{_NUMBER} (?:total )?{_PARAMETERS}(?: in (?:all|total)| altogether)?"
    rf"|(?:model )?{_PARAMETERS} \({_NUMBER}(?: in (?:all|total))?\):?"
    rf"|trainable params: [\d,]{{1,25}} \|\| all params: {_NUMBER} \|\| [^\n]{{0,40}}"
    rf"|(?:print\()?sum\(\w{{1,20}}\.numel\(\) for \w{{1,20}} in [\w.]{{1,40}}parameters\(\)\){{1,2}}\n{_NUMBER})[ \t.|]{{0,20}}$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that states the number of all parameters, as people and tools write it."""
PAIR = re.compile(
    rf"^[^\w\n]{{0,20}}trainable {_PARAMETERS}: {_NUMBER}[^\w\n]{{0,20}}\n[^\w\n]{{0,20}}non-?trainable {_PARAMETERS}: {_NUMBER}",
    re.MULTILINE | re.IGNORECASE,
)
TRAINED = re.compile(
    rf"^[^\w\n]{{0,200}}(?:(?:total[ _])?(?:number of |num[ _]|n_)?trainable[ _]{_PARAMETERS}[^\w\n]{{1,5}}{_NUMBER}"
    rf"|{_NUMBER} trainable {_PARAMETERS})[ \t.|]{{0,20}}$",
    re.MULTILINE | re.IGNORECASE,
)
"""A line that states the number of the trainable parameters: there are no fewer in all."""
MAX_SOURCE = 300_000  # Characters in the longest file of a model of the reference.
FEWEST = 3  # The fewest part names by which a library is recognised.
CLASS = re.compile(r"^class \w+", re.MULTILINE)
STATEMENT = re.compile(r"^(?=[^\s)\]}])", re.MULTILINE)


@frozen
class SurroundingText:
    """Information around a print: the classes that hold nothing of their own, those with source code, and the totals."""

    plain: frozenset[str]
    classes: Mapping[str, tuple[ClassRecord, ...]]
    totals: tuple[int, ...]

    def class_contents(self, kind: str, nonempty: Collection[str], shown: Collection[str]) -> ClassContents | None:
        """The possible content of a module of the class with these parts."""
        if kind in self.plain:
            return ClassContents()
        return _class_contents(RecordedLibrary("", self.classes, ()).described(kind, nonempty, shown))


@frozen
class ReadPrint:
    """A print with everything known about it: the model, remarks, the totals next to it, and what its class ties."""

    root: Node
    remarks: tuple[Message, ...]
    totals: tuple[int, ...]
    tying: Tying | None


def read(text: NamedText, start: int) -> ReadPrint:
    """The printed module that begins at ``start``, using what the text says about its classes and the records of libraries."""
    first = printed_module.read(text, start)
    around = f"{text.all[:start]}\n{text.all[first.end :]}"
    found = _surrounding_text(around)
    told = printed_module.read(text, start, found.class_contents) if found.plain or found.classes else first
    best, names = _of_a_library(text, start, told, found)
    stated = (*found.totals, *more_trained(around, best.root.elements))
    remarks = best.remarks
    if names:
        kinds = tuple(dict.fromkeys(node.kind for node in _unknown(told.root)))
        remarks = (*remarks, message("classes-of-a-library", classes=kinds, libraries=names))
    of_source = best.root.kind not in found.plain and not any(True for _ in _unknown(best.root)) and any(True for _ in _unknown(first.root))
    return ReadPrint(best.root, remarks, stated, Tying({}, {}, False) if of_source else None)


def _of_a_library(text: NamedText, start: int, told: Printed, found: SurroundingText) -> tuple[Printed, tuple[str, ...]]:
    """The print, read with the classes of the library that defines all of its outermost unknown classes, and the libraries that may be it.

    A class of another library may have the same name. So a library is only used if it defines the outermost classes and enough part names
    match. If several libraries match, they must all give the same result. If some libraries match every class of the print, the others are
    disregarded.
    """
    outermost = {node.kind for node in _unknown(told.root)}
    whole, partly = dict[str, tuple[Printed, int]](), dict[str, tuple[Printed, int]]()
    for library in map(recorded, libraries() if outermost else ()):
        if outermost <= library.classes.keys():
            matching = LibraryMatch(found, library, {}, set())
            again = printed_module.read(text, start, matching.class_contents)
            if not outermost & matching.foreign:
                (partly if matching.foreign else whole)[library.name] = (again, matching.names)
    read = whole or partly
    agreed, names = next(iter(read.values())) if len({each.root for each, _ in read.values()}) == 1 else (told, 0)
    if names < FEWEST or outermost & {node.kind for node in _unknown(agreed.root)}:
        return told, ()
    return agreed, tuple(read)


@frozen
class LibraryMatch:
    """The classes of a library in addition to what the text says; the matching part names by class (``seen``), and the classes of the print
    that the library does not have, or not with such parts (``foreign``).
    """

    told: SurroundingText
    library: RecordedLibrary
    seen: dict[str, set[str]]
    foreign: set[str]

    def class_contents(self, kind: str, nonempty: Collection[str], shown: Collection[str]) -> ClassContents | None:
        """The possible content of a module of the class with these parts."""
        if (known := self.told.class_contents(kind, nonempty, shown)) is not None:
            return known
        if self.library.may_be(kind, nonempty, shown):
            self.seen.setdefault(kind, set()).update(name for name in nonempty if not name.isdecimal())
        else:
            self.foreign.add(kind)
        return _class_contents(self.library.described(kind, nonempty, shown))

    @property
    def names(self) -> int:
        """The number of part names by which the library was recognised."""
        return sum(map(len, self.seen.values()))


def _class_contents(described: ClassRecord | None) -> ClassContents | None:
    """The content of a described class. All parameters are optional, since the source alone does not decide whether they exist."""
    if described is None:
        return None
    return ClassContents(tuple(sorted(described.parameters)), described.parameters, described.base, attentions=described.attentions)


def _unknown(node: Node) -> Iterator[Node]:
    """The outermost modules of unknown class."""
    if any(why in DOUBTED for _, why in node.missed):
        yield node
        return
    for inner in (*(child for _, child in node.children), *(group.body for group in node.groups)):
        yield from _unknown(inner)


def _surrounding_text(text: str) -> SurroundingText:
    plain = frozenset(name for found in PLAIN.finditer(text) for name in re.findall(r"\w+", found[1]))
    return SurroundingText(plain, _classes(text) if CLASS.search(text) else {}, totals(text))


def totals(text: str) -> tuple[int, ...]:
    """The numbers of parameters that lines of the text state. A number of trainable ones counts if that of the others is stated beside it;
    the two are then added.
    """
    stated = [int(re.sub(r"\D", "", next(filter(None, found.groups())))) for found in TOTAL.finditer(text)]
    return (*stated, *(sum(int(re.sub(r"\D", "", each)) for each in found.groups()) for found in PAIR.finditer(text)))


def more_trained(text: str, elements: int) -> Iterator[int]:
    """The numbers of trainable parameters that lines of the text state, where they are more than all that is shown."""
    stated = (int(re.sub(r"\D", "", next(filter(None, found.groups())))) for found in TRAINED.finditer(text))
    return (each for each in stated if each > elements)


def _classes(text: str) -> Mapping[str, tuple[ClassRecord, ...]]:
    """The classes whose source occurs in the text; the rest of the text need not be Python."""
    if len(text) > MAX_SOURCE:
        raise DocumentError(
            f"the source of classes beside the print has {len(text):,} characters; at most {MAX_SOURCE:,} are read: "
            "leave only those of the model and of its parts"
        )
    from symparam.models.printed.sources.class_descriptions import ClassDescriber
    from symparam.models.printed.sources.library import parsed

    python = []
    for piece in STATEMENT.split(text):
        if re.match(r"class |def |import |from ", piece) and parsed(piece):
            python.append(piece)
    found: dict[str, list[ClassRecord]] = {}
    try:
        every = list(ClassDescriber(["\n".join(python)]).describe())
    except RecursionError:
        return {}  # Expressions are nested more deeply than any person writes.
    for kind, described in every:
        found.setdefault(kind, []).append(described)
    return {kind: tuple(each) for kind, each in found.items()}

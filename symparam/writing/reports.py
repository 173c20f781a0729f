"""Writes short documents: a count as a table, a list of tensors, the catalogue of names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from symparam.analysis.counting import Count
from symparam.analysis.listing import TensorList
from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.dimensions import Dimension
from symparam.core.formula import Symbol, number
from symparam.models.architectures import Family
from symparam.models.atlas.atlas import TracedClass
from symparam.models.configs.presets import Preset
from symparam.models.configs.values import Model
from symparam.writing.completeness import in_all, lacking
from symparam.writing.count import count_table, sizes_of, total_of
from symparam.writing.document import Chain, Code, Document, Heading, Inline, Line, Node, Paragraph, Shape, Table
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.relations import relation_lines
from symparam.writing.titles import of_measure


def count(counted: Count, model: Model, language: str = "en") -> Document:
    """The modules of a model with formula, numbers and share, the total, and its size in memory."""
    words = phrases(language)
    derivation = counted.derivation
    name = counted.origin or derivation.architecture.name
    class_name = derivation.architecture.class_name
    nodes: list[Node] = [Heading(1, words.say("title", name=name, class_name=class_name, measure=of_measure(derivation.measure, words)))]
    letters = sorted(derivation.letters)
    values: list[Line] = [(Symbol(letter), " = ", number(counted.values[letter])) for letter in letters]
    nodes.append(Paragraph(tuple(piece for index, line in enumerate(values) for piece in ((", ",) if index else ()) + line)))
    nodes += relation_lines(derivation, words)
    nodes.append(count_table(counted, words))
    nodes += total_of(counted, words)
    nodes += sizes_of(counted, words)
    nodes += released_extras(counted, model, words)
    nodes += lacking(derivation.missing, words)
    return Document(tuple(nodes), language, derivation.alphabet)


def released_extras(counted: Count, model: Model, words: Phrases) -> list[Paragraph]:
    """What released files hold besides the counted parameters, and the total with it; empty for any other measure."""
    if counted.derivation.measure.name != "parameters":
        return []
    numbers = [{"number": number(each.number), "total": number(counted.total + each.number)} for each in model.released_extras]
    pairs = zip(model.released_extras, numbers, strict=True)
    return [Paragraph(words.line(f"beside-{each.key}", formula=each.formula, **shown)) for each, shown in pairs]


def tensors(listing: TensorList, language: str = "en") -> Document:
    """Every tensor with shape and formula, and their total."""
    words = phrases(language)
    rows: list[tuple[Line, ...]] = [((Code(tensor.name),), (Shape(tensor.shape),), (tensor.formula,)) for tensor in listing.tensors]
    formula = listing.derivation.formula
    table = Table(tuple(words.sentences[key] for key in ("tensor", "shape", "formula")), tuple(rows))
    whole = listing.derivation.complete
    total: list[Node] = [Chain((formula, number(listing.total)) if whole and listing.total is not None else (formula,))]
    if not whole and not formula.letters:
        total = []
    if not whole and listing.total is not None:
        total.append(in_all(listing.total, listing.derivation, words))
    tied: list[Node] = [Paragraph((Code(name), " ", *words.line("shares", target=Code(target)))) for name, target in listing.tied]
    heading: list[Node] = [Paragraph((words.sentences["tied-tensors"],))] if tied else []
    return Document((table, *heading, *tied, *total, *lacking(listing.derivation.missing, words)), language, listing.derivation.alphabet)


def catalogue(
    families: Iterable[Family], presets: Iterable[Preset], traced: Sequence[TracedClass], word: str | None, language: str = "en"
) -> Document:
    """The architectures with their classes, the presets of each, and the traced classes: those that match the search word, or else their
    number.
    """
    words = phrases(language)
    known = tuple(presets)
    nodes: list[Node] = [Heading(1, words.sentences["architectures"])]
    rows = [((Code(family.name),), (family.title,), (", ".join(family.classes),), (", ".join(family.flags),)) for family in families]
    nodes.append(Table(tuple(words.sentences[key] for key in ("name", "family", "classes", "flags")), tuple(rows)))
    nodes.append(Heading(1, words.sentences["presets"]))
    released = [((Code(preset.name),), (preset.config["architectures"][0],), (preset.source,)) for preset in known]
    nodes.append(Table(tuple(words.sentences[key] for key in ("name", "class", "taken-from")), tuple(released)))
    nodes.append(Heading(1, words.sentences["traced-classes"]))
    if word is None:
        nodes.append(Paragraph((words.say("traced-known", count=f"{sum(not each.refused and not each.types for each in traced):,}"),)))
    else:
        found = [((Code(each.class_name),), _configs(each), (_worth(each, words),)) for each in traced]
        nodes.append(Table((words.sentences["class"], "model_type", words.sentences["traced-worth"]), tuple(found)))
    return Document(tuple(nodes), language, STANDARD)


def _configs(entry: TracedClass) -> tuple[Inline, ...]:
    """The types of the config and of its nested ones."""
    return (Code(entry.model_type), *(part for path, kind in entry.types.items() for part in (f", {path}: ", Code(kind))))


def _worth(entry: TracedClass, words: Phrases) -> str:
    if entry.refused:
        return words.say("traced-refused", why=entry.refused)
    return words.say("traced-held", keys=", ".join(entry.held)) if entry.held else words.sentences["traced-exact"]


def vocabulary(dimensions: Iterable[Dimension], alphabet: Alphabet, alphabets: Iterable[Alphabet], language: str = "en") -> Document:
    """The dimensions with letter, name and meaning, and the available alphabets."""
    words = phrases(language)
    rows = []
    for each in dimensions:
        ours = words.sentences["ours"] if each.letter in alphabet.invented else ""
        rows.append(((Symbol(each.letter), ours), (Code(each.name),), (words.meaning(each.letter),), (", ".join(each.config_keys),)))
    table = Table(tuple(words.sentences[key] for key in ("letter", "name", "meaning", "config-keys")), tuple(rows))
    known = Table(
        (words.sentences["alphabet"], words.sentences["taken-from"]), tuple(((Code(each.name),), (each.source,)) for each in alphabets)
    )
    notes: tuple[Node, ...] = (Paragraph((words.sentences["ours-explained"],)),) if alphabet.invented else ()
    return Document((table, *notes, known), language, alphabet)

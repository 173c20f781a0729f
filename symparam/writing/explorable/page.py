"""Writes the page: the drawing beside the fields, the formula and the modules of each measure, and a script that updates them.

The formulas are embedded as data, and the script evaluates them in integers of any size, without ``eval`` and without loading anything.
Without the script the page shows the setting that it was made for.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator
from functools import cache
from importlib.resources import files
from urllib.parse import quote
from xml.etree import ElementTree

from symparam.analysis.counting import Count, ModuleCount
from symparam.core.dimensions import BY_LETTER
from symparam.core.formula import Symbol, number, write
from symparam.core.json_types import JsonObject
from symparam.core.notation import UNICODE
from symparam.models.traced.expressions import keys_of
from symparam.writing.amounts import percent
from symparam.writing.diagrams import groups
from symparam.writing.document import SumTerm
from symparam.writing.drawing.layout import picture
from symparam.writing.drawing.svg import svg
from symparam.writing.explorable.conditions import condition
from symparam.writing.explorable.subject import Explorable
from symparam.writing.explorable.why import why
from symparam.writing.formula_tree import Tree, tree
from symparam.writing.glossary import explained
from symparam.writing.html.chart import DEEPEST, width
from symparam.writing.html.elements import Content, Element, element
from symparam.writing.html.inline import CELL, code, inline
from symparam.writing.html.links import terms
from symparam.writing.html.whole import whole
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.terms import terms as sum_of_modules
from symparam.writing.titles import of_measure, title

_SAID = (
    *("explore-not-divisible", "explore-too-large", "explore-outside", "explore-rounded", "explore-no-size"),
    *("explore-point", "explore-kept"),
)


def page(subject: Explorable, language: str) -> str:
    """The whole page, in one file."""
    words = phrases(language)
    first, said = subject.counts[0], words.sentences
    name = words.say("explore-title", name=subject.model.origin or first.derivation.architecture.class_name)
    drawn = ElementTree.fromstring(svg(picture(first.derivation, first, subject.values, words, live=True)))
    for each in drawn.iter():
        each.tag = each.tag.rpartition("}")[2]
    figure = element("figure", drawn)
    main = element(
        "main",
        element("h1", name),
        element("p", said["explore-opening"]),
        element(
            "div",
            figure,
            element(
                "div",
                *_fields(subject, words),
                *_measures(subject, words),
                *_words(subject, words),
                element("p", id="why", role="status", aria_live="polite"),
                class_="beside-drawing",
            ),
            class_="explorable",
        ),
    )
    script = _file("explore.js")
    data, run = Element("script", {"type": "application/json", "id": "model"}), Element("script")
    data.text, run.text = _data(subject, words), script
    return whole(name, main, data, run, tag=words.tag, styles=_file("explore.css"), runs=f"; script-src '{_digest(script)}'")


def _fields(subject: Explorable, words: Phrases) -> Iterator[Element]:
    """A field and a slider for each letter; dependent letters show their formula until they are changed."""
    said, alphabet = words.sentences, subject.counts[0].derivation.alphabet
    rows = []
    for letter, value in subject.values.items():
        name, follows = alphabet.name_of(letter), subject.model.derived.get(letter)
        meaning = subject.counts[0].derivation.architecture.meanings.get(letter) or (words.meaning(letter) if letter in BY_LETTER else "")
        spoken, typed = f"{name}: {meaning}", {"id": f"size-{letter}", "data_letter": letter}
        described: list[Content] = [meaning]
        if follows is not None:
            described += [" = ", *inline(follows, alphabet)]
        rows.append(
            element(
                "div",
                element("label", *inline(Symbol(letter), alphabet), for_=f"size-{letter}"),
                element("input", value=str(value), inputmode="numeric", autocomplete="off", aria_label=spoken, **typed),
                element("input", type="range", min="-24", max="24", value="0", step="1", data_slides=letter, aria_label=spoken),
                element("span", *described, class_="quiet"),
                class_="size",
            )
        )
    menu = element("select", element("option", said["explore-own"], value=""), id="presets", aria_label=said["explore-presets"])
    menu.extend(element("option", name, value=name) for name in subject.presets)
    keep = element("button", said["explore-keep"], type="button", id="keep")
    forget = element("button", said["explore-forget"], type="button", id="forget", hidden="")
    tools: list[Content] = [menu, " "] if subject.presets else []
    told = element("p", id="told", role="status", aria_live="polite")
    yield element(
        "section",
        element("h2", said["explore-sizes"]),
        element("form", element("p", *tools, keep, " ", forget), *rows, told, id="sizes"),
        id="panel",
        hidden="",
    )


def _words(subject: Explorable, words: Phrases) -> Iterator[Element]:
    """The words of the page that a reader may not know, folded."""
    meanings = (words.meaning(letter) for letter in subject.values if letter in BY_LETTER)
    shown = " ".join((*why(subject.counts[0].derivation, words).values(), *(_name(count, words) for count in subject.counts), *meanings))
    listed = (piece for word, meaning in explained(shown, words).items() for piece in (element("dt", word), element("dd", meaning)))
    yield element("details", element("summary", words.sentences["words"]), element("dl", *listed))


def _measures(subject: Explorable, words: Phrases) -> Iterator[Element]:
    said = words.sentences
    menu = element("select", id="measures", aria_label=said["explore-measure"])
    menu.extend(element("option", _name(count, words), value=count.derivation.measure.name) for count in subject.counts)
    yield element("p", menu, id="measure-menu", hidden="")
    for key, names in (("explore-equal", subject.equal), ("explore-absent", subject.absent)):
        if names:
            yield element("p", words.say(key, measures=said["comma"].join(said[f"measure-{name}"] for name in names)), class_="quiet")
    for index, count in enumerate(subject.counts):
        hidden = {"hidden": ""} if index else {}
        name = count.derivation.measure.name
        yield element("section", *_measure(count, words), class_="measure", data_measure=name, **hidden)


def _measure(count: Count, words: Phrases) -> Iterator[Element]:
    """The total, the formula, the same with numbers, and the modules with their numbers and shares."""
    derivation, said = count.derivation, words.sentences
    yield element("h2", _name(count, words))
    unit = said[derivation.measure.unit]
    yield element("p", element("output", write(number(count.total)), class_="total"), f" {unit} ", element("span", class_="against"))
    yield element("p", *inline(derivation.formula, derivation.alphabet), class_="closed")
    yield terms(sum_of_modules(derivation.root, words), derivation.alphabet, _linked)
    yield element("p", "= ", element("span", write(derivation.formula.substitute(count.values)), class_="substituted"))
    head = [element("th", said[key], scope="col") for key in ("module", "formula", derivation.measure.unit, "share")]
    rows = list(count.rows)
    body = (_row(row, group, count, words) for row, group in zip(rows, groups(rows), strict=True))
    table = element("table", element("thead", element("tr", *head)), element("tbody", *body))
    yield element("div", table, class_="scroll", tabindex="0", role="group", aria_label=said["module"])


def _linked(term: SumTerm, content: list[Content]) -> list[Content]:
    path = term.place.text
    return [element("a", *content, href=f"#part={quote(path)}", title=term.title, data_part=path)]


def _row(row: ModuleCount, group: str, count: Count, words: Phrases) -> Element:
    """A module with its place, its formula, its number and its share."""
    bar = element("span", element("span", style=f"width: {width(row.share)}", class_=group), class_="track", aria_hidden="true")
    place = [element("br"), code(row.step.path)] if row.step.path else []
    named: list[Content] = [element("button", title(row.step, words), type="button", class_="named"), *place]
    return element(
        "tr",
        element("th", *named, scope="row", style=f"--depth: {min(row.depth, DEEPEST)}"),
        element("td", *inline(row.formula, count.derivation.alphabet, CELL)),
        element("td", element("output", write(number(row.total))), element("span", class_="against"), class_="numeric"),
        element("td", element("span", percent(row.total, count.total), class_="percent"), bar, class_="shared"),
        data_part=row.step.path,
    )


def _name(count: Count, words: Phrases) -> str:
    name = of_measure(count.derivation.measure, words)
    return name[:1].upper() + name[1:]


def _data(subject: Explorable, words: Phrases) -> str:
    """The formulas and the settings as JSON, escaped so that nothing in them can end their element."""
    notation = UNICODE.using(subject.counts[0].derivation.alphabet)
    told: JsonObject = {
        "values": {letter: str(value) for letter, value in subject.values.items()},
        "names": {letter: subject.counts[0].derivation.alphabet.name_of(letter) for letter in subject.values},
        "follows": {letter: tree(formula) for letter, formula in subject.model.derived.items() if letter in subject.values},
        "within": [[{"tree": tree(side), "text": write(side, notation)} for side in pair] for pair in subject.within],
        "divisible": [list(pair) for pair in subject.model.divisible if {*pair} <= subject.values.keys()],
        "holds": [condition(each) for each in subject.model.assumed if keys_of(each) <= subject.values.keys()],
        "presets": {name: {letter: str(value) for letter, value in values.items()} for name, values in subject.presets.items()},
        "measures": {count.derivation.measure.name: _trees(count) for count in subject.counts},
        "why": why(subject.counts[0].derivation, words),
        "words": {key.removeprefix("explore-"): words.sentences[key] for key in _SAID},
    }
    return json.dumps(told, ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")


def _trees(count: Count) -> dict[str, Tree | list[Tree]]:
    return {"formula": tree(count.derivation.formula), "rows": [tree(row.formula) for row in count.rows]}


def _digest(script: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()


@cache
def _file(name: str) -> str:
    return files(__package__).joinpath(name).read_text(encoding="utf-8")

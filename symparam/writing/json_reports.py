"""Writes reports as JSON with stable keys: derivations, counts, explanations, tensors, known models, letters."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

from symparam.analysis.counting import Count, numbered
from symparam.analysis.derivation import Derivation, Step
from symparam.analysis.doubling import doublings
from symparam.analysis.listing import TensorList
from symparam.core.algebra.closed_form import FORMS
from symparam.core.alphabets import Alphabet
from symparam.core.dimensions import BY_LETTER, Dimension
from symparam.core.formula import Number, write
from symparam.core.json_types import JsonObject
from symparam.core.notation import UNICODE
from symparam.models.architectures import Family
from symparam.models.atlas.atlas import TracedClass
from symparam.models.configs.presets import Preset
from symparam.models.configs.values import Model
from symparam.models.traced.conditions import hold_at
from symparam.writing import completeness
from symparam.writing.explanation import ExplanationSubject, check
from symparam.writing.json import pasted, rational
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.plain import inline
from symparam.writing.step_reasons import reason
from symparam.writing.titles import title


def released_extras(counted: Count, model: Model) -> JsonObject:
    """What released files hold besides the counted parameters, under ``beside``; empty if there is nothing."""
    if not model.released_extras or counted.derivation.measure.name != "parameters":
        return {}
    found = [
        {"what": each.key, "formula": str(each.formula), "number": each.number, "total": rational(counted.total + each.number)}
        for each in model.released_extras
    ]
    return {"beside": found}


def derivation(value: Derivation, language: str = "en") -> JsonObject:
    """What was derived, for which architecture, under which relations."""
    written = value.alphabet.name_of
    return {
        "class": value.architecture.class_name,
        "architecture": value.architecture.name,
        "measure": value.measure.name,
        "unit": value.measure.unit,
        **({"convention": value.measure.convention} if value.measure.convention else {}),
        **({"details": [*value.measure.details]} if value.measure.details else {}),
        "form": value.form,
        "formula": pasted(value.formula, value.alphabet),
        "symbols": {
            written(letter): phrases(language).meaning(letter) if letter in BY_LETTER else value.architecture.meanings.get(letter, "")
            for letter in sorted(value.letters)
        },
        "relations": [
            {"symbol": written(relation.letter), **pasted(relation.formula, value.alphabet)} for relation in value.relations.stated
        ],
        **completeness.as_json(value.missing, phrases(language)),
    }


def count(value: Count, language: str = "en") -> JsonObject:
    """The total and each module with its formula and number, and with its share of a total that leaves nothing out; ``parameters`` are
    those of all ``copies``.
    """
    words, whole = phrases(language), not value.derivation.missing
    return {
        **derivation(value.derivation, language),
        "config": value.origin,
        "values": {value.derivation.alphabet.name_of(letter): number for letter, number in value.values.items()},
        "total": rational(value.total),
        "of_which": {measure.replace("-", "_"): parameters for measure, parameters in value.kinds.items() if measure != "parameters"},
        **({"bytes_as_float32": value.bytes_as_float32} if value.derivation.measure.of_tensor else {}),
        "modules": [
            {
                "number": row.number,
                "name": row.step.path,
                "title": title(row.step, words),
                "copies": row.copies,
                "formula": pasted(row.formula, value.derivation.alphabet),
                "parameters": rational(row.total),
                **({"share": {"numerator": row.share.numerator, "denominator": row.share.denominator}} if whole else {}),
            }
            for row in value.rows
        ],
        "check": {
            "tensors" if value.derivation.measure.of_tensor else "blocks": value.check.parts,
            "sum": rational(value.check.sum),
            "difference": rational(value.check.difference),
        },
    }


def explanation(subject: ExplanationSubject, language: str = "en") -> JsonObject:
    """The content of an explanation as JSON."""
    value, words = subject.derivation, phrases(language)
    head = count(subject.count, language) if subject.count else derivation(value, language)
    notation = UNICODE.using(value.alphabet)
    forms = {form: value.closed_form(form, value.by if form in ("readable", "by-symbol") else None) for form in FORMS}
    return {
        **head,
        "forms": {form: pasted(formula, value.alphabet) for form, formula in forms.items()},
        "steps": [_step(mark, step, subject, words) for _, mark, step in numbered(value.root)],
        **({"doubled": _doubled(subject.count, subject.model)} if subject.count and value.complete else {}),
        "check": {**head.get("check", {}), "sentence": inline(check(subject, words), notation)},
    }


def _doubled(counted: Count, model: Model) -> list[JsonObject]:
    """The effect of doubling sizes: which are doubled and which follow, the new total, and its ratio to the old one."""
    name_of = counted.derivation.alphabet.name_of
    return [
        {
            "letters": [*map(name_of, each.letters)],
            "following": [*map(name_of, each.following)],
            "total": rational(each.total),
            "times": rational(each.times),
        }
        for each in doublings(counted, model.derived, partial(hold_at, model.assumed))
    ]


def _step(mark: str, step: Step, subject: ExplanationSubject, words: Phrases) -> JsonObject:
    value = subject.derivation
    entry: JsonObject = {
        "number": mark,
        "name": step.path,
        "title": title(step, words),
        "kind": step.kind,
        "reason": inline(reason(step, words), UNICODE.using(value.alphabet)),
        "sum": pasted(step.sum, value.alphabet),
        "formula": pasted(step.formula, value.alphabet),
        "tensors": _tensors(step, value),
    }
    return {**entry, "value": rational(step.value(subject.count.values))} if subject.count else entry


def _tensors(step: Step, value: Derivation) -> list[JsonObject]:
    return [
        {
            "name": tensor.name,
            "shape": [write(size, UNICODE.using(value.alphabet)) for size in tensor.shape],
            "formula": write(tensor.elements, UNICODE.using(value.alphabet)),
            "tied_to": tensor.tied_to,
        }
        for tensor in step.tensors
    ]


def tensors(value: TensorList, language: str = "en") -> JsonObject:
    """Every tensor with its name, its shape (whole numbers where the model has values) and its formula."""
    notation = UNICODE.using(value.derivation.alphabet)
    return {
        "class": value.derivation.architecture.class_name,
        "architecture": value.derivation.architecture.name,
        "tensors": [
            {
                "name": tensor.name,
                "shape": [size.value if isinstance(size, Number) else write(size, notation) for size in tensor.shape],
                "formula": write(tensor.formula, notation),
            }
            for tensor in value.tensors
        ],
        "total": None if value.total is None else rational(value.total),
        **completeness.as_json(value.derivation.missing, phrases(language)),
    }


def catalogue(families: Iterable[Family], presets: Iterable[Preset], traced: Iterable[TracedClass]) -> JsonObject:
    """Architectures with classes and flags, presets with config and source, traced classes with how far each was verified."""
    return {
        "architectures": [
            {
                "name": each.name,
                "title": each.title,
                "model_type": each.model_type,
                "classes": list(each.classes),
                "flags": dict(each.flags),
            }
            for each in families
        ],
        "presets": [
            {"name": each.name, "class": each.config["architectures"][0], "source": each.source, "config": each.config} for each in presets
        ],
        "traced": [
            {"class": each.class_name, "model_type": each.model_type, "held": list(each.held), "refused": each.refused or None}
            | ({"types": dict(each.types)} if each.types else {})
            for each in traced
        ],
    }


def vocabulary(dimensions: Iterable[Dimension], alphabet: Alphabet, alphabets: Iterable[Alphabet]) -> JsonObject:
    """The dimensions with their letters in the alphabet."""
    return {
        "alphabet": alphabet.name,
        "source": alphabet.source,
        "symbols": [
            {
                "letter": alphabet.name_of(each.letter),
                "standard_letter": each.letter,
                "author_has_one": each.letter not in alphabet.invented,
                "name": each.name,
                "english": each.english,
                "chinese": phrases("zh").meaning(each.letter),
                "unit": each.unit,
                "config_keys": list(each.config_keys),
            }
            for each in dimensions
        ],
        "alphabets": [each.name for each in alphabets],
    }

"""JSON for programs: plain integers, formulas as text, ASCII and LaTeX, and keys that stay as they are."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from symparam.algebra.closed_form import FORMS
from symparam.alphabets import Alphabet
from symparam.architectures import Family
from symparam.configs.presets import Preset
from symparam.counting import Count, numbered
from symparam.derivation import Derivation, Step
from symparam.dimensions import BY_LETTER, Dimension
from symparam.formula import Formula, Number, write
from symparam.listing import TensorList
from symparam.notation import ASCII, LATEX, UNICODE
from symparam.writing.explanation import Subject, check, reason
from symparam.writing.phrases import Phrases, phrases
from symparam.writing.plain import inline
from symparam.writing.titles import title


def dumps(value: dict[str, Any]) -> str:
    """The value as indented JSON with a newline at its end; a list of plain values, such as a shape, stays on one line."""
    text = json.dumps(value, indent=2, ensure_ascii=False)
    return re.sub(r"\[\n\s+([^\[\]{}]*?)\n\s+\]", lambda match: "[" + re.sub(r",\n\s+", ", ", match[1]) + "]", text) + "\n"


def rational(value: int | Fraction) -> int | dict[str, int]:
    """A whole number as it is, and any other as numerator and denominator: JSON has no exact fractions."""
    return value.numerator if value.denominator == 1 else {"numerator": value.numerator, "denominator": value.denominator}


def formula(value: Formula, derivation: Derivation) -> dict[str, str]:
    """One formula in the notations in which it can be pasted."""
    return pasted(value, derivation.alphabet)


def pasted(value: Formula, alphabet: Alphabet) -> dict[str, str]:
    """The same in the letters of an alphabet."""
    return {notation.name: write(value, notation.using(alphabet)) for notation in (UNICODE, ASCII, LATEX)}


def derivation(value: Derivation, language: str = "en") -> dict[str, Any]:
    """What was derived, for which architecture, under which relations."""
    written = value.alphabet.written
    return {
        "class": value.architecture.class_name,
        "architecture": value.architecture.name,
        "measure": value.measure.name,
        "unit": value.measure.unit,
        **({"convention": value.measure.convention} if value.measure.convention else {}),
        **({"details": [*value.measure.details]} if value.measure.details else {}),
        "form": value.form,
        "formula": formula(value.formula, value),
        "symbols": {
            written(letter): phrases(language).meaning(letter) if letter in BY_LETTER else value.architecture.meanings.get(letter, "")
            for letter in sorted(value.letters)
        },
        "relations": [{"symbol": written(relation.letter), **formula(relation.formula, value)} for relation in value.relations.stated],
    }


def count(value: Count, language: str = "en") -> dict[str, Any]:
    """The total and each module with its formula, number and share; ``parameters`` are those of all ``copies``."""
    words = phrases(language)
    return {
        **derivation(value.derivation, language),
        "config": value.origin,
        "values": {value.derivation.alphabet.written(letter): number for letter, number in value.values.items()},
        "total": rational(value.total),
        "of_which": {measure.replace("-", "_"): parameters for measure, parameters in value.kinds.items() if measure != "parameters"},
        **({"bytes_as_float32": value.bytes_as_float32} if value.derivation.measure.of_tensor else {}),
        "modules": [
            {
                "number": row.number,
                "name": row.step.path,
                "title": title(row.step, words),
                "copies": row.copies,
                "formula": formula(row.formula, value.derivation),
                "parameters": rational(row.total),
                "share": {"numerator": row.share.numerator, "denominator": row.share.denominator},
            }
            for row in value.rows
        ],
        "check": {
            "tensors" if value.derivation.measure.of_tensor else "blocks": value.check.parts,
            "sum": rational(value.check.sum),
            "difference": rational(value.check.difference),
        },
    }


def explanation(subject: Subject, language: str = "en") -> dict[str, Any]:
    """Everything that an explanation says, for programs."""
    value, words = subject.derivation, phrases(language)
    head = count(subject.count, language) if subject.count else derivation(value, language)
    notation = UNICODE.using(value.alphabet)
    return {
        **head,
        "forms": {form: formula(value.closed_form(form, value.by if form == "by-symbol" else None), value) for form in FORMS},
        "steps": [_step(mark, step, subject, words) for _, mark, step in numbered(value.root)],
        "check": {**head.get("check", {}), "sentence": inline(check(subject, words), notation)},
    }


def _step(mark: str, step: Step, subject: Subject, words: Phrases) -> dict[str, Any]:
    value = subject.derivation
    entry: dict[str, Any] = {
        "number": mark,
        "name": step.path,
        "title": title(step, words),
        "kind": step.kind,
        "reason": inline(reason(step, words), UNICODE.using(value.alphabet)),
        "sum": formula(step.sum, value),
        "formula": formula(step.formula, value),
        "tensors": _tensors(step, value),
    }
    return {**entry, "value": rational(step.value(subject.count.values))} if subject.count else entry


def _tensors(step: Step, value: Derivation) -> list[dict[str, Any]]:
    return [
        {
            "name": tensor.name,
            "shape": [write(size, UNICODE.using(value.alphabet)) for size in tensor.shape],
            "formula": write(tensor.elements, UNICODE.using(value.alphabet)),
            "tied_to": tensor.tied_to,
        }
        for tensor in step.tensors
    ]


def tensors(value: TensorList) -> dict[str, Any]:
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
    }


def catalogue(families: Iterable[Family], presets: Iterable[Preset]) -> dict[str, Any]:
    """Architectures with classes and flags, presets with config and source."""
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
    }


def vocabulary(dimensions: Iterable[Dimension], alphabet: Alphabet, alphabets: Iterable[Alphabet]) -> dict[str, Any]:
    """The dimensions with their letters in the alphabet."""
    return {
        "alphabet": alphabet.name,
        "source": alphabet.source,
        "symbols": [
            {
                "letter": alphabet.written(each.letter),
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

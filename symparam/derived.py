"""What `symparam.derive` returns: a derivation that writes its closed form in every format."""

from __future__ import annotations

from dataclasses import dataclass, fields

from symparam.derivation import Derivation
from symparam.errors import UnknownNameError
from symparam.formula import write
from symparam.notation import UNICODE, Notation


@dataclass(frozen=True, repr=False)
class Derived(Derivation):
    """A derivation for a user. ``notes`` say what was assumed. A notebook shows the formula, ``str()`` is its text."""

    notes: tuple[str, ...] = ()

    def write(self, format: str = "text", notation: Notation = UNICODE) -> str:
        """The closed form alone on one line, as ``text``, ``latex``, ``markdown``, ``mathml`` or ``json``; ``notation`` is that of text.

        Raises `UnknownNameError` for another format.
        """
        match format:
            case "text":
                return write(self.formula, notation.using(self.alphabet)) + "\n"
            case "latex":
                return self.latex + "\n"
            case "markdown":
                return f"${self.latex}$\n"
            case "mathml":
                from symparam.writing.mathml import mathml

                return mathml(self.formula, self.alphabet)
            case "json":
                from symparam.writing import json

                return json.dumps({**json.derivation(self), "notes": [*self.notes]})
        raise UnknownNameError("format", format, ("text", "latex", "mathml", "markdown", "json"))


def derived(derivation: Derivation, notes: tuple[str, ...]) -> Derived:
    """The derivation with notes for the user."""
    return Derived(**{field.name: getattr(derivation, field.name) for field in fields(derivation)}, notes=notes)

"""What `symparam.derive` returns: a derivation that writes its closed form in every format."""

from __future__ import annotations

from dataclasses import dataclass, fields

from symparam.derivation import Derivation
from symparam.formula import write
from symparam.notation import UNICODE, Notation
from symparam.writing.formats import FORMULAS, check_format


@dataclass(frozen=True, repr=False)
class Derived(Derivation):
    """A derivation for a user. ``notes`` say what was assumed. A notebook shows the formula, ``str()`` is its text."""

    notes: tuple[str, ...] = ()

    def write(
        self, format: str = "text", notation: Notation = UNICODE, width: int = 0, dialect: str | None = None, fragment: bool = False
    ) -> str:
        """The closed form alone on one line, in one of `symparam.writing.formats.FORMULAS`.

        Arguments as for documents, of which it needs ``notation`` and ``dialect``. Raises `UnknownNameError` for another format, and
        `FormulaError` for what the format does not have.
        """
        check_format(format, dialect, fragment, FORMULAS)
        match format:
            case "text":
                return write(self.formula, notation.using(self.alphabet)) + "\n"
            case "latex":
                return self.latex + "\n"
            case "markdown":
                from symparam.writing.markdown import formula

                return formula(self.formula, self.alphabet, dialect or "tex", display=False) + "\n"
            case "rst":
                return f":math:`{self.latex}`\n"
            case "mathml":
                from symparam.writing.mathml import mathml

                return mathml(self.formula, self.alphabet)
            case _:
                from symparam.writing import json

                return json.dumps({**json.derivation(self), "notes": [*self.notes]})


def derived(derivation: Derivation, notes: tuple[str, ...]) -> Derived:
    """The derivation with notes for the user."""
    return Derived(**{field.name: getattr(derivation, field.name) for field in fields(derivation)}, notes=notes)

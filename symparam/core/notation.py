"""The notations of a formula: Unicode text, ASCII text and LaTeX.

A notation writes numbers, names, powers and fractions; `symparam.core.formula.write` decides where brackets go.
"""

from __future__ import annotations

from dataclasses import field, replace
from fractions import Fraction

from symparam.core.alphabets import STANDARD, Alphabet
from symparam.core.frozen import frozen

_SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


@frozen
class Notation:
    """How the parts of a formula are spelled.

    ``thin`` is the space between two factors of which one has a subscript, where the notation has such a space. ``typeset`` is true where
    fractions, exponents and roots are typeset and need no brackets. ``root`` is the sign in front of the operand of a square root.
    """

    name: str
    times: str
    minus: str
    root: str
    thin: str = ""
    superscripts: bool = False
    typeset: bool = False
    alphabet: Alphabet = field(default=STANDARD)

    def using(self, alphabet: Alphabet) -> Notation:
        """The same notation with another author's letters."""
        return replace(self, alphabet=alphabet)

    def number(self, value: int | Fraction) -> str:
        """Digits in groups of three: ``30,522``, or ``30{,}522`` in LaTeX, where a bare comma would be spaced as in a list."""
        whole, _, decimals = decimal(value).partition(".")
        grouped = f"{int(whole):,}" if len(whole) > 3 else whole
        text = f"{grouped}.{decimals}" if decimals else grouped
        return text.replace(",", "{,}") if self.typeset else text

    def symbol(self, letter: str) -> str:
        """A dimension in this notation's alphabet: ``d_model``, and ``d_{\\text{model}}`` in LaTeX."""
        name = self.alphabet.name_of(letter)
        if not self.typeset or len(name) == 1:
            return name
        base, _, subscript = name.partition("_")
        if len(base) == 1 and subscript and "_" not in subscript:
            return f"{base}_{{{subscript}}}" if len(subscript) == 1 else f"{base}_{{\\text{{{subscript}}}}}"
        return "\\text{" + name.replace("_", "\\_") + "}"

    def sign_beside(self, letter: str) -> str:
        """The separator between the dimension and an adjacent factor: nothing, a thin space, or a sign where names would run together."""
        name = self.alphabet.name_of(letter)
        if len(name) == 1:
            return ""
        subscripted = name.find("_") == 1 and name.count("_") == 1
        return self.times if not subscripted else self.thin if self.thin or self.typeset else self.times

    def power(self, base: str, exponent: str) -> str:
        """A base, already in brackets if it needs them, raised to an exponent as written."""
        if self.typeset:
            return f"{base}^{{{exponent}}}"
        if self.superscripts and exponent.isdecimal() and exponent.isascii():
            return base + exponent.translate(_SUPERSCRIPTS)
        return f"{base}^{exponent}"

    def square_root(self, inside: str) -> str:
        return f"{self.root}{{{inside}}}" if self.typeset else f"{self.root}({inside})"

    def quotient(self, numerator: str, denominator: str) -> str:
        return f"\\frac{{{numerator}}}{{{denominator}}}" if self.typeset else f"{numerator}/{denominator}"

    def rounded_down(self, inside: str) -> str:
        """``⌊…⌋``, ``\\lfloor … \\rfloor`` in LaTeX, or ``floor(…)`` in ASCII."""
        if not self.typeset:
            return f"⌊{inside}⌋" if self.superscripts else f"floor({inside})"
        return f"{{\\left\\lfloor {inside}\\right\\rfloor}}" if "\\frac" in inside else f"{{\\lfloor {inside}\\rfloor}}"

    def brackets(self, inside: str) -> str:
        return f"\\left({inside}\\right)" if "\\frac" in inside else f"({inside})"


def decimal(value: int | Fraction) -> str:
    """The exact digits of a number with a finite decimal expansion: ``2.5`` for 5/2."""
    places = decimal_places(value.denominator)
    digits = str(value.numerator * 10**places // value.denominator).rjust(places + 1, "0")
    return f"{digits[:-places]}.{digits[-places:]}" if places else digits


def decimal_places(denominator: int) -> int:
    """The number of decimals of a reduced fraction with this denominator. Raises `ValueError` for an infinite expansion."""
    twos = (denominator & -denominator).bit_length() - 1
    fives, rest = 0, denominator >> twos
    while rest % 5 == 0:
        fives, rest = fives + 1, rest // 5
    if rest != 1:
        raise ValueError(f"a fraction with the denominator {denominator} has no finite decimal expansion")
    return max(twos, fives)


UNICODE = Notation("text", times=" × ", minus="−", root="√", thin="\N{THIN SPACE}", superscripts=True)
ASCII = Notation("ascii", times=" * ", minus="-", root="sqrt")
LATEX = Notation("latex", times=" \\times ", minus="-", root="\\sqrt", typeset=True)

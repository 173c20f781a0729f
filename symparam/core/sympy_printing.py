"""How SymPy's printers and notebooks write an object that stands for an expression."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sympy
    from sympy.printing.printer import Printer


class SympyPrintable:
    """An object that ``sympy.latex`` and notebooks write in its own LaTeX, and SymPy's other printers as the expression that it means.
    Arithmetic with it gives SymPy's expressions.

    Without these methods SymPy would take a sum of this project for its own class of that name.
    """

    @property
    def latex(self) -> str:
        """The LaTeX, without delimiters."""
        raise NotImplementedError

    def _sympy_(self) -> sympy.Expr:
        raise NotImplementedError

    def __add__(self, other: object) -> sympy.Expr:
        return self._sympy_() + other

    def __radd__(self, other: object) -> sympy.Expr:
        return other + self._sympy_()

    def __sub__(self, other: object) -> sympy.Expr:
        return self._sympy_() - other

    def __rsub__(self, other: object) -> sympy.Expr:
        return other - self._sympy_()

    def __mul__(self, other: object) -> sympy.Expr:
        return self._sympy_() * other

    def __rmul__(self, other: object) -> sympy.Expr:
        return other * self._sympy_()

    def __truediv__(self, other: object) -> sympy.Expr:
        return self._sympy_() / other

    def __rtruediv__(self, other: object) -> sympy.Expr:
        return other / self._sympy_()

    def __pow__(self, other: object) -> sympy.Expr:
        return self._sympy_() ** other

    def __neg__(self) -> sympy.Expr:
        return -self._sympy_()

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex}$"

    def _latex(self, _: Printer) -> str:
        return self.latex

    def _sympystr(self, printer: Printer) -> object:
        return printer._print(self._sympy_())

    def _pretty(self, printer: Printer) -> object:
        return printer._print(self._sympy_())

    def _sympyrepr(self, printer: Printer) -> object:
        return printer._print(self._sympy_())

    def _mathml_content(self, printer: Printer) -> object:
        return printer._print(self._sympy_())

    def _mathml_presentation(self, printer: Printer) -> object:
        return printer._print(self._sympy_())

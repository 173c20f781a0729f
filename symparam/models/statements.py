"""Statements about a model, as text, as SymPy equations, or as values by letter: relations, values and flags."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeAlias, cast

import sympy

from symparam.core.algebra.closed_form import expanded
from symparam.core.algebra.relations import Relation
from symparam.core.dimensions import BY_LETTER, DIMENSIONS, canonical, symbol
from symparam.core.frozen import frozen
from symparam.core.json_types import JsonMapping
from symparam.errors import FormulaError, RelationError, shorten
from symparam.models.architectures import Flags, families

Statement: TypeAlias = "str | sympy.Eq | JsonMapping | Mapping[sympy.Symbol, object] | Relation | Rounded"
"""``"I=4H"``, ``Eq(I, 4*H)``, or ``{"H": 768, I: 4*H, "tie_word_embeddings": False}``."""
Where: TypeAlias = "Statement | Iterable[Statement]"
"""One statement, or any number of them."""


@frozen
class Rounded:
    """A size that is rounded up or down, ``I = ceiling(8*H/3)``: it has no closed form, but a value once the other letters have values."""

    letter: str
    expr: sympy.Expr

    def relation(self, values: Mapping[str, int]) -> Relation:
        """The relation with the size's value. Raises `FormulaError` where a letter in it has no value."""
        return Relation(self.letter, expanded(rounded(self.expr, values)))


@frozen
class Statements:
    """The statements, separated by kind: flags, and in their order relations already read, texts still to be read, and rounded sizes."""

    flags: Flags
    others: tuple[str | Relation | Rounded, ...]


def read_statements(where: Where) -> Statements:
    """The statements, separated by kind. Raises `RelationError` for anything that is not a statement."""
    flags: dict[str, bool] = {}
    others: list[str | Relation | Rounded] = []
    for each in listed(where):
        if not isinstance(each, str):
            others.append(each)
            continue
        name, _, value = (part.strip() for part in each.partition("="))
        if value.lower() not in ("true", "false"):
            if _is_flag(name):
                raise RelationError(f"{shorten(each)!r} states the flag {name}, for which true or false is expected")
            others.append(each)
        elif flags.setdefault(name, value.lower() == "true") != (value.lower() == "true"):
            raise RelationError(f"{name} is stated to be both true and false; give one of them")
    return Statements(flags, tuple(others))


def _is_flag(name: str) -> bool:
    if any(name in (dimension.letter, dimension.name) for dimension in DIMENSIONS):
        return False  # The common case; the known flags are only available after all families have been imported.
    return any(name in family.flags for family in families())


def listed(where: Where) -> tuple[str | Relation | Rounded, ...]:
    """The statements as single items."""
    return tuple(_each(where))


def _each(where: Where) -> Iterator[str | Relation | Rounded]:
    for statement in where or () if isinstance(where, Iterable) and not isinstance(where, (str, sympy.Basic, Mapping)) else (where,):
        if isinstance(statement, (str, Relation, Rounded)):
            yield statement
        elif isinstance(statement, Mapping):
            yield from (_pair(key, value) for key, value in statement.items())
        elif isinstance(statement, sympy.Eq):
            left, right = statement.args if isinstance(statement.args[0], sympy.Symbol) else reversed(statement.args)
            yield _pair(left, right)
        else:
            raise RelationError(f"{shorten(str(statement))!r} states nothing; a text such as 'I=4H', Eq(I, 4*H) or {{H: 768}} is expected")


def _pair(key: object, value: object) -> str | Relation | Rounded:
    """``key = value``: as text if both can be written so, in which case the author's alphabet applies."""
    if isinstance(key, str) and not isinstance(value, sympy.Basic):
        return f"{key}={value}"
    if isinstance(key, str):
        key = sympy.Symbol(key)
    if not isinstance(key, sympy.Symbol):
        raise RelationError(f"the left side of {shorten(f'{key} = {value}')!r} is not a letter; one is expected there, as in Eq(I, 4*H)")
    expression = canonical(cast("sympy.Expr", value))  # Rejects what is not a size.
    letter = str(canonical(key))
    if expression.has(sympy.ceiling, sympy.floor):
        return Rounded(letter, expression)
    return Relation(letter, expanded(expression))


def in_letters(statement: Relation | Rounded, names: Mapping[str, str]) -> Relation | Rounded:
    """The statement with names in it, ``Symbol("hidden_size")``, replaced by their letters, as where it is given as text. A symbol that is
    neither a letter nor a name is the user's own.
    """
    expression = statement.expr if isinstance(statement, Rounded) else statement.formula.expr
    used = {statement.letter, *map(str, expression.free_symbols)} - BY_LETTER.keys()
    if not (meant := {name: names[name] for name in used & names.keys() if names[name] != name}):
        return statement
    letter = meant.get(statement.letter, statement.letter)
    written = expression.xreplace({symbol(name): symbol(each) for name, each in meant.items()})
    return Rounded(letter, written) if isinstance(statement, Rounded) else Relation(letter, expanded(written))


def rounded(expression: sympy.Expr, values: Mapping[str, int]) -> sympy.Expr:
    """The expression with each rounded part replaced by its number. Raises `FormulaError` where a letter there has no value."""
    parts = sorted(expression.atoms(sympy.ceiling, sympy.floor), key=str)
    for part in parts:
        if missing := sorted({str(each) for each in part.free_symbols} - values.keys()):
            raise FormulaError(
                f"{shorten(str(part))} is rounded, so it has no closed form; give {' and '.join(missing)} a value, as in {missing[0]}=4096"
            )
    return expression.xreplace({part: part.subs({each: values[str(each)] for each in part.free_symbols}) for part in parts})

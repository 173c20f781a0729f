"""The letters of settings, and expressions over settings as formulas in letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from typing import Any

import sympy

from symparam.core.dimensions import BY_LETTER, symbol
from symparam.errors import ArchitectureError
from symparam.models.traced.conditions import Decisions, item_of, without_lengths
from symparam.models.traced.expressions import (
    CARRIED,
    TURN,
    CannotEvaluateError,
    Expression,
    Settings,
    evaluate,
    keys_of,
    parts,
    render,
    replaced,
)
from symparam.models.traced.forward_pass import INPUTS
from symparam.models.traced.rows import rendered
from symparam.models.traced.simplification import simplified

LETTERS = {key: letter for letter, dimension in reversed(BY_LETTER.items()) for key in dimension.config_keys if key != "patch_size"} | {
    "d_kv": "d"
}  # A patch has a height and a width with a letter each, and most classes have one key for both.

MOST_ROUNDED = 40
"""The most letters for rounded sizes."""
MOST_TURNS = 48
"""The most turns of a loop that are written out."""
MOST_PARTS = 1_000
"""The largest denominator of a fraction such as 8/3 that is meant by 2.6666666666666665."""
MOST_ITEMS = 8
"""The longest list whose items have letters if it determines how many modules there are; items of longer ones stay numbers."""


@dataclass
class LetterAssignment:
    """The letters of one model, assigned as settings are met, with their values and the settings that they stand for.

    ``frozen`` are settings that always stay numbers, because something follows from their values that no formula expresses. ``derived``
    are the letters of settings that are not given, with what the class computes for them. With ``patches`` the number of patches has a
    letter, n_p, and so have the sides of one, s_h and s_w, rather than the sizes of image and patch in settings. With ``rounded`` each
    size that is rounded has a letter, w_1 and so on, of which ``roundings`` has what the class computes; otherwise its settings are frozen.
    """

    settings: Settings
    frozen: set[str] = field(default_factory=set)
    patches: bool = False
    rounded: bool = False
    decisions: Decisions = field(default_factory=Decisions)
    values: dict[str, int] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=dict)
    derived: dict[str, sympy.Expr] = field(default_factory=dict)
    roundings: dict[str, Expression] = field(default_factory=dict)
    _names: dict[str, str] = field(default_factory=dict)
    _quantities: dict[str, str] = field(default_factory=dict)
    _known: dict[object, sympy.Expr] = field(default_factory=dict)

    def size(self, expression: Expression, at: tuple[int, ...]) -> sympy.Expr:
        """A side of a shape in letters; what is not a polynomial or an exact quotient at these settings stays a number."""
        key = (repr(expression), at)
        if key not in self._known:
            value = evaluate(expression, self.settings, at)
            self._known[key] = self._exact(expression, at, value)
        return self._known[key]

    def sides(self, shape: tuple[Expression, ...], at: tuple[int, ...]) -> tuple[sympy.Expr, ...]:
        """All sides of a shape. The filter of a patch has a height and a width, though most classes have one setting for both."""
        found = tuple(self.size(each, at) for each in shape)
        if self.patches and len(shape) == 4 and shape[2] == shape[3] and _is_key(shape[2], "patch_size") and found[2].is_Symbol:
            path, side = shape[2][1], self.values[str(found[2])]
            height, width = (self._quantity(letter, f"{path}, {letter}", side) for letter in ("s_h", "s_w"))
            if height is not None and width is not None:
                return (found[0], found[1], height, width)
        return found

    def _quantity(self, letter: str, what: str, value: int) -> sympy.Expr | None:
        """The letter for something that no setting gives directly; None if it stands for something else."""
        if letter in self._names.values() or self._quantities.setdefault(letter, what) != what:
            return None
        self.values[letter] = value
        return symbol(letter)

    def _by_parts(self, expression: Expression, at: tuple[int, ...]) -> sympy.Expr | None:
        """A size with a letter for each part that is rounded: a sum, a multiple and what a loop goes on from consist of several."""
        found = self._read_if_possible(expression, at)
        if found is not None or not isinstance(expression, tuple):
            return found
        name, *operands = expression
        if name == "fold":
            return self._by_parts(self._unrolled(operands, at), at)
        if name in ("+", "-") or (name == "*" and any(isinstance(each, int) for each in operands)):
            one, other = (self._by_parts(each, at) for each in operands)
            return None if one is None or other is None else {"+": one + other, "-": one - other, "*": one * other}[name]
        return self._rounded_quantity(expression, evaluate(expression, self.settings, at), at)

    def _read_if_possible(self, expression: Expression, at: tuple[int, ...]) -> sympy.Expr | None:
        """The expression in letters if it has the right value."""
        try:
            found = self._read(expression, at)
        except (CannotEvaluateError, ArchitectureError, TypeError, ZeroDivisionError):
            return None
        return found if found is not None and self.worth(found) == evaluate(expression, self.settings, at) else None

    def _rounded_quantity(self, expression: Expression, value: object, at: tuple[int, ...]) -> sympy.Expr | None:
        """The letter for what the class rounds; the formula holds where it has the value that the class computes."""
        what = simplified(replaced(expression, lambda part: at[part[1]] if part[0] == "at" else None))
        if type(value) is not int or value < 1 or not keys_of(what):
            return None
        letter = next((letter for letter, other in self.roundings.items() if other == what), None)
        if letter is None:
            letter = f"w_{len(self.roundings) + 1}"
            if len(self.roundings) == MOST_ROUNDED or letter in self._names.values():
                return None
            self.roundings[letter] = what
            self.values[letter] = value
            self.meanings[letter] = render(what)
        return symbol(letter)

    @property
    def names(self) -> Mapping[str, str]:
        """The letters by the settings that have them; for an item of a list, its index follows the name of the list."""
        return self._names

    def freeze(self, expression: Expression) -> None:
        """Keep the settings of an expression as numbers. Of a list that matters by its length, the items keep their letters."""
        lengths = {each[1][1] for each in parts(expression) if isinstance(each, tuple) and each[0] == "len" and _is_key(each[1])}
        short = {path for path in lengths if len(self.settings.get(path) or ()) <= MOST_ITEMS}
        self.decisions.lengths.update(short)
        others = keys_of(without_lengths(expression)) | lengths - short
        self.frozen |= {path for path in others if isinstance(self.settings.get(path), (int, list))}

    def _exact(self, expression: Expression, at: tuple[int, ...], value: object) -> sympy.Expr:
        """The expression in letters if it has the right value, else the value."""
        found = self._read_if_possible(expression, at)
        if found is None and self.rounded:
            found = self._by_parts(expression, at)
        if found is not None and self.worth(found) == value:
            return found
        self.freeze(self._chosen(expression, at))
        return sympy.Integer(value)

    def _chosen(self, expression: Expression, at: tuple[int, ...]) -> Expression:
        """The expression without the cases that are not taken at these settings."""
        if not isinstance(expression, tuple) or expression[0] in ("key", "at"):
            return expression
        if expression[0] == "if":
            return self._chosen(expression[2 if self.decide(expression[1], at) else 3], at)
        return (expression[0], *(self._chosen(each, at) for each in expression[1:]))

    def _read(self, expression: Expression, at: tuple[int, ...]) -> sympy.Expr | None:
        if isinstance(expression, (int, float)) and not isinstance(expression, bool):
            return _number(expression)
        if not isinstance(expression, tuple):
            return None
        name, *operands = expression
        if name == "if" and isinstance(operands[0], tuple) and operands[0][0] == "not":
            return self._read(("if", operands[0][1], operands[2], operands[1]), at)
        value = evaluate(expression, self.settings, at)
        if not isinstance(value, (int, float)) or isinstance(value, bool):
            return None
        if not keys_of(expression):
            return _number(value)
        if name == "key":
            return self._letter(operands[0], operands[0], value)
        if name == "item" and operands[0][0] == "key":
            path, index = operands[0][1], evaluate(operands[1], self.settings, at)
            place = index if index >= 0 else len(self.settings[path]) + index
            return self._letter(item_of(path, place), rendered(path, f"{place}"), value, path)
        if name == "agreed":
            for each in operands[1:]:
                self.decide(("==", operands[0], each), at)
            return self._read(operands[0], at)
        if name == "if" and operands[0] == ("null", operands[2]) and _is_key(operands[2]) and isinstance(value, int):
            return self._defaulted(operands[2][1], operands[1], at, value)
        if name == "if":
            return self._read(operands[1 if self.decide(operands[0], at) else 2], at)
        if name in ("max", "min"):
            return self._read(self._extreme(name, operands, at, value), at)
        if name == "sum" and operands[0][0] == "key":
            items = [self._read(each, at) for each in self._items(operands[0])]
            return sympy.Add(*items) if all(each is not None for each in items) else None
        if self.patches and isinstance(value, int) and value > 0 and _counts_patches(expression):
            return self._quantity("n_p", render(expression), value)
        if name in ("+", "-", "*", "/", "//", "exact", "**"):
            return self._arithmetic(name, operands, at, value)
        if name in ("int", "float", "round", "floor", "ceil"):
            return self._rounded(name, operands[0], at, value)
        if name == "fold":
            return self._read(self._unrolled(operands, at), at)
        if name in ("stage", "within"):
            self.freeze(expression)  # Other numbers of modules have other members in a stage.
            return _number(value)
        if name == "times":
            self.decide(("==", expression, value), at)
            return _number(value)
        return _number(value) if name in ("at", "len") else None  # A numerical remainder next to letters would hold for these values only.

    def _defaulted(self, path: str, default: Expression, at: tuple[int, ...], value: int) -> sympy.Expr | None:
        """The letter of a setting that may be null, for what the class then takes, if that is the same wherever it is null."""
        if self.settings[path] is not None:
            return self._letter(path, path, value)
        instead = self._read(default, at)
        if instead is None or path in self.frozen:
            return instead
        found = self._letter(path, path, value)
        if found.is_Symbol and self.derived.setdefault(str(found), instead) != instead:
            self.frozen.add(path)
            return instead
        return found

    def _rounded(self, name: str, operand: Expression, at: tuple[int, ...], value: int | float) -> sympy.Expr | None:
        """A rounded number: as it is where it needs no rounding, under that condition."""
        inner = self._read(operand, at)
        if inner is None:
            return None
        if self.worth(inner) == value:
            self._whole(operand, name, at)
            return inner
        return None

    def _unrolled(self, operands: list[Expression], at: tuple[int, ...]) -> Expression:
        """What a loop computes from one value to the next, turn by turn; the number of turns is a condition."""
        found, turns, body = operands
        many = evaluate(turns, self.settings, at)
        if many > MOST_TURNS:
            return None
        if keys_of(turns):
            self.decide(("==", turns, many), at)
        for number in range(many):
            found = replaced(body, partial(_in_turn, before=found, number=number))
        return found

    def _whole(self, expression: Expression, name: str, at: tuple[int, ...]) -> None:
        """Note that an expression must be an integer, so that rounding it changes nothing."""
        if isinstance(expression, tuple) and expression[0] == "/":
            self.decide(("==", ("%", *expression[1:]), 0), at)
        elif name != "float" and any(map(self._is_fractional, parts(expression))):
            self.decide(("==", (name, expression), expression), at)

    def _is_fractional(self, part: Expression) -> bool:
        """Whether a part of an expression is a fraction, a quotient or a setting that is a fraction."""
        value = self.settings.get(part[1]) if _is_key(part) else part
        return isinstance(value, float) or (isinstance(part, tuple) and part[:1] == ("/",))

    def _extreme(self, name: str, operands: list[Expression], at: tuple[int, ...], value: int | float) -> Expression:
        """The largest (or smallest) operand, with the conditions under which it remains that."""
        operands = [item for each in operands for item in self._items(each)]
        found = next(each for each in operands if evaluate(each, self.settings, at) == value)
        for each in operands:
            if each != found:
                self.decide((">=" if name == "max" else "<=", found, each), at)
        return found

    def _items(self, operand: Expression) -> list[Expression]:
        """The items of a setting that is a list; any other operand itself."""
        listed = self.settings.get(operand[1]) if isinstance(operand, tuple) and operand[0] == "key" else None
        return [("item", operand, place) for place in range(len(listed))] if isinstance(listed, (list, tuple)) else [operand]

    def decide(self, condition: Expression, at: tuple[int, ...]) -> bool:
        """Whether the condition is true at these settings; from here on, the formula depends on it."""
        return self.decisions.decide(condition, self.settings, at)

    def _arithmetic(self, name: str, operands: list[Expression], at: tuple[int, ...], value: Any) -> sympy.Expr | None:
        if name in ("/", "exact") and operands[0] == operands[1]:
            return sympy.S.One
        one, other = (self._read(each, at) for each in operands)
        if one is None or other is None:
            return None
        found: sympy.Expr
        if name == "**":
            if other.free_symbols:
                self.freeze(operands[1])
                other = self.worth(other)
            if not other.is_Integer or not 0 <= int(other) <= 64:
                return None
            found = one**other
        elif name == "//" and any(str(letter) in INPUTS.values() for letter in one.free_symbols):
            found = sympy.floor(one / other)  # Windows move over inputs of every size.
        elif name in ("/", "//", "exact"):
            found = one / other
            if name != "/":
                self.decide(("==", ("%", *operands), 0), at)
        else:
            found = {"+": one + other, "-": one - other, "*": one * other}[name]
        worth = self.worth(found)
        return found if worth == _number(value) or (name == "/" and float(worth) == value) else None

    def worth(self, found: sympy.Expr) -> sympy.Expr:
        """The value of a formula for the letters' values."""
        return found.xreplace({each: sympy.Integer(self.values[str(each)]) for each in found.free_symbols})

    def _letter(self, path: str, setting: str, value: int | float, listed: str = "") -> sympy.Expr:
        """The letter of a setting, or of an item of one that is ``listed``; a setting that is not a positive integer stays a number."""
        if not isinstance(value, int) or value < 1 or path in self.frozen or listed in self.frozen:
            return _number(value)
        if path not in self._names:
            name = self._name(path)
            if name is None:
                self.frozen.add(listed or path)
                return _number(value)
            self._names[path] = name
            self.values[name] = value
            if name not in BY_LETTER:
                self.meanings[name] = setting
        return symbol(self._names[path])

    def _name(self, path: str) -> str | None:
        """The letter of the key if it is free, else the key, preceded by the name of its config if necessary."""
        if path in INPUTS:
            return INPUTS[path]
        *outer, last = path.split(".")
        plain = re.sub(r"_+", "_", re.sub(r"[^0-9A-Za-z_]", "_", last)).strip("_")
        inside = [re.sub(r"_?config$", "", each) for each in outer]
        letter = LETTERS.get(path) or LETTERS.get(last)
        if letter == "N" and any(LETTERS.get(other.rpartition(".")[2]) == "N_d" for other in self.settings):
            letter = "N_e"  # Layers other than a decoder's.
        choices = [letter, plain if plain not in BY_LETTER else f"{plain}_set"]
        if letter and any(other.rpartition(".")[2] == last for other in self._names):
            of = inside[-1].rpartition("_")[2] if inside else ""
            choices[1:] = [f"{letter}_{of}"] if of else []  # H_decoder beside H, since hidden_size would not tell whose it is.
        choices += [
            f"{choice}_{'_'.join(inside)}".strip("_") for choice in (letter, plain) if choice and inside and "_" not in (choices[0] or "")
        ]
        choices += ["_".join([*inside, plain])]
        taken = {*self._names.values(), *self._quantities}
        for choice in choices:
            if choice and choice not in taken:
                try:
                    symbol(choice)
                except ArchitectureError:
                    continue
                return choice
        return None


def _in_turn(part: tuple[Any, ...], before: Expression, number: int) -> Expression:
    """What stands for the value that a loop carries, and for the number of the turn."""
    return before if part == CARRIED else number if part == TURN else None


def _is_key(expression: Expression, last: str = "") -> bool:
    """Whether the expression is a setting, and has the name ``last`` if one is given, in whatever config."""
    return isinstance(expression, tuple) and expression[0] == "key" and (not last or expression[1].rpartition(".")[2] == last)


def _counts_patches(expression: tuple[Expression, ...]) -> bool:
    """Whether the expression is the number of patches of a square image: the patches along a side, times themselves."""
    if expression[0] not in ("*", "**") or len(expression) != 3:
        return False
    along, other = expression[1:]
    twice = other == along if expression[0] == "*" else other == 2
    if not twice or not isinstance(along, tuple) or along[0] not in ("//", "exact"):
        return False
    image, patch = along[1:]
    whole = _is_key(image, "image_size") and _is_key(patch, "patch_size")
    return whole and image[1].rpartition(".")[0] == patch[1].rpartition(".")[0]


def _number(value: int | float) -> sympy.Expr:
    if isinstance(value, int):
        return sympy.Integer(value)
    simple = Fraction(value).limit_denominator(MOST_PARTS)
    if float(simple) == value:
        return sympy.Rational(simple.numerator, simple.denominator)
    exact = Fraction(repr(value)) if "e" not in repr(value) and "n" not in repr(value) else Fraction(value)
    return sympy.Rational(exact.numerator, exact.denominator)

"""Functions that only compute numbers, such as one that rounds a width to a multiple of 8: their results hold for all of their branches."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import math
import textwrap
from collections.abc import Callable, Iterator, Mapping
from types import FunctionType
from typing import Any

from symparam.models.traced.expressions import Expression
from symparam.models.tracing.symbolic_values import LOG, Outcomes, SymbolicFloat, SymbolicInt, expression_of, with_expression

MOST_WAYS = 16
"""The most paths through such a function that are followed."""
COMPUTING = frozenset({"int", "float", "round", "max", "min", "abs"})
_STATEMENTS = (ast.Assign, ast.AugAssign, ast.If, ast.Return, ast.Pass, ast.Raise)
_VALUES = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Constant)
_SIGNS = (ast.operator, ast.unaryop, ast.boolop, ast.cmpop, ast.expr_context)


def numeric_functions(space: Mapping[str, object]) -> dict[str, object]:
    """The functions among these names that only compute numbers, in a form that follows all of their branches."""
    return {name: in_all_ways(value) for name, value in space.items() if isinstance(value, FunctionType) and _is_numeric(value)}


def numeric_methods(kind: type) -> dict[str, object]:
    """The same for the static methods of a class."""
    statics = {name: value.__func__ for name, value in vars(kind).items() if isinstance(value, staticmethod)}
    return {name: staticmethod(in_all_ways(each)) for name, each in statics.items() if isinstance(each, FunctionType) and _is_numeric(each)}


@functools.lru_cache(maxsize=4096)
def _is_numeric(function: FunctionType) -> bool:
    """Whether a function computes a number from its arguments, by arithmetic and branches and nothing else."""
    if not all(_may_be_computing(name, function) for name in function.__code__.co_names):
        return False  # Known at once, where to find and to parse the source of a function takes long.
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError, ValueError):
        return False
    made = tree.body[0] if len(tree.body) == 1 else None
    if not isinstance(made, ast.FunctionDef) or function.__closure__ or made.args.vararg or made.args.kwarg:
        return False
    if any(not isinstance(each, ast.Name) or each.id != "staticmethod" for each in made.decorator_list):
        return False
    own = {each.arg for each in (*made.args.posonlyargs, *made.args.args, *made.args.kwonlyargs)}
    own |= {each.id for each in ast.walk(made) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}
    body = made.body[1:] if ast.get_docstring(made) is not None else made.body
    return bool(own) and all(_computes(each, own, function) for statement in body for each in _inside(statement))


def _may_be_computing(name: str, function: FunctionType) -> bool:
    """Whether a name that is neither an argument nor a variable of the function may be one of those in arithmetic."""
    found = function.__globals__.get(name)
    known = vars(builtins).get(name)
    raised = isinstance(known, type) and issubclass(known, BaseException)
    return name in COMPUTING or raised or hasattr(math, name) or found is math or isinstance(found, (int, float, FunctionType))


def _inside(node: ast.AST) -> Iterator[ast.AST]:
    """The node and all inside, with the name of a function that is called only as a part of the call. What is raised computes nothing."""
    yield node
    if isinstance(node, ast.Raise):
        return
    for each in [*node.args, *node.keywords] if isinstance(node, ast.Call) else ast.iter_child_nodes(node):
        yield from _inside(each)


def _computes(node: ast.AST, own: set[str], function: FunctionType) -> bool:
    if isinstance(node, ast.Call):
        called = node.func
        if isinstance(called, ast.Attribute):
            return isinstance(called.value, ast.Name) and function.__globals__.get(called.value.id) is math and not node.keywords
        if not isinstance(called, ast.Name) or called.id in own:
            return False
        other = function.__globals__.get(called.id)
        return called.id in COMPUTING if other is None else isinstance(other, FunctionType) and other != function and _is_numeric(other)
    if isinstance(node, ast.Name):
        return node.id in own or isinstance(function.__globals__.get(node.id), (int, float))
    if isinstance(node, ast.Assign):
        return all(isinstance(each, ast.Name) for each in node.targets)
    if isinstance(node, ast.AugAssign):
        return isinstance(node.target, ast.Name)
    return isinstance(node, (*_STATEMENTS, *_VALUES, *_SIGNS, ast.keyword))


class _TooManyWaysError(Exception):
    """Raised where a function has more branches than are followed."""


def in_all_ways(function: Callable[..., object]) -> Callable[..., object]:
    """The function, whose result keeps an expression with a case for each way that its comparisons may come out."""

    @functools.wraps(function)
    def called(*values: Any, **named: Any) -> object:
        given = (*values, *named.values())
        if LOG.outcomes is not None or not any(isinstance(each, (SymbolicInt, SymbolicFloat)) for each in given):
            return function(*values, **named)
        left = iter(range(MOST_WAYS))

        def way(before: Mapping[Expression, bool]) -> tuple[object, Expression]:
            if next(left, None) is None:
                raise _TooManyWaysError
            LOG.outcomes = Outcomes(dict(before))
            found = function(*values, **named)
            met = LOG.outcomes.met
            result = expression_of(found)
            if isinstance(found, bool) or not isinstance(found, (int, float)):
                raise _TooManyWaysError
            for condition in [each for each in reversed(met) if each not in before]:
                earlier = dict(list(met.items())[: list(met).index(condition)])
                _, other = way({**earlier, condition: not met[condition]})
                result = ("if", condition, *((result, other) if met[condition] else (other, result)))
            return found, result

        try:
            value, expression = way({})
            return with_expression(_plain(value), expression)
        except Exception:  # A branch that is not taken may divide by zero, or refuse the numbers.
            LOG.outcomes = None
            return function(*values, **named)
        finally:
            LOG.outcomes = None

    return called


def _plain(value: Any) -> object:
    return int.__int__(value) if isinstance(value, int) else float.__float__(value)

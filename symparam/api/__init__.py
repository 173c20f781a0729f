"""The functions of the command line, for Python and notebooks. Each returns an object that renders itself as text, LaTeX, HTML or JSON.

What only explanations and tables need is imported where it is used: a formula alone is there in two thirds of the time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from symparam import on_first_use

if TYPE_CHECKING:
    from symparam.api.analyzing import analyze
    from symparam.api.budgeting import budget
    from symparam.api.checking import check, check_text
    from symparam.api.comparing import break_even, compare, crossover
    from symparam.api.deriving import count, derive, explain, tensors
    from symparam.api.naming import letters, list, published, rules
    from symparam.api.solving import curve, solve
    from symparam.api.sweeping import sweep
    from symparam.api.tracing import trace

_HOME = {
    "analyzing": ("analyze",),
    "budgeting": ("budget",),
    "checking": (
        "check",
        "check_text",
    ),
    "comparing": (
        "break_even",
        "compare",
        "crossover",
    ),
    "deriving": (
        "count",
        "derive",
        "explain",
        "tensors",
    ),
    "naming": (
        "letters",
        "list",
        "published",
        "rules",
    ),
    "solving": (
        "curve",
        "solve",
    ),
    "sweeping": ("sweep",),
    "tracing": ("trace",),
}

__all__ = [
    "analyze",
    "break_even",
    "budget",
    "check",
    "check_text",
    "compare",
    "count",
    "crossover",
    "curve",
    "derive",
    "explain",
    "letters",
    "list",
    "published",
    "rules",
    "solve",
    "sweep",
    "tensors",
    "trace",
]

__getattr__ = on_first_use(__name__, _HOME)

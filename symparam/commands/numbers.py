"""``--format number``: the total of a count, on the command line, in marked places of pages and in notebooks."""

from __future__ import annotations

from symparam.commands.queries import Answer
from symparam.errors import FormulaError
from symparam.results.count import CountResult


def counted(answer: Answer) -> CountResult:
    """The answer, if it has a total. Raises `FormulaError` for answers of any command but ``count``."""
    if not isinstance(answer, CountResult):
        raise FormulaError("--format number applies only to count, which has a total")
    return answer

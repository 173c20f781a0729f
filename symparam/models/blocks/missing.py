"""Contents that a total lacks, or may lack. As long as something is missing the total is a lower bound, unless modules may be shared."""

from __future__ import annotations

from collections.abc import Iterable

from symparam.core.frozen import frozen


@frozen
class Missing:
    """One thing that is not counted: ``what`` it is, ``why`` as the key of a sentence whose placeholders ``details`` fill, and the ``path``
    of the block that it belongs to.

    ``least`` is given if a module shown more than once may be a single one: the model's number of parameters in that case.
    """

    what: str
    why: str
    path: str
    details: tuple[tuple[str, str], ...] = ()
    least: int | None = None


def least(missing: Iterable[Missing]) -> int | None:
    """The number of parameters that exist in any case if modules may be shared; None if the total is a lower bound."""
    return min((each.least for each in missing if each.least is not None), default=None)

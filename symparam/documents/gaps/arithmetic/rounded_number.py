"""A stated number in the unit and with the digits in which its author wrote it."""

from __future__ import annotations

from fractions import Fraction

from symparam.core.frozen import frozen
from symparam.core.message import Message
from symparam.documents.gaps.arithmetic.digits import digit_slip
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole

_FEWEST_UNITS = 100


@frozen
class RoundedNumber:
    """A stated number as its author wrote it: in its unit, which stands for ``scale``, with one unit of its last digit. ``exact`` is the
    right number in the same unit.
    """

    exact: Fraction
    stated: Fraction
    last_digit: Fraction
    unit: str = ""
    scale: Fraction = Fraction(1)

    @property
    def slip(self) -> Message | None:
        """The slip of the pen in its digits. A number of two digits is too often one slip away from another."""
        if self.stated < _FEWEST_UNITS * self.last_digit:
            return None
        places = self.exact / self.last_digit
        for rounded in dict.fromkeys((round(places), int(places))):
            if slip := digit_slip(int_if_whole(rounded * self.last_digit), int_if_whole(self.stated)):
                return slip
        return None

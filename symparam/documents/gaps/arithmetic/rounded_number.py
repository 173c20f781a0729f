"""A stated number in the unit and with the digits in which its author wrote it."""

from __future__ import annotations

from fractions import Fraction

from symparam.core.frozen import frozen
from symparam.core.message import Message
from symparam.documents.gaps.arithmetic.digits import digit_slip
from symparam.documents.gaps.arithmetic.stated_number import int_if_whole

_FEWEST_UNITS = 100
_MANY_UNITS = 1000
_NEAR = Fraction(1, 10)
_SHIFTS = tuple(Fraction(10) ** power for power in (1, 2, 3, -1, -2, -3))
_SHOWN = 10  # Units of the last digit, below which a number says too little.


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
    def shift(self) -> Fraction | None:
        """The power of ten by which all its digits are too large or too small, if they are right: 167.8 for 16.777."""
        if self.stated < _SHOWN * self.last_digit:
            return None
        units = int_if_whole(self.stated / self.last_digit)
        shifted = ((each, self.exact * each / self.last_digit) for each in _SHIFTS)
        return next((each for each, exact in shifted if units in (round(exact), int(exact))), None)

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

    @property
    def telling_slip(self) -> Message | None:
        """The slip, if it explains the number: one of three digits that is off by a few per cent mostly differs in one of them."""
        found = self.slip
        is_short = self.stated < _MANY_UNITS * self.last_digit and abs(self.stated - self.exact) <= _NEAR * self.exact
        return None if found is not None and found.kind == "digit-replaced" and is_short else found

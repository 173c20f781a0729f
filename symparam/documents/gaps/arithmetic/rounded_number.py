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
_DOUBLED = (Fraction(2), Fraction(1, 2), Fraction(1024), Fraction(1, 1024))
_STEPS = " KMGT"  # The thousands of each unit.
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
        """The power of ten, or of its unit, by which it is too large or too small, if its digits are right: 167.8 for 16.777; or twice, or
        half, of a number of several digits.
        """
        if self.stated < _SHOWN * self.last_digit:
            return None
        units = int_if_whole(self.stated / self.last_digit)
        several = _DOUBLED if self.stated >= _FEWEST_UNITS * self.last_digit else ()
        shifted = ((each, self.exact * each / self.last_digit) for each in (*_SHIFTS, *several))
        return next((each for each, exact in shifted if units in (round(exact), int(exact))), None)

    @property
    def is_in_mixed_unit(self) -> bool:
        """Whether a number of bytes was brought into its unit by thousands and by 1,024s in turn: 5,368,709,120 bytes as 5.24 GB."""
        steps = _STEPS.find(self.unit[:1]) if self.unit.endswith("B") and "i" not in self.unit else 0
        mixed = (Fraction(1000 ** (steps - twos) * 1024**twos) for twos in range(1, steps))
        return any(abs(self.exact * self.scale / each - self.stated) < self.last_digit for each in mixed)

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

"""What printed digits mean."""

from decimal import ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from fractions import Fraction
from itertools import product

import pytest

from digits import misses, printed_window, window


def printed(x, places, rounding):
    """A number of at most five decimal places as it is printed."""
    digits = Decimal(x.numerator) / x.denominator
    text = str(digits.quantize(Decimal(1).scaleb(-places), rounding=rounding))
    return text.lstrip("-") if Decimal(text) == 0 else text  # zero is printed without a sign


def test_a_window_has_exactly_the_values_that_are_printed_so():
    for k, places in product(range(-240, 241), (0, 1, 2)):
        x = Fraction(k, 160)  # many are ties
        texts = {printed(x, places, rounding) for rounding in (ROUND_DOWN, ROUND_HALF_EVEN, ROUND_HALF_UP)}
        for step in (-2, -1, 0, 1, 2):
            other = printed(x + Fraction(step, 10**places), places, ROUND_DOWN)
            assert misses((x, x), window(other)) is (other not in texts), (x, other)


def test_zeros_at_the_end_count():
    assert window("0.90") != window("0.9")
    assert window("0") == (-1, 1, False, False)
    assert window("1.") == (Fraction(1, 2), 2, True, False)
    assert window(".893") == window("0.893")
    assert printed_window("1e3")[0] == 500


@pytest.mark.parametrize("text", ["", ".", "1..2", "nan", "1 2", "0.5x", "٣"])
def test_other_texts_are_refused(text):
    with pytest.raises(ValueError, match="digits must be a decimal number"):
        window(text)

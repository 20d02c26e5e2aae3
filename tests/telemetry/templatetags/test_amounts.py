"""As many digits as say something."""

import pytest

from telemetry.templatetags.amounts import amount


@pytest.mark.parametrize(
    ("number", "said"),
    [(None, "–"), (0, "0"), (0.024, "0.02"), (0.97, "1.0"), (6.24, "6.2"), (11.2, "11"), (4918.9, "4,919")],
)
def test_an_amount_has_the_digits_that_say_something(number, said):
    assert amount(number) == said

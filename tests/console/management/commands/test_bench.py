import pytest
from django.core.management import call_command


def test_without_a_known_name_it_lists_what_there_is():
    with pytest.raises(SystemExit, match=r"^The benchmarks are: .*\bstart\b"):
        call_command("bench", "no-such-thing")

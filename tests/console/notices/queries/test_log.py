"""The log costs the same for few lines and for many."""

import pytest

from console.notices.queries import deliveries
from tests.console.notices.rows import ADMIN, addressed, channel, end, notice, take

pytestmark = pytest.mark.django_db


def test_a_page_is_two_statements(django_assert_num_queries):
    channel()
    for number in range(4):
        notice(subject_key=f"thing:{number}")
    addressed()
    end(take(), fault="HTTP 500")
    with django_assert_num_queries(2):
        page = deliveries(person_id=int(ADMIN.id), everything=True)
    assert len(page.rows) == 4
    assert sum(len(line.attempts) for line in page.rows) == 1

import pytest

from console.serving.address import USUAL, address, reached_at, remember


@pytest.mark.parametrize(
    ("host", "said"),
    [
        ("127.0.0.1", "http://127.0.0.1:8000"),
        ("0.0.0.0", "http://127.0.0.1:8000"),
        ("::", "http://[::1]:8000"),
    ],
)
def test_the_address_it_says_is_one_that_can_be_typed(host, said):
    assert address(host, 8000) == said


def test_a_command_beside_the_server_knows_where_it_listens(settings, tmp_path):
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path, ""
    assert reached_at() == USUAL
    remember("http://127.0.0.1:8431")
    assert reached_at() == "http://127.0.0.1:8431"


def test_the_public_address_comes_before_what_was_served_here(settings, tmp_path):
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path, "https://board.example"
    remember("http://127.0.0.1:8431")
    assert reached_at() == "https://board.example"


def test_a_folder_that_takes_nothing_stops_no_server(settings, tmp_path):
    settings.DATA_DIR, settings.PUBLIC_URL = tmp_path / "none", ""
    remember("http://127.0.0.1:8431")
    assert reached_at() == USUAL

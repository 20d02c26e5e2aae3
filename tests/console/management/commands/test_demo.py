import socket

import pytest
from django.core.management import call_command


def test_a_rate_that_is_no_rate_is_refused_in_one_sentence():
    with pytest.raises(SystemExit) as refusal:
        call_command("demo", rate=0.0)
    assert refusal.value.code == "--rate is a number of requests a minute, above 0."


def test_a_taken_port_is_refused_in_one_sentence():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(SystemExit) as refusal:
            call_command("demo", service_port=port)
    assert refusal.value.code.startswith(f"Port {port} on 127.0.0.1 is taken")

import socket

import pytest
from django.core.management import call_command


@pytest.mark.parametrize("command", ["serve", "up"])
def test_a_taken_port_is_one_sentence_and_nothing_is_started(command):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        with pytest.raises(SystemExit, match=rf"^Port {port} on 127.0.0.1 is taken"):
            call_command(command, port=port)


def test_several_processes_without_their_services_are_one_sentence(settings):
    settings.EMBEDDED = True
    with pytest.raises(SystemExit, match=r"^3 processes need DATABASE_URL and REDIS_URL"):
        call_command("serve", port=0, workers=3)

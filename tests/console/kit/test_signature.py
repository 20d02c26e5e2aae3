import base64
import hashlib
import hmac

from console.kit.signature import headers
from tests.factories import NOON


def test_another_body_time_or_id_is_another_signature():
    made = [
        headers(message_id=name, body=body, secret="s", at=at)["webhook-signature"]
        for name, body, at in (
            ("a", b"1", NOON),
            ("b", b"1", NOON),
            ("a", b"2", NOON),
            ("a", b"1", NOON.replace(hour=13)),
        )
    ]
    assert len(set(made)) == 4


def test_the_receiver_can_compute_it():
    told = headers(message_id="a", body=b"{}", secret="s", at=NOON)
    mac = hmac.new(b"s", b"a." + told["webhook-timestamp"].encode() + b".{}", hashlib.sha256).digest()
    assert told["webhook-signature"] == "v1," + base64.b64encode(mac).decode()

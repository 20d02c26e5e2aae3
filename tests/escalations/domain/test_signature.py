import base64
import hashlib
import hmac

from escalations.domain import signature
from tests.escalations import made


def test_the_signature_covers_id_time_and_body_as_standard_webhooks_has_it():
    found = signature.headers(message_id="msg_1", body=b'{"a":1}', secret="secret", at=made.NOON)
    stamp = str(int(made.NOON.timestamp()))
    mac = hmac.new(b"secret", f'msg_1.{stamp}.{{"a":1}}'.encode(), hashlib.sha256).digest()
    assert found["webhook-id"] == "msg_1"
    assert found["webhook-timestamp"] == stamp
    assert found["webhook-signature"] == "v1," + base64.b64encode(mac).decode()


def test_tries_come_later_and_later_and_end():
    pauses = [signature.next_try(tries, at=made.NOON) - made.NOON for tries in range(1, signature.MOST_TRIES)]
    assert pauses == sorted(pauses)
    assert pauses[0] == signature.FIRST_PAUSE
    assert pauses[-1] == signature.LONGEST_PAUSE
    assert signature.next_try(signature.MOST_TRIES, at=made.NOON) is None

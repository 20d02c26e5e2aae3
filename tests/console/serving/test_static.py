import asyncio
import gzip

import pytest

from console.serving.static import StaticFiles


@pytest.fixture
def files(settings, tmp_path):
    settings.STATIC_ROOT = tmp_path
    (tmp_path / "a.css").write_text("a{}" * 100)
    (tmp_path / "a.css.gz").write_bytes(gzip.compress(b"a{}" * 100))
    return StaticFiles()


async def ask(files, path, method="GET", **headers):
    sent = []

    async def send(message):
        sent.append(message)

    lines = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    await files({"method": method, "path": path, "headers": lines}, asyncio.Event().wait, send)
    return sent[0]["status"], dict(sent[0]["headers"]), sent[1]["body"]


async def test_a_file_is_given_with_its_type_and_told_not_to_be_sniffed(files):
    status, headers, body = await ask(files, "/static/a.css")
    assert (status, body) == (200, b"a{}" * 100)
    assert headers[b"content-type"].startswith(b"text/css")
    assert headers[b"x-content-type-options"] == b"nosniff"


async def test_a_browser_that_can_is_given_the_compressed_file(files):
    _, headers, body = await ask(files, "/static/a.css", accept_encoding="gzip, br")
    assert headers[b"content-encoding"] == b"gzip"
    assert gzip.decompress(body) == b"a{}" * 100


async def test_a_browser_that_has_it_is_told_so(files):
    _, headers, _ = await ask(files, "/static/a.css")
    status, _, body = await ask(files, "/static/a.css", if_none_match=headers[b"etag"].decode())
    assert (status, body) == (304, b"")


async def test_head_gives_no_body(files):
    status, headers, body = await ask(files, "/static/a.css", method="HEAD")
    assert (status, body) == (200, b"")
    assert headers[b"content-length"] == b"300"


@pytest.mark.parametrize("path", ["/static/none.css", "/static/../manage.py", "/static/", "/static/a.css.gz"])
async def test_what_was_not_collected_is_not_found(files, path):
    status, _, _ = await ask(files, path)
    assert status == 404

import logging
import os
import stat
import time

from switchboard._spool import STALE_S, Spool


def test_what_is_kept_comes_back_oldest_first(tmp_path):
    spool = Spool(tmp_path / "s", limit=1_000)
    for n in range(3):
        assert spool.put(f"body {n}".encode())
    seen = []
    while (taken := spool.take()) is not None:
        seen.append(taken.body)
        taken.done()
    assert seen == [b"body 0", b"body 1", b"body 2"]
    assert not spool.waiting()
    assert list((tmp_path / "s").iterdir()) == []


def test_nobody_else_can_read_it(tmp_path):
    Spool(tmp_path / "s", limit=1_000).put(b"x")
    folder = tmp_path / "s"
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert [stat.S_IMODE(each.stat().st_mode) for each in folder.iterdir()] == [0o600]


def test_what_is_given_back_is_the_oldest_again(tmp_path):
    spool = Spool(tmp_path, limit=1_000)
    spool.put(b"old")
    spool.put(b"new")
    spool.take().give_back()
    assert spool.take().body == b"old"


def test_two_processes_never_hold_the_same_batch(tmp_path):
    one, two = Spool(tmp_path, limit=1_000), Spool(tmp_path, limit=1_000)
    one.put(b"x")
    assert one.take().body == b"x"
    assert two.take() is None


def test_the_limit_is_kept(tmp_path):
    spool = Spool(tmp_path, limit=10)
    assert spool.put(b"x" * 8)
    assert not spool.put(b"x" * 8)
    spool.take().done()
    assert spool.put(b"x" * 8)


def test_what_a_dead_process_had_begun_is_undone(tmp_path):
    spool = Spool(tmp_path, limit=1_000)
    spool.put(b"x")
    mine = spool.take()
    half = tmp_path / "00-1-1.tmp"
    half.write_bytes(b"half")
    assert spool.take() is None
    long_ago = time.time() - STALE_S - 1
    for path in tmp_path.iterdir():
        os.utime(path, (long_ago, long_ago))
    assert spool.take().body == b"x"
    assert not half.exists()
    mine.done()


def test_a_disk_that_refuses_is_said_once_and_harms_nobody(tmp_path, caplog):
    (tmp_path / "file").write_text("in the way")
    spool = Spool(tmp_path / "file" / "s", limit=1_000)
    with caplog.at_level(logging.WARNING, "switchboard"):
        assert [spool.put(b"x"), spool.put(b"x")] == [False, False]
    assert len([each for each in caplog.records if each.name == "switchboard"]) == 1
    assert spool.take() is None
    assert not spool.waiting()


def test_a_full_disk_leaves_no_half_batch_and_is_said_once(tmp_path, monkeypatch, caplog):
    class Full:
        def __init__(self, handle, mode):
            self.handle = handle

        def __enter__(self):
            return self

        def __exit__(self, *_):
            os.close(self.handle)

        def write(self, body):
            os.write(self.handle, body[:3])
            raise OSError(28, "No space left on device")

    spool = Spool(tmp_path / "s", limit=1_000)
    monkeypatch.setattr("switchboard._spool.os.fdopen", Full)
    assert [spool.put(b"a body"), spool.put(b"a body")] == [False, False]
    assert list((tmp_path / "s").iterdir()) == []
    assert caplog.text.count("No space left on device") == 1

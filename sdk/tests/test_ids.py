import os
import re
import time
from uuid import UUID

from switchboard._ids import instance_name, random_hex, uuid7, uuid_from


def test_ids_are_version_seven_and_hold_the_time():
    before = time.time_ns() // 1_000_000
    made = UUID(uuid7())
    assert made.version == 7
    assert made.variant == "specified in RFC 4122"
    assert before <= made.int >> 80 <= time.time_ns() // 1_000_000 + 1_000


def test_ids_of_one_process_sort_in_the_order_they_were_made():
    made = [uuid7() for _ in range(20_000)]
    assert made == sorted(made)
    assert len(set(made)) == len(made)


def test_a_child_process_makes_ids_of_its_own():
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(write, random_hex(32).encode())
        os._exit(0)
    os.waitpid(child, 0)
    assert os.read(read, 32).decode() != random_hex(32)
    os.close(read)
    os.close(write)


def test_an_instance_is_named_by_host_process_and_life():
    assert re.fullmatch(rf".+-{os.getpid()}-56789abc", instance_name("01234-56789abc"))


def test_the_same_content_makes_the_same_id_and_other_content_another():
    assert uuid_from("ab" * 32) == uuid_from("ab" * 32) != uuid_from("cd" * 32)
    assert UUID(uuid_from("ab" * 32)).version == 8

"""Two or more at once, each in a thread with a connection of its own, all let go at the same moment."""

import threading
from concurrent.futures import ThreadPoolExecutor

from django.db import connections

from console.kit.refusal import Refused


def race(*works):
    """Run every work at once; give what each gave, or the refusal it met. Anything else is raised."""
    gate = threading.Barrier(len(works))

    def run(work):
        try:
            gate.wait(10)
            return work()
        except Refused as refusal:
            return refusal
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(works)) as pool:
        return [done.result(30) for done in [pool.submit(run, work) for work in works]]


def codes(results):
    """Give the codes of the refusals among what came out."""
    return [each.code for each in results if isinstance(each, Refused)]

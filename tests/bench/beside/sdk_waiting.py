"""Calls of the SDK that wait for decisions, in a process of their own: what `manage.py bench decisions` times.

Reads one JSON object {url, key, ids}; prints "ready" when every call waits, and a JSON object of decision id → when its
call had returned (ns since the epoch) when all have.
"""

import asyncio
import gc
import json
import sys
import time

import switchboard


async def waited(client: switchboard.AsyncClient, case_id: str) -> tuple[str, int]:
    """Wait for one case's decision; give its id and the moment the call returned."""
    case = await client.case(case_id)
    decision = await case.wait(timeout=300)
    return decision.decision_id, time.time_ns()


async def main() -> None:
    """Wait for all of them."""
    asked = json.loads(sys.stdin.readline())
    client = switchboard.AsyncClient(url=asked["url"], key=asked["key"], spool=None)
    waiting = [asyncio.create_task(waited(client, each)) for each in asked["ids"]]
    await asyncio.sleep(2)
    gc.freeze()
    print("ready", flush=True)
    print(json.dumps(dict(await asyncio.gather(*waiting))), flush=True)
    await client.close()


if __name__ == "__main__":
    asyncio.run(main())

"""How long from a report to the pixel: a real browser has the overview open while a thousand calls a second come in.

`manage.py bench live [--rate 1000] [--probes 40] [--within 1.0]`: the embedded console. A probe is a report about a tool
that nobody has heard of; the clock runs from just before it is sent until the frame in which the open page shows that
tool has been drawn. Both clocks are this machine's. It fails where the 95th of 100 is later than `--within` seconds.
"""

import argparse
import asyncio
import os
import random
import statistics
import sys
import tempfile
import time

from playwright.async_api import async_playwright

from tests.bench.load.reports import call, posted
from tests.bench.load.server import console
from tests.bench.load.wire import length_of
from tests.live import browser as chromium
from tests.live.house import manage

A_SECOND = 20  # requests of the load
GIVE_UP_S = 20
WATCH = """() => {
  window.drawn = {};
  const look = () => {
    for (const found of document.body.textContent.matchAll(/probe\\.(\\d+)/g)) {
      const name = found[1];
      if (name in window.drawn) continue;
      window.drawn[name] = 0;
      requestAnimationFrame(() => requestAnimationFrame(() => { window.drawn[name] = Date.now(); }));
    }
  };
  new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""

DRAWN = """name => new Promise((done) => {
  const look = () => window.drawn[name] ? done(window.drawn[name]) : setTimeout(look, 10);
  look();
})"""


class Line:
    """A connection that reports and waits for the answer."""

    async def open(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        return self

    async def send(self, data):
        self.writer.write(data)
        head = await self.reader.readuntil(b"\r\n\r\n")
        body = await self.reader.readexactly(length_of(head))
        if not head.startswith(b"HTTP/1.1 200"):
            raise SystemExit(f"{head.decode()}{body[:300].decode()}")


class Load:
    """So many calls a second, until it is told to stop."""

    def __init__(self, serving, rate):
        self.serving, self.each, self.sent, self.stopped = serving, rate // A_SECOND, 0, False

    async def run(self):
        line = await Line().open(self.serving.port)
        due = began = time.perf_counter()
        while not self.stopped:
            await line.send(posted(self.serving.key, [call() for _ in range(self.each)]))
            self.sent += self.each
            due += 1 / A_SECOND
            await asyncio.sleep(max(0, due - time.perf_counter()))
        self.rate = self.sent / (time.perf_counter() - began)


def lost(tool, n):
    """Calls of a tool that all fail, more than of any probe before, so that it stands on top of the table."""
    failure = {"class": "hard", "code": "NOT_FOUND", "message": "no such offer"}
    return [{**call(tool), "outcome": "failed", "failure": failure} for _ in range(20 + n)]


async def probed(serving, page, probes):
    """Give how long each probe took, in seconds."""
    line, took = await Line().open(serving.port), []
    for n in range(probes):
        await asyncio.sleep(random.uniform(0.3, 1.3))
        data = posted(serving.key, lost(f"probe.{n:03d}", n * 10))
        sent = time.time()
        await line.send(data)
        took.append(await drawn(page, f"{n:03d}") / 1000 - sent)
    return took


async def drawn(page, name):
    """Wait until the page has drawn it; give when that was, by the page's own clock."""
    async with asyncio.timeout(GIVE_UP_S):
        return await page.evaluate(DRAWN, name)


async def measure(serving, link, options):
    load = Load(serving, options.rate)
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(
            executable_path=chromium.executable(), args=[*chromium.ARGUMENTS]
        )
        page = await started.new_page(viewport={"width": 1440, "height": 900})
        await (await Line().open(serving.port)).send(posted(serving.key, [call() for _ in range(100)]))
        await page.goto(link)
        await page.get_by_role("button", name="Sign in").click()
        await page.get_by_role("status").filter(has_text="Live").wait_for(timeout=20_000)
        await page.evaluate(WATCH)
        running = asyncio.create_task(load.run())
        await asyncio.sleep(3)
        cpu, began = serving.cpu(), time.perf_counter()
        took = await probed(serving, page, options.probes)
        busy = (serving.cpu() - cpu) / (time.perf_counter() - began)
        load.stopped = True
        await running
        await started.close()
    return took, load.rate, busy


def main(argv):
    parser = argparse.ArgumentParser(prog="bench live")
    parser.add_argument("--rate", type=int, default=1_000)
    parser.add_argument("--probes", type=int, default=40)
    parser.add_argument("--within", type=float, default=1.0)
    options = parser.parse_args(argv)
    with tempfile.TemporaryDirectory() as folder:
        env = {**os.environ, "SWITCHBOARD_DATA": folder}
        with console(env) as serving:
            url = f"http://127.0.0.1:{serving.port}"
            link = manage(env, "person", "add", "ana", "--role", "operator", "--url", url).split()[-1]
            took, rate, busy = asyncio.run(measure(serving, link, options))
    rows = sorted(took)
    p95 = rows[min(len(rows) - 1, int(len(rows) * 0.95))]
    print(
        f"{rate:,.0f} calls/s, {len(rows)} probes: report → pixel p50 {statistics.median(rows):.2f} s, "
        f"p95 {p95:.2f} s, worst {rows[-1]:.2f} s; the console used {busy:.0%} of one core"
    )
    sys.exit(1 if p95 > options.within else 0)


if __name__ == "__main__":
    main(sys.argv[1:])

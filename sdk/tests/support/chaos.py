"""Everything fails, everybody dies: tasks of an agent whose tools, process and console come and go by chance."""

import random
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import switchboard as sb
from switchboard.journal import Entry, SqliteJournal, State
from switchboard.testing import FakeConsole

FAILURES: tuple[Callable[[], BaseException], ...] = (
    ConnectionRefusedError,
    ConnectionResetError,
    TimeoutError,
    lambda: KeyError("bug"),
    lambda: sb.HttpFailure(400, body={"errors": [{"field": "seat", "allowed": ["window"]}]}),
    lambda: sb.HttpFailure(401),
    lambda: sb.HttpFailure(403),
    lambda: sb.HttpFailure(404),
    lambda: sb.HttpFailure(409),
    lambda: sb.HttpFailure(429, {"Retry-After": "2"}),
    lambda: sb.HttpFailure(500),
    lambda: sb.HttpFailure(503),
    lambda: sb.ToolFailure("hard", "POINTS_INSUFFICIENT"),
)


class Killed(BaseException):
    """Stands for the end of a process."""


class Chance:
    """One seed, and everything that goes wrong because of it."""

    def __init__(self, seed: int, console: FakeConsole) -> None:
        self.random = random.Random(seed)
        self.console = console
        self.lives = 0
        self.seen: Counter[str] = Counter()

    def failure(self, among: Sequence[Callable[[], BaseException]] = FAILURES) -> BaseException:
        """One of the failures a tool may have."""
        raised = self.random.choice(among)()
        name = f"HTTP {raised.status}" if isinstance(raised, sb.HttpFailure) else type(raised).__name__
        self.seen[name] += 1
        return raised

    def strikes(self, share: float) -> bool:
        return self.random.random() < share

    def dies(self) -> None:
        """Maybe the process ends here; after some lives it is left alone."""
        if self.lives < 6 and self.strikes(0.06):
            self.seen["agent killed"] += 1
            raise Killed

    def moment(self) -> None:
        """Maybe the console goes away or comes back."""
        if self.strikes(0.1):
            self.seen["console away"] += 1
            self.console.down()
        elif self.strikes(0.5):
            self.console.up()


class World:
    """What has really happened for one task."""

    def __init__(self, chance: Chance) -> None:
        self.chance = chance
        self.done: Counter[str] = Counter()
        self.keys: set[str] = set()
        self.standing: set[str] = set()

    def act(self, what: str, key: str | None) -> str:
        """A write: it may fail before or after it has happened, and the program may die at either moment."""
        self.chance.dies()
        if self.chance.strikes(0.25):
            raise self.chance.failure()
        if key is None or key not in self.keys:
            self.done[what] += 1
            self.standing.add(what)
            if key is not None:
                self.keys.add(key)
        self.chance.dies()
        if self.chance.strikes(0.1):
            raise self.chance.failure((TimeoutError, ConnectionResetError, KeyError))
        return what

    def look(self, answer: Any) -> Any:
        """A read."""
        self.chance.dies()
        if self.chance.strikes(0.3):
            raise self.chance.failure()
        return answer if self.chance.strikes(0.9) else []

    def undo(self, what: str) -> str:
        """A compensation."""
        self.chance.dies()
        if self.chance.strikes(0.2):
            raise self.chance.failure()
        self.standing.discard(what)
        return what


class Dying(SqliteJournal):
    """The process may end before or after any line of the journal."""

    chance: Chance

    def start(self, entry: Entry) -> None:
        self.chance.dies()
        super().start(entry)
        self.chance.dies()

    def settle(self, logical_id: str, state: State, result: str) -> None:
        self.chance.dies()
        super().settle(logical_id, state, result)
        self.chance.dies()


class Now:
    """The world of the task that is being run."""

    world: World


TOOLS = sb.Toolbox()  # reading their signatures anew in each of thousands of lives would be most of the work


@TOOLS.tool(effect="read", fallbacks=[sb.StaleCache()])
def search(city: str) -> Any:
    return Now.world.look([city])


@TOOLS.tool(effect="write", compensate="cancel", reconcile="find")
def book(what: str) -> str:
    return Now.world.act(what, None)


@TOOLS.tool(effect="write", compensate="cancel", reconcile="find")
def pay(what: str) -> str:
    return Now.world.act(what, None)


@TOOLS.tool(effect="idempotent_write", compensate="cancel")
def seat(what: str, ctx: sb.Context) -> str:
    return Now.world.act(what, ctx.idempotency_key)


@TOOLS.tool(effect="read")
def find(what: str) -> str | None:
    Now.world.look(what)  # it may fail, but it does not lie
    return what if what in Now.world.standing else None


@TOOLS.tool(effect="idempotent_write")
def cancel(what: str) -> str:
    return Now.world.undo(what)


def toolbox(world: World, console: FakeConsole) -> sb.Toolbox:
    """The tools of the agent, in a process of its own."""
    Now.world = world
    box = sb.Toolbox(
        console.client(), clock=console.clock, default_breaker=sb.BreakerPolicy(min_calls=10_000)
    )
    box.tools.update(TOOLS.tools)
    return box


def one_life(world: World, console: FakeConsole, journal: Path, task: str) -> str:
    """One process of the agent, from the top. Gives what became of the task."""
    chance = world.chance
    chance.moment()
    with toolbox(world, console) as box:
        opened = Dying(journal, task, goal="g", trace_id="t" * 32, clock=console.clock)
        opened.chance = chance
        session = box.session(
            id=task, goal="Book the trip", journal=opened, limits=sb.Limits(deadline_s=None)
        )
        try:
            session.call_sync("search", {"city": "Tokyo"})
            for tool in ("book", "seat", "pay"):
                result = session.call_sync(tool, {"what": f"{task}-{tool}"})
                chance.moment()
                if result.outcome == "escalated":
                    return settled(session, result, world, console)
                if not result.ok:
                    undone = session.compensate_sync()
                    return "compensated" if undone.complete else "with a person"
            return "succeeded"
        finally:
            session.close(finished=False)


def settled(session: sb.Session, result: sb.Result, world: World, console: FakeConsole) -> str:
    """A person decides, or does not."""
    console.up()
    chance = world.chance
    sb.runtime.drive(session.desk.send_pending(session.box.blocks))  # type: ignore[attr-defined]
    key = result.case.key
    case = next(each for each in console.cases if each.key == key)
    if case.state == "open":
        said = chance.random.choice(["nothing", "reject", "approve", "expire", "respond"])
        offered = [each["id"] for each in case.package["proposals"]]
        match said:
            case "nothing":
                return "with a person"
            case "approve":
                console.decide(key, "approve", proposal_id=chance.random.choice(offered))
            case "expire":
                console.expire(key)
            case "respond" if "question" in case.package:
                console.decide(key, "respond", answer={"happened": result.args["what"] in world.standing})
            case _:
                console.decide(key, "reject")
    outcome = session.settle_sync(result.case, timeout=60)
    return "succeeded" if outcome.status == "executed" else "with a person"


@dataclass
class Verdict:
    """What became of all tasks."""

    ends: Counter[str] = field(default_factory=Counter)
    seen: Counter[str] = field(default_factory=Counter)
    effects: int = 0
    twice: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)

    def add(self, task: str, end: str, world: World, console: FakeConsole) -> None:
        """Judge one task by what has really happened."""
        self.ends[end] += 1
        self.seen += world.chance.seen
        self.effects += len(world.done)
        self.twice += [what for what, times in world.done.items() if times > 1]
        open_somewhere = bool(console.cases)
        fine = {
            "succeeded": True,
            "compensated": not world.standing,
            "with a person": open_somewhere,
        }
        if not fine.get(end):
            self.lost.append(task)


def run_task(seed: int, folder: Path, verdict: Verdict) -> None:
    """A task with all its deaths."""
    console = FakeConsole()
    chance = Chance(seed, console)
    world = World(chance)
    journal = folder / f"{seed}.sqlite3"
    while True:
        try:
            end = one_life(world, console, journal, f"t{seed}")
        except Killed:
            chance.lives += 1
            console.clock.advance(1)
            continue
        console.up()
        with toolbox(world, console) as box, box.session(id=f"t{seed}", journal=journal):
            pass  # what could not be handed over while the console was away is handed over now
        verdict.add(f"t{seed}", end, world, console)
        return

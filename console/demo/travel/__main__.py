"""`python -m console.demo.travel --port N`: the travel service as a process of its own."""

import argparse
import logging
from pathlib import Path

import uvicorn

from console.bootstrap.children import follow_parent
from console.demo.travel.app import Pace, Travel
from console.demo.travel.desk import Desk
from console.demo.travel.scenarios import BY_NAME, SCENARIOS
from console.demo.travel.store import Store
from console.demo.travel.troubles import NOISE, OUTAGES, Weather


def main() -> None:
    """Serve until told to stop, or until the process that started it is gone."""
    said = _arguments()
    follow_parent()
    chosen = [BY_NAME[name] for name in said.scenarios.split(",") if name]
    desk = Desk(seed=said.seed, scenarios=chosen or SCENARIOS, cycle=bool(chosen))
    weather = Weather(said.seed, () if said.calm else OUTAGES, {} if said.calm else NOISE)
    if said.data:
        Path(said.data).mkdir(parents=True, exist_ok=True)
    store = Store(str(Path(said.data) / "travel.sqlite3") if said.data else ":memory:")
    app = Travel(store, desk, weather, Pace(latency=said.latency, hang_s=said.hang))
    logging.getLogger("uvicorn.error").addFilter(not_cut_off)
    uvicorn.run(app, host="127.0.0.1", port=said.port, log_level="warning", timeout_graceful_shutdown=1)
    store.close()


def not_cut_off(line: logging.LogRecord) -> bool:
    """Leave out that requests were cut off at the end: some are made to hang, and the fleet stops when told to."""
    return not str(line.msg).startswith("Cancel ")


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="console.demo.travel")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument(
        "--data", default="", help="folder of its SQLite file; without one it forgets when it ends"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scenarios", default="", help="only these, in this order, again and again")
    parser.add_argument("--calm", action="store_true", help="no outages and no noise, only planned trouble")
    parser.add_argument(
        "--hang", type=float, default=12.0, help="seconds for which a hung request says nothing"
    )
    parser.add_argument("--latency", type=float, default=1.0, help="share of the usual latency")
    return parser.parse_args()


if __name__ == "__main__":
    main()

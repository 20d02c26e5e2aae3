// The overview lives: on every hint its parts are fetched again, at most once a second, and the chart follows.
import { startFigures } from "../../lib/figure.js";
import { follow } from "../../lib/live.js";

follow(["telemetry", "cases", "breakers"], { everyMs: 1000 });
startFigures();

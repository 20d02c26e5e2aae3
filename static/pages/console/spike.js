// One spike: its rate follows the calls, its state whatever people do.
import { startFigures } from "../../lib/figure.js";
import { follow } from "../../lib/live.js";

follow(["telemetry", "spikes", "breakers"], { everyMs: 2000 });
startFigures();

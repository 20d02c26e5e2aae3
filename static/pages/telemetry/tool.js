// One tool lives as the overview does.
import { startFigures } from "../../lib/figure.js";
import { follow } from "../../lib/live.js";

follow(["telemetry", "breakers", "spikes"], { everyMs: 1000 });
startFigures();

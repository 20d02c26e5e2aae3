// The overview lives: on every hint its parts are fetched again, so often that a report is seen within a second, and the chart follows.
import { startFigures } from "../../lib/figure.js";
import { onHint } from "../../lib/hints.js";
import { follow } from "../../lib/live.js";

if (document.getElementById("first")) {
  onHint(["telemetry"], () => location.reload()); // the first call: the page becomes another
} else {
  follow(["telemetry", "cases", "breakers"], { everyMs: 400 });
  startFigures();
}

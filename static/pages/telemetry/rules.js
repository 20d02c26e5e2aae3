// Back-fills say how far they have come.
import { follow } from "../../lib/live.js";

follow(["telemetry"], { everyMs: 3000 });

// A trace grows while its task runs; folds and the place read stay as they are.
import { follow } from "../../lib/live.js";

follow(["telemetry", "cases"], { everyMs: 2000 });

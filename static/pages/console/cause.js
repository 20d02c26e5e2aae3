// One cause follows what is reported; a rule being written stays as it was typed.
import { follow } from "../../lib/live.js";

follow(["telemetry"], { everyMs: 3000 });

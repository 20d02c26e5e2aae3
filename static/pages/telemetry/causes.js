// The list of causes follows what is reported, unhurriedly.
import { follow } from "../../lib/live.js";

follow(["telemetry"], { everyMs: 3000 });

// The books follow what is reported, at most once in two seconds.
import { follow } from "../../lib/live.js";

follow(["telemetry"], { everyMs: 2000 });

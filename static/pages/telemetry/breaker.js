// One breaker lives like the panel does.
import { follow } from "../../lib/live.js";

follow(["breakers"], { everyMs: 500 });

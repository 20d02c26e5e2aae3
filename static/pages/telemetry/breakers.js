// Breakers live: every transition and heartbeat that changes the panel is shown without a reload.
import { follow } from "../../lib/live.js";

follow(["breakers"], { everyMs: 500 });

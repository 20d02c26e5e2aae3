// The teams: whoever is on call changes without a reload.
import { follow } from "../../lib/live.js";

follow(["policies"], { everyMs: 1000, atOnce: true });

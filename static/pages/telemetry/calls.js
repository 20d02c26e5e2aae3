// The list of calls follows what is reported while its newest page is shown; an older page stands still.
import { follow } from "../../lib/live.js";

if (document.querySelector("#calls[data-live]")) follow(["telemetry"], { everyMs: 3000 });

// Spikes appear, are answered and close without a reload; numbers follow unhurriedly.
import { follow } from "../../lib/live.js";

follow(["spikes"], { everyMs: 1000 });

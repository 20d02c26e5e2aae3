// What is held back, kept true while somebody looks.
import { follow } from "../../lib/live.js";

follow(["policies"], { everyMs: 1000, atOnce: true });

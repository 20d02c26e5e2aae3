// What became of each, kept true: outcomes arrive while the page is open.
import { follow } from "../../lib/live.js";

follow(["cases"], { everyMs: 700, atOnce: true });

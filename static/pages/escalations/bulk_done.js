// What became of each, kept true: outcomes arrive while the page is open. Enter goes back to the list.
import { follow } from "../../lib/live.js";

follow(["cases"], { everyMs: 700, atOnce: true });
document.querySelector('[data-key="b"]')?.focus({ preventScroll: true });

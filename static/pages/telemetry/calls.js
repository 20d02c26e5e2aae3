// The newest calls: what is shown changes in place, what arrives waits in a line above; an older page stands still.
import { follow } from "../../lib/live.js";
import { morph } from "../../lib/morph.js";

const list = document.querySelector("#calls[data-live]");
const line = document.getElementById("arrivals");
const arrived = document.getElementById("arrived");
const show = document.getElementById("show");
let waiting = null;

const idsOf = (part) => [...part.querySelectorAll("[data-row]")].map((row) => row.dataset.id);

function tell(n, all = Infinity) {
  arrived.textContent = (n === 1 ? line.dataset.one : line.dataset.many).replace("{0}", n < all ? n : `${n}+`);
  arrived.hidden = show.hidden = !n;
}

// Keep what came for later; only calls that stand here already take on what is new about them. An empty list fills at once.
function put(part, fresh) {
  if (part !== list) return false;
  const here = new Set(idsOf(part));
  if (!here.size) return false;
  waiting = fresh;
  for (const row of fresh.querySelectorAll("[data-row]")) {
    if (here.has(row.dataset.id)) morph(part.querySelector(`[data-row][data-id="${CSS.escape(row.dataset.id)}"]`), row);
  }
  const came = idsOf(fresh);
  tell(came.filter((id) => !here.has(id)).length, came.length);
  return true;
}

show?.addEventListener("click", () => {
  if (waiting) morph(list, waiting);
  waiting = null;
  tell(0);
});

if (list) follow(["telemetry"], { everyMs: 3000, put });

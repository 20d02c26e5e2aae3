// The queue: rows change in place, arrivals wait in a line above, a decided row stays until the list is left.
import { join, placed, settle } from "../../lib/folds.js";
import { current, select } from "../../lib/list.js";
import { follow, refresh } from "../../lib/live.js";
import "../../lib/menus.js";
import { morph } from "../../lib/morph.js";
import { back } from "../../lib/place.js";
import { tell } from "../../lib/ticks.js";

const queue = document.getElementById("queue");
const list = document.getElementById("rows");
const aside = document.getElementById("preview");
const line = queue.querySelector(".arrivals");
const arrived = document.getElementById("arrived");
const show = document.getElementById("show");
const PREVIEW_MS = 90;
let waiting = null;
let [timer, shown] = [0, ""];
let coming = Promise.resolve();

const urlOf = (kind, ref) => queue.dataset[kind].replace("REF", ref);
const refs = (root) => new Set([...root.querySelectorAll("[data-row]")].map((row) => row.dataset.id));
const refOf = (row) => row?.dataset.ref ?? row?.dataset.id; // of a group: the case that is due first
const shows = (row) => urlOf("previewUrl", refOf(row)) + (row.dataset.group ? "?cause" : ""); // a group is decided once
const find = (id) => list.querySelector(`[data-row][data-id="${CSS.escape(id)}"]`);

async function part(address) {
  const answer = await fetch(address, { headers: { "X-Parts": "1" }, cache: "no-store" }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  return holder.content;
}

// Rows here are brought up to date where they stand; new ones are counted, not shown.
function put(old, fresh) {
  if (old !== list) return false;
  const here = refs(list);
  const there = refs(fresh);
  for (const row of fresh.querySelectorAll("[data-row]")) {
    const mine = find(row.dataset.id);
    const head = row.dataset.in && find(`G-${row.dataset.in}`);
    if (mine) morph(mine, placed(row, mine));
    else if (head && !head.hasAttribute("data-unfolded")) join(head, row); // nothing moves: it is folded
  }
  for (const ref of here) if (!there.has(ref)) left(ref);
  const fresher = queue.dataset.first === "1" ? [...there].filter((ref) => !find(ref)) : [];
  waiting = fresher.length ? fresh : null;
  arrived.textContent = (fresher.length === 1 ? line.dataset.one : line.dataset.many).replace("{0}", fresher.length);
  arrived.hidden = show.hidden = !fresher.length;
  if (fresher.length && !here.size) reveal();
  return true;
}

// A row that the view no longer lists keeps its place and says what became of it.
async function left(ref) {
  if (ref.startsWith("G-")) return;
  const content = await part(urlOf("rowUrl", ref));
  if (content && find(ref)) morph(find(ref), content.querySelector("[data-row]"));
}

function reveal() {
  if (!waiting) return;
  morph(list, waiting);
  waiting = null;
  settle();
  tell();
  arrived.hidden = show.hidden = true;
  document.querySelector(".queue .blank")?.remove();
  if (!current()) select(list.querySelector("[data-row]"));
}

async function preview(row) {
  const address = shows(row);
  if (getComputedStyle(aside).display === "none") return;
  const content = await part(address);
  if (!content || !current() || shows(current()) !== address) return;
  if (shown !== address) aside.scrollTop = 0;
  shown = address;
  aside.inert = false;
  aside.replaceChildren(content);
}

list.addEventListener("row", (event) => {
  const row = event.target;
  aside.inert = shown !== shows(row);
  clearTimeout(timer);
  coming = new Promise((done) => {
    timer = setTimeout(() => preview(row).then(done), PREVIEW_MS);
  });
});

// A key means the row under the cursor: where its preview is still on its way, the key waits for it.
addEventListener("keydown", (event) => {
  if (!aside.inert || !["c", "a", "s", "d"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, dialog[open]")) return;
  event.preventDefault();
  if (getComputedStyle(aside).display === "none") { // too narrow for a preview: the case has the keys
    if (current()) location.href = current().querySelector("a").href + (event.key === "a" && !current().dataset.group ? "?do=approve" : "");
    return;
  }
  coming.then(() => aside.inert || aside.querySelector(`[data-key="${event.key}"]`)?.click());
}, { capture: true });
show.addEventListener("click", reveal);
addEventListener("refreshed", () => current() && !aside.querySelector("details[open]") && preview(current()));

// Claiming from the list stays in the list; what else is sent from here comes back to this very list.
aside.addEventListener("submit", async (event) => {
  if (event.target.elements.back) event.target.elements.back.value = location.pathname + location.search;
  if (event.target.dataset.quiet === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  await fetch(event.target.action, { method: "POST", body: new FormData(event.target), redirect: "manual" });
  refresh(put);
});

follow(["cases"], { everyMs: 700, atOnce: true, put });
const row = back(list);
if (row) select(row);
else if (matchMedia("(min-width: 1241px)").matches) select(list.querySelector("[data-row]"), { focus: false });

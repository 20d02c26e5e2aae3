// The queue: rows change in place, arrivals wait in a line above, a decided row stays until the list is left.
import { current, select } from "../../lib/list.js";
import { follow, refresh } from "../../lib/live.js";
import { morph } from "../../lib/morph.js";

const queue = document.getElementById("queue");
const list = document.getElementById("rows");
const aside = document.getElementById("preview");
const line = queue.querySelector(".arrivals");
const arrived = document.getElementById("arrived");
const show = document.getElementById("show");
const PREVIEW_MS = 90;
let waiting = null;
let timer = 0;
let shown = "";
let coming = Promise.resolve();

const urlOf = (kind, ref) => queue.dataset[kind].replace("REF", encodeURIComponent(ref));
const refs = (root) => new Set([...root.querySelectorAll("[data-row]")].map((row) => row.dataset.id));

async function part(address) {
  const answer = await fetch(address, { headers: { "X-Parts": "1" }, cache: "no-store" }).catch(() => null);
  if (!answer?.ok || answer.redirected) return null;
  const holder = document.createElement("template");
  holder.innerHTML = await answer.text();
  return holder.content;
}

// Rows that are here are brought up to date where they stand; new ones are counted, not shown.
function put(old, fresh) {
  if (old !== list) return false;
  const here = refs(list);
  const there = refs(fresh);
  for (const row of fresh.querySelectorAll("[data-row]")) {
    const mine = list.querySelector(`[data-row][data-id="${CSS.escape(row.dataset.id)}"]`);
    if (mine) morph(mine, row);
  }
  for (const ref of here) if (!there.has(ref)) left(ref);
  const fresher = queue.dataset.first === "1" ? [...there].filter((ref) => !here.has(ref)) : [];
  waiting = fresher.length ? fresh : null;
  const words = fresher.length === 1 ? line.dataset.one : line.dataset.many;
  arrived.textContent = words.replace("{0}", fresher.length);
  arrived.hidden = show.hidden = !fresher.length;
  if (fresher.length && !here.size) reveal();
  return true;
}

// A row that the view no longer lists keeps its place and says what became of it.
async function left(ref) {
  const content = await part(urlOf("rowUrl", ref));
  const row = content?.querySelector("[data-row]");
  const mine = list.querySelector(`[data-row][data-id="${CSS.escape(ref)}"]`);
  if (row && mine) morph(mine, row);
}

function reveal() {
  if (!waiting) return;
  morph(list, waiting);
  waiting = null;
  arrived.hidden = show.hidden = true;
  document.querySelector(".queue .blank")?.remove();
  if (!current()) select(list.querySelector("[data-row]"));
}

async function preview(ref) {
  if (getComputedStyle(aside).display === "none") return;
  const content = await part(urlOf("previewUrl", ref));
  if (!content || current()?.dataset.id !== ref) return;
  if (shown !== ref) aside.scrollTop = 0;
  shown = ref;
  aside.inert = false;
  aside.replaceChildren(content);
}

list.addEventListener("row", (event) => {
  const ref = event.target.dataset.id;
  aside.inert = shown !== ref;
  clearTimeout(timer);
  coming = new Promise((done) => {
    timer = setTimeout(() => preview(ref).then(done), PREVIEW_MS);
  });
});

// A key means the row under the cursor: where its preview is still on its way, the key waits for it.
addEventListener("keydown", (event) => {
  if (!aside.inert || !["c", "a", "x"].includes(event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, dialog[open]")) return;
  event.preventDefault();
  coming.then(() => aside.inert || aside.querySelector(`[data-key="${event.key}"]`)?.click());
}, { capture: true });
show.addEventListener("click", reveal);
addEventListener("refreshed", () => current() && preview(current().dataset.id));

// Claiming from the list stays in the list.
aside.addEventListener("submit", async (event) => {
  if (event.target.dataset.quiet === undefined) return;
  event.preventDefault();
  event.stopPropagation();
  await fetch(event.target.action, { method: "POST", body: new FormData(event.target), redirect: "manual" });
  refresh(put);
});

follow(["cases"], { everyMs: 700, put });
if (matchMedia("(min-width: 1241px)").matches) select(list.querySelector("[data-row]"), { focus: false });

// Ticking rows: X ticks the row under the cursor, Shift X (or Shift and a click) all from the last one, * all there are.
import { current } from "./list.js";

const boxes = () => [...document.querySelectorAll("[data-tick]:not(:disabled)")];
const every = () => document.querySelector("[data-tick-all]");
let last = null;

const rowOf = (box) => box.closest("[data-row]");
const inside = (row) => boxes().filter((box) => rowOf(box).dataset.in === row.dataset.group);

// A group's box is its cases' boxes, and the other way round.
function follow(box) {
  const row = rowOf(box);
  if (row.dataset.group) for (const one of inside(row)) one.checked = box.checked;
  const head = row.dataset.in && document.querySelector(`[data-group="${CSS.escape(row.dataset.in)}"] [data-tick]`);
  if (head && !box.checked) head.checked = false;
}

function set(box, checked) {
  box.checked = checked;
  follow(box);
}

function range(to, checked) {
  const all = boxes();
  const [from, until] = [all.indexOf(last?.isConnected ? last : to), all.indexOf(to)].sort((a, b) => a - b);
  for (const box of all.slice(Math.max(0, from), until + 1)) set(box, checked);
}

export function tell() {
  const n = boxes().filter((box) => box.checked && !rowOf(box).dataset.group).length;
  for (const line of document.querySelectorAll("[data-ticked]")) {
    line.textContent = every()?.checked ? line.dataset.all : line.dataset.one.replace("{0}", n);
  }
}

function tick(box, { ranged }) {
  if (ranged) range(box, true);
  else set(box, !box.checked);
  last = box;
  tell();
}

export function untick() {
  for (const box of boxes()) box.checked = false;
  if (every()) every().checked = false;
  tell();
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog[open]")) return;
  if (event.key.toLowerCase() === "x") {
    const box = current()?.querySelector("[data-tick]:not(:disabled)");
    if (box) tick(box, { ranged: event.shiftKey });
    event.preventDefault();
  } else if (event.key === "Escape" && boxes().some((box) => box.checked) && !document.querySelector("details.menu[open]")) {
    untick();
  }
});

addEventListener("click", (event) => {
  const box = event.target.closest?.("[data-tick]");
  if (box) {
    if (event.shiftKey) range(box, box.checked);
    else follow(box);
    last = box;
  }
  if (event.target.closest?.("[data-untick]")) untick();
});

addEventListener("change", (event) => {
  if (event.target.matches("[data-tick-all]")) for (const box of boxes()) box.checked = event.target.checked;
  if (event.target.matches("[data-tick], [data-tick-all]")) tell();
});
addEventListener("refreshed", tell);
addEventListener("pageshow", tell);

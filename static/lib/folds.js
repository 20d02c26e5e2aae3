// Groups in a list fold: the rows inside are shown or hidden under the row that stands for them, which stays in place.
import { current, select } from "./list.js";

const inside = (cause) => [...document.querySelectorAll(`[data-in="${CSS.escape(cause)}"]`)];

function set(row, shown) {
  row.querySelector("[data-fold]").setAttribute("aria-expanded", String(shown));
  row.toggleAttribute("data-unfolded", shown);
  for (const one of inside(row.dataset.group)) one.toggleAttribute("data-shown", shown);
  const here = current();
  if (!shown && here?.dataset.in === row.dataset.group) select(row);
}

// Rows that came with a refresh are as their group is.
export function settle() {
  for (const row of document.querySelectorAll("[data-group]")) {
    for (const one of inside(row.dataset.group)) one.toggleAttribute("data-shown", row.hasAttribute("data-unfolded"));
  }
}

// Whether a row stands in its group is decided when the list is entered: somebody's claim moves nothing.
export function placed(row, mine) {
  const fresh = row.cloneNode(true);
  fresh.classList.toggle("child", mine.classList.contains("child"));
  if (mine.dataset.in) fresh.dataset.in = mine.dataset.in;
  else delete fresh.dataset.in;
  return fresh;
}

// A newcomer of a cause that is folded joins its group at once; the group's line says so.
export function join(head, row) {
  const fresh = document.importNode(row, true);
  let last = head;
  while (last.nextElementSibling?.dataset.in === row.dataset.in) last = last.nextElementSibling;
  last.after(fresh);
  if (head.querySelector("[data-tick]")?.checked) fresh.querySelector("[data-tick]").checked = true;
}

addEventListener("click", (event) => {
  const row = event.target.closest?.("[data-fold]")?.closest("[data-group]");
  if (row) set(row, !row.hasAttribute("data-unfolded"));
});
addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input:not([type=checkbox]), textarea, select, dialog[open]")) return;
  if (event.key !== "ArrowRight" && event.key !== "ArrowLeft") return;
  const row = current();
  const head = row?.dataset.group ? row : row?.dataset.in && document.querySelector(`[data-group="${CSS.escape(row.dataset.in)}"]`);
  if (!head) return;
  event.preventDefault();
  set(head, event.key === "ArrowRight");
});
addEventListener("refreshed", settle);

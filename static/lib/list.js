// A list walked with j and k: one row is current, its link has the focus, and whoever listens is told.
const rows = () => [...document.querySelectorAll("[data-row]")].filter((row) => row.checkVisibility());
export const current = () => document.querySelector('[data-row][aria-current="true"]');

export function select(row, { focus = true } = {}) {
  if (!row) return;
  for (const other of document.querySelectorAll("[data-row][aria-current]")) if (other !== row) other.removeAttribute("aria-current");
  row.setAttribute("aria-current", "true");
  if (focus) row.querySelector("a")?.focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
  row.dispatchEvent(new CustomEvent("row", { bubbles: true }));
}

function step(by) {
  const all = rows();
  const at = all.indexOf(current());
  select(all[Math.min(all.length - 1, Math.max(0, at + by))]);
}

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog[open]")) return;
  if (event.key === "j" || event.key === "k") {
    event.preventDefault();
    step(event.key === "j" ? 1 : -1);
  } else if (event.key === "Enter" && !event.target.closest("a, button, summary")) {
    current()?.querySelector("a")?.click();
  }
});
addEventListener("focusin", (event) => {
  const row = event.target.closest("[data-row]");
  if (row && row !== current()) select(row, { focus: false });
});

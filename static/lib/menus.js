// Menus made of details: one open at a time, closed by Esc, a click elsewhere, or what was chosen; focus goes in and
// back, and Enter at a choice sends it.
const open = () => [...document.querySelectorAll("details.menu[open]")];

function close(menu, { back = false } = {}) {
  menu.open = false;
  if (back) menu.querySelector("summary").focus();
}

addEventListener("click", (event) => {
  for (const menu of open()) if (!menu.contains(event.target)) close(menu);
});
addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const menu = open().at(-1);
  if (!menu) return;
  event.preventDefault();
  event.stopPropagation(); // Esc means the menu here, and not what lies under it
  close(menu, { back: menu.contains(document.activeElement) });
}, { capture: true });
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches?.("details.menu .pop select")) return;
  event.preventDefault();
  event.target.closest(".pop").querySelector("button[type=submit]")?.click();
});
addEventListener("toggle", (event) => {
  const menu = event.target;
  if (!menu.matches?.("details.menu[open]")) return;
  for (const other of open()) if (other !== menu) close(other);
  menu.querySelector(".pop")?.scrollIntoView({ block: "nearest" });
  menu.querySelector(".pop :is(button, select, input, a):not([type=hidden], :disabled)")?.focus({ preventScroll: true });
}, { capture: true });

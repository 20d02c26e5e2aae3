// One keyboard for every page. A key is written on what it works: data-key clicks (or focuses a field),
// data-key-focus only goes there, data-go follows a link after "g". Letters never fire in a field or with a modifier.
const GO_WAIT_MS = 1200;
let going = 0;

const typing = (target) => Boolean(target.closest("input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]"));

function scope() {
  const open = [...document.querySelectorAll("dialog[open]")].filter((dialog) => dialog.matches(":modal"));
  return open.at(-1) ?? document;
}

function find(attribute, key) {
  const named = scope().querySelectorAll(`[${attribute}="${CSS.escape(key)}"]`);
  return [...named].find((one) => one.checkVisibility() && !one.closest("[inert]") && one.getAttribute("aria-disabled") !== "true" && !one.disabled);
}

function work(key) {
  const place = find("data-key-focus", key);
  if (place) {
    place.focus();
    return true;
  }
  const thing = find("data-key", key);
  if (!thing) return false;
  if (typing(thing)) thing.focus();
  else thing.click();
  return true;
}

function go(key) {
  going = 0;
  const link = document.querySelector(`[data-go="${CSS.escape(key)}"]`);
  if (link) location.href = link.href;
  return Boolean(link);
}

addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
    const dialog = document.getElementById("go");
    if (!dialog || dialog.open) return;
    event.preventDefault();
    dialog.showModal();
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || typing(event.target)) return;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  if (event.timeStamp - going < GO_WAIT_MS && going) {
    if (go(key)) event.preventDefault();
    return;
  }
  if (key === "g" && scope() === document) {
    going = event.timeStamp;
    return;
  }
  if (key.length === 1 && work(event.shiftKey && key !== "?" ? `shift-${key}` : key)) event.preventDefault();
});

addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (!opener) return;
  const dialog = document.getElementById(opener.dataset.open);
  if (!dialog?.showModal) return;
  event.preventDefault();
  if (!dialog.open) dialog.showModal();
});

addEventListener("click", (event) => {
  const closer = event.target.closest("[data-close]");
  closer?.closest("dialog")?.close();
});

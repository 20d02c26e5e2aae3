// The help for keys lists what works on this very page, read from what is there when it opens.
const place = document.getElementById("keys-here");

function named(thing) {
  const copy = thing.cloneNode(true);
  for (const key of copy.querySelectorAll("kbd")) key.remove();
  const text = copy.textContent.trim() || thing.getAttribute("aria-label") || thing.labels?.[0]?.textContent || thing.placeholder || "";
  const words = text.replace(/\s+/g, " ").trim();
  return words.startsWith(`${thing.dataset.key} `) ? words.slice(2) : words;
}

function onThisPage() {
  const found = new Map();
  for (const thing of document.querySelectorAll("[data-key], [data-key-focus]")) {
    const key = thing.dataset.key ?? thing.dataset.keyFocus;
    if (thing.checkVisibility() && !thing.closest("dialog, .rail, [inert]") && !found.has(key)) found.set(key, named(thing));
  }
  return found;
}

function element(name, ...inside) {
  const made = document.createElement(name);
  made.append(...inside);
  return made;
}

function fill() {
  const lines = [...onThisPage()].map(([key, text]) => {
    const keys = key.split("-").map((part) => element("kbd", part.length === 1 ? part : part[0].toUpperCase() + part.slice(1)));
    return [element("dt", ...keys.flatMap((one) => [one, " "])), element("dd", text)];
  });
  place.querySelector("dl").replaceChildren(...lines.flat());
  place.hidden = !lines.length;
}

addEventListener("click", (event) => place && event.target.closest('[data-open="keys"]') && fill(), true);

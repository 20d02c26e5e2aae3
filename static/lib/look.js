// Theme and density: the person's choice on this machine, kept and told to whoever draws.
const root = document.documentElement;

function next(key) {
  if (key === "density") return root.dataset.density === "comfortable" ? "dense" : "comfortable";
  const dark = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  return (root.dataset.theme || dark) === "dark" ? "light" : "dark";
}

function change(key) {
  const value = next(key);
  root.dataset[key] = value;
  try {
    localStorage.setItem(key, value);
  } catch {
    // not kept, still applied
  }
  dispatchEvent(new CustomEvent("look", { detail: { key, value } }));
}

addEventListener("click", (event) => {
  const button = event.target.closest("[data-look]");
  if (button) change(button.dataset.look);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
  dispatchEvent(new CustomEvent("look", { detail: { key: "theme" } }));
});

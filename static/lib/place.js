// Where a list was left: whoever comes back to it stands at the same row, or where it stood if it is gone.
const LATELY_MS = 10 * 60 * 1000; // later it is a new look at the list, which begins at its top
const key = `place ${location.pathname}${location.search}`;
const rows = (list) => [...list.querySelectorAll("[data-row]")];

addEventListener("row", (event) => {
  const row = event.target;
  const at = rows(row.parentElement).indexOf(row);
  sessionStorage.setItem(key, JSON.stringify({ id: row.dataset.id, at, group: row.dataset.in ?? "", on: Date.now() }));
});

// The row to stand at, null where the list was not left before. A row inside a folded group is its group's.
export function back(list) {
  const kept = JSON.parse(sessionStorage.getItem(key) ?? "null");
  if (!kept || Date.now() - kept.on > LATELY_MS) return null;
  const all = rows(list);
  const seen = all.filter((row) => row.checkVisibility());
  const same = seen.find((row) => row.dataset.id === kept.id) ?? seen.find((row) => kept.group && row.dataset.group === kept.group);
  return same ?? seen.find((row) => all.indexOf(row) >= kept.at) ?? seen.at(-1) ?? null;
}

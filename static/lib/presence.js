// Who else looks at the same case: this page says what it shows, and writes the names of the others. A hint, no claim.
import { onState, tell } from "./hints.js";

const STILL_MS = 20000;

export function lookAt(id) {
  const look = () => tell({ type: "look", id });
  onState((state) => state === "live" && look());
  setInterval(look, STILL_MS);
  addEventListener("presence", ({ detail }) => {
    const place = document.getElementById("present");
    if (!place || detail.id !== id) return;
    place.textContent = detail.people.length ? place.dataset.who.replace("{0}", detail.people.join(place.dataset.and)) : "";
  });
}

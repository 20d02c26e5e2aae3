// Says whether this browser may show notices, and asks for it when told to, never by itself.
import { follow } from "../../lib/live.js";
import { standing } from "../../lib/notify.js";

const line = document.getElementById("browser");
const ask = line.querySelector("[data-ask]");

function tell() {
  const state = standing();
  line.querySelector("[data-told]").textContent = line.dataset[state];
  ask.disabled = state !== "default"; // it stays in its place, so that nothing jumps
}

ask.addEventListener("click", async () => {
  await Notification.requestPermission();
  tell();
});
tell();
follow(["outbox"], { everyMs: 1000 });

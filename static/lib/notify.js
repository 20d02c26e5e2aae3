// Notices that this browser shows, where a person allowed it: the hint only says that there are some, the rows say
// which, and what was shown is told to the server. A browser that cannot or may not stays silent.
import { onHint } from "./hints.js";

const OFFERED = "/api/v1/notifications/offered";
const SHOWN = "/api/v1/notifications/shown";
const MOST = 3; // more at once are one notice
let looking = false;

export function standing() {
  return "Notification" in window ? Notification.permission : "none";
}

function show(title, body, tag, link) {
  const notice = new Notification(title, { body, tag, lang: document.documentElement.lang });
  notice.addEventListener("click", () => {
    window.focus();
    location.assign(link);
    notice.close();
  });
}

function showAll(notices) {
  if (notices.length > MOST) show(`${notices.length} × Switchboard`, notices.map((one) => one.text).join("\n"), "many", "/outbox/");
  else for (const one of notices) show(one.text, one.detail, one.id, one.link);
}

async function look() {
  if (looking || standing() !== "granted") return;
  looking = true;
  try {
    const answer = await fetch(OFFERED, { cache: "no-store" });
    const { notices } = answer.ok ? await answer.json() : { notices: [] };
    if (notices.length) {
      showAll(notices);
      const headers = { "Content-Type": "application/json", "X-CSRFToken": document.querySelector("[name=csrfmiddlewaretoken]").value };
      await fetch(SHOWN, { method: "POST", headers, body: JSON.stringify({ ids: notices.map((one) => one.id) }) });
    }
  } catch {
    // no network: the next hint or connection looks again, and the server ends what nobody showed
  } finally {
    looking = false;
  }
}

onHint(["notices"], look);
look();

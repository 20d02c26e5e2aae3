// What is typed is kept on the server while it is typed: forms with data-draft. The answer is the page's parts, with
// the difference and the faults as the server sees them; they are morphed in, and nothing typed is touched.
import { absorb, beforeRefresh, say } from "./live.js";

const WAIT_MS = 500;
const AGAIN_MS = 3000;
const pending = new Map();

async function send(form) {
  pending.delete(form);
  const body = new FormData(form);
  const answer = await fetch(form.dataset.draft, { method: "POST", body, headers: { "X-Parts": "1" } }).catch(() => null);
  if (!answer || answer.status >= 500) {
    if (form.isConnected && !pending.has(form)) later(form, AGAIN_MS); // still unsent: it goes before the next refresh
    return;
  }
  if (answer.ok && new URL(answer.url).pathname === location.pathname) absorb(await answer.text());
  else say("out"); // a sign-in page or a refusal: the session has ended, what was typed stays
}

function later(form, wait) {
  clearTimeout(pending.get(form));
  pending.set(form, setTimeout(() => send(form), wait));
}

// What is still waiting goes first when the page is about to be asked for again.
beforeRefresh(() => Promise.all([...pending].map(([form, timer]) => {
  clearTimeout(timer);
  return send(form);
})));

addEventListener("input", (event) => {
  const form = event.target.form;
  if (form?.dataset.draft) later(form, WAIT_MS);
});
addEventListener("change", (event) => {
  const form = event.target.form;
  if (form?.dataset.draft && event.target.matches("select, [type=checkbox], [type=radio]")) later(form, 0);
});
// Enter in a field means the hidden button, which keeps and shows what was typed: that is done here, without leaving.
addEventListener("submit", (event) => {
  if (!event.target.dataset.draft || !event.submitter?.hidden) return;
  event.preventDefault();
  later(event.target, 0);
}, { capture: true });
addEventListener("submit", (event) => {
  if (event.defaultPrevented) return;
  clearTimeout(pending.get(event.target));
  pending.delete(event.target);
});
addEventListener("pagehide", () => {
  for (const form of pending.keys()) navigator.sendBeacon(form.dataset.draft, new FormData(form));
});

// Live means: on every hint and every new connection, fetch the page's parts again and morph what changed.
import { setServerNow } from "./clock.js";
import { onHint, onState, start } from "./hints.js";
import { morph } from "./morph.js";

const RAIL_MS = 5000;
const line = document.querySelector("[data-live-line]");
const seen = new Map();
const before = new Set();
let fetching = null;
let again = false;
let lastAt = 0;
let followed = false;

function remember() {
  for (const part of document.querySelectorAll("[data-live]")) seen.set(part.id, part.outerHTML);
}

// Take over a page that came as parts; `put(part, fresh)` may take a part over itself by returning true.
export function absorb(text, put) {
  const page = new DOMParser().parseFromString(text, "text/html");
  document.title = page.title;
  setServerNow(Number(page.body.dataset.now));
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = page.getElementById(part.id);
    if (!fresh || seen.get(part.id) === fresh.outerHTML) continue;
    seen.set(part.id, fresh.outerHTML);
    if (!put?.(part, fresh)) morph(part, fresh);
  }
  dispatchEvent(new CustomEvent("refreshed"));
}

// Whatever must reach the server before its page is asked for again, for example a half-typed draft.
export function beforeRefresh(save) {
  before.add(save);
}

async function fetchParts(put) {
  await Promise.all([...before].map((save) => save()));
  const answer = await fetch(location.href, { headers: { "X-Parts": "1" }, cache: "no-store" });
  if (answer.redirected) say("out");
  else if (answer.ok) absorb(await answer.text(), put);
}

export async function refresh(put) {
  if (fetching) {
    again = true;
    return fetching;
  }
  fetching = fetchParts(put).catch(() => undefined);
  await fetching;
  fetching = null;
  lastAt = performance.now();
  if (!again) return undefined;
  again = false;
  return refresh(put);
}

// Follow the given topics, looking again at most once in `everyMs`; what is not `mine` may wait for `lazyMs`. A page
// that somebody waits at looks again `atOnce` when the line is up.
export function follow(topics, { everyMs = 250, lazyMs = everyMs, mine = () => true, atOnce = false, put } = {}) {
  let timer = 0;
  let due = Infinity;
  followed = true;
  onHint(topics, (hint) => {
    const at = Math.max(performance.now(), lastAt + (hint === null || mine(hint) ? everyMs : lazyMs));
    if (at >= due) return;
    clearTimeout(timer);
    due = at;
    timer = setTimeout(() => {
      due = Infinity;
      if (document.documentElement.dataset.paused === undefined) refresh(put);
    }, at - performance.now());
  }, { atOnce });
}

// A page that follows nothing keeps the rail's counts true, unhurriedly.
addEventListener("load", () => followed || follow(["cases", "breakers"], { everyMs: RAIL_MS }));

// Say in the rail how the line stands: connecting, live, lost, or out for a session that has ended.
export function say(state) {
  if (!line) return;
  const time = new Date().toLocaleTimeString(document.documentElement.lang, { hour12: false });
  const words = { connecting: line.dataset.connecting, live: line.dataset.live, lost: line.dataset.lost.replace("{0}", time), out: line.dataset.out };
  line.textContent = words[state];
  line.classList.toggle("off", state === "lost" || state === "out");
}

remember();
if (line) {
  onState(say);
  start();
}

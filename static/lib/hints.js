// One socket for the page. A hint means "look again", and so does every new connection: a lost message then costs
// seconds, not truth. The line in the rail says how it stands.
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15000;
const PING_MS = 20000;
const ANSWER_MS = 8000;

const listeners = new Set();
const watchers = new Set();
let socket = null;
let wait = FIRST_WAIT_MS;
let timer = 0;
let state = "connecting";

// `look` is called with a hint {topic, id, revision}, or with null after a reconnection. With `atOnce` also after the
// first connection: what happened while the page was on its way here has been announced to nobody.
export function onHint(topics, look, { atOnce = false } = {}) {
  listeners.add({ topics, look, atOnce });
  if (atOnce && state === "live") look(null);
}

// `tell` is called with "connecting", "live", "lost" or "out".
export function onState(tell) {
  watchers.add(tell);
  tell(state);
}

function become(next) {
  if (state === next) return;
  state = next;
  for (const tell of watchers) tell(state);
}

function tellAll(hint) {
  for (const { topics, look } of listeners) {
    if (topics.includes(hint.topic)) look(hint);
  }
}

function connected(again) {
  for (const { look, atOnce } of listeners) if (again || atOnce) look(null);
}

function connect() {
  clearTimeout(timer);
  const address = new URL("/ws/hints", location.href);
  address.protocol = address.protocol.replace("http", "ws");
  const mine = new WebSocket(address);
  let beat = 0;
  let deadline = 0;
  socket = mine;
  mine.addEventListener("open", () => {
    wait = FIRST_WAIT_MS;
    const again = state === "lost";
    become("live");
    connected(again);
    beat = setInterval(() => {
      mine.send('{"type":"ping"}');
      deadline = setTimeout(() => mine.close(), ANSWER_MS);
    }, PING_MS);
  });
  mine.addEventListener("message", (event) => {
    clearTimeout(deadline);
    const message = JSON.parse(event.data);
    if (message.type === "hint") tellAll(message);
    else if (message.type === "presence") dispatchEvent(new CustomEvent("presence", { detail: message }));
  });
  mine.addEventListener("close", (event) => {
    clearInterval(beat);
    clearTimeout(deadline);
    if (socket !== mine) return;
    socket = null;
    if (event.code === 4401) {
      become("out");
      return;
    }
    become("lost");
    timer = setTimeout(connect, wait * (0.7 + 0.6 * Math.random()));
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  });
}

// Say something to the server, where the line is up; whoever needs it says it again when it is.
export function tell(message) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

export function start() {
  if (socket) return;
  connect();
  addEventListener("online", () => socket || connect());
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && (socket || connect()));
}

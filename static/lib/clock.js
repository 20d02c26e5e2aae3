// What is left and how long ago, kept true once a second. The words come from the page, in the person's language;
// the rounding is that of console/kit/quantities.py and moments.py.
const words = document.body.dataset;
const THIN = "\u202f"; // keeps a number and its unit on one line
const fill = (text, values) => values.reduce((line, value, n) => line.replace(`{${n}}`, value), text);
const put = (text, ...values) => fill(text, values).replaceAll(" ", THIN);
const since = (text, value) => fill(text, [value]).replace(" ", THIN);

const hours = (whole) => put(words.wordsHour, Math.floor(whole / 3600), String(Math.floor((whole % 3600) / 60)).padStart(2, "0"));

export function left(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 60) return put(words.wordsS, whole);
  if (whole < 900) return put(words.wordsMinS, Math.floor(whole / 60), String(whole % 60).padStart(2, "0"));
  if (whole < 7200) return put(words.wordsMin, Math.floor(whole / 60));
  if (whole < 172800) return hours(whole);
  return put(words.wordsDay, Math.floor(whole / 86400));
}

export function ago(seconds) {
  const whole = Math.floor(seconds);
  if (whole < 1) return words.wordsNow;
  if (whole < 60) return since(words.wordsAgoS, whole);
  if (whole < 3600) return since(words.wordsAgoMin, Math.floor(whole / 60));
  if (whole < 86400) return since(words.wordsAgoH, Math.floor(whole / 3600));
  return since(words.wordsAgoD, Math.floor(whole / 86400));
}

export function waited(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  if (whole < 3600) return put(words.wordsMin, Math.floor(whole / 60));
  return whole < 172800 ? hours(whole) : put(words.wordsDay, Math.floor(whole / 86400));
}

// The server's clock counts: its time stands on the page, the difference to ours is kept.
let skew = Number(words.now) * 1000 - (Date.now() - performance.now());
export const serverNow = () => Date.now() + skew;
export function setServerNow(seconds) {
  if (Number.isFinite(seconds)) skew = seconds * 1000 - Date.now();
}

function write(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

function tick() {
  const now = serverNow();
  for (const element of document.querySelectorAll("[data-until]")) {
    write(element, left((Date.parse(element.dataset.until) - now) / 1000));
  }
  for (const element of document.querySelectorAll("[data-since]")) {
    write(element, waited((now - Date.parse(element.dataset.since)) / 1000));
  }
  for (const element of document.querySelectorAll("[data-ago]")) {
    write(element, ago((now - Date.parse(element.dateTime)) / 1000));
  }
}

setInterval(tick, 1000);

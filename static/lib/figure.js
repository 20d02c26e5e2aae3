// Draw the figures of a page and keep them true. The server makes the whole figure; here only the theme is added and
// classes get the colours of the style sheet, so that light, dark and print agree with everything around them.
const probe = document.createElement("span");
probe.hidden = true;
document.body.append(probe);

function colour(name) {
  probe.style.color = `var(--${name})`;
  return getComputedStyle(probe).color;
}

// A figure names colours as "--c-hard"; every such value anywhere in it becomes the colour of the present theme.
function themed(value) {
  if (typeof value === "string") return value.startsWith("--") ? colour(value.slice(2)) : value;
  if (Array.isArray(value)) return value.some((item) => typeof item === "object" || String(item).startsWith("--")) ? value.map(themed) : value;
  if (value && typeof value === "object") return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, themed(item)]));
  return value;
}

const CONFIG = { displayModeBar: false, responsive: true, doubleClick: "reset" };

function figureOf(host) {
  const held = document.getElementById(host.dataset.figure);
  return held ? JSON.parse(held.textContent) : null;
}

export function draw(host) {
  const figure = figureOf(host);
  if (!figure || !globalThis.Plotly) return;
  const { data, layout } = themed(figure);
  const fresh = host.childElementCount === 0;
  layout.font = { ...layout.font, family: getComputedStyle(document.body).fontFamily };
  globalThis.Plotly.react(host, data, { ...layout, autosize: true, uirevision: "keep" }, CONFIG);
  if (fresh) host.on("plotly_click", (event) => follow(pointed(host, event)));
}

// What was clicked: every bar of a moment answers, so the one under the pointer is found by its height in the stack;
// above all of them it is the tallest.
function pointed(host, { points, event }) {
  const bars = points.filter((point) => point.data.type === "bar" && point.y).sort((a, b) => a.curveNumber - b.curveNumber);
  if (!bars.length) return points.find((point) => point.data.meta?.href) ?? points[0];
  const axis = bars[0].yaxis;
  const height = axis.p2d(event.clientY - host.getBoundingClientRect().top - axis._offset);
  let top = 0;
  return bars.find((bar) => height <= (top += bar.y)) ?? bars.reduce((tallest, bar) => (bar.y > tallest.y ? bar : tallest));
}

// A bar leads to the calls behind it: its trace carries the address, its place in time is added.
function follow(point) {
  const address = point.data.meta?.href;
  const bucket = point.customdata;
  if (address) location.assign(bucket ? `${address}&from=${encodeURIComponent(bucket[0])}&to=${encodeURIComponent(bucket[1])}` : address);
}

export function drawAll() {
  for (const host of document.querySelectorAll("[data-figure]")) draw(host);
}

export function startFigures() {
  drawAll();
  addEventListener("refreshed", drawAll);
  new MutationObserver(drawAll).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", drawAll);
}

// One cause: who joins while the page is open appears at the end and is not ticked; who was decided stays, greyed.
import "../../lib/list.js";
import { follow } from "../../lib/live.js";
import { morph } from "../../lib/morph.js";
import { tell } from "../../lib/ticks.js";

const list = document.getElementById("rows");
const joined = document.getElementById("joined");
let news = 0;

const mine = (ref) => list.querySelector(`[data-row][data-id="${CSS.escape(ref)}"]`);

function join(row) {
  const fresh = document.importNode(row, true);
  fresh.dataset.new = "";
  const box = fresh.querySelector("[data-tick]");
  if (box) box.checked = box.defaultChecked = false;
  const tag = document.createElement("span");
  tag.className = "tag";
  tag.textContent = list.dataset.new;
  fresh.querySelector(".grow").append(tag);
  list.append(fresh);
  news += 1;
  joined.textContent = joined.dataset.one.replace("{0}", news);
}

function leave(row) {
  row.classList.add("gone");
  const box = row.querySelector("[data-tick]");
  if (box) box.checked = !(box.disabled = true);
}

function put(old, fresh) {
  if (old !== list) return false;
  const there = new Set();
  for (const row of fresh.querySelectorAll("[data-row]")) {
    there.add(row.dataset.id);
    const here = mine(row.dataset.id);
    if (!here) join(row);
    else if (here.dataset.new === undefined) morph(here, row);
  }
  for (const row of list.querySelectorAll("[data-row]")) if (!there.has(row.dataset.id)) leave(row);
  tell();
  return true;
}

follow(["cases"], { everyMs: 400, atOnce: true, put });
tell();

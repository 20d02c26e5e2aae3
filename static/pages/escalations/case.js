// One case: live, its plans switched without a reload, the draft kept while typing.
import "../../lib/dialogs.js";
import "../../lib/draft.js";
import { serverNow } from "../../lib/clock.js";
import { follow, refresh } from "../../lib/live.js";
import "../../lib/menus.js";
import { lookAt } from "../../lib/presence.js";

const EDITABLE = ":is(input, select, textarea):not([type=hidden], [readonly])";
const page = document.getElementById("case");

// This case at once; what moves elsewhere only changes counts and neighbours.
follow(["cases"], { mine: (hint) => hint.id === page.dataset.case, lazyMs: 4000, atOnce: true });

lookAt(page.dataset.case);

// What the bar and the sentences say follows the chosen plan at once; the server confirms it with the draft.
page.addEventListener("change", (event) => {
  if (event.target.name !== "plan") return;
  const chosen = event.target.value;
  for (const part of page.querySelectorAll("[data-for-plan]")) part.hidden = part.dataset.forPlan !== chosen;
  page.querySelector("[data-shown]").value = chosen;
});

// E opens the first editor of the chosen plan and goes to its first field.
page.addEventListener("click", (event) => {
  if (!event.target.closest("[data-edit-first]")) return;
  const plan = page.querySelector(".plan:has(> .ph input:checked)") ?? page;
  const first = (which) => plan.querySelector(`details.editor${which}`);
  const editor = first("[open]") ?? first(`:has(.as-form ${EDITABLE})`) ?? first(":not(:has(.as-form))") ?? first("");
  if (!editor) return;
  editor.open = true;
  const field = editor.querySelector(`.as-form ${EDITABLE}`);
  (field?.checkVisibility() ? field : editor.querySelector("textarea"))?.focus();
});

// R goes to the question's first field.
page.addEventListener("click", (event) => {
  if (!event.target.closest("[data-answer]")) return;
  event.preventDefault();
  document.querySelector("#respond :is(input, select, textarea):not([type=hidden])")?.focus();
});

// When the time to undo is over the page is asked for again: the button goes, whether the agent has connected or not.
let asked = "";
function untilRefresh() {
  const until = page.querySelector("[data-until-refresh]")?.dataset.untilRefresh ?? "";
  if (until && until !== asked) setTimeout(refresh, Math.max(0, Date.parse(until) - serverNow()) + 300);
  asked = until;
}
addEventListener("refreshed", untilRefresh);
untilRefresh();

function toApproval() {
  [...page.querySelectorAll('[data-key-focus="a"]')].find((button) => button.checkVisibility())?.focus();
}

// From an edited argument Ctrl Enter leads where A leads, which writes a letter there; Enter confirms.
page.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey) || event.target.form?.id !== "decide") return;
  event.preventDefault();
  toApproval();
});

// From the queue, A leads to the case with its approval under the finger; Enter confirms.
if (new URLSearchParams(location.search).get("do") === "approve") toApproval();
// Right after a decision, Enter goes on to the next case.
if (document.querySelector(".notes .toast")) document.querySelector("[data-next]")?.focus({ preventScroll: true });

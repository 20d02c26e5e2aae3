// Turn one piece of the page into its newer self without losing what the person has there: focus, selection,
// scroll, open folds, ticks and anything typed. Only what the server changed is touched.
const CONTROLS = "input, textarea, select";

export function morph(old, next) {
  if (old.dataset.keep !== undefined) return;
  attributes(old, next);
  if (old.matches(CONTROLS)) {
    control(old, next);
    return;
  }
  children(old, next);
}

function dirty(field) {
  if (field === document.activeElement) return true;
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked;
  if (field.matches("select")) return [...field.options].some((option) => option.selected !== option.defaultSelected);
  return field.value !== field.defaultValue;
}

function control(old, next) {
  const typed = dirty(old);
  if (old.matches("select")) {
    // copies: taking options out of their own select one by one would choose each next one, and the last would stay chosen
    if (!typed) old.replaceChildren(...[...next.childNodes].map((node) => document.importNode(node, true)));
  } else if (old.matches("textarea")) {
    const value = old.value;
    if (old.defaultValue !== next.defaultValue) old.defaultValue = next.defaultValue;
    old.value = typed ? value : next.defaultValue;
  } else if (!typed && old.type !== "hidden") {
    old.value = next.defaultValue;
    old.checked = next.defaultChecked;
  } else if (old.type === "hidden") {
    old.value = next.value;
  }
}

function attributes(old, next) {
  const kept = ownedByThePerson(old);
  for (const { name, value } of next.attributes) {
    if (!kept.has(name) && old.getAttribute(name) !== value) set(old, name, value);
  }
  for (const { name } of [...old.attributes]) {
    if (!kept.has(name) && !next.hasAttribute(name)) old.removeAttribute(name);
  }
}

// A field's value attribute is its default: setting it would also change an untouched value, which control() decides.
function set(element, name, value) {
  const field = element.matches("input") && (name === "value" || name === "checked");
  const shown = field ? [element.value, element.checked] : null;
  element.setAttribute(name, value);
  if (shown && dirty(element)) [element.value, element.checked] = shown;
}

function ownedByThePerson(element) {
  const kept = new Set((element.dataset.own ?? "").split(" "));
  if (element.matches("details, dialog")) kept.add("open");
  if (element.matches("form")) kept.add("data-sent");
  if (element.matches("[data-row]")) for (const name of ["aria-current", "data-shown", "data-unfolded"]) kept.add(name);
  return kept;
}

const keyOf = (node) => (node.nodeType === 1 ? node.id || node.dataset.id || "" : "");
const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && keyOf(a) === keyOf(b);

function children(old, next) {
  let at = old.firstChild;
  for (const want of [...next.childNodes]) {
    const have = match(at, want, old);
    if (have) {
      if (have !== at) old.insertBefore(have, at);
      else at = at.nextSibling;
      if (have.nodeType === 1) morph(have, want);
      else if (have.nodeValue !== want.nodeValue) have.nodeValue = want.nodeValue;
    } else {
      old.insertBefore(document.importNode(want, true), at);
    }
  }
  while (at) {
    const gone = at;
    at = at.nextSibling;
    gone.remove();
  }
}

// The counterpart of a wanted node: by key anywhere among what is left, else the next of the same kind in place.
function match(at, want, parent) {
  const key = keyOf(want);
  if (!key) return at && alike(at, want) ? at : null;
  for (let node = at; node; node = node.nextSibling) if (alike(node, want)) return node;
  const far = want.id ? document.getElementById(want.id) : null;
  return far && far.parentNode === parent && alike(far, want) ? far : null;
}

// Dialogs that hold a form: Ctrl Enter sends from a field, a dialog the server drew open becomes a real one, and
// whoever leaves one is back at what opens it.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const form = event.target.closest("[data-ctrl-enter]") && event.target.form;
  if (!form) return;
  event.preventDefault();
  const button = form.querySelector("button[name=action]") ?? form.querySelector("button:not([type=button])");
  if (!button?.disabled) form.requestSubmit(button);
});

for (const dialog of document.querySelectorAll("dialog.shown")) {
  dialog.classList.remove("shown");
  dialog.close();
  dialog.showModal();
}

addEventListener("close", (event) => {
  const at = document.activeElement;
  if (at !== document.body && !event.target.contains(at)) return;
  document.querySelector(`[data-open="${CSS.escape(event.target.id)}"]`)?.focus({ preventScroll: true });
}, { capture: true });

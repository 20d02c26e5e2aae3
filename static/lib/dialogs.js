// Dialogs that hold a form: Ctrl Enter sends from a field, and a dialog the server drew open becomes a real one.
addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  const field = event.target.closest("[data-ctrl-enter]");
  if (!field?.form) return;
  event.preventDefault();
  field.form.requestSubmit(field.form.querySelector("button:not([type=button])"));
});

for (const dialog of document.querySelectorAll("dialog.shown")) {
  dialog.classList.remove("shown");
  dialog.close();
  dialog.showModal();
}

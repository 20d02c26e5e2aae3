// Copy the text of another element; the button says so for a moment and keeps its width.
const SAID_MS = 1500;

addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).textContent);
  const label = button.querySelector("[data-label]") ?? button;
  if (button.dataset.was !== undefined) return;
  button.dataset.was = label.textContent;
  label.textContent = button.dataset.copied;
  setTimeout(() => {
    label.textContent = button.dataset.was;
    delete button.dataset.was;
  }, SAID_MS);
});

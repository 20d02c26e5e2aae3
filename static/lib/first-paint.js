// Theme and density before first paint: a classic script in <head>, because a module would come too late.
(() => {
  const root = document.documentElement;
  root.classList.add("js");
  for (const key of ["theme", "density"]) {
    let kept = new URLSearchParams(location.search).get(key);
    try {
      kept ||= localStorage.getItem(key);
    } catch {
      // storage is off: the system's choice stands
    }
    if (kept) root.dataset[key] = kept;
  }
})();

// One key decides between two answers.
"use strict";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  const chosen = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (!chosen) return;
  event.preventDefault();
  chosen.click();
});

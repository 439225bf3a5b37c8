// A table that is wider than its place can be scrolled by key: it takes the focus, and says so.
"use strict";
(() => {
  function look(place) {
    const isWide = place.scrollWidth > place.clientWidth + 1;
    if (isWide === place.hasAttribute("tabindex")) return;
    if (isWide) {
      place.setAttribute("tabindex", "0");
      place.setAttribute("role", "group");
      place.setAttribute("aria-label", "Table, wider than the page");
    } else {
      for (const name of ["tabindex", "role", "aria-label"]) place.removeAttribute(name);
    }
  }

  const sizes = new ResizeObserver((seen) => seen.forEach((one) => look(one.target)));
  const begin = () => document.querySelectorAll(".scroll").forEach((place) => { sizes.observe(place); look(place); });
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", begin);
})();

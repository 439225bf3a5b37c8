// Instants in the reader's own zone, beside UTC and anywhere on earth.
"use strict";
(() => {
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });

  function add(place) {
    const moment = new Date(place.dateTime);
    if (place.querySelector(".elsewhere") || Number.isNaN(moment.valueOf()) || moment.getTimezoneOffset() === 0) return;
    const here = document.createElement("span");
    here.className = "elsewhere";
    here.textContent = `, ${format.format(moment)} here`;
    place.append(here);
  }

  const begin = () => document.querySelectorAll("time[datetime]").forEach(add);
  document.addEventListener("DOMContentLoaded", begin);
  document.addEventListener("htmx:afterSettle", begin);
})();

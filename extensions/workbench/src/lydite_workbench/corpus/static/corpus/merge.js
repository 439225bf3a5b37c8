// Merging by keyboard: the entity under work on the left, what may be the same on the right; both keep their selection.
"use strict";
(() => {
  const screen = document.getElementById("merge");
  if (!screen) return;
  const { part: $, call, element, say, fail, sound, marked, isTyping } = window.lyditeScreen(screen);
  const state = { work: null, pane: "right", at: { left: 0, right: 0 }, busy: Promise.resolve() };
  const lists = { left: () => state.work.members, right: () => state.work.others };
  const chosen = (pane) => lists[pane]()[state.at[pane]];

  async function load(member) {
    const values = new URLSearchParams({ member: member || "", q: $("query").value });
    const kept = { left: state.work && chosen("left"), right: state.work && chosen("right") };
    state.work = await call(`${screen.dataset.work}?${values}`);
    for (const pane of ["left", "right"]) {
      const place = kept[pane] ? lists[pane]().findIndex((one) => one.member === kept[pane].member) : -1;
      // What was chosen stays chosen; where it went away, its neighbour takes its place.
      state.at[pane] = place >= 0 ? place : Math.max(0, Math.min(state.at[pane], lists[pane]().length - 1));
    }
    show();
  }

  function line(one, pane, place) {
    const item = element("li", undefined, { role: "option", id: `${pane}-${place}`, "aria-selected": String(place === state.at[pane]) });
    item.append(element("strong", one.names || "no name", { dir: "auto" }), ` ${one.about} `, element("span", `${one.member} · ${one.mentions} mention${one.mentions === 1 ? "" : "s"}${one.evidence ? ` · ${one.evidence}` : ""}`, { class: "faint" }));
    item.addEventListener("click", () => {
      state.pane = pane;
      state.at[pane] = place;
      show();
    });
    return item;
  }

  function show() {
    const { work } = state;
    $("place").textContent = `${work.place} of ${work.entities}`;
    $("equal").textContent = work.equal;
    $("right-title").textContent = $("query").value.trim() ? "Found" : "Proposed";
    for (const pane of ["left", "right"]) {
      $(pane).replaceChildren(...lists[pane]().map((one, place) => line(one, pane, place)));
      $(pane).classList.toggle("active", pane === state.pane);
      const current = $(pane).children[state.at[pane]];
      if (current) {
        $(pane).setAttribute("aria-activedescendant", current.id);
        current.scrollIntoView({ block: "nearest" });
      } else {
        $(pane).removeAttribute("aria-activedescendant");
        $(pane).append(element("li", "nothing", { class: "faint", role: "option", "aria-disabled": "true", "aria-selected": "false" }));
      }
    }
    screen.dataset.operations_count = work.operations;
  }

  // One after the other: a key that was pressed too early waits for the one before.
  function queue(act) {
    state.busy = state.busy.then(act).then(() => {}, fail);
  }

  async function operate(body, told) {
    const made = await call(screen.dataset.operations, body);
    sound();
    say(typeof told === "function" ? told(made.operations) : told);
  }

  const acts = {
    async merge() {
      const other = chosen("right");
      if (!other) return say("There is nothing to merge with.");
      await operate({ op: "merge", a: state.work.member, b: other.member }, `Merged with ${other.member}.`);
      await load(state.work.member);
    },
    async reject() {
      const other = chosen("right");
      if (!other) return say("There is nothing to reject.");
      await operate({ op: "reject", a: state.work.member, b: other.member }, `${other.member} is never proposed again here.`);
      await load(state.work.member);
    },
    async split() {
      const one = chosen("left");
      if (state.work.members.length < 2) return say("There is nothing to split: the entity has one member.");
      const rest = state.work.members.find((other) => other !== one);
      await operate({ op: "split", a: rest.member, members: [one.member] }, `${one.member} stands alone.`);
      await load(rest.member);
    },
    async equal() {
      if (!state.work.equal) return say("No other entity has one of these names.");
      await operate({ op: "equal", a: state.work.member }, (made) => `Merged with ${made.length} of equal names.`);
      await load(state.work.member);
    },
    async undo() {
      await operate({ op: "undo", n: 1 }, "Undone.");
      await load(state.work.member);
    },
    async next() { await go(state.work.next); },
    async previous() { await go(state.work.previous); },
    async inspect() {
      const one = chosen(state.pane);
      if (!one) return;
      const found = await call(`${screen.dataset.inspect}?${new URLSearchParams({ member: one.member })}`);
      const passages = found.passages.map((passage) => {
        const shown = element("p", undefined, { class: "document", dir: "auto" });
        shown.append("… ", ...marked(passage.text, passage.marks), " …");
        return shown;
      });
      $("inspected").replaceChildren(element("h2", `${found.names}: ${found.document}`), ...(passages.length ? passages : [element("p", "The collection has no text of this document.", { class: "faint" })]));
    },
  };

  async function go(member) {
    state.at = { left: 0, right: 0 };
    state.work = null;
    $("query").value = "";
    $("inspected").replaceChildren();
    await load(member);
    say("");
  }

  function step(by) {
    const last = lists[state.pane]().length - 1;
    state.at[state.pane] = Math.max(0, Math.min(last, state.at[state.pane] + by));
    show();
  }

  const KEYS = { " ": "merge", x: "reject", n: "next", p: "previous", s: "split", u: "undo", i: "inspect", "=": "equal" };
  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    $("query").blur();
    state.pane = "right";
    state.at.right = 0;
    queue(() => load(state.work.member));
  });
  for (const button of screen.querySelectorAll("[data-act]")) button.addEventListener("click", () => queue(acts[button.dataset.act]));
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !state.work && !state.busy) return;
    if (isTyping(event)) {
      if (event.key === "Escape") {
        event.target.value = "";
        event.target.blur();
        queue(() => load(state.work.member));
      }
      return;
    }
    if (event.target.tagName === "BUTTON" && (event.key === " " || event.key === "Enter")) return;
    const moves = {
      ArrowDown: () => step(1), ArrowUp: () => step(-1), j: () => step(1), k: () => step(-1),
      ArrowLeft: () => { state.pane = "left"; show(); }, ArrowRight: () => { state.pane = "right"; show(); },
      "/": () => $("query").select(), Escape: () => { $("query").value = ""; return load(state.work.member); },
    };
    const act = KEYS[event.key] ? acts[KEYS[event.key]] : moves[event.key];
    if (!act) return;
    event.preventDefault();
    event.key === "/" ? act() : queue(act);
  });
  queue(() => load(new URLSearchParams(location.search).get("member")));
})();

// Deciding item by item: one key per answer, no mouse needed.
"use strict";
(() => {
  const screen = document.getElementById("decide");
  if (!screen) return;
  const AROUND = 400;
  const { part: $, callAgain: call, element, keyed, say, stop: fail } = window.lyditeScreen(screen);
  const state = { work: null, place: 0, texts: new Map(), whole: false, sending: Promise.resolve(), history: [] };

  function send(item, body) {
    state.sending = state.sending.then(() => call(`${screen.dataset.item}${item.id}/judgements`, body)).catch(fail);
  }

  const current = () => state.work.items[state.place];

  function decide(decision, edited = "") {
    const item = current();
    item.decision = decision;
    item.edited = edited;
    state.history.push(state.place);
    send(item, { decision, edited });
    next();
  }

  // An edited value is checked by the server before the screen goes on: the field stays open if it is none.
  async function decideEdited(value) {
    const item = current();
    try {
      await state.sending;
      await call(`${screen.dataset.item}${item.id}/judgements`, { decision: "edit", edited: value });
    } catch (error) {
      say(error.message);
      return $("edited").focus();
    }
    Object.assign(item, { decision: "edit", edited: value });
    state.history.push(state.work.items.indexOf(item));
    next();
  }

  function next() {
    const later = state.work.items.findIndex((item, place) => place > state.place && !item.decision);
    const any = state.work.items.findIndex((item) => !item.decision);
    if (later >= 0 || any >= 0) state.place = later >= 0 ? later : any;
    state.whole = false;
    show();
  }

  function undo() {
    if (!state.history.length) return say("There is nothing to undo.");
    state.place = state.history.pop();
    const item = current();
    item.decision = null;
    item.edited = "";
    send(item, { decision: "" });
    show();
  }

  function move(step) {
    state.place = Math.min(state.work.items.length - 1, Math.max(0, state.place + step));
    state.whole = false;
    show();
  }

  function edit() {
    const field = $("edited");
    $("edit").hidden = false;
    field.value = current().edited || (current().said.find((one) => one.shown) || { shown: "" }).shown;
    $("expected").textContent = current().expects || "";
    field.focus();
  }

  function show() {
    const undecided = state.work.items.filter((item) => !item.decision).length;
    screen.dataset.state = undecided ? "deciding" : "done";
    $("nothing").hidden = undecided > 0;
    $("work").hidden = state.work.items.length === 0;
    if (!state.work.items.length) return;
    const item = current();
    say("");
    $("progress").textContent = `${item.document}: ${state.work.items.length - undecided} of ${state.work.items.length} decided`;
    $("title").textContent = item.title;
    $("claim").replaceChildren(...claim(item));
    $("choices").replaceChildren(...item.choices.map((choice) => keyed(choice.key, choice.label, () => decide(choice.value), { "aria-pressed": String(item.decision === choice.value) })));
    // What is asked about as a whole is shown as a whole.
    $("whole").hidden = !item.mark;
    $("edit").hidden = true;
    $("edit-key").hidden = state.work.kind !== "annotators";
    $("edited").value = "";
    showText(item);
    const ahead = state.work.items[state.place + 1];
    if (ahead) textOf(ahead);
  }

  function claim(item) {
    if (item.target) {
      const names = item.target.names.map((name) => `${name.text} (${name.kind === "aliases" ? "alias" : "variant"})`).join(", ");
      return [
        element("b", "Target"), element("span", item.target.handle),
        element("b", "Also called"), element("span", names || "nothing else"),
        ...(item.target.facts.length ? [element("b", "Known"), element("span", item.target.facts.join("; "))] : []),
        element("b", "Found"), element("span", item.words || "somewhere in this document")];
    }
    return [
      ...(item.edited ? [element("b", "Edited"), element("span", item.edited)] : []),
      ...item.said.flatMap((said) => [element("b", said.letter.toUpperCase()), element("span", said.shown || "nothing here")]),
      ...(item.suggestion ? [element("b", "Most say"), element("span", item.suggestion)] : [])];
  }

  async function textOf(item) {
    if (!state.texts.has(item.document)) {
      state.texts.set(item.document, call(`${screen.dataset.text}${item.id}/text`).then((answer) => answer.text));
    }
    return state.texts.get(item.document);
  }

  // Offsets count characters; a string of JavaScript counts halves of some.
  async function showText(item) {
    const place = $("text");
    const text = await textOf(item).catch(() => null);
    if (item !== current()) return;
    if (text === null) {
      place.textContent = item.words || "The campaign has no text of this document.";
      return;
    }
    const characters = Array.from(text);
    const [begin, end] = item.mark || [0, 0];
    const isWhole = state.whole || !item.mark;
    const from = isWhole ? 0 : Math.max(0, begin - AROUND);
    const to = isWhole ? characters.length : Math.min(characters.length, end + AROUND);
    place.replaceChildren(
      (from > 0 ? "… " : "") + characters.slice(from, begin).join(""),
      ...(item.mark ? [element("mark", characters.slice(begin, end).join(""), { class: "mark filler" })] : []),
      characters.slice(end, to).join("") + (to < characters.length ? " …" : ""));
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || screen.dataset.broken || !state.work || !state.work.items.length) return;
    if (event.target === $("edited")) {
      if (event.key === "Enter") {
        event.preventDefault();
        const value = event.target.value.trim();
        if (value) decideEdited(value);
      } else if (event.key === "Escape") {
        event.target.blur();
        show();
      }
      return;
    }
    if (["Enter", " "].includes(event.key) && event.target.closest("button, a")) return;
    const choice = current().choices.find((one) => one.key === event.key.toLowerCase());
    const acts = { Enter: next, u: undo, j: () => move(1), k: () => move(-1), d: () => { state.whole = !state.whole; showText(current()); } };
    if (state.work.kind === "annotators") acts.e = edit;
    const act = choice ? () => decide(choice.value) : acts[event.key];
    if (!act) return;
    event.preventDefault();
    act();
  });
  $("whole").addEventListener("click", () => { state.whole = !state.whole; showText(current()); });
  call(screen.dataset.items).then((work) => {
    state.work = work;
    state.place = Math.max(0, work.items.findIndex((item) => !item.decision));
    show();
  }).catch(fail);
})();

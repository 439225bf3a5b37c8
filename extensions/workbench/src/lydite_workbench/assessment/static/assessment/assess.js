// The assessor's screen: one key per answer, Enter for the next item, no mouse needed.
"use strict";
(() => {
  const screen = document.getElementById("assess");
  if (!screen) return;
  const QUESTIONS = JSON.parse(document.getElementById("questions").textContent);
  const ACCEPTED = new Set(["C", "I"]);
  const { part: $, callAgain: call, element, keyed, say, stop: fail } = window.lyditeScreen(screen);
  const state = { work: null, place: 0, answers: {}, began: 0, sending: Promise.resolve(), grouping: false, chosen: 0, typed: "", known: new Set() };

  // ---- talking to the server

  // Judgements go out one after the other, in the order in which they were made; a failed one stops the work.
  function send(url, body) {
    const sent = state.sending.then(() => call(url, body));
    state.sending = sent.catch((error) => fail(error));
    return sent;
  }

  async function load() {
    state.work = await call(screen.dataset.items);
    state.place = state.work.items.findIndex((item) => !item.judgement);
    state.grouping = state.place < 0 && state.work.document !== null;
    state.chosen = 0;
    if (!state.grouping) begin();
    show();
  }

  // ---- the order of the questions

  // A time that is no date can only be wrong: other answers are not offered.
  const choices = (question) => question.name === "canonical string" && item().lacks_date
    ? question.choices.filter((choice) => !ACCEPTED.has(choice.value)) : question.choices;
  const asked = (question, answers) => question.needs.every((name) => ACCEPTED.has(answers[name]));
  const nextQuestion = (answers) => QUESTIONS.find((question) => asked(question, answers) && !(question.name in answers));
  const item = () => state.work.items[state.place];

  function begin() {
    state.answers = { ...(item() && item().judgement ? item().judgement.answers : {}) };
    state.began = performance.now();
  }

  function answer(value) {
    state.answers[nextQuestion(state.answers).name] = value;
    show();
  }

  function store(answers) {
    const seconds = Math.round(performance.now() - state.began) / 1000;
    const current = item();
    current.judgement = answers ? { answers: { ...answers } } : null;
    send(`${screen.dataset.item}${current.id}/judgements`, { answers, seconds, note: current.note, flagged: current.flagged });
  }

  function next() {
    if (nextQuestion(state.answers)) return say("This question needs an answer first.");
    store(state.answers);
    const waiting = state.work.items.findIndex((one, place) => place > state.place && !one.judgement);
    const earlier = state.work.items.findIndex((one) => !one.judgement);
    state.place = waiting >= 0 ? waiting : earlier;
    if (state.place < 0) return finishItems();
    begin();
    show();
  }

  function finishItems() {
    state.sending.then(load).catch(fail);
  }

  function undo() {
    if (state.grouping) {
      state.grouping = false;
      state.place = state.work.items.length - 1;
    } else if (Object.keys(state.answers).length) {
      const given = QUESTIONS.filter((question) => question.name in state.answers);
      delete state.answers[given[given.length - 1].name];
      if (item().judgement) store(null);
      return show();
    } else if (state.place > 0) {
      state.place -= 1;
    } else {
      return say("There is nothing to undo.");
    }
    begin();
    show();
  }

  function flag() {
    const dialog = $("flag");
    dialog.querySelector("textarea").value = item().note;
    dialog.returnValue = "";
    dialog.showModal();
  }

  function flagged(event) {
    const dialog = event.currentTarget;
    if (!["flag", "unflag"].includes(dialog.returnValue)) return;
    const current = item();
    current.flagged = dialog.returnValue === "flag";
    current.note = current.flagged ? dialog.querySelector("textarea").value : "";
    // A flag changes no judgement: what is stored stays, what is half answered is not stored yet.
    store(current.judgement && current.judgement.answers);
    show();
    say(current.flagged ? "Flagged." : "The flag is removed.");
  }

  // ---- which strings are the same

  function setClass(number) {
    if (!state.work.strings.length) return;
    state.work.strings[state.chosen].class = number;
    move(1);
  }

  // Where there are classes of two digits, the first waits for a second one.
  function typeClass(digit) {
    if (!state.typed) state.known = new Set(state.work.strings.map((string) => String(string.class)));
    const typed = state.known.has(state.typed + digit) ? state.typed + digit : digit;
    if (typed === "0") return;
    state.typed = typed;
    const longer = [...state.known].filter((name) => name.length > typed.length && name.startsWith(typed));
    if (!longer.length) return setClass(Number(typed));
    state.work.strings[state.chosen].class = Number(typed);
    show();
    say(`Class ${typed}; another digit for ${longer.sort().join(", ")}, ↓ goes on.`);
  }

  function move(step) {
    state.typed = "";
    const count = state.work.strings.length;
    state.chosen = Math.min(count - 1, Math.max(0, state.chosen + step));
    show();
  }

  function newClass() {
    setClass(Math.max(0, ...state.work.strings.map((string) => string.class)) + 1);
  }

  async function group() {
    try {
      await state.sending;
      await call(`${screen.dataset.document}${state.work.document.id}/strings`, { strings: state.work.strings });
      await load();
    } catch (error) {
      fail(error);
    }
  }

  // ---- showing

  function show() {
    const hadFocus = screen.contains(document.activeElement);
    say("");
    screen.dataset.state = !state.work.document ? "done" : state.grouping ? "grouping" : "judging";
    $("nothing").hidden = Boolean(state.work.document);
    $("work").hidden = !state.work.document;
    if (!state.work.document) return;
    $("judging").hidden = state.grouping;
    $("grouping").hidden = !state.grouping;
    const judged = state.work.items.filter((one) => one.judgement).length;
    $("progress").textContent = `${state.work.document.name}: ${judged} of ${state.work.items.length} judged`;
    if (state.grouping) showStrings();
    else showItem();
    showText();
    // What had the focus may be gone; Tab goes on from the question.
    if (hadFocus && !screen.contains(document.activeElement)) $(state.grouping ? "strings" : "question").focus();
  }

  function showItem() {
    const current = item();
    $("claim").replaceChildren(
      element("b", current.event_type), element("span", current.type_means),
      element("b", current.role), element("span", current.role_means),
      element("b", "String"), element("span", current.text, { class: "mark string" }),
      element("b", "Claimed"), element("span", current.realis),
      element("b", "Where"), element("span", current.origin || "the document says neither author nor time"),
      ...(current.flagged ? [element("b", "Flagged"), element("span", current.note || "without a note")] : []));
    $("scrutiny").hidden = !current.scrutiny;
    $("scrutiny").textContent = current.scrutiny ? `Look twice: ${current.scrutiny}` : "";
    const open = nextQuestion(state.answers);
    $("answers").replaceChildren(...QUESTIONS.filter((question) => question.name in state.answers).map((question) => {
      const choice = question.choices.find((one) => one.value === state.answers[question.name]);
      return element("li", `${question.name}: ${choice.label}`);
    }));
    const keys = $("choices");
    if (open) {
      $("question").textContent = open.asks;
      if (choices(open).length < open.choices.length) say("This is not written as a date (YYYY-MM-DD, with X for what is unknown), so it can only be wrong.");
      keys.replaceChildren(...choices(open).map((choice) => keyed(choice.key, choice.label, () => answer(choice.value), { "data-value": choice.value })));
    } else {
      $("question").textContent = "All questions are answered.";
      keys.replaceChildren(keyed("Enter", "next item", next));
    }
    if (open) showGuideline(open.name);
  }

  // The panel has all guidelines; it is open at the paragraph of the current question.
  function showGuideline(name) {
    const panel = $("guideline");
    $("guideline-name").textContent = name;
    for (const part of panel.querySelectorAll("[data-guideline]")) {
      const isCurrent = part.dataset.guideline === name;
      part.classList.toggle("current", isCurrent);
      if (isCurrent) panel.scrollTop = part.offsetTop;
    }
  }

  function showStrings() {
    showGuideline("coreference");
    $("no-strings").hidden = state.work.strings.length > 0;
    $("strings").replaceChildren(...state.work.strings.map((string, place) => {
      const line = element("li", undefined, { draggable: "true", "aria-current": place === state.chosen ? "true" : "false" });
      line.append(element("kbd", String(string.class)), ` ${string.text} `, element("span", string.roles.join(", "), { class: "faint" }));
      line.addEventListener("click", () => { state.chosen = place; show(); });
      line.addEventListener("dragstart", (event) => event.dataTransfer.setData("text/plain", String(place)));
      line.addEventListener("dragover", (event) => event.preventDefault());
      line.addEventListener("drop", (event) => {
        event.preventDefault();
        const moved = Number(event.dataTransfer.getData("text/plain"));
        if (Number.isInteger(moved) && state.work.strings[moved]) state.work.strings[moved].class = string.class;
        show();
      });
      return line;
    }));
  }

  // Offsets count characters; a string of JavaScript counts halves of some.
  function showText() {
    const place = $("text");
    if (state.work.document.text === null) {
      place.textContent = "The campaign has no text of this document.";
      return;
    }
    const text = Array.from(state.work.document.text);
    const marks = state.grouping
      ? { string: state.work.strings.map((string) => [string.begin, string.end]) }
      : item().marks;
    const spans = Object.entries(marks).flatMap(([kind, ranges]) => ranges.map(([begin, end]) => [kind, begin, end]));
    const borders = [...new Set([0, text.length, ...spans.flatMap(([, begin, end]) => [begin, end])])]
      .filter((border) => border >= 0 && border <= text.length).sort((a, b) => a - b);
    const parts = [];
    for (let i = 0; i + 1 < borders.length; i += 1) {
      const kinds = spans.filter(([, begin, end]) => begin <= borders[i] && borders[i + 1] <= end).map(([kind]) => kind);
      const words = text.slice(borders[i], borders[i + 1]).join("");
      parts.push(kinds.length ? element("mark", words, { class: `mark ${kinds.join(" ")}` }) : document.createTextNode(words));
    }
    place.replaceChildren(...parts);
    const first = place.querySelector("mark.filler, mark.justification");
    if (first) place.scrollTop = Math.max(0, first.offsetTop - place.offsetTop - place.clientHeight / 3);
  }

  // ---- keys

  function onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || screen.dataset.broken || !state.work || !state.work.document) return;
    if (event.target.closest("dialog, textarea, input, select")) return;
    // A button or link that has the focus does what it says.
    if (["Enter", " "].includes(event.key) && event.target.closest("button, a, summary")) return;
    const handled = state.grouping ? groupingKey(event.key) : judgingKey(event.key);
    if (handled) event.preventDefault();
  }

  function judgingKey(key) {
    const open = nextQuestion(state.answers);
    const choice = open && choices(open).find((one) => one.key === key.toLowerCase());
    if (choice) return answer(choice.value), true;
    if (key === "Enter") return next(), true;
    if (key === "u") return undo(), true;
    if (key === "f") return flag(), true;
    if (key === "?") return $("panel").toggleAttribute("open"), true;
    return false;
  }

  function groupingKey(key) {
    if (key === "?") return $("panel").toggleAttribute("open"), true;
    if (/^[0-9]$/.test(key)) return typeClass(key), true;
    if (key === "ArrowDown" || key === "j") return move(1), true;
    if (key === "ArrowUp" || key === "k") return move(-1), true;
    if (key === "+" || key === "n") return newClass(), true;
    if (key === "u") return undo(), true;
    if (key === "Enter") return group(), true;
    return false;
  }

  document.addEventListener("keydown", onKey);
  $("flag").addEventListener("close", flagged);
  load().catch(fail);
})();

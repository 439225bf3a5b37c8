// Exploring by keyboard: search, read, judge a target in a document, capture what it names.
"use strict";
(() => {
  const screen = document.getElementById("explore");
  if (!screen) return;
  const { part: $, call, element, say, fail, sound, marked, isTyping } = window.lyditeScreen(screen);
  const targets = JSON.parse(document.getElementById("targets").textContent);
  const PAGE = 20;
  const FLAGS = { a: "has_alias", v: "has_variant" };
  const state = { hits: [], total: 0, place: -1, query: null, chips: {}, opened: null, chosen: "", draft: null, dirty: false, word: null };
  let storing = Promise.resolve();

  const target = () => targets.find((one) => one.id === $("target").value);
  const hit = () => state.hits[state.place];

  // -------------------------------------------------------------------------------------------------- searching

  function asked(from) {
    const values = { q: $("query").value, from, limit: PAGE, target: $("target").value };
    for (const [name, chosen] of Object.entries(state.chips)) if (chosen.size) values[name] = [...chosen].join(",");
    const [first, last] = [$("first").value, $("last").value];
    if (first || last) values.date = `${first}..${last}`;
    return new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  }

  async function find(more = false) {
    sound();
    $("column").hidden = true;
    try {
      const found = await call(`${screen.dataset.search}?${asked(more ? state.hits.length : 0)}`);
      state.hits = more ? [...state.hits, ...found.hits] : found.hits;
      state.total = found.total;
      state.query = found.query;
      showChips(found.facets);
      if (!more) state.place = -1;
      showHits();
      if (!more) state.hits.length ? await open(0) : close();
      say(`${found.total} document${found.total === 1 ? "" : "s"} found`);
    } catch (error) {
      if (error.told && error.told.column) {
        $("column").textContent = error.told.excerpt.join("\n");
        $("column").hidden = false;
        const characters = [...$("query").value];  // JavaScript counts some of them as two
        const before = characters.slice(0, error.told.column - 1).join("").length;
        $("query").setSelectionRange(before, before + (characters[error.told.column - 1] || "").length);
      }
      fail(error.told && error.told.hint ? new Error(`${error.message} (${error.told.hint})`) : error);
    }
  }

  function showChips(facets) {
    const names = { genre: "genre", source: "source", language: "lang" };
    $("chips").replaceChildren(...Object.entries(names).flatMap(([facet, key]) => {
      const chosen = state.chips[key] || (state.chips[key] = new Set());
      const values = [...new Set([...chosen, ...Object.keys(facets[facet])])].filter((value) => value);
      return values.map((value) => {
        const chip = element("button", `${key}:${value} ${facets[facet][value] || 0}`, { type: "button", class: "chip", "aria-pressed": String(chosen.has(value)) });
        chip.addEventListener("click", () => {
          chosen.has(value) ? chosen.delete(value) : chosen.add(value);
          leave(() => find());
        });
        return chip;
      });
    }));
  }

  function passage(found) {
    const marks = found.marks.map(([start, end]) => [start - found.start, end - found.start, "found"]);
    const line = element("p", undefined, { class: "passage", dir: "auto" });
    line.append("… ", ...marked(found.text, marks), " …");
    return line;
  }

  function showHits() {
    $("hits").replaceChildren(...state.hits.map((one, place) => {
      const item = element("li", undefined, { "aria-current": String(place === state.place) });
      const button = element("button", one.document, { type: "button", class: "plain" });
      button.addEventListener("click", () => leave(() => open(place)));
      item.append(button, element("span", ` ${[one.date, one.genre, one.source, one.language].filter(Boolean).join(" ")}`, { class: "faint" }), ...one.passages.map(passage));
      return item;
    }));
    $("more").hidden = state.hits.length >= state.total;
  }

  // ---------------------------------------------------------------------------------------------------- reading

  async function open(place) {
    state.place = place;
    showHits();
    $("hits").children[place].scrollIntoView({ block: "nearest" });
    const wanted = hit();
    const values = new URLSearchParams({ id: wanted.document, target: $("target").value });
    try {
      const found = await call(`${screen.dataset.document}?${values}`);
      if (wanted === hit()) show(found);
    } catch (error) {
      fail(error);
    }
  }

  function close() {
    state.opened = null;
    $("work").hidden = true;
  }

  function show(found) {
    state.opened = found;
    state.word = null;
    const inQuery = hit().passages.flatMap((one) => one.marks.map(([start, end]) => [start, end, "found"]));
    $("work").hidden = false;
    $("title").textContent = found.document;
    $("about").textContent = [found.headline, found.date, found.genre, found.source, found.language].filter(Boolean).join(" · ");
    $("text").replaceChildren(...marked(found.text, found.marks.length ? found.marks : inQuery));
    $("text").scrollTop = 0;
    const first = $("text").querySelector("mark");
    if (first) $("text").scrollTop = Math.max(0, first.offsetTop - 80);
    state.words = [...found.text.matchAll(/[\p{L}\p{N}](?:[\p{L}\p{N}\p{M}'’.-]*[\p{L}\p{N}\p{M}])?/gu)].map((one) => [one.index, one.index + one[0].length]);
    draft(found);
  }

  // ---------------------------------------------------------------------------------------------------- judging

  function draft(found) {
    const said = found.judgement;
    state.dirty = false;
    state.judged = $("target").value;
    state.draft = said
      ? { mentioned: Boolean(said.mentioned), n_mentions: said.n_mentions || 0, has_alias: Boolean(said.has_alias), has_variant: Boolean(said.has_variant), confusable_with: said.confusable_with || "", stars: said.stars || null, note: said.note || "" }
      : { mentioned: null, ...suggested(found), confusable_with: "", stars: null, note: "" };
    showDraft();
  }

  function showDraft() {
    const now = target();
    $("judging").hidden = !now;
    $("no-target").hidden = Boolean(now);
    if (!now) return;
    const { draft: held } = state;
    $("about-target").replaceChildren(...now.names.flatMap((name) => [element("mark", name.text, { class: `name ${name.kind}`, dir: "auto" }), ` ${name.kind} `]));
    for (const button of screen.querySelectorAll("[data-answer]")) {
      const [name, value] = button.dataset.answer.split("=");
      const holds = name === "stars" ? held.stars === Number(value) : name === "mentioned" ? held.mentioned === (value === "yes") : held[name];
      button.setAttribute("aria-pressed", String(Boolean(holds)));
    }
    $("count").value = held.n_mentions;
    $("note").value = held.note;
    $("confusable").replaceChildren(element("option", "nobody", { value: "" }), ...ordered(now).map((one) => element("option", `${one.id} ${one.handle}`, { value: one.id })));
    $("confusable").value = held.confusable_with;
    $("stored").textContent = state.dirty ? "not stored yet" : state.opened.judgement ? "stored" : "not judged yet";
  }

  function ordered(now) {
    const others = targets.filter((one) => one !== now);
    return [...others.filter((one) => now.confusable.includes(one.id)), ...others.filter((one) => !now.confusable.includes(one.id))];
  }

  function change(values) {
    if (!target()) return say("Choose a target first.");
    Object.assign(state.draft, values);
    state.dirty = true;
    showDraft();
  }

  function answer(text) {
    const [name, value] = text.split("=");
    if (name === "stars") change({ stars: Number(value) });
    else if (name === "mentioned") mention(value === "yes");
    else change({ [name]: !state.draft[name] });
  }

  // What is not mentioned has no mentions, whatever names are marked.
  function mention(yes) {
    const before = state.draft.mentioned;
    const counted = yes ? (before === false ? suggested(state.opened) : {}) : { n_mentions: 0, has_alias: false, has_variant: false };
    change({ mentioned: yes, ...counted });
  }

  function suggested(found) {
    const has = (kind) => found.marks.some((mark) => mark[2] === kind);
    return { n_mentions: found.marks.length, has_alias: has("alias"), has_variant: has("variant") };
  }

  function cycleConfusable() {
    const known = ["", ...target().confusable];
    if (known.length === 1) return $("confusable").focus();
    change({ confusable_with: known[(known.indexOf(state.draft.confusable_with) + 1) % known.length] });
  }

  function store() {
    const { draft: held, opened } = state;
    const body = { target_id: state.judged, docid: opened.document, query_id: state.query, ...held };
    state.dirty = false;
    opened.judgement = body;
    storing = storing.then(() => call(screen.dataset.judgements, body)).then(() => {
      sound();
      screen.dataset.stored = String(Number(screen.dataset.stored || 0) + 1);
    }).catch((error) => {
      if (state.opened === opened) state.dirty = true;
      fail(new Error(`Not stored: ${opened.document}: ${error.message}`));
    });
  }

  // Nothing that was said about a document is lost by going on.
  function leave(onwards) {
    if (state.dirty && state.opened && state.judged) {
      if (state.draft.mentioned === null) return say("Is the target mentioned? y or n; Escape forgets what you said here.");
      store();
      showDraft();
    }
    onwards();
    return true;
  }

  function another() {
    const now = target();
    if (now && (!$("query").value.trim() || $("query").value.startsWith("profile:"))) $("query").value = `profile:${now.id}`;
    if ($("query").value.trim()) find();
    else if (state.place >= 0) open(state.place);
  }

  function move(step) {
    const next = state.place + step;
    if (next >= state.hits.length && state.hits.length < state.total) return leave(() => find(true).then(() => open(next)));
    if (next < 0 || next >= state.hits.length) return leave(() => say("There is no other document in this list."));
    leave(() => open(next));
  }

  function enter() {
    if (target() && state.draft.mentioned === null) return say("Is the target mentioned? y or n.");
    if (target()) state.dirty = true;
    move(1);
  }

  // -------------------------------------------------------------------------------------------------- capturing

  function step(by, extend) {
    const last = state.words.length - 1;
    if (last < 0) return;
    // Keys go where they point: in a text from right to left the next word is on the left.
    if (getComputedStyle($("text")).direction === "rtl") by = -by;
    if (!state.word) {
      const mark = $("text").querySelector("mark");
      const at = mark ? offsetOf(mark.firstChild, 0) : 0;
      const first = Math.max(0, state.words.findIndex(([, end]) => end > at));
      state.word = [first, first];
    } else {
      const to = Math.min(last, Math.max(0, state.word[1] + by));
      state.word = [extend ? state.word[0] : to, to];
    }
    const [from, to] = [Math.min(...state.word), Math.max(...state.word)];
    const [begin, end] = [nodeAt(state.words[from][0]), nodeAt(state.words[to][1])];
    getSelection().setBaseAndExtent(begin[0], begin[1], end[0], end[1]);
    begin[0].parentElement.scrollIntoView({ block: "nearest" });
  }

  function* textNodes() {
    const walker = document.createTreeWalker($("text"), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) yield walker.currentNode;
  }

  function nodeAt(offset) {
    let last = null;
    for (const node of textNodes()) {
      if (offset <= node.length) return [node, offset];
      offset -= node.length;
      last = node;
    }
    return [last, last.length];
  }

  function offsetOf(node, within) {
    const range = document.createRange();
    range.setStart($("text"), 0);
    range.setEnd(node, within);
    return range.toString().length;
  }

  function capture(kind) {
    const chosen = getSelection();
    if (!state.opened || chosen.isCollapsed || !$("text").contains(chosen.anchorNode) || !$("text").contains(chosen.focusNode)) return say("Select words first: → goes from word to word, Shift+→ takes more.");
    if (kind === "related" && !target()) return say("Choose the target first that it is related to.");
    const range = chosen.getRangeAt(0);
    const [from, to] = [offsetOf(range.startContainer, range.startOffset), offsetOf(range.endContainer, range.endOffset)];
    const count = (end) => Array.from(state.opened.text.slice(0, end)).length;
    const body = { docid: state.opened.document, start: count(from), end: count(to), capture: kind, target_id: kind === "related" ? target().id : null };
    storing = storing.then(() => call(screen.dataset.captures, body)).then((made) => {
      $("captured").prepend(element("li", `${made.text} (${kind === "related" ? `related to ${made.target_id}` : "new entity"}, ${made.docid})`));
      say(`Captured: ${made.text}`);
    }).catch((error) => fail(new Error(`Not captured: ${error.message}`)));
  }

  // ------------------------------------------------------------------------------------------------------- keys

  $("form").addEventListener("submit", (event) => {
    event.preventDefault();
    leave(() => {
      $("query").blur();
      find();
    });
  });
  // Typing in a list changes it at every key: the choice counts when the typing is over.
  let choosing = null;
  function chosen() {
    clearTimeout(choosing);
    if ($("target").value !== state.chosen && !leave(another)) $("target").value = state.chosen;
    state.chosen = $("target").value;
  }
  $("target").addEventListener("change", () => { clearTimeout(choosing); choosing = setTimeout(chosen, 700); });
  $("target").addEventListener("blur", chosen);
  for (const name of ["first", "last"]) $(name).addEventListener("change", () => leave(() => find()));
  $("more").addEventListener("click", () => find(true));
  $("count").addEventListener("change", () => change({ n_mentions: Math.max(0, Number($("count").value) || 0) }));
  $("note").addEventListener("input", () => { state.draft.note = $("note").value; state.dirty = true; });
  $("confusable").addEventListener("change", () => change({ confusable_with: $("confusable").value }));
  $("store").addEventListener("click", enter);
  for (const button of screen.querySelectorAll("[data-answer]")) button.addEventListener("click", () => answer(button.dataset.answer));
  for (const button of screen.querySelectorAll("[data-capture]")) {
    button.addEventListener("mousedown", (event) => event.preventDefault());
    button.addEventListener("click", () => capture(button.dataset.capture));
  }
  window.addEventListener("beforeunload", (event) => { if (state.dirty && state.judged) event.preventDefault(); });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (isTyping(event)) {
      if (event.key === "Escape" || (event.key === "Enter" && event.target.tagName === "SELECT")) {
        event.preventDefault();
        event.target.blur();
      }
      return;
    }
    const everywhere = { "/": () => $("query").select(), t: () => $("target").focus() };
    const reading = {
      j: () => move(1), k: () => move(-1), y: () => answer("mentioned=yes"), n: () => answer("mentioned=no"),
      "+": () => change({ n_mentions: state.draft.n_mentions + 1 }), "-": () => change({ n_mentions: Math.max(0, state.draft.n_mentions - 1) }),
      c: cycleConfusable, m: () => $("note").focus(), e: () => capture("new-entity"), r: () => capture("related"),
      ArrowRight: () => step(1, event.shiftKey), ArrowLeft: () => step(-1, event.shiftKey),
      Escape: () => { if (state.opened) draft(state.opened); },
    };
    for (const [key, name] of Object.entries(FLAGS)) reading[key] = () => answer(name);
    for (const stars of "12345") reading[stars] = () => answer(`stars=${stars}`);
    if (event.target.tagName !== "BUTTON" && event.target.tagName !== "A") reading.Enter = enter;
    const act = everywhere[event.key] || (state.opened ? reading[event.key] : undefined);
    if (!act || (event.key === "c" && !target())) return;
    event.preventDefault();
    act();
  });
  $("query").focus();
})();

// The viewer: running text, gold and up to three systems as lines below it, each in its lane.

const viewer = { number: null, document: null, items: [], byKey: new Map(), segments: new Map(), cause: "", type: "", of: "", item: null, system: null };
const LANE_ROWS = 4; // rows of one lane; items that would need a fifth share the last
const ROW_HEIGHT = 5;

// Places count characters; where some of them take two units, the text is cut by characters.
function cutter(text) {
  if (!/[\ud800-\udfff]/.test(text)) return { length: text.length, slice: (from, to) => text.slice(from, to) };
  const signs = Array.from(text);
  return { length: signs.length, slice: (from, to) => signs.slice(from, to).join("") };
}

// All items of gold and of the systems shown, each with its verdicts by system.
function gatherItems(shown) {
  const systems = lanes();
  const sides = [{ side: "gold", system: null, shown: shown.gold || {} }];
  for (const rank of systems) sides.push({ side: "system", system: rank, shown: shown.systems[rank] || {} });
  const items = [];
  sides.forEach(({ side, system, shown: said }, lane) => {
    (said.items || []).forEach((item, place) => {
      items.push({
        key: lane + "." + place, lane, side, system, id: item.id, of: item.of || item.id, at: item.at || [],
        is: item.is || {}, text: item.text || "", line: item.line || 0, verdicts: [], chains: [],
      });
    });
  });
  addVerdicts(shown, items, systems);
  addChains(sides, items);
  return items;
}

function addVerdicts(shown, items, systems) {
  for (const rank of systems) {
    const known = new Map();
    for (const item of items) {
      if (item.side === "gold" || item.system === rank) {
        for (const name of new Set([item.of, item.id])) {
          const key = item.side + "\n" + name;
          known.set(key, [...(known.get(key) || []), item]);
        }
      }
    }
    for (const verdict of shown.verdicts[rank] || []) {
      const found = known.get(verdict.side + "\n" + verdict.id);
      if (found) found.forEach((item) => item.verdicts.push({ ...verdict, system: rank }));
      else items.push(unplaced(verdict, rank));
    }
  }
}

// An item for a verdict whose item has no place in the text: it only stands in the list.
function unplaced(verdict, rank) {
  return {
    key: "v" + rank + verdict.side + verdict.id, lane: -1, side: verdict.side, system: verdict.side === "gold" ? null : rank,
    id: verdict.id, of: verdict.id, at: [], is: {}, text: "", line: 0, verdicts: [{ ...verdict, system: rank }], chains: [],
  };
}

function addChains(sides, items) {
  sides.forEach(({ shown }, lane) => {
    const own = new Map(items.filter((item) => item.lane === lane).map((item) => [item.id, item]));
    for (const chain of shown.chains || []) {
      const members = (chain.items || []).map((id) => own.get(id)).filter(Boolean);
      members.forEach((item) => item.chains.push({ id: chain.id, crosses: chain.crosses, members }));
    }
  });
}

// Give every item the first free row of its lane, from the begin of its first range to the end of its last.
function placeInRows(items) {
  const ends = new Map();
  const placed = items.filter((item) => item.at.length && item.lane >= 0);
  for (const item of placed) {
    item.begin = Math.min(...item.at.map((range) => range[0]));
    item.end = Math.max(...item.at.map((range) => range[1]));
  }
  placed.sort((one, other) => one.begin - other.begin || other.end - one.end || one.lane - other.lane);
  for (const item of placed) {
    const rows = ends.get(item.lane) || [];
    let row = rows.findIndex((end) => end <= item.begin);
    if (row < 0) row = Math.min(rows.length, LANE_ROWS - 1);
    rows[row] = Math.max(rows[row] || 0, item.end);
    item.row = row;
    ends.set(item.lane, rows);
  }
  return { placed, heights: ends };
}

function colourOf(item) {
  return item.side === "gold" ? "var(--text)" : `var(--s${(item.system % 8) + 1})`;
}

// The line of an item below a piece of text, as layers of its background: image, size, distance from the top lane.
function lineLayers(item, isGap) {
  const colour = colourOf(item);
  const solid = `linear-gradient(${colour},${colour})`;
  const dashes = (on, off) => `repeating-linear-gradient(90deg,${colour} 0 ${on}px,transparent ${on}px ${on + off}px)`;
  if (isGap) return [[dashes(1, 3), 1, 1]];
  switch (shapeOfItem(item)) {
    case "missed": return [[dashes(6, 4), 3, 0]];
    case "spurious": return [[dashes(2, 3), 3, 0]];
    case "wrong": return [[solid, 2, 0], [solid, 1, 3]];
    case "out": return [[solid, 1, 1]];
    default: return [[solid, 3, 0]];
  }
}

function shapeOfItem(item) {
  return item.verdicts.length ? shapeOf(item.verdicts[0].cause) : "right";
}

function drawText(text, items) {
  const { placed, heights } = placeInRows(items);
  const lanesAbove = [];
  let total = 0;
  for (let lane = 0; lane <= lanes().length; lane += 1) {
    lanesAbove[lane] = total;
    total += Math.max(1, (heights.get(lane) || []).length) * ROW_HEIGHT + 2;
  }
  const signs = cutter(text);
  const target = make("div", {});
  target.style.lineHeight = `calc(1.25em + ${total}px)`;
  const edges = edgesOf(placed, signs.length);
  const active = new Set();
  viewer.segments = new Map();
  edges.forEach(({ at, opens, closes }, place) => {
    closes.forEach((item) => active.delete(item));
    closes.filter((item) => hasChip(item)).forEach((item) => target.append(chip(item)));
    opens.forEach((item) => active.add(item));
    const end = place + 1 < edges.length ? edges[place + 1].at : signs.length;
    if (end > at) target.append(segment(signs.slice(at, end), at, [...active], lanesAbove, total));
  });
  return target;
}

function edgesOf(placed, length) {
  const edges = new Map([[0, { at: 0, opens: [], closes: [] }]]);
  const edge = (at) => {
    const place = Math.max(0, Math.min(at, length));
    if (!edges.has(place)) edges.set(place, { at: place, opens: [], closes: [] });
    return edges.get(place);
  };
  for (const item of placed) {
    edge(item.begin).opens.push(item);
    item.at.forEach((range) => range.forEach(edge));
    edge(item.end).closes.push(item);
  }
  return [...edges.values()].sort((one, other) => one.at - other.at);
}

function segment(text, at, active, above, total) {
  if (!active.length) return document.createTextNode(visible(text));
  const made = make("span", { class: "seg" }, text);
  const [images, sizes, places] = [[], [], []];
  for (const item of active) {
    const isGap = !item.at.some((range) => range[0] <= at && at < range[1]);
    for (const [image, height, down] of lineLayers(item, isGap)) {
      images.push(image);
      sizes.push(`100% ${height}px`);
      const top = above[item.lane] + item.row * ROW_HEIGHT + down;
      places.push(`0 calc(100% - ${total - top - height}px)`);
    }
    if (!isGap) viewer.segments.set(item.key, [...(viewer.segments.get(item.key) || []), made]);
  }
  Object.assign(made.style, {
    backgroundImage: images.join(","), backgroundSize: sizes.join(","), backgroundPosition: places.join(","),
    paddingBottom: total + "px",
  });
  // The innermost item is what a click means.
  const inner = active.reduce((one, other) => (other.end - other.begin < one.end - one.begin ? other : one));
  made.dataset.key = inner.key;
  return made;
}

// Gold items always have a label; items of systems only if they have an error.
function hasChip(item) {
  return item.side === "gold" || item.verdicts.some((verdict) => !FINE.has(verdict.cause));
}

function labelOf(item) {
  const { type, relation, role, cluster, realis } = item.is;
  // The last part of Personnel.End-Position says enough here; the whole stands in the tooltip and beside the text.
  const last = (type || relation || "").split(/[._:]/).pop();
  const named = [last || (cluster === undefined ? "" : "#" + cluster), role].filter(Boolean).join("/");
  return short(named, 24) + (realis ? "·" + realis.slice(0, 1) : "");
}

function chip(item) {
  const marks = item.verdicts.map((verdict) =>
    make("b", { class: `s${(verdict.system % 8) + 1}`, "aria-hidden": "true" }, GLYPHS[shapeOf(verdict.cause)]));
  const said = item.verdicts.map((verdict) => `${DATA.systems[verdict.system]}: ${verdict.cause}`).join(", ");
  const owner = item.side === "gold" ? "gold" : DATA.systems[item.system];
  const made = make("button", {
    type: "button", class: "chip" + (item.side === "gold" ? "" : ` s${(item.system % 8) + 1}`), "data-key": item.key,
    "aria-label": short(`${owner} ${item.id} ${labelOf(item)} ${said}`, 200), title: short(`${owner} ${item.id} ${Object.values(item.is).join(" ")} ${said}`, 200),
  }, labelOf(item), marks.length ? " " : "", marks);
  viewer.segments.set(item.key, [...(viewer.segments.get(item.key) || []), made]);
  return made;
}

// ------------------------------------------------------------------------------------------ opening, choosing

async function openDocument(number, itemId, system, side) {
  const started = performance.now();
  const shown = await loadDocument(number);
  const section = find("#viewer");
  section.hidden = false;
  find("#viewer-name").textContent = visible(shortName(DATA.documents[number], 200));
  viewer.number = number;
  viewer.document = shown;
  viewer.item = null;
  if (shown === null) {
    for (const id of ["#text", "#verdict", "#list", "#links", "#viewer-bar"]) find(id).replaceChildren();
    find("#viewer-said").textContent = "This document was left out to keep the page small.";
  } else {
    if (system !== null && system !== undefined && !lanes().includes(system)) showOnly(system);
    drawDocument();
    if (itemId !== undefined && itemId !== null) chooseById(itemId, system, side);
  }
  section.scrollIntoView();
  find("#viewer-h").focus({ preventScroll: true });
  viewer.opened = performance.now() - started;
}

// Show a system that has no lane, if a link leads to one of its items.
function showOnly(rank) {
  chosen.clear();
  chosen.add(rank);
  all("[data-choose]").forEach((box) => {
    box.checked = DATA.systems.indexOf(gridOf(box.closest("table")).rows[Number(box.dataset.choose)][1]) === rank;
  });
  applyChosen();
}

function drawDocument() {
  const shown = viewer.document;
  viewer.items = gatherItems(shown);
  viewer.byKey = new Map(viewer.items.map((item) => [item.key, item]));
  const target = find("#text");
  const text = shown.text;
  if (text) target.replaceChildren(drawText(text, viewer.items));
  else target.replaceChildren(make("p", { class: "faint" }, text === "" ? "This document is empty." : `The text of this document was not given${DATA.texts ? " (--documents DIR)" : ""}; its items are listed below.`));
  target.classList.toggle("plain", viewer.items.length > 5000);
  find(".viewer").classList.toggle("textless", !text);
  drawBar();
  drawList();
  drawLinks();
  drawVerdict(null);
}

function chooseById(id, system, side) {
  const fits = (item) => system === null || system === undefined || item.side === "gold" || item.system === system;
  const named = viewer.items.filter((item) => (item.id === id || item.of === id) && fits(item));
  const there = named.filter((item) => item.side === side);
  const known = there.length ? there : named;
  const item = known.find((one) => one.id === id) || known[0];
  if (item) chooseItem(item);
}

function chooseItem(item) {
  viewer.item = item;
  mark("on", [item]);
  mark("chained", item.chains.flatMap((chain) => chain.members).filter((one) => one !== item));
  drawVerdict(item);
  const place = (viewer.segments.get(item.key) || [])[0];
  if (place) place.scrollIntoView({ block: "nearest" });
  const fragment = documentLink(viewer.number, item.id, item.system, item.side);
  if (fragment.startsWith("#")) history.replaceState(null, "", fragment);
}

function mark(name, items) {
  all("#text ." + name).forEach((part) => part.classList.remove(name));
  items.forEach((item) => (viewer.segments.get(item.key) || []).forEach((part) => part.classList.add(name)));
}

// -------------------------------------------------------------------------------------- beside the text

function errorsShown() {
  return viewer.items.filter((item) => item.verdicts.some(isShownError));
}

function isShown(verdict) {
  return (!viewer.cause || verdict.cause === viewer.cause) && (!viewer.of || DATA.systems[verdict.system] === viewer.of);
}

function isShownError(verdict) {
  return !FINE.has(verdict.cause) && isShown(verdict);
}

function listed() {
  const fits = (item) =>
    ((!viewer.cause && !viewer.of) || item.verdicts.some(isShown)) &&
    (!viewer.type || Object.values(item.is).includes(viewer.type));
  return viewer.items.filter(fits).sort((one, other) => (one.begin ?? 1e12) - (other.begin ?? 1e12) || one.lane - other.lane);
}

function drawList(most = SHOWN) {
  const items = listed();
  find("#list").replaceChildren(...items.slice(0, most).map(listEntry));
  const more = find("#list-more");
  more.hidden = items.length <= most;
  more.onclick = () => drawList(most + SHOWN);
  const errors = errorsShown().length;
  const counted = viewer.items.filter((item) => item.side === "gold").length;
  find("#viewer-said").textContent = `${counted} gold items; ` + (DATA.judged ? `${errors} items with an error` : "this task has no verdicts") + (viewer.cause || viewer.of ? ` (${[viewer.of, viewer.cause].filter(Boolean).join(", ")})` : "");
}

function listEntry(item) {
  const owner = item.side === "gold" ? make("span", {}, "gold") : make("span", { class: `system s${(item.system % 8) + 1}` }, shortName(DATA.systems[item.system], 30));
  return make("li", {},
    owner, " ",
    make("button", { type: "button", class: "link", click: () => chooseItem(item) }, short(`${item.id} ${item.text}`, 60)), " ",
    labelOf(item), " ",
    [...new Set(item.verdicts.map((verdict) => verdict.cause))].map((cause) => [causePart(cause), " "]).flat());
}

function causePart(cause) {
  const kind = cause === "left-out" ? "faint" : FINE.has(cause) ? "fine" : "fault";
  return make("span", { class: `cause ${kind}` }, GLYPHS[shapeOf(cause)] + " " + cause);
}

function drawVerdict(item) {
  const target = find("#verdict");
  if (!item) {
    target.replaceChildren(make("p", { class: "faint" }, "Choose an item in the text or in the list."), DATA.judged ? legend() : "");
    return;
  }
  const owner = item.side === "gold" ? "gold" : DATA.systems[item.system];
  const facts = Object.entries(item.is).map(([name, value]) => `${name}: ${value}`).join(" · ");
  target.replaceChildren(
    make("h3", {}, make("bdi", {}, short(`${owner} ${item.id}`, 120))),
    make("p", {}, item.text ? make("q", { dir: "auto" }, short(item.text, 300)) : "", " ", facts),
    item.line ? make("p", { class: "faint" }, `line ${item.line}`) : "",
    ...item.verdicts.map((verdict) => verdictPart(verdict)),
    ...item.chains.map(chainPart).filter(Boolean),
  );
}

function verdictPart(verdict) {
  const amounts = `credit ${cellText(verdict.credit, "count")}, lost ${cellText(verdict.lost, "count")}`;
  const there = verdict.side === "gold" ? "system" : "gold";
  const rivals = (verdict.rivals || []).map((rival) =>
    make("li", {}, itemButton(rival.id, verdict.system, there), ` similarity ${cellText(rival.similarity, "count")}`,
      rival.paired_with ? [", paired with ", itemButton(rival.paired_with, verdict.system, verdict.side)] : ", not paired"));
  return make("div", { class: "of" },
    make("p", {}, make("span", { class: `system s${(verdict.system % 8) + 1}` }, shortName(DATA.systems[verdict.system], 60)), " ",
      causePart(verdict.cause),
      verdict.other ? [" with ", itemButton(verdict.other, verdict.system, there)] : ""),
    make("p", { dir: "auto" }, short(verdict.why || "", 2000)),
    make("p", { class: "faint" }, amounts),
    rivals.length ? [make("p", {}, "Rivals"), make("ul", {}, rivals)] : null);
}

function itemButton(id, system, side) {
  return make("button", { type: "button", class: "link", click: () => chooseById(id, system, side) }, short(String(id), 60));
}

function chainPart(chain) {
  const known = chain.crosses && Object.hasOwn(DATA.chains, chain.id) ? DATA.chains[chain.id] : [];
  const others = known.filter((number) => number !== viewer.number);
  if (chain.members.length < 2 && !others.length) return null;
  return make("div", { class: "of" },
    make("p", {}, `Chain ${chain.id}: ${chain.members.length} here`),
    make("ul", {}, chain.members.slice(0, 50).map((member) => make("li", {}, itemButton(member.id, member.system, member.side), " ", short(member.text, 60)))),
    others.length ? make("p", {}, "Also in ", others.slice(0, 50).map((number) => [make("a", { href: documentLink(number) }, DATA.documents[number]), " "]).flat()) : null);
}

function legend() {
  const shapes = [["", "right"], ["missed", "missed ○"], ["spurious", "spurious +"], ["wrong", "wrong ≠"]];
  return make("p", { class: "legend" },
    shapes.map(([name, said]) => [make("span", { class: "lane" }, make("i", { class: name, "aria-hidden": "true" }), said), " "]).flat());
}

function drawLinks() {
  const shown = viewer.document;
  const sides = [["gold", null, shown.gold || {}], ...lanes().map((rank) => [DATA.systems[rank], rank, shown.systems[rank] || {}])];
  const made = [];
  sides.forEach(([name, rank, said], lane) => {
    for (const link of said.links || []) made.push([name, rank, lane, link]);
  });
  find("#links-count").textContent = `(${made.length})`;
  find("#links-box").hidden = !made.length;
  find("#links").replaceChildren(...made.slice(0, SHOWN).map(([name, rank, lane, link]) => linkPart(name, rank, lane, link)));
}

function linkPart(name, rank, lane, link) {
  const own = (part) => viewer.items.find((item) => item.lane === lane && (item.id === part.item || item.of === part.item));
  const members = (link.parts || []).map((part) => [part, own(part)]);
  const light = () => mark("chained", members.map(([, item]) => item).filter(Boolean));
  return make("div", { class: "set", focusin: light, mouseover: light },
    make("span", { class: rank === null ? "" : `system s${(rank % 8) + 1}` }, shortName(name, 30)), " ",
    make("strong", {}, short(link.name || link.id || "", 60)), " ",
    members.map(([part, item]) => [part.role + ": ",
      item ? make("button", { type: "button", class: "link", click: () => chooseItem(item) }, short(part.text || item.text || item.id, 50)) : short(part.text || part.item || "–", 50), "  "]).flat());
}

function drawBar() {
  const causes = [...new Set(viewer.items.flatMap((item) => item.verdicts.map((verdict) => verdict.cause)))].sort();
  const types = [...new Set(viewer.items.map((item) => item.is.type || item.is.relation || item.is.cluster).filter(Boolean))].sort();
  if (!causes.includes(viewer.cause)) viewer.cause = "";
  if (!types.includes(viewer.type)) viewer.type = "";
  const systems = lanes().map((rank) => DATA.systems[rank]);
  if (!systems.includes(viewer.of)) viewer.of = "";
  const keys = lanes().map((rank) => make("span", { class: `lane s${(rank % 8) + 1}` }, make("i", { "aria-hidden": "true" }), shortName(DATA.systems[rank], 40)));
  find("#viewer-bar").replaceChildren(
    make("button", { type: "button", click: () => stepDocument(-1) }, "‹ document"),
    make("button", { type: "button", click: () => stepDocument(1) }, "document ›"),
    make("button", { type: "button", click: () => stepError(-1) }, "‹ error"),
    make("button", { type: "button", click: () => stepError(1) }, "error ›"),
    DATA.judged ? picker("Cause", causes, viewer.cause, (value) => { viewer.cause = value; drawList(); }) : "",
    picker("Type", types, viewer.type, (value) => { viewer.type = value; drawList(); }),
    DATA.judged && systems.length > 1 ? picker("System", systems, viewer.of, (value) => { viewer.of = value; drawList(); }) : "",
    make("label", {}, make("input", { type: "checkbox", checked: true, change: (event) => find("#text").classList.toggle("plain", !event.target.checked) }), " labels"),
    make("span", { class: "lane" }, make("i", { "aria-hidden": "true" }), "gold"), ...keys,
    make("button", { type: "button", "data-close": "viewer" }, "Close"),
  );
}

function picker(name, values, now, choose, said = (value) => short(value, 50)) {
  const select = make("select", { change: (event) => choose(event.target.value) },
    make("option", { value: "" }, "all"), values.slice(0, 500).map((value) => make("option", { value, selected: String(value) === now }, said(value))));
  return make("label", {}, name + " ", select);
}

function stepDocument(step) {
  const shown = DATA.kept.length ? DATA.kept : NUMBERS;
  const place = shown.indexOf(viewer.number);
  const next = shown[place < 0 ? 0 : Math.max(0, Math.min(place + step, shown.length - 1))];
  if (DATA.pages) {
    const number = viewer.number === null || viewer.number === undefined ? 0 : viewer.number + step;
    if (DATA.pages[number]) location.href = documentLink(number);
  } else if (next !== undefined && next !== viewer.number) location.hash = documentLink(next);
}

function stepError(step) {
  if (!viewer.document) return stepDocument(1);
  const errors = listed().filter((item) => item.verdicts.some(isShownError));
  const place = errors.indexOf(viewer.item);
  const next = errors[place < 0 && step < 0 ? errors.length - 1 : place + step];
  if (next) return chooseItem(next);
  return stepDocument(step);
}

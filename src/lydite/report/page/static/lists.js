// Lists of items over the whole corpus: by fault, by confusion, right in one system only; and search.

const listing = { rows: [], most: SHOWN };

function errorRows(fits) {
  const { errors } = DATA;
  const found = [];
  for (let row = 0; row < errors.id.length; row += 1) if (fits(row)) found.push(row);
  return found;
}

function causeOf(row) {
  return DATA.errors.words[DATA.errors.cause[row]];
}

function valueOf(row, name, side) {
  const column = DATA.errors.values[name];
  const place = column ? column[side][row] : -1;
  return place < 0 ? null : DATA.errors.words[place];
}

// Show a list of verdicts; if the button counts another number of items, the list says why.
function openList(title, rows, counted = rows.length, why = "") {
  listing.rows = rows;
  listing.other = counted === rows.length ? "" : `; ${why.replace("#", counted)}`;
  listing.most = SHOWN;
  listing.title = title;
  listing.filter = { cause: "", system: "" };
  find("#items").hidden = false;
  drawListing();
  find("#items").scrollIntoView();
  find("#items-h").focus({ preventScroll: true });
}

function drawListing() {
  const { filter } = listing;
  const rows = listing.rows.filter((row) =>
    (!filter.cause || causeOf(row) === filter.cause) &&
    (filter.system === "" || DATA.errors.system[row] === Number(filter.system)) && chosen.has(DATA.errors.system[row]));
  find("#items-h").textContent = visible(short(listing.title, 200));
  find("#items-said").textContent = (rows.length === 1 ? "1 item" : `${rows.length} items`) + listing.other;
  const causes = [...new Set(listing.rows.map(causeOf))].sort();
  find("#items-filters").replaceChildren(
    picker("Cause", causes, filter.cause, (value) => { filter.cause = value; drawListing(); }),
    picker("System", [...new Set(listing.rows.map((row) => DATA.errors.system[row]))].sort((one, other) => one - other), filter.system,
      (value) => { filter.system = value; drawListing(); }, (rank) => shortName(DATA.systems[rank], 50)));
  const names = Object.keys(DATA.errors.values).filter((name) => rows.some((row) => valueOf(row, name, 0) || valueOf(row, name, 1)));
  const heads = ["document", "system", "side", "item", "cause", ...names.flatMap((name) => ["gold " + name, "found " + name]), "lost"];
  find("#items-table thead").replaceChildren(make("tr", {}, heads.map((head) => make("th", { scope: "col" }, head))));
  find("#items-table tbody").replaceChildren(...rows.slice(0, listing.most).map((row) => listingRow(row, names)));
  const more = find("#items-more");
  more.hidden = rows.length <= listing.most;
  more.onclick = () => { listing.most += SHOWN; drawListing(); };
}

function listingRow(row, names) {
  const { errors } = DATA;
  const [number, rank] = [errors.document[row], errors.system[row]];
  const cells = names.flatMap((name) => [valueOf(row, name, 0), valueOf(row, name, 1)]);
  return make("tr", {},
    make("td", { dir: "auto" }, shortName(DATA.documents[number], 60)), make("td", { dir: "auto" }, shortName(DATA.systems[rank], 40)),
    make("td", {}, errors.side[row] ? "system" : "gold"),
    make("td", {}, make("a", { href: documentLink(number, errors.id[row], rank, errors.side[row] ? "system" : "gold") }, short(String(errors.id[row]), 60))),
    make("td", {}, GLYPHS[shapeOf(causeOf(row))] + " " + causeOf(row)),
    cells.map((value) => make("td", {}, value === null ? "–" : short(value, 60))),
    make("td", { class: "number" }, cellText(errors.lost[row], "count")));
}

// A button in a table of faults or confusions.
function listFrom(button) {
  const cell = button.closest("td");
  const table = button.closest("table");
  const grid = gridOf(table);
  const values = grid.rows[Number(button.closest("tr").dataset.row)];
  const key = table.dataset.grid;
  if (key === "budget") return listFault(Number(button.closest("tr").dataset.row));
  const [, attribute] = key.match(/^confusion-(.*)-(\d+)$/) || [];
  return listConfused(attribute, Number(cell.dataset.system), ...values);
}

// A part of a bar, or a cell of a matrix; the tables below have the same for the keyboard.
function listFromChart(part) {
  const figure = part.closest("figure, .confused");
  if (figure.matches(".confused")) {
    const table = find("table", figure);
    const [, attribute, rank] = table.dataset.grid.match(/^confusion-(.*)-(\d+)$/);
    return listConfused(attribute, Number(rank), ...gridOf(table).rows[Number(part.dataset.item)]);
  }
  const rank = Number(figure.dataset.rows.split(" ")[Number(part.closest("[data-row]").dataset.row)]);
  return listFault(Number(part.dataset.series), rank);
}

function listFault(place, rank) {
  const { columns, rows } = DATA.tables.budget;
  const fits = (system) => rank === undefined || system === rank;
  const title = `Fault: ${rows[place][0]}` + (rank === undefined ? "" : `, ${DATA.systems[rank]}`);
  const counted = columns.reduce((sum, column, at) => sum + (column.kind === "count" && fits(column.system) ? rows[place][at] : 0), 0);
  openList(title, errorRows((row) => DATA.errors.faults[row] >> place & 1 && !isListedUnderGold(row) && fits(DATA.errors.system[row])),
    counted, "the budget counts #: an item can have several faults, or be in several documents; a verdict names one cause in one");
}

function listConfused(attribute, rank, gold, found, counted) {
  const same = (wanted, value) => (wanted.startsWith("(") ? value === null : value === wanted);
  openList(`${attribute}: gold ${gold}, found ${found}`, errorRows((row) =>
    DATA.errors.system[row] === rank && !isListedUnderGold(row) && same(gold, valueOf(row, attribute, 0)) && same(found, valueOf(row, attribute, 1))),
    counted, "the matrix counts #: it pairs items without looking at attributes, verdicts look at them");
}

// A pair has a verdict on both sides; if both are errors, lists only show that of gold.
const PAIRS = new Set(errorRows((row) => DATA.errors.side[row] === 0).map((row) => pairKey(row, DATA.errors.id, DATA.errors.other)));

function pairKey(row, gold, system) {
  return JSON.stringify([DATA.errors.system[row], DATA.errors.document[row], gold[row], system[row]]);
}

function isListedUnderGold(row) {
  return DATA.errors.side[row] === 1 && PAIRS.has(pairKey(row, DATA.errors.other, DATA.errors.id));
}

// List the gold items that one system has right and the other has not.
function listOnly(better, other, counted) {
  const wrong = (rank) => new Set(errorRows((row) => DATA.errors.system[row] === rank && DATA.errors.side[row] === 0)
    .map((row) => DATA.errors.document[row] + "\n" + DATA.errors.id[row]));
  const wrongInBetter = wrong(better);
  openList(`Right in ${DATA.systems[better]}, not in ${DATA.systems[other]}`, errorRows((row) =>
    DATA.errors.system[row] === other && DATA.errors.side[row] === 0 &&
    !wrongInBetter.has(DATA.errors.document[row] + "\n" + DATA.errors.id[row])),
  counted, "the table counts #: an item with small errors only is right there");
}

function addPairButtons() {
  const table = find('table[data-grid="pairs"]');
  if (!table) return;
  const grid = gridOf(table);
  const heads = grid.columns.map((column) => column.name);
  for (const row of all("tbody tr", table)) {
    const values = grid.rows[Number(row.dataset.row)];
    const [better, other] = [DATA.systems.indexOf(values[0]), DATA.systems.indexOf(values[1])];
    for (const [name, one, two] of [["only better", better, other], ["only other", other, better]]) {
      const place = heads.indexOf(name);
      if (row.cells[place] && DATA.errors.id.length) {
        const show = () => listOnly(one, two, values[place]);
        row.cells[place].replaceChildren(make("button", { type: "button", class: "link", click: show }, row.cells[place].textContent));
      }
    }
  }
}

// Show only the panel of the two chosen systems; without scripts all panels are shown, except those that wait.
function addPairPicker() {
  const panels = all(".panel[data-pair]");
  const ranks = panels.map((panel) => panel.dataset.pair.split(" ").map(Number));
  if (panels.length < 2) return;
  const known = [...new Set(ranks.flat())].sort((one, other) => one - other);
  const pick = [...ranks[0]];
  const show = () => {
    const place = ranks.findIndex((pair) => pair.includes(pick[0]) && pair.includes(pick[1]) && pick[0] !== pick[1]);
    panels.forEach((panel, at) => panel.classList.toggle("off", at !== place));
    const waiting = place >= 0 && find("template", panels[place]);
    if (waiting) {
      waiting.replaceWith(waiting.content);
      applyChosen();
    }
    const said = find("#pair-said");
    said.hidden = place >= 0;
    said.textContent = pick[0] === pick[1] ? "Choose two different systems." : "These two were not compared.";
  };
  const select = (place, label) => make("label", {}, label + " ", make("select", { "data-pick": place, change: (event) => { pick[place] = Number(event.target.value); show(); } },
    known.map((rank) => make("option", { value: rank, selected: rank === pick[place] }, shortName(DATA.systems[rank], 60)))));
  find("#pair-pick").append(select(0, "Compare"), select(1, "with"));
  show();
}

// ------------------------------------------------------------------------------------------------- search

const MOST_FOUND = 200;
let searching = 0;

async function search(words) {
  const wanted = words.trim().toLowerCase();
  searching += 1;
  const mine = searching;
  const section = find("#results");
  section.hidden = !wanted;
  if (!wanted) return;
  const list = find("#results-list");
  list.replaceChildren();
  let count = 0;
  const add = (number, said, item, system) => {
    count += 1;
    if (count <= MOST_FOUND) list.append(make("li", {}, make("a", { href: documentLink(number, item, system, typeof system === "number" ? "system" : "gold") }, shortName(DATA.documents[number], 80)), " ", said));
  };
  NUMBERS.forEach((number) => { if (DATA.documents[number].toLowerCase().includes(wanted)) add(number, "document"); });
  for (const number of DATA.kept) {
    const shown = await loadDocument(number);
    if (mine !== searching) return;
    searchIn(shown, number, wanted, add);
    if (count > 10 * MOST_FOUND) break;
  }
  find("#results-said").textContent = count === 0 ? `Nothing has “${visible(short(words, 60))}”.` : `${count} found` + (count > MOST_FOUND ? `, the first ${MOST_FOUND} shown` : "");
  if (count) section.scrollIntoView();
}

function searchIn(shown, number, wanted, add) {
  const place = (shown.text || "").toLowerCase().indexOf(wanted);
  if (place >= 0) add(number, make("bdi", {}, "… " + shown.text.slice(Math.max(0, place - 30), place + wanted.length + 30) + " …"));
  [[null, shown.gold], ...shown.systems.map((side, rank) => [rank, side])].forEach(([rank, side]) => {
    for (const item of (side && side.items) || []) {
      const said = [item.id, item.text || "", ...Object.values(item.is || {})];
      if (said.some((word) => String(word).toLowerCase().includes(wanted))) {
        add(number, short(`${rank === null ? "gold" : DATA.systems[rank]} ${item.id} ${item.text || ""} ${Object.values(item.is || {}).join(" ")}`, 120), item.id, rank);
      }
    }
  });
}

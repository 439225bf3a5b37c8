// Tables: sort by the values in the data, show more rows, keep to the systems that are chosen.

const SHOWN = 500;

function gridOf(table) {
  return DATA.tables[table.dataset.grid];
}

function compareValues(one, other) {
  if (one === null || one === undefined) return other === null || other === undefined ? 0 : 1;
  if (other === null || other === undefined) return -1;
  if (typeof one === "number" && typeof other === "number") return one - other;
  const [left, right] = [String(one), String(other)];
  return left < right ? -1 : left > right ? 1 : 0;
}

function makeCell(value, column, row) {
  const attributes = { class: ["percent", "points", "count", "exact", "p", "tau"].includes(column.kind) ? "number" : null };
  if (column.system !== undefined) attributes["data-system"] = column.system;
  const said = cellText(value, column.kind);
  let inside = said;
  if (column.kind === "document" && NUMBER_OF.has(wellFormed(value))) {
    inside = make("a", { href: documentLink(NUMBER_OF.get(wellFormed(value))), dir: "auto" }, said);
  } else if (column.kind === "item" && value && row[0] !== row[1]) {
    inside = make("button", { type: "button", class: "link", "data-list": true }, said);
  }
  const made = make("td", attributes, inside);
  if (column.system !== undefined && !chosen.has(column.system)) made.classList.add("off");
  return made;
}

function makeRow(grid, number) {
  const row = make("tr", { "data-row": number });
  if (grid.faint.includes(number)) row.className = "faint";
  grid.columns.forEach((column, place) => row.append(makeCell(grid.rows[number][place], column, grid.rows[number])));
  return row;
}

// Rows of the file are used again, so that choices in them stay; other rows are made when they are needed.
function showRows(table, order, most) {
  const grid = gridOf(table);
  const body = table.tBodies[0];
  table.made = table.made || new Map(all("tr", body).map((row) => [Number(row.dataset.row), row]));
  const rows = order.slice(0, most).map((number) => {
    if (!table.made.has(number)) table.made.set(number, makeRow(grid, number));
    return table.made.get(number);
  });
  body.replaceChildren(...rows);
  table.order = order;
  table.most = most;
}

function sortTable(table, place) {
  const grid = gridOf(table);
  const heads = all("thead th", table);
  const kind = grid.columns[place].kind;
  const first = ["percent", "points"].includes(kind) ? "descending" : "ascending";
  const now = heads[place].getAttribute("aria-sort");
  const way = !now ? first : now === "ascending" ? "descending" : "ascending";
  heads.forEach((head) => head.removeAttribute("aria-sort"));
  heads[place].setAttribute("aria-sort", way);
  const sign = way === "ascending" ? 1 : -1;
  const order = [...grid.rows.keys()].sort((one, other) => {
    const [left, right] = [grid.rows[one][place], grid.rows[other][place]];
    if (left === null || right === null) return compareValues(left, right) || one - other;
    return sign * compareValues(left, right) || one - other;
  });
  showRows(table, order, table.most || SHOWN);
}

function showMore(button) {
  const table = all("table[data-grid]").find((one) => one.dataset.grid === button.dataset.more);
  const grid = gridOf(table);
  const most = Math.min((table.most || SHOWN) + SHOWN, grid.rows.length);
  showRows(table, table.order || [...grid.rows.keys()], most);
  const left = grid.rows.length - most;
  if (left > 0) button.textContent = `Show ${left} more`;
  else button.parentElement.remove();
}

// -------------------------------------------------------------------------------------- systems in charts

// The rows of a chart by one of its series, best first; those without a figure come last.
function sortChart(select) {
  const { rows } = DATA.tables[select.dataset.sort];
  const place = Number(select.value);
  const order = [...rows.keys()];
  if (place) {
    order.sort((one, other) => {
      const [left, right] = [rows[one][place], rows[other][place]];
      if (left === null || right === null) return compareValues(left, right) || one - other;
      return right - left || one - other;
    });
  }
  order.forEach((number, at) => {
    const row = find(`svg [data-row="${number}"]`, select.closest("figure"));
    row.setAttribute("transform", `translate(0 ${(at - number) * Number(select.dataset.step)})`);
  });
}

function applyChosen() {
  for (const part of all("td[data-system], th[data-system], details[data-system]")) {
    part.classList.toggle("off", !chosen.has(Number(part.dataset.system)));
  }
  for (const figure of all("figure[data-series], figure[data-rows]")) {
    for (const [name, key] of [["series", "data-series"], ["rows", "data-row"]]) {
      if (!figure.dataset[name]) continue;
      const ranks = figure.dataset[name].split(" ").map(Number);
      for (const part of all(`svg [${key}]`, figure)) {
        const rank = ranks[Number(part.getAttribute(key))];
        part.classList.toggle("dim", rank !== undefined && !chosen.has(rank));
      }
    }
  }
}

function chooseSystem(box) {
  const row = gridOf(box.closest("table")).rows[Number(box.dataset.choose)];
  const rank = DATA.systems.indexOf(row[1]);
  if (box.checked) chosen.add(rank);
  else chosen.delete(rank);
  applyChosen();
  if (viewer.document) drawDocument();
}

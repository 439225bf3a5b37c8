// Keys, links, light and dark.

function close(id) {
  find("#" + id).hidden = true;
  if (id === "viewer") {
    Object.assign(viewer, { document: null, item: null, number: null });
    if (location.hash.startsWith("#doc=")) history.replaceState(null, "", "#documents");
    const documents = find("#documents");
    if (documents) documents.scrollIntoView();
  }
}

function closeLast() {
  const open = ["results", "items", "viewer"].find((id) => !find("#" + id).hidden);
  if (open) close(open);
}

// #doc=nw05&item=E7&system=alder
function follow() {
  const said = new Map(location.hash.slice(1).split("&").map((part) => part.split("=").map(decode)));
  if (!said.has("doc")) return;
  const number = NUMBER_OF.get(said.get("doc"));
  if (number === undefined) return;
  const rank = said.has("system") ? DATA.systems.indexOf(said.get("system")) : -1;
  const system = rank < 0 ? null : rank;
  const [item, side] = [said.get("item"), said.get("side")];
  if (DATA.pages && number !== DATA.only) location.href = documentLink(number, item, system, side);
  else if (number === viewer.number && viewer.document && item !== undefined) chooseById(item, system, side);
  else openDocument(number, item, system, side);
}

function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const KEYS = {
  "/": () => find("#search").focus(),
  j: () => stepError(1),
  k: () => stepError(-1),
  n: () => stepDocument(1),
  p: () => stepDocument(-1),
  g: () => { location.hash = ""; location.hash = "ranking"; },
  "?": () => find("#help").showModal(),
  Escape: closeLast,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || find("#help").open) return;
  const typing = event.target.matches("input[type=search], select");
  if (typing && event.key !== "Escape") return;
  if (typing) event.target.blur();
  if (KEYS[event.key]) {
    event.preventDefault();
    KEYS[event.key]();
  }
});

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  if (on("button.sort")) sortTable(on("table"), on("th").cellIndex);
  else if (on("[data-more]")) showMore(on("[data-more]"));
  else if (on("[data-list]")) listFrom(on("[data-list]"));
  else if (on("#budget rect.bar, #confusion rect[data-item]")) listFromChart(event.target.closest("rect"));
  else if (on("[data-close]")) close(on("[data-close]").dataset.close);
  else if (on("#text [data-key]")) chooseItem(viewer.byKey.get(on("#text [data-key]").dataset.key));
});

for (const name of ["mouseover", "focusin"]) {
  find("#text").addEventListener(name, (event) => {
    const part = event.target.closest("[data-key]");
    const item = part && viewer.byKey.get(part.dataset.key);
    if (item) mark("chained", item.chains.flatMap((chain) => chain.members));
  });
}

document.addEventListener("change", (event) => {
  if (event.target.matches("[data-choose]")) chooseSystem(event.target);
  else if (event.target.matches("[data-sort]")) sortChart(event.target);
});

find("#search-form").addEventListener("submit", (event) => {
  event.preventDefault();
  search(find("#search").value);
});
find("#search").addEventListener("search", () => search(find("#search").value));
find("#help-open").addEventListener("click", KEYS["?"]);

find("#theme").addEventListener("click", () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = dark ? "light" : "dark";
});

const copy = find("#copy");
if (copy) {
  copy.addEventListener("click", () => {
    const range = document.createRange();
    range.selectNodeContents(find("#signature"));
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    const done = () => { copy.textContent = "Copied"; };
    if (navigator.clipboard) navigator.clipboard.writeText(DATA.signature).then(done, () => { copy.textContent = "Selected"; });
    else copy.textContent = "Selected";
  });
}

// Scroll targets stand below the bar, whose height is variable.
new ResizeObserver(() => document.documentElement.style.setProperty("--bar", find(".top").offsetHeight + "px")).observe(find(".top"));
addEventListener("beforeprint", () => all("details").forEach((part) => { part.open = true; }));
addEventListener("hashchange", follow);
document.documentElement.classList.add("js");
addPairButtons();
addPairPicker();
if (DATA.only !== undefined && !location.hash.includes("doc=")) openDocument(DATA.only);
else follow();

"use strict";
// The data of the page, and functions that make elements.  Text of the input always becomes text nodes.

const DATA = JSON.parse(document.getElementById("lydite-data").textContent);
const find = (selector, root = document) => root.querySelector(selector);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

const BIDI = {
  0x061c: "ALM", 0x200e: "LRM", 0x200f: "RLM", 0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO",
  0x202e: "RLO", 0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
};
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

// Text with control characters and directional controls as marks.
function visible(text) {
  return String(text).replace(UNSEEN, (sign) => {
    const code = sign.charCodeAt(0);
    if (code < 0x20) return String.fromCharCode(0x2400 + code);
    if (code === 0x7f) return "\u2421";
    return "⟦" + (BIDI[code] || code.toString(16).toUpperCase()) + "⟧";
  });
}

function short(text, limit) {
  return text.length <= limit ? text : text.slice(0, limit - 1) + "…";
}

// A name, or beginning and end of a long one, since names often differ at their end.
function shortName(name, limit) {
  const end = Math.floor((limit - 1) / 2);
  return name.length <= limit ? name : name.slice(0, limit - 1 - end) + "…" + name.slice(-end);
}

// make("p", {class: "x"}, "text", node): attributes are set, functions become listeners, strings become text.
function make(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === "function") made.addEventListener(name, value);
    else if (value === true) made.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(name, visible(value));
  }
  for (const child of children.flat()) {
    if (child === null || child === undefined || child === false) continue;
    made.append(child instanceof Node ? child : visible(child));
  }
  return made;
}

// A number with this many decimals; ties go to even, as in Python.
function fixed(value, decimals, signed) {
  const size = Math.abs(value);
  let said = size.toFixed(decimals);
  const parts = size * 2 ** (decimals + 1);
  if (Number.isInteger(parts) && parts % 2 === 1) {
    const below = Math.floor(size * 10 ** decimals);
    said = ((below % 2 ? below + 1 : below) / 10 ** decimals).toFixed(decimals);
  }
  return (value < 0 ? "-" : signed ? "+" : "") + said;
}

function cellText(value, kind) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value === "string") return short(value, 200);
  if (kind === "percent") return fixed(100 * value, 2);
  if (kind === "points") return fixed(100 * value, 2, true);
  if (kind === "tau") return fixed(value, 2);
  if (kind === "p") return value < 0.00005 ? "<0.0001" : fixed(value, 4);
  return kind === "exact" || Number.isInteger(value) ? String(value) : fixed(value, 2);
}

// ---------------------------------------------------------------------------------------------- documents

// An address cannot have lone surrogates.
const wellFormed = (text) => String(text).replace(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
const address = (text) => encodeURIComponent(wellFormed(text));
// In a folder, the page of one document only has the data of its neighbours.
const NUMBERS = Object.keys(DATA.documents).map(Number);
const NUMBER_OF = new Map(NUMBERS.map((number) => [wellFormed(DATA.documents[number]), number]));
const KEPT = new Set(DATA.kept);

async function unpack(block) {
  const bytes = Uint8Array.from(atob(block.textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).text();
}

async function loadDocument(number) {
  const block = document.getElementById("lydite-doc-" + number);
  if (block === null) return null;
  return JSON.parse("packed" in block.dataset ? await unpack(block) : block.textContent);
}

// Items of both sides may have the same id, so a link to an item of a system has side=system.
function documentLink(number, item, system, side) {
  const parts = ["doc=" + address(DATA.documents[number])];
  if (item !== undefined && item !== null) parts.push("item=" + address(item));
  if (system !== undefined && system !== null) parts.push("system=" + address(DATA.systems[system]));
  if (side === "system") parts.push("side=system");
  const fragment = "#" + parts.join("&");
  if (DATA.pages && number !== DATA.only) {
    return (DATA.only === undefined ? "" : "../") + DATA.pages[number] + fragment;
  }
  return fragment;
}

// ------------------------------------------------------------------------------------------------ systems

const chosen = new Set(DATA.systems.keys());

// The systems beside gold: at most three, the best of those that are chosen.
function lanes() {
  return [...chosen].sort((one, other) => one - other).slice(0, 3);
}

const FINE = new Set(["right", "found", "left-out"]);

// The shape of a cause: errors differ by shape as well as by colour.
function shapeOf(cause) {
  if (cause === "left-out") return "out";
  if (FINE.has(cause)) return "right";
  if (cause.startsWith("missed") || cause === "no-document") return "missed";
  if (cause.startsWith("spurious") || cause === "duplicate") return "spurious";
  return "wrong";
}
const GLYPHS = { right: "✓", missed: "○", spurious: "+", wrong: "≠", out: "·" };

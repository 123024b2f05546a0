// SPDX-License-Identifier: BSD-3-Clause
// Rows of intervals over one axis: what forest plots and groups are made of. Places are
// parts of the width, so a row needs no redrawing when the page gets narrower.
import { h } from "../dom.js";
import { alike, interval } from "../format.js";
import { ticks, tickText } from "../scale.js";

/** Where a value stands, in percent, kept within the plot. */
export function placer([low, high]) {
  return (x) => Math.min(100, Math.max(0, (100 * (x - low)) / (high - low || 1)));
}

const at = (name, place) => `${name}:${place.toFixed(2)}%`;

/** A range, a dot on it, and the lines that all rows share; beyond an end, an arrow. */
function plot(row, domain, lines) {
  const place = placer(domain);
  const left = place(row.lower),
    right = place(row.upper);
  const inside = row.mean >= domain[0] && row.mean <= domain[1];
  return h(
    "div",
    { class: "plot", "aria-hidden": "true" },
    lines.band &&
      h("i", {
        class: "population",
        style: `${at("left", place(lines.band[0]))};${at("right", 100 - place(lines.band[1]))}`,
      }),
    lines.zero != null && h("i", { class: "zero", style: at("left", place(lines.zero)) }),
    row.own != null &&
      h("i", {
        class: "pull",
        style: `${at("left", place(Math.min(row.own, row.mean)))};${at("right", 100 - place(Math.max(row.own, row.mean)))}`,
      }),
    h("i", {
      class: `range${row.lower < domain[0] ? " more-left" : ""}${row.upper > domain[1] ? " more-right" : ""}`,
      style: `${at("left", left)};${at("right", 100 - right)}`,
    }),
    row.own != null &&
      row.own >= domain[0] &&
      row.own <= domain[1] &&
      h("i", { class: "own", style: at("left", place(row.own)) }),
    inside && h("i", { class: "point", style: at("left", place(row.mean)) }),
  );
}

function axis(domain) {
  const list = ticks(...domain, 5),
    text = tickText(list),
    place = placer(domain);
  return h(
    "tr",
    { class: "axis-row", "aria-hidden": "true" },
    h("td", {}),
    h(
      "td",
      {},
      h(
        "div",
        { class: "plot-axis" },
        list.map((x, i) => h("span", { style: at("left", place(x)) }, text[i])),
      ),
    ),
    h("td", {}),
    h("td", {}),
  );
}

/** rows: {name, mean, lower, upper, own?, note?}; lines: {zero?, band?}. */
export function rowTable(rows, domain, lines, heads, caption) {
  const number = alike(rows.map((row) => (row.upper - row.lower) / 4));
  return h(
    "table",
    { class: "rows" },
    h("caption", { class: "hidden" }, caption),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((text, i) =>
          text ? h("th", { scope: "col", class: i > 1 ? "value" : null }, text) : h("td", {}),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      rows.map((row) =>
        h(
          "tr",
          { title: row.note },
          h("th", { scope: "row" }, row.name),
          h("td", { class: "plot-cell" }, plot(row, domain, lines)),
          h("td", { class: "value" }, number(row.mean)),
          h("td", { class: "value muted" }, interval(row.lower, row.upper, number)),
        ),
      ),
    ),
    h("tfoot", {}, axis(domain)),
  );
}

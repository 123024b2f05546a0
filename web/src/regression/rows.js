// SPDX-License-Identifier: BSD-3-Clause
// Rows of intervals over one axis: what forest plots and groups are made of. Places are
// parts of the width, so a row needs no redrawing when the page gets narrower. There the
// plot goes below its numbers by display: grid, which would take the roles of a table away:
// they are stated.
import { responsive } from "../chart.js";
import { h } from "../dom.js";
import { alike, interval } from "../format.js";
import { ticks, tickText } from "../scale.js";

/** Where a value stands, in percent, kept within the plot. */
export function placer([low, high]) {
  return (x) => Math.min(100, Math.max(0, (100 * (x - low)) / (high - low || 1)));
}

const TICK = 56; // pixels that a number of the axis wants

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
    lines.zero && h("i", { class: "zero", style: at("left", place(0)) }),
    lines.mean != null && h("i", { class: "mean", style: at("left", place(lines.mean)) }),
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
  const place = placer(domain);
  const draw = (width) => {
    const list = ticks(...domain, Math.min(6, width / TICK)),
      text = tickText(list);
    return h(
      "div",
      { class: "plot-axis" },
      list.map((x, i) => h("span", { style: at("left", place(x)) }, text[i])),
    );
  };
  return h(
    "tr",
    { class: "axis-row", "aria-hidden": "true" },
    h("td", {}),
    h("td", { class: "plot-cell" }, responsive(draw)),
    h("td", {}),
    h("td", {}),
  );
}

/** Whether a row has anything that its axis does not show. */
export function beyond({ lower, upper }, [low, high]) {
  return lower < low || upper > high;
}

/** rows: {name, mean, lower, upper, own?}; lines: {zero?, mean?, band?}. */
export function rowTable(rows, domain, lines, heads, caption) {
  const number = alike(rows.map((row) => (row.upper - row.lower) / 4));
  const head = (text, i) =>
    text
      ? h("th", { role: "columnheader", class: i > 1 ? "value" : null }, text)
      : h("td", { role: "cell", class: "plot-cell" });
  const line = (row) =>
    h(
      "tr",
      { role: "row" },
      h("th", { role: "rowheader", title: row.name }, row.name),
      h("td", { role: "cell", class: "plot-cell" }, plot(row, domain, lines)),
      h("td", { role: "cell", class: "value" }, number(row.mean)),
      h("td", { role: "cell", class: "value muted" }, interval(row.lower, row.upper, number)),
    );
  return h(
    "table",
    { class: "rows", role: "table", "aria-label": caption },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map(head))),
    h("tbody", { role: "rowgroup" }, rows.map(line)),
    h("tfoot", {}, axis(domain)),
  );
}

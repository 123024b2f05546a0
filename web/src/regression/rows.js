// SPDX-License-Identifier: BSD-3-Clause
// Rows of intervals over one axis: what forest plots and groups are made of. Places are
// parts of the width, so a row needs no redrawing when the page gets narrower. There the
// plot goes below its numbers by display: grid, which would take the roles of a table away:
// they are stated.
import { responsive } from "../chart.js";
import { h } from "../dom.js";
import { interval, significant } from "../format.js";
import { ticks, tickText } from "../scale.js";

/** Where a value stands, in percent, kept within the plot. */
export function placer([low, high]) {
  return (x) => Math.min(100, Math.max(0, (100 * (x - low)) / (high - low || 1)));
}

const TICK = 56; // pixels that a number of the axis wants

const at = (name, place) => `${name}:${place.toFixed(2)}%`;

const between = (left, right) => `${at("left", left)};${at("right", 100 - right)}`;

/** A line, which says of its ends whether the axis reaches them or ends before. */
function reach(kind, [lower, upper], [low, high]) {
  const place = placer([low, high]);
  const within = (x) => x >= low && x <= high;
  const classes = [
    kind,
    within(lower) && "end-left",
    within(upper) && "end-right",
    lower < low && "more-left",
    upper > high && "more-right",
  ];
  return h("i", {
    class: classes.filter(Boolean).join(" "),
    style: between(place(lower), place(upper)),
  });
}

/** A range, a dot on it, what it is the mean of behind it, and the lines that all rows share. */
function plot(row, domain, lines) {
  const place = placer(domain);
  const inside = row.mean >= domain[0] && row.mean <= domain[1];
  return h(
    "div",
    { class: "plot", "aria-hidden": "true" },
    lines.band &&
      h("i", {
        class: "population",
        style: between(place(lines.band[0]), place(lines.band[1])),
      }),
    lines.zero && h("i", { class: "zero", style: at("left", place(0)) }),
    lines.mean != null && h("i", { class: "mean", style: at("left", place(lines.mean)) }),
    row.own != null &&
      h("i", {
        class: "pull",
        style: between(place(Math.min(row.own, row.mean)), place(Math.max(row.own, row.mean))),
      }),
    row.spread && reach("spread", row.spread, domain),
    reach("range", [row.lower, row.upper], domain),
    row.own != null &&
      row.own >= domain[0] &&
      row.own <= domain[1] &&
      h("i", { class: "own", style: at("left", place(row.own)) }),
    inside && h("i", { class: "point", style: at("left", place(row.mean)) }),
  );
}

function axis(domain, columns) {
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
    Array.from({ length: columns - 2 }, () => h("td", {})),
  );
}

/** From where to where a row has anything to show. */
export function ends({ lower, upper, spread }) {
  const all = [lower, upper, ...(spread ?? [])];
  return [Math.min(...all), Math.max(...all)];
}

/** Whether a row has anything that its axis does not show. */
export function beyond(row, [low, high]) {
  const [lower, upper] = ends(row);
  return lower < low || upper > high;
}

/** A row of the table: what it is, its picture, its numbers. */
function line(row, { domain, lines }) {
  const numbers = (range, remark) =>
    h(
      "td",
      { role: "cell", class: "value muted" },
      interval(...range, significant),
      remark && h("small", {}, ` ${remark}`),
    );
  return h(
    "tr",
    { role: "row", class: row.waits && "waits" },
    h("th", { role: "rowheader", title: row.name }, row.name),
    h("td", { role: "cell", class: "plot-cell" }, plot(row, domain, lines)),
    h("td", { role: "cell", class: "value" }, significant(row.mean)),
    numbers(row.mode ? [null, null] : [row.lower, row.upper], row.remark),
    row.spread && numbers(row.spread),
    row.spread === null && h("td", { role: "cell", class: "value muted" }, "one for all"),
  );
}

/**
 * Each of the parts, {rows, domain, lines}, has rows over an axis of its own. rows: {name,
 * mean, lower, upper, remark?, spread?, own?, waits?}, of which all or none have a spread, and a column
 * for it, null where all groups have the term in common; lines: {zero?, mean?, band?}.
 */
export function rowTable(parts, heads, caption) {
  const head = (text, i) =>
    text
      ? h("th", { role: "columnheader", class: i > 1 ? "value" : null }, text)
      : h("td", { role: "cell", class: "plot-cell" });
  return h(
    "table",
    { class: heads.length > 4 ? "rows full" : "rows", role: "table", "aria-label": caption },
    h("thead", { role: "rowgroup" }, h("tr", { role: "row" }, heads.map(head))),
    parts.map((part, i) => [
      h(
        "tbody",
        { role: "rowgroup" },
        part.rows.map((row) => line(row, part)),
      ),
      h(i < parts.length - 1 ? "tbody" : "tfoot", {}, axis(part.domain, heads.length)),
    ]),
  );
}

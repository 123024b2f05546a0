// SPDX-License-Identifier: BSD-3-Clause
// Small charts in SVG, drawn anew when their width changes, so that text keeps its size.
import { h, s } from "./dom.js";
import { extent, linear, ticks, tickText } from "./scale.js";

/** A drawing of this size, which the label says in words. */
export function frame(width, height, label, ...parts) {
  return s(
    "svg",
    {
      class: "chart",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": label,
    },
    ...parts,
  );
}

/** Horizontal lines with their numbers, at the left, each with its unit. */
export function axisLeft(list, y, left, right, unit = "") {
  const text = tickText(list).map((number) => number + unit);
  return s(
    "g",
    { class: "axis" },
    list.map((value, i) => [
      s("line", { x1: left, x2: right, y1: y(value), y2: y(value) }),
      s("text", { x: left - 6, y: y(value), dy: "0.32em", "text-anchor": "end" }, text[i]),
    ]),
  );
}

/** Numbers below; with `top`, lines up to there. */
export function axisBottom(list, x, bottom, top, text = tickText(list)) {
  return s(
    "g",
    { class: "axis" },
    list.map((value, i) => [
      top != null && s("line", { x1: x(value), x2: x(value), y1: top, y2: bottom }),
      s("text", { x: x(value), y: bottom + 16, "text-anchor": "middle" }, text[i]),
    ]),
  );
}

/** A place for what draw(width) returns, drawn for the width that the place has. */
export function responsive(draw) {
  const place = h("div", { class: "drawn" });
  let drawn = 0;
  new ResizeObserver(([entry]) => {
    const width = Math.round(entry.contentRect.width);
    if (width === drawn || width < 40) return;
    drawn = width;
    place.replaceChildren(draw(width));
  }).observe(place);
  return place;
}

/** A line over 1, 2, ..., n. */
export function lineChart(values, options) {
  return responsive((width) => drawLine(values, width, options));
}

function drawLine(values, width, { x: xName, label }) {
  const height = Math.round(Math.min(280, Math.max(180, width * 0.45)));
  const left = 58,
    right = width - 8,
    top = 10,
    bottom = height - 36;
  const domain = extent(values);
  const x = linear([1, Math.max(2, values.length)], [left, right]);
  const y = linear(domain, [bottom, top]);
  const points = values.flatMap((v, i) =>
    v == null ? [] : [`${x(i + 1).toFixed(1)},${y(v).toFixed(1)}`],
  );
  const marks = ticks(1, values.length, width / 80).filter(Number.isInteger);
  return frame(
    width,
    height,
    label,
    axisLeft(ticks(...domain, height / 50), y, left, right),
    axisBottom(marks, x, bottom),
    s(
      "text",
      { class: "axis-name", x: (left + right) / 2, y: height - 2, "text-anchor": "middle" },
      xName,
    ),
    s("polyline", { class: "line", points: points.join(" ") }),
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// How a topic's share goes with a covariate: rows for levels, a band for numbers.
import { axisBottom, axisLeft, responsive } from "../chart.js";
import { h, s } from "../dom.js";
import { count, percent } from "../format.js";
import { NORMAL_975 } from "../normal.js";
import { extent, linear, ticks } from "../scale.js";

const unit = 1e-5;

/** The means of topic k with their intervals; a single document has none. */
function points(trend, k) {
  return trend.mean[k].map((mean, i) => {
    const half = NORMAL_975 * (trend.se[k][i] ?? 0) * unit,
      at = mean * unit;
    return { at, lower: Math.max(0, at - half), upper: at + half, count: trend.count[i] };
  });
}

function levels(trend, list, n) {
  const most = Math.max(...list.map((p) => p.upper), 1e-9);
  const x = linear([0, most], [0, 100]);
  return h(
    "ul",
    { class: "levels" },
    trend.level
      .map((level, i) => ({ level, ...list[i] }))
      .sort((a, b) => b.at - a.at)
      .slice(0, n)
      .map((p) =>
        h(
          "li",
          { title: `${p.level}: ${percent(p.at)} of ${count(p.count)} documents` },
          h("span", { class: "words" }, p.level),
          s(
            "svg",
            {
              class: "whisker",
              viewBox: "0 0 100 12",
              preserveAspectRatio: "none",
              "aria-hidden": "true",
            },
            s("rect", { class: "share", x: 0, y: 2, width: x(p.at), height: 8 }),
            s("line", { class: "range", x1: x(p.lower), x2: x(p.upper), y1: 6, y2: 6 }),
          ),
          h("span", { class: "value" }, percent(p.at)),
        ),
      ),
  );
}

function numbers(trend, list, width) {
  const height = 180,
    left = 44,
    right = width - 8,
    top = 8,
    bottom = 146;
  const most = Math.max(...list.map((p) => p.upper), 1e-9);
  const domain = extent(trend.x, 0);
  const x = linear(domain, [left, right]),
    y = linear([0, 100 * most], [bottom, top]);
  const place = (value, i) => `${x(trend.x[i]).toFixed(1)},${y(100 * value).toFixed(1)}`;
  const band = [
    ...list.map((p, i) => place(p.upper, i)),
    ...list.map((p, i) => place(p.lower, i)).reverse(),
  ];
  return s(
    "svg",
    {
      class: "chart",
      width,
      height,
      viewBox: `0 0 ${width} ${height}`,
      role: "img",
      "aria-label": `Share by ${trend.variable}`,
    },
    axisLeft(ticks(0, 100 * most, 3), y, left, right, "\u00a0%"),
    axisBottom(ticks(...domain, 4), x, bottom),
    s(
      "text",
      { class: "axis-name", x: (left + right) / 2, y: height - 1, "text-anchor": "middle" },
      trend.variable,
    ),
    s("polygon", { class: "area", points: band.join(" ") }),
    s("polyline", { class: "line", points: list.map((p, i) => place(p.at, i)).join(" ") }),
  );
}

/** Of levels, the n that have most of it. */
export function trendChart(trend, k, n) {
  const list = points(trend, k);
  return trend.level
    ? levels(trend, list, n)
    : responsive((width) => numbers(trend, list, width));
}

// SPDX-License-Identifier: BSD-3-Clause
// How a topic's share goes with a covariate: rows for levels, a band for numbers.
import { axisBottom, axisLeft, frame, responsive } from "../chart.js";
import { h, s } from "../dom.js";
import { percent, plural } from "../format.js";
import { NORMAL_975 } from "../normal.js";
import { extent, linear, logarithmic, logTicks, ticks, tickText } from "../scale.js";

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
          { title: `${p.level}: ${percent(p.at)} of ${plural(p.count, "document")}` },
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

/** Whether most of rising numbers would be squeezed at the left of a linear axis. */
function isSkewed(x) {
  const [first, middle, last] = [x[0], x[Math.floor((x.length - 1) / 2)], x.at(-1)];
  return x.length > 3 && first > 0 && middle - first < 0.2 * (last - first);
}

/** Where values stand, where marks do, and what is said of it. */
function axisOf(values, from, to) {
  const domain = extent(values, 0);
  const marks = (to - from) / 70;
  if (!isSkewed(values)) {
    const list = ticks(...domain, marks);
    return { x: linear(domain, [from, to]), list, text: tickText(list), note: "" };
  }
  const list = logTicks(...domain, marks);
  return { x: logarithmic(domain, [from, to]), list, text: list.map(String), note: " (log scale)" };
}

function numbers(trend, list, width) {
  const height = 180,
    left = 44,
    right = width - 22, // a number below the last mark has room
    top = 8,
    bottom = 146;
  const most = Math.max(...list.map((p) => p.upper), 1e-9);
  const { x, ...axis } = axisOf(trend.x, left, right);
  const y = linear([0, 100 * most], [bottom, top]);
  const place = (value, i) => `${x(trend.x[i]).toFixed(1)},${y(100 * value).toFixed(1)}`;
  const band = [
    ...list.map((p, i) => place(p.upper, i)),
    ...list.map((p, i) => place(p.lower, i)).reverse(),
  ];
  return frame(
    width,
    height,
    `Share by ${trend.variable}`,
    axisLeft(ticks(0, 100 * most, 3), y, left, right, "\u00a0%"),
    axisBottom(axis.list, x, bottom, null, axis.text),
    s(
      "text",
      { class: "axis-name", x: (left + right) / 2, y: height - 1, "text-anchor": "middle" },
      trend.variable + axis.note,
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

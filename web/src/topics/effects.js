// SPDX-License-Identifier: BSD-3-Clause
// Shares of a topic over a covariate, as a regression has them: bands for numbers, a curve for
// each group, rows with intervals for categories; or differences between groups.
import { axisBottom, axisLeft, frame, responsive } from "../chart.js";
import { h, s } from "../dom.js";
import { interval, percent, plural } from "../format.js";
import { extent, linear, ticks, tickText } from "../scale.js";

const unit = 1e-5;
const GROUPS = 8; // colours

/** The points of topic k, and the curves that they make, in the order of the file. */
function curvesOf(effect, k) {
  const curves = new Map();
  for (const [value, by, mean, lower, upper] of effect.topics[k]) {
    if (!curves.has(by)) curves.set(by, []);
    curves.get(by).push({ value, at: mean * unit, lower: lower * unit, upper: upper * unit });
  }
  return [...curves].map(([by, points], i) => ({
    by,
    points,
    colour: by == null ? null : `var(--group-${i % GROUPS})`, // null: the topic's own
  }));
}

const signed = (x) => (x > 0 ? `+${percent(x)}` : percent(x));

function rows({ by, points }, domain, format) {
  const x = linear(domain, [3, 97]);
  return [
    by != null && h("h4", {}, by),
    h(
      "ul",
      { class: "levels" },
      points.map((p) =>
        h(
          "li",
          { title: `${p.value}: ${format(p.at)}, interval ${interval(p.lower, p.upper, format)}` },
          h("span", { class: "words" }, String(p.value)),
          s(
            "svg",
            { class: "whisker", viewBox: "0 0 100 12", preserveAspectRatio: "none", "aria-hidden": "true" },
            s("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: 12 }),
            s("line", { class: "range", x1: x(p.lower), x2: x(p.upper), y1: 6, y2: 6 }),
            s("rect", { class: "mean", x: x(p.at) - 1, y: 2, width: 2, height: 8 }),
          ),
          h("span", { class: "value" }, format(p.at)),
        ),
      ),
    ),
  ];
}

function bands(effect, curves, domain, width) {
  const height = 190,
    [left, right, top, bottom] = [48, width - 22, 8, 156];
  const all = curves.flatMap(({ points }) => points.map((p) => p.value));
  const range = extent(all, 0),
    marks = ticks(...range, (right - left) / 70);
  const x = linear(range, [left, right]),
    y = linear(domain.map((v) => 100 * v), [bottom, top]);
  const place = (p, value) => `${x(p.value).toFixed(1)},${y(100 * value).toFixed(1)}`;
  const shape = ({ points, colour }) =>
    s(
      "g",
      { style: colour && `--colour:${colour}` },
      s("polygon", {
        class: "area",
        points: [
          ...points.map((p) => place(p, p.upper)),
          ...points.map((p) => place(p, p.lower)).reverse(),
        ].join(" "),
      }),
      s("polyline", { class: "line", points: points.map((p) => place(p, p.at)).join(" ") }),
    );
  return frame(
    width,
    height,
    `Share over ${effect.of}${effect.by ? `, by ${effect.by}` : ""}`,
    axisLeft(ticks(...domain.map((v) => 100 * v), 4), y, left, right, "\u00a0%"),
    s("line", { class: "null", x1: left, x2: right, y1: y(0), y2: y(0) }),
    axisBottom(marks, x, bottom, null, tickText(marks)),
    s("text", { class: "axis-name", x: (left + right) / 2, y: height - 1, "text-anchor": "middle" }, effect.of),
    curves.map(shape),
  );
}

function legend(curves) {
  return h(
    "p",
    { class: "note legend" },
    curves.map(({ by, colour }) => [h("span", { class: "dot", style: `background:${colour}` }), ` ${by} `]),
  );
}

/** What stands above a chart. */
export function effectTitle(effect) {
  const by = effect.by ? ` and ${effect.by}` : "";
  return effect.differences ? `Differences by ${effect.by} over ${effect.of}` : `Share over ${effect.of}${by}`;
}

/** How many shares of topic k have an interval that no share can be in. */
function impossible(effect, k) {
  if (effect.differences) return 0;
  return effect.topics[k].filter(([, , , lower, upper]) => upper < 0 || lower * unit > 1).length;
}

export function effectNote(effect, k) {
  const what = effect.differences ? "in percentage points from the reference" : "other covariates as they are";
  const wrong = impossible(effect, k);
  const doubt =
    wrong > 0
      ? `; doubtful: the interval of ${plural(wrong, "share")} lies wholly outside 0 to 100\u00a0%, where the regression is wrong`
      : "";
  return `${effect.formula}; ${what}, with 95\u00a0% intervals for one value at a time${doubt}`;
}

/** Null where the file has nothing of topic k. */
export function effectChart(effect, k) {
  const curves = curvesOf(effect, k);
  if (curves.length === 0) return null;
  const ends = curves.flatMap(({ points }) => points.flatMap((p) => [p.lower, p.upper]));
  const domain = extent([0, ...ends], 0);
  if (typeof curves[0].points[0].value !== "number")
    return h("div", {}, curves.map((curve) => rows(curve, domain, effect.differences ? signed : percent)));
  return h(
    "div",
    {},
    effect.by && legend(curves),
    responsive((width) => bands(effect, curves, domain, width)),
  );
}

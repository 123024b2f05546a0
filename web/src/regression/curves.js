// SPDX-License-Identifier: BSD-3-Clause
// Smooth terms, walks and autoregressions: curves with their bands, and their sds.
import { axisBottom, axisLeft, frame, responsive } from "../chart.js";
import { h, s } from "../dom.js";
import { plural } from "../format.js";
import { NORMAL_975 } from "../normal.js";
import { section } from "../page.js";
import { extent, linear, ticks } from "../scale.js";
import { asDrawn } from "./intervals.js";
import { rowTable } from "./rows.js";

const isRegions = (kind) => kind === "bym2" || kind === "besag";

/** What a term is over: x of s(x), t of ar1(t | g). */
const variableOf = (label) => label.replace(/^[^(]*\(/, "").replace(/( \| .*)?\).*$/, "");

/** Of a process, a curve for each series. */
function curvesOf(term) {
  const { t, series, names } = term.process;
  const groups = new Map();
  t.forEach((x, i) => {
    const g = series?.[i] ?? 0;
    if (!groups.has(g)) groups.set(g, { name: names?.[g], x: [], mean: [], sd: [] });
    const curve = groups.get(g);
    curve.x.push(x);
    curve.mean.push(term.mean[i][0]);
    curve.sd.push(term.sd[i][0]);
  });
  return [...groups.values()];
}

const ends = ({ mean, sd }) =>
  mean.flatMap((m, i) => [m - NORMAL_975 * sd[i], m + NORMAL_975 * sd[i]]);

const place = (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`;

/** A line with its band over one axis, 0 marked, and strokes below where there are rows. */
function draw(curve, { name, label, domain }, width) {
  const height = Math.round(Math.min(260, Math.max(180, width * 0.5)));
  const left = 52,
    right = width - 8,
    top = 10,
    bottom = height - 40;
  const x = linear(extent(curve.x, 0), [left, right]);
  const y = linear(domain, [bottom, top]);
  const at = (sign) =>
    curve.x.map((v, i) => place(x(v), y(curve.mean[i] + sign * NORMAL_975 * curve.sd[i])));
  const marks = ticks(...extent(curve.x, 0), width / 90);
  return frame(
    width,
    height,
    label,
    axisLeft(ticks(...domain, height / 50), y, left, right),
    axisBottom(marks, x, bottom),
    points(curve, x, y, domain),
    s("polygon", { class: "area", points: [...at(1), ...at(-1).reverse()].join(" ") }),
    s("line", { class: "null", x1: left, x2: right, y1: y(0), y2: y(0) }),
    s("polyline", { class: "line", points: at(0).join(" ") }),
    (curve.rug ?? []).map((v) =>
      s("line", { class: "rug", x1: x(v), x2: x(v), y1: bottom, y2: bottom - 6 }),
    ),
    s(
      "text",
      { class: "axis-name", x: (left + right) / 2, y: height - 2, "text-anchor": "middle" },
      name,
    ),
  );
}

/** Rows: the curve there with what is left of the response; those beyond the axis at its ends. */
function points({ points: list }, x, y, [low, high]) {
  if (!list) return [];
  const within = (v) => Math.min(high, Math.max(low, v));
  return list[0].map((v, i) =>
    s("circle", { class: "dot", cx: x(v).toFixed(1), cy: y(within(list[1][i])).toFixed(1), r: 1.6 }),
  );
}

/** The band, 0, and all but the farthest of the rows. */
function domainOf(curve) {
  const rows = [...(curve.points?.[1] ?? [])].sort((a, b) => a - b);
  const share = (p) => rows[Math.round(p * (rows.length - 1))];
  return extent([0, ...ends(curve), ...(rows.length > 0 ? [share(0.01), share(0.99)] : [])]);
}

function figure(curve, label, domain) {
  const options = { name: variableOf(label), label: `${label}, with 95 % intervals`, domain };
  return h(
    "figure",
    { class: "curve" },
    h("figcaption", {}, label),
    responsive((width) => draw(curve, options, width)),
  );
}

/** The series of a process one at a time, over the axis of all. */
function process(term) {
  const curves = curvesOf(term);
  const domain = extent([0, ...curves.flatMap(ends)]);
  const title = (c) => (c.name == null ? term.label : `${term.label}, ${c.name}`);
  if (curves.length === 1) return figure(curves[0], title(curves[0]), domain);
  const shown = h("div", {});
  const id = `series-${term.label.replace(/\W+/g, "-")}`;
  const select = h(
    "select",
    { id, onchange: () => render() },
    curves.map((c, i) => h("option", { value: i }, c.name)),
  );
  const render = () => {
    const curve = curves[Number(select.value)];
    shown.replaceChildren(figure(curve, title(curve), domain));
  };
  render();
  return h(
    "div",
    {},
    h("div", { class: "row tools" }, h("label", { for: id }, `${term.label}: `, select)),
    shown,
  );
}

/** Sds over an axis from 0; correlations and shares over theirs. */
function spreads(smooths, processes) {
  const sds = [
    ...smooths.map((c) => ({ ...c.spread, name: c.label })),
    ...processes.map((t) => ({ ...t.sds[0], name: t.label })),
  ].map(asDrawn);
  const parts = [{ rows: sds, domain: extent([0, ...sds.map((r) => r.upper)]), lines: {} }];
  const seconds = processes.flatMap((t) =>
    t.process.second
      ? [{ ...t.process.second, name: `${t.process.second.name}, ${t.label}` }]
      : [],
  );
  if (seconds.length > 0) {
    const signed = seconds.some((r) => r.lower < 0);
    parts.push({
      rows: seconds.map(asDrawn),
      domain: [signed ? -1 : 0, 1],
      lines: { zero: signed },
    });
  }
  return rowTable(parts, ["Sd", "", "Mean", "95\u00a0% interval"], "Sds of curves");
}

function priorsOf(smooths, processes) {
  return [
    ...smooths.map((c) => `sd(${c.label}) ~ ${c.prior}`),
    ...processes.flatMap((t) => [
      `sd(${t.label}) ~ ${t.priors[0]}`,
      ...(t.process.kind === "ar1" ? [`cor(${t.label}) ~ ${t.process.prior}`] : []),
      ...(t.process.kind === "bym2" ? [`share(${t.label}) ~ ${t.process.prior}`] : []),
    ]),
  ];
}

function regions(name, term) {
  const rows = term.level
    .map((level, l) => ({
      name: level,
      mean: term.mean[l],
      lower: term.mean[l] - NORMAL_975 * term.sd[l],
      upper: term.mean[l] + NORMAL_975 * term.sd[l],
    }))
    .sort((a, b) => b.mean - a.mean);
  const domain = extent([0, ...rows.flatMap((r) => [r.lower, r.upper])]);
  return h(
    "details",
    { open: rows.length <= 30 },
    h("summary", {}, `${name}: ${plural(rows.length, "region")}`),
    h(
      "div",
      { class: "scroll-x" },
      rowTable(
        [{ rows, domain, lines: { zero: true } }],
        [name, "", "Mean", "95\u00a0% interval"],
        "Values of regions",
      ),
    ),
  );
}

export function curveSection({ smooths, random }) {
  const processes = (random ?? []).filter((t) => t.process);
  const curves = smooths.filter((c) => c.x.length > 0 && !c.region);
  const walks = processes.filter((t) => !isRegions(t.process.kind) && t.level.length > 0);
  const maps = [
    ...smooths
      .filter((c) => c.region)
      .map((c) => regions(c.label, { level: c.region, mean: c.mean, sd: c.sd })),
    ...processes
      .filter((t) => isRegions(t.process.kind))
      .map((t) =>
        regions(t.label, {
          level: t.level,
          mean: t.mean.map((m) => m[0]),
          sd: t.sd.map((v) => v[0]),
        }),
      ),
  ];
  return section(
    "curves",
    maps.length > 0 && curves.length + walks.length === 0 ? "Regions" : "Curves",
    "What each term adds to the linear predictor, with pointwise 95\u00a0% intervals. Ticks below a curve show where there are rows; dots are rows: the curve plus the partial residual. Below, the sds: how far curves bend or values differ.",
    h(
      "div",
      { class: "curves" },
      curves.map((c) => figure(c, c.label, domainOf(c))),
      walks.map(process),
    ),
    maps,
    h("div", { class: "scroll-x" }, spreads(smooths, processes)),
    h("p", { class: "note" }, `Priors: ${priorsOf(smooths, processes).join("; ")}.`),
  );
}

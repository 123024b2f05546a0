// SPDX-License-Identifier: BSD-3-Clause
// One small plot over an axis of numbers or of names: pale dots for rows, a band with its
// line, marks for what was observed, lines for what should be.
import { axisBottom, axisLeft, frame, responsive } from "../chart.js";
import { h, s } from "../dom.js";
import { number } from "../format.js";
import { extent, linear, logarithmic, logTicks, ticks } from "../scale.js";

const place = (x, y) => `${x.toFixed(1)},${y.toFixed(1)}`;
const NAME = 64; // pixels that a name below the axis wants

const finite = (list) => list.filter((v) => v != null && Number.isFinite(v));

/** All but the farthest of many, so that one row does not flatten the rest. */
function core(list) {
  const sorted = finite(list).sort((a, b) => a - b);
  if (sorted.length < 50) return sorted;
  const share = (p) => sorted[Math.round(p * (sorted.length - 1))];
  return [share(0.005), share(0.995)];
}

/** Positive numbers, some far above the rest, want a logarithmic axis. */
function isSkewed(list) {
  const sorted = finite(list).sort((a, b) => a - b);
  return sorted.length > 4 && sorted[0] > 0 && sorted.at(-1) > 30 * sorted[Math.floor(sorted.length / 2)];
}

function domains({ x, mean, lower, upper, marks, dots, level, names, domain, from }) {
  const xs = names ? [-0.5, names.length - 0.5] : extent([from, ...(x ?? []), ...core(dots?.[0] ?? [])], 0.02);
  const values = [...(mean ?? []), ...(lower ?? []), ...(upper ?? []), ...(marks ?? [])];
  const ys = extent(finite([...values, ...core(dots?.[1] ?? []), ...(level ?? [])]));
  return [xs, domain ?? ys];
}

/** As many names as there is room for. */
function nameAxis(names, x, bottom, width) {
  const step = Math.max(1, Math.ceil((names.length * NAME) / width));
  const room = Math.max(6, Math.floor((width / Math.ceil(names.length / step)) / 6.5));
  const cut = (text) => (text.length > room ? `${text.slice(0, room - 1)}\u2026` : text);
  const shown = names.map((_, i) => i).filter((i) => i % step === 0);
  return axisBottom(shown, x, bottom, null, shown.map((i) => cut(names[i])));
}

function draw(p, width) {
  const height = Math.round(Math.min(260, Math.max(190, width * 0.55)));
  const left = 52,
    right = width - 10,
    top = 8,
    bottom = height - 40;
  const [xs, ys] = domains(p);
  const log = !p.names && (p.log ?? (p.x != null && isSkewed(p.x)));
  if (log) xs.splice(0, 2, ...finite(p.x).reduce(([a, b], v) => [Math.min(a, v), Math.max(b, v)], [Infinity, -Infinity]));
  const x = (log ? logarithmic : linear)(xs, [left, right]),
    y = linear(ys, [bottom, top]);
  const within = (v) => Math.min(ys[1], Math.max(ys[0], v));
  const at = (i) => x(p.names ? i : p.x[i]);
  const line = (list) => list.map((v, i) => place(at(i), y(within(v))));
  const band = p.lower && !p.names;
  return frame(
    width,
    height,
    p.label,
    axisLeft(ticks(...ys, height / 50), y, left, right),
    p.names ? nameAxis(p.names, x, bottom, right - left) : axisBottom(log ? logTicks(...xs, width / 90) : ticks(...xs, width / 90), x, bottom, null, log ? logTicks(...xs, width / 90).map((v) => number(v, 2)) : undefined),
    (p.dots?.[0] ?? []).map((v, i) =>
      p.dots[1][i] != null && v >= xs[0] && v <= xs[1]
        ? s("circle", { class: "dot", cx: x(v).toFixed(1), cy: y(within(p.dots[1][i])).toFixed(1), r: p.dots[0].length < 150 ? 2.6 : 1.7 })
        : null,
    ),
    band && s("polygon", { class: p.should ? "area should" : "area", points: [...line(p.upper), ...line(p.lower).reverse()].join(" ") }),
    (p.level ?? []).map((v) => s("line", { class: "null", x1: left, x2: right, y1: y(v), y2: y(v) })),
    p.diagonal &&
      s("line", {
        class: "null",
        x1: x(Math.max(xs[0], ys[0])),
        y1: y(Math.max(xs[0], ys[0])),
        x2: x(Math.min(xs[1], ys[1])),
        y2: y(Math.min(xs[1], ys[1])),
      }),
    p.names &&
      (p.lower ?? []).map((v, i) =>
        s("line", { class: p.should ? "range should" : "range", x1: at(i), x2: at(i), y1: y(within(v)), y2: y(within(p.upper[i])) }),
      ),
    p.mean && !p.names && s("polyline", { class: p.should ? "line should" : "line", points: line(p.mean).join(" ") }),
    p.mean && p.names && p.mean.map((v, i) => s("circle", { class: "mark", cx: at(i), cy: y(within(v)), r: 4 })),
    p.marks &&
      !p.names &&
      s("polyline", { class: "line thin", points: line(p.marks).join(" ") }),
    (p.marks ?? []).map((v, i) =>
      v == null ? null : s("circle", { class: "mark", cx: at(i).toFixed(1), cy: y(within(v)).toFixed(1), r: 3 }),
    ),
    s("text", { class: "axis-name", x: (left + right) / 2, y: height - 2, "text-anchor": "middle" }, p.xName),
  );
}

/**
 * {title, xName, label, x | names, mean?, lower?, upper?, marks?, dots?, level?, diagonal?,
 * should?, domain?}; should: band and line are what should be, not what is.
 */
export function plot(p) {
  return h(
    "figure",
    { class: "curve" },
    h("figcaption", {}, p.title),
    responsive((width) => draw(p, width)),
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// A look at a regression with its rows: what columns do, residuals, responses it would draw.
import { h } from "../dom.js";
import { number, plural, significant } from "../format.js";
import { section } from "../page.js";
import { plot } from "./plot.js";

const MOST = 9; // plots by column at once; the rest wait behind a summary

const grid = (figures) => h("div", { class: "curves look" }, figures);

/** The first of many, and the others behind a summary. */
function some(figures, what) {
  const rest = figures.slice(MOST);
  return [
    grid(figures.slice(0, MOST)),
    rest.length > 0 &&
      h("details", {}, h("summary", {}, `${rest.length} more by ${what}`), grid(rest)),
  ];
}

// ---- effects ----

/** Shares of all levels are on the same axis: up to 1, unless all are low. */
function shareDomain(e) {
  const most = Math.max(...e.series.flatMap((series) => series.upper), ...(e.dots ? [1] : []), 1e-9);
  return [0, most > 0.5 ? 1 : Math.min(1, 1.1 * most)];
}

function effect(e, series, info) {
  const what = series.category == null ? "" : `, ${series.category}`;
  const shares = series.category != null || ["bernoulli", "binomial", "beta-binomial"].includes(info.family);
  return plot({
    title: `${e.name}${what}`,
    xName: e.name,
    label: `${info.response ?? "The response"} by ${e.name}${what}, with 95 % intervals`,
    x: e.numeric ? series.x : null,
    names: e.numeric ? null : series.label,
    mean: series.mean,
    lower: series.lower,
    upper: series.upper,
    dots: e.numeric ? e.dots : null,
    log: e.log,
    domain: shares ? shareDomain(e) : null,
  });
}

export function effectsSection({ look, info }) {
  const figures = look.effects.flatMap((e) => e.series.map((series) => effect(e, series, info)));
  const levels = look.effects.some((e) => e.series.length > 1);
  return section(
    "effects",
    "Effects",
    `${levels ? "The probability of each level of the response" : "The mean of the response"} as a column varies and all rows keep their other values, with 95\u00a0% intervals.${look.effects.some((e) => e.numeric && e.dots) ? " Dots are rows." : ""}`,
    some(figures, "column"),
  );
}

// ---- residuals ----

function residualsBy(r, by) {
  const of = (key) => by.parts.map((p) => p[key]);
  const p = by.p != null && ` (p = ${significant(Number(by.p.toPrecision(2)))})`;
  return plot({
    title: `By ${by.name}${p || ""}`,
    xName: by.name,
    label: `Mean residuals by ${by.name}, and where 95 % of them should be`,
    x: by.numeric ? of("x") : null,
    names: by.numeric ? null : of("label"),
    lower: of("lower"),
    upper: of("upper"),
    marks: of("mean"),
    dots: by.is_fitted ? [r.fitted, r.residual] : null,
    level: [0],
    should: true,
  });
}

function verdict(r) {
  const uniform =
    r.ks_p == null ? "" : ` Their distribution ${!r.uniform ? "is not the one it should be" : "is as it should be"} (Kolmogorov\u2013Smirnov, p\u00a0=\u00a0${number(r.ks_p, 2)}).`;
  return `They have mean ${number(r.mean, 2)} and sd ${number(r.sd, 3)}, where 0 and 1 are right; ${plural(r.beyond, "row")} of ${r.rows} ${r.beyond === 1 ? "is" : "are"} beyond 3, and ${number(r.beyond_expected, 2)} expected.${uniform}`;
}

export function residualSection({ look: { residuals: r } }) {
  const first = [
    plot({
      title: "Quantiles",
      xName: "expected",
      label: "Residuals against the quantiles they should have",
      dots: [r.expected, r.residual],
      diagonal: true,
    }),
    ...r.by.filter((by) => by.is_fitted).map((by) => residualsBy(r, by)),
  ];
  const others = r.by.filter((by) => !by.is_fitted && by.parts.length > 1);
  return section(
    "residuals",
    "Residuals",
    `Quantile residuals: standard normal if the model is right${r.left_out ? ", each row predicted without itself" : "; these rows are treated as new ones"}. ${verdict(r)} In plots by column, dots are means over groups of rows; grey is where 95\u00a0% of such means should be.`,
    grid(first),
    others.length > 0 && some(others.map((by) => residualsBy(r, by)), "column"),
  );
}

// ---- influence ----

export function influenceSection({ look: { residuals: r } }) {
  const high = r.unsure;
  const told = r.k
    ? `k is the shape of the tail of a row's importance weights: ${high === 0 ? "no row is" : plural(high, "row") + (high === 1 ? " is" : " are")} above 0.7, where the fit depends on a row more than the weights can show.`
    : "";
  return section(
    "influence",
    "Influence",
    `Leverage is the share of what is known about a row that comes from the row itself. ${told}`,
    grid([
      plot({
        title: "Leverage",
        xName: "leverage",
        label: "Residuals by leverage",
        dots: [r.leverage, r.residual],
        from: 0,
        level: [0],
      }),
      r.k &&
        plot({ title: "k by row", xName: "row", label: "k of each row", dots: [r.row, r.k], level: [0.7] }),
    ]),
  );
}

// ---- replicates ----

function shares(r, response) {
  const named = r.whole;
  return plot({
    title: response,
    xName: response,
    label: "How responses are distributed, observed and drawn",
    x: named ? null : r.shares.map((b) => (b.from + b.to) / 2),
    names: named ? r.shares.map((b) => b.label) : null,
    mean: named ? null : r.shares.map((b) => b.median),
    lower: r.shares.map((b) => b.lower),
    upper: r.shares.map((b) => b.upper),
    marks: r.shares.map((b) => b.observed),
    level: [0],
    should: true,
  });
}

function meansBy(by) {
  const of = (key) => by.parts.map((p) => p[key]);
  return plot({
    title: `Means by ${by.name}`,
    xName: by.name,
    label: `Observed means by ${by.name}, and the middle 95 % of those drawn`,
    x: by.numeric ? of("x") : null,
    names: by.numeric ? null : of("label"),
    lower: of("lower"),
    upper: of("upper"),
    marks: of("mean"),
    should: true,
  });
}

function statistics(list) {
  const cells = (s) => [s.observed, s.median, s.lower, s.upper].map((v) => h("td", { class: "value" }, significant(v)));
  return h(
    "div",
    { class: "scroll-x" },
    h(
      "table",
      { class: "numbers" },
      h("caption", { class: "hidden" }, "Observed and drawn statistics"),
      h("thead", {}, h("tr", {}, ["", "Observed", "Median drawn", "2.5\u00a0%", "97.5\u00a0%"].map((t, i) => h("th", { scope: "col", class: i > 0 ? "value" : null }, t)))),
      h("tbody", {}, list.map((s) => h("tr", {}, h("th", { scope: "row" }, s.name), cells(s)))),
    ),
  );
}

export function replicateSection({ look: { replicates: r }, info }) {
  const response = info.formula.split("~")[0].trim();
  return section(
    "replicates",
    "Predictive checks",
    `${plural(r.draws, "table")} of responses, drawn from the fit for the same rows, beside those observed: dots are observed, grey is the middle 95\u00a0% of those drawn.`,
    r.statistics.length > 0 && statistics(r.statistics),
    some([shares(r, response), ...r.by.filter((by) => by.parts.length > 1).map(meansBy)], "column"),
  );
}

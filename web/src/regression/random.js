// SPDX-License-Identifier: BSD-3-Clause
// Random effects: how much the levels of each grouping differ, and their effects.
import { h } from "../dom.js";
import { percent, plural } from "../format.js";
import { NORMAL_975 } from "../normal.js";
import { section } from "../page.js";
import { extent } from "../scale.js";
import { markMiddle, needsMore, showAll } from "./groups.js";
import { asDrawn } from "./intervals.js";
import { rowTable } from "./rows.js";

const HEADS = ["", "Mean", "95\u00a0% interval"];

const named = (terms, term, rows) =>
  terms.length > 1 ? rows.map((r) => ({ ...r, name: `${r.name} | ${term.group}` })) : rows;

/** Sds over an axis from 0, correlations over one from -1 to 1. */
function spreads(terms) {
  const sds = terms.flatMap((t) => named(terms, t, t.sds)).map(asDrawn);
  const correlations = terms.flatMap((t) => named(terms, t, t.correlations)).map(asDrawn);
  const parts = [{ rows: sds, domain: extent([0, ...sds.map((s) => s.upper)]), lines: {} }];
  if (correlations.length > 0)
    parts.push({ rows: correlations, domain: [-1, 1], lines: { zero: true } });
  return rowTable(parts, ["Term", ...HEADS], "Sds and correlations between levels");
}

function effectRows(term, k) {
  const rows = term.level
    .map((name, l) => {
      const mean = term.mean[l][k],
        half = NORMAL_975 * term.sd[l][k];
      const rows = term.rows?.[l];
      return {
        name: rows == null ? name : `${name} (${rows})`,
        mean,
        lower: mean - half,
        upper: mean + half,
      };
    })
    .sort((a, b) => b.mean - a.mean);
  markMiddle(rows);
  return rows;
}

/** The effects of one term at a time. */
function effects(terms) {
  const shown = terms
    .filter((t) => t.level.length > 0)
    .flatMap((t) => t.name.map((name, k) => ({ t, k, name: `${name} | ${t.group}` })));
  if (shown.length === 0)
    return h("p", { class: "note" }, "There are too many levels to draw their effects.");
  const select = h(
    "select",
    { id: "effect", onchange: () => render() },
    shown.map((s, i) => h("option", { value: i }, s.name)),
  );
  const place = h("div", { class: "groups" });
  const tools = h("div", { class: "row tools" });
  const render = () => {
    const { t, k } = shown[Number(select.value)];
    const rows = effectRows(t, k);
    const domain = extent([0, ...rows.flatMap((r) => [r.lower, r.upper])]);
    place.classList.remove("ends");
    place.replaceChildren(
      rowTable([{ rows, domain, lines: { zero: true } }], [t.group, ...HEADS], "Effects of levels"),
    );
    tools.replaceChildren(
      h("label", { for: "effect" }, "Effect ", select),
      needsMore(rows) ? showAll(place, rows.length) : "",
    );
  };
  render();
  return [tools, place];
}

/** "10 rows each", "1 to 25 rows". */
function sizes({ rows }) {
  if (!rows?.length) return "";
  const [least, most] = [Math.min(...rows), Math.max(...rows)];
  return least === most ? ` (${plural(least, "row")} each)` : ` (${least} to ${most} rows)`;
}

const priorsOf = (t) => [
  ...t.name.map((name, k) => `sd(${t.group}, ${name}) ~ ${t.priors[k]}`),
  ...(t.name.length > 1 ? [`cor(${t.group}) ~ lkj(${t.lkj})`] : []),
];

/** Nakagawa's R2, and the intraclass correlation. */
function explained(info) {
  const v = info.variance_explained;
  if (!v) return "";
  const link = info.family === "gaussian" ? "" : ", on the scale of the link";
  return h(
    "p",
    { class: "note" },
    `Variance explained${link}: ${percent(v.marginal, 0)} by the coefficients (marginal R\u00b2), ${percent(v.conditional, 0)} with the effects of levels (conditional R\u00b2); of what the coefficients leave unexplained, ${percent(v.icc, 0)} is between levels (ICC). After Nakagawa and Schielzeth: coefficients at their means, sds at their medians.`,
  );
}

/** What varies by groups; processes are drawn as curves. */
export const groupTerms = (random) => (random ?? []).filter((t) => !t.process);

export function randomSection({ random: all, info }) {
  const random = groupTerms(all);
  const levels = random.map((t) => `${plural(t.levels, "level")} of ${t.group}${sizes(t)}`);
  const map =
    info.hyper === "map"
      ? "The scales are fixed at their mode: their uncertainty is not known, and the other intervals are too narrow. "
      : "";
  return section(
    "random",
    "Random effects",
    `${[...new Set(levels)].join(", ")}. ${map}Above, the sds between levels, and their correlations; below, how far each level is from the population, with 95\u00a0% intervals and its number of rows.`,
    h("div", { class: "scroll-x" }, spreads(random)),
    explained(info),
    h("p", { class: "note" }, `Priors: ${random.flatMap(priorsOf).join("; ")}.`),
    effects(random),
  );
}

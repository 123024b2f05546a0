// SPDX-License-Identifier: BSD-3-Clause
// The report of a regression.
import { h } from "../dom.js";
import { count, number, plural } from "../format.js";
import { fitSection, pageFoot, pageHead, unfinished } from "../page.js";
import { calibrationSection } from "./calibration.js";
import { curveSection } from "./curves.js";
import { forest } from "./forest.js";
import { groupSection } from "./groups.js";
import { effectsSection, influenceSection, replicateSection, residualSection } from "./look.js";
import { groupTerms, randomSection } from "./random.js";

function facts({ title, info, groups, random }) {
  return [
    title !== info.formula && info.formula,
    `${info.family}, link ${info.link}`,
    info.levels && `levels ${info.levels}`,
    plural(info.rows, "row") + (info.weights ? `, weighted by ${info.weights}` : ""),
    groupTerms(random).length > 0 &&
      `random effects of ${groupTerms(random).map((t) => t.label).join(", ")}`,
    groups && `${plural(groups.name.length, "group")} of ${groups.variable}, ${info.grouping}`,
  ].filter(Boolean);
}

const isUsual = (term, { sd, df }) => term.mean === 0 && term.sd === sd && term.df === df;

function usualPrior({ df, sd }) {
  const scale = Number(sd.toPrecision(3));
  return df > 0
    ? `Student-t, ${df} degrees of freedom, scale ${scale}`
    : `N(0, ${scale}\u00b2)`;
}

/** Of terms of which nothing was said it is weak, in the units of their columns. */
function priorText({ prior, link }) {
  if (prior.nu != null)
    return `shared by the groups: \u03bd = ${prior.nu}, \u03c6\u2080 = ${prior.phi0}, \u03c6\u2081 = ${prior.phi1}`;
  if (prior.covariance) return "normal, with a stated covariance";
  const terms = prior.terms ?? [];
  const own = terms.filter((term) => !term.weak && !isUsual(term, prior)).length;
  const units = `in sds of ${link === "identity" ? "column and response" : "its column"}`;
  const usual = terms.some((term) => term.weak)
    ? `weak: ${usualPrior(prior)} on each coefficient, ${units}`
    : `${usualPrior(prior)} on each coefficient`;
  return own > 0 ? `${usual}; others on ${plural(own, "term")}` : usual;
}

function rowsText({ rows, dropped }) {
  return dropped > 0
    ? `${count(rows)} of ${count(rows + dropped)}; ${count(dropped)} left out for missing values`
    : `${count(rows)}, none left out`;
}

function weightsText({ weights, total_weight: total }) {
  return weights && (total == null ? weights : `${weights}, ${count(total)} in total`);
}

/** Of separate groups, those with few rows for the columns were fitted otherwise. */
function methodText({ info, groups }) {
  return info.propagated && groups
    ? `${info.method}; groups with few rows by expectation propagation`
    : info.method;
}

function settings(data) {
  const { info } = data;
  return [
    ["Formula", info.formula],
    ["Family", info.family],
    ["Link", info.link],
    ["Levels", info.levels],
    ["Method", methodText(data)],
    ["Grouping", info.grouping === "none" ? null : info.grouping],
    ["Prior", priorText(info)],
    ["Rows", rowsText(info)],
    ["Weights", weightsText(info)],
    ["Objective", number(info.objective, 6)],
    ["Values of the scales", info.points ? count(info.points) : null],
    [
      "Iterations",
      info.points ? null : `${count(info.iterations)} of at most ${count(info.max_iter)}`,
    ],
    ["Iterations that fell back to Laplace", info.fallbacks || null],
    ["Groups that did not converge", info.unsettled || null],
    ["Tolerance", info.points ? null : info.tol],
  ];
}

const hasCurves = ({ smooths, random }) =>
  smooths.length > 0 || (random ?? []).some((t) => t.process);

export function showRegression(data, app) {
  app.append(
    pageHead(data.title, facts(data), data.title === data.info.formula ? "formula" : null),
    unfinished(data.info) || "",
    h(
      "main",
      { class: "regression-page" },
      data.look?.effects.length > 0 && effectsSection(data),
      forest(data),
      data.groups && groupSection(data),
      hasCurves(data) && curveSection(data),
      groupTerms(data.random).length > 0 && randomSection(data),
      data.look && residualSection(data),
      data.look?.replicates && replicateSection(data),
      data.calibration && calibrationSection(data),
      data.look && influenceSection(data),
    ),
    fitSection(data.info, data.trace, "Objective", settings(data)),
    pageFoot(data),
  );
}

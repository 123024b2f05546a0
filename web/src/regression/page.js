// SPDX-License-Identifier: BSD-3-Clause
// The report of a regression.
import { h } from "../dom.js";
import { count, number, plural } from "../format.js";
import { fitSection, pageFoot, pageHead } from "../page.js";
import { calibrationSection } from "./calibration.js";
import { forest } from "./forest.js";
import { groupSection } from "./groups.js";

function facts({ title, info, groups }) {
  return [
    title !== info.formula && info.formula,
    `${info.family}, link ${info.link}`,
    plural(info.rows, "row"),
    groups && `${plural(groups.name.length, "group")} of ${groups.variable}, ${info.grouping}`,
  ].filter(Boolean);
}

function priorText(prior) {
  if (prior.nu != null)
    return `shared by the groups: \u03bd = ${prior.nu}, \u03c6\u2080 = ${prior.phi0}, \u03c6\u2081 = ${prior.phi1}`;
  if (prior.covariance) return "normal, with a stated covariance";
  const usual =
    prior.df > 0
      ? `Student-t, ${prior.df} degrees of freedom, scale ${prior.sd}`
      : `N(0, ${prior.sd}\u00b2)`;
  return prior.terms ? `${usual}, and others for some terms` : `${usual} on each coefficient`;
}

function settings({ info }) {
  return [
    ["Formula", info.formula],
    ["Family", info.family],
    ["Link", info.link],
    ["Method", info.method],
    ["Grouping", info.grouping === "none" ? null : info.grouping],
    ["Prior", priorText(info.prior)],
    ["Rows left out for missing values", info.dropped || null],
    ["Objective", number(info.objective, 6)],
    ["Iterations", `${count(info.iterations)} of at most ${count(info.max_iter)}`],
    ["Evaluations", count(info.evaluations)],
    ["Iterations that fell back to Laplace", info.fallbacks || null],
    ["Groups that did not converge", info.unsettled || null],
    ["Tolerance", info.tol],
  ];
}

export function showRegression(data, app) {
  app.append(
    pageHead(data.title, facts(data), data.title === data.info.formula ? "formula" : null),
    h(
      "main",
      { class: "regression-page" },
      forest(data),
      data.groups && groupSection(data),
      data.calibration && calibrationSection(data),
    ),
    fitSection(data.info, data.trace, "Objective", settings(data)),
    pageFoot(data),
  );
}

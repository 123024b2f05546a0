// SPDX-License-Identifier: BSD-3-Clause
// What both reports have: a head, sections, how the fit went.
import { lineChart } from "./chart.js";
import { h } from "./dom.js";
import { count, number, plural } from "./format.js";
import { themeButton } from "./theme.js";

export function pageHead(title, facts, kind) {
  return h(
    "header",
    { class: "head" },
    h(
      "div",
      {},
      h("h1", { class: kind }, title),
      h("p", { class: "facts" }, facts.join(" \u00b7 ")),
    ),
    themeButton(),
  );
}

export function pageFoot(data) {
  return h("footer", { class: "foot" }, `Made by ${data.program}. This file needs no network.`);
}

export function section(id, title, note, ...content) {
  return h(
    "section",
    { class: "card", "aria-labelledby": id },
    h("h2", { id }, title),
    note && h("p", { class: "note" }, note),
    content,
  );
}

/** A list of [name, value]; what has no value is left out. */
function settingsTable(rows) {
  return h(
    "dl",
    { class: "settings" },
    rows
      .filter(([, value]) => value != null && value !== "")
      .map(([name, value]) => h("div", {}, h("dt", {}, name), h("dd", {}, String(value)))),
  );
}

const endings = {
  converged: "converged",
  "max-iterations": "stopped at the largest number of iterations, before convergence",
  cancelled: "was stopped before convergence",
};

export function ending(info) {
  const end = endings[info.outcome] ?? `ended: ${info.outcome}`;
  return info.points
    ? `The fit by ${info.method} ${end}, at ${plural(info.points, "value")} of the scales.`
    : `The fit by ${info.method} ${end} after ${plural(info.iterations, "iteration")}.`;
}

/** For the top of a page: that a fit ended before its time. */
export function unfinished(info) {
  return (
    info.outcome !== "converged" &&
    h("p", { class: "unfinished", role: "note" }, `${ending(info)} Numbers may still change.`)
  );
}

/** The trace of an objective and the settings that led to it. */
export function fitSection(info, trace, what, rows) {
  const known = (trace ?? []).filter((x) => x != null);
  const chart =
    known.length > 1 &&
    lineChart(trace, {
      x: "iteration",
      y: what,
      label: `${what} by iteration: from ${number(known[0], 5)} to ${number(known.at(-1), 5)} in ${count(trace.length)} iterations`,
    });
  return section(
    "fit",
    "How it was fitted",
    ending(info),
    h(
      "div",
      { class: chart ? "fit" : "fit single" },
      chart && h("figure", {}, h("figcaption", {}, `${what}, iteration by iteration`), chart),
      settingsTable(rows),
    ),
  );
}

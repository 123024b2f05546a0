// SPDX-License-Identifier: BSD-3-Clause
// The coefficients with their intervals; of groups, their mean and where they lie.
import { h } from "../dom.js";
import { section } from "../page.js";
import { extent } from "../scale.js";
import { beyond, ends, rowTable } from "./rows.js";

const FILTER_FROM = 12;

const orders = {
  "As fitted": () => 0,
  Estimate: (a, b) => b.mean - a.mean,
  "Clear of 0": (a, b) => Math.abs(b.mean) / b.sd - Math.abs(a.mean) / a.sd,
  "A\u2013Z": (a, b) => a.name.localeCompare(b.name),
};

export const isIntercept = (term) => /(^|: )\(Intercept\)$/.test(term.name);

// Terms that would make the axis so many times as long have one of their own.
const TOO_LONG = 4;

/** All intervals and 0, but for intercepts and scales that would make the others small. */
function domainOf(terms) {
  const range = (list) => extent([0, ...list.flatMap(ends)]);
  const others = range(terms.filter((t) => t.kind === "coefficient" && !isIntercept(t)));
  const all = range(terms);
  const alone = terms.every((t) => t.kind !== "coefficient" || isIntercept(t));
  return alone || all[1] - all[0] < TOO_LONG * (others[1] - others[0]) ? all : others;
}

/** The terms that the axis shows, and below them those that it does not, over another. */
function partsOf(terms, domain) {
  const apart = terms.filter((t) => beyond(t, domain));
  const own = extent(apart.flatMap(ends));
  return [
    { terms: terms.filter((t) => !apart.includes(t)), domain, lines: { zero: true } },
    { terms: apart, domain: own, lines: { zero: own[0] < 0 && own[1] > 0 } },
  ];
}

const INTERVAL = "95\u00a0% interval",
  OF_GROUPS = "95\u00a0% of groups";

/**
 * What there is to show: of one fit its terms, of separate fits of groups where those lie, of
 * a hierarchy its mean, which has an interval of its own, with where groups lie around it.
 */
function contentOf({ terms, mean_of_groups: means, groups }) {
  if (means)
    return {
      terms: means.map((t, i) => ({
        ...t,
        spread: t.shared ? null : [terms[i].lower, terms[i].upper],
      })),
      title: "The population",
      columns: ["Mean", INTERVAL, OF_GROUPS],
      note: "What groups are like. A dot is the mean of the groups and the thick line its 95\u00a0% interval: how sure the mean is. The thin line is where 95\u00a0% of groups lie: how much they differ.",
    };
  if (groups)
    return {
      terms,
      title: "The population",
      columns: ["Mean", OF_GROUPS],
      note: "What groups are like: the mean of each term, and where 95\u00a0% of groups lie.",
    };
  return {
    terms,
    title: "Coefficients",
    columns: ["Mean", INTERVAL],
    note: "Posterior means with 95\u00a0% intervals. If an interval excludes 0, the sign of its term is known.",
  };
}

/** What the remarks beside intervals mean, if there are any. */
function remarkNote(terms) {
  return terms.some((t) => t.remark)
    ? " A remark such as \u00b10.2\u00a0sd says how far a mean or an end of its interval may be off, by weighted draws from the posterior."
    : "";
}

export function forest(data) {
  const { terms, title, columns, note: plain } = contentOf(data);
  const note = plain + remarkNote(terms);
  const parts = partsOf(terms, domainOf(terms));
  let order = "As fitted";
  const place = h("div", { class: "scroll-x" });
  const filter = h("input", {
    type: "search",
    placeholder: "Filter terms",
    "aria-label": "Filter terms",
    oninput: () => render(),
  });
  const sorters = Object.keys(orders).map((name) =>
    h(
      "button",
      {
        type: "button",
        onclick: () => {
          order = name;
          render();
        },
      },
      name,
    ),
  );
  const render = () => {
    const typed = filter.value.trim().toLowerCase();
    const shown = (list) =>
      list.filter((t) => t.name.toLowerCase().includes(typed)).sort(orders[order]);
    const filled = parts
      .map((part) => ({ ...part, rows: shown(part.terms) }))
      .filter((part, i) => i === 0 || part.rows.length > 0);
    sorters.forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === order)));
    place.replaceChildren(
      rowTable(filled, ["Term", "", ...columns], "Coefficients with their intervals"),
    );
  };
  render();
  const apart = parts[1].terms.length;
  return section(
    "coefficients",
    title,
    apart > 0
      ? `${note} The last ${apart === 1 ? "row has its" : `${apart} rows have their`} own axis.`
      : note,
    h(
      "div",
      { class: "row tools" },
      terms.length > FILTER_FROM ? filter : h("span", {}),
      terms.length > 2 &&
        h("div", { class: "choice", role: "group", "aria-label": "Sort by" }, sorters),
    ),
    place,
  );
}

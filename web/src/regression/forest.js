// SPDX-License-Identifier: BSD-3-Clause
// The coefficients with their intervals.
import { h } from "../dom.js";
import { section } from "../page.js";
import { extent } from "../scale.js";
import { beyond, rowTable } from "./rows.js";

const FILTER_FROM = 12;

const orders = {
  "As fitted": () => 0,
  Estimate: (a, b) => b.mean - a.mean,
  "Clear of 0": (a, b) => Math.abs(b.mean) / b.sd - Math.abs(a.mean) / a.sd,
  "A\u2013Z": (a, b) => a.name.localeCompare(b.name),
};

export const isIntercept = (term) => /(^|: )\(Intercept\)$/.test(term.name);

// A term that would make the axis so many times as long is cut off and gets arrows.
const TOO_LONG = 3;

/** All intervals and 0, but for intercepts and scales that would make the others small. */
function domainOf(terms) {
  const range = (list) => extent([0, ...list.flatMap((t) => [t.lower, t.upper])]);
  const others = range(terms.filter((t) => t.kind === "coefficient" && !isIntercept(t)));
  const all = range(terms);
  const alone = terms.every((t) => t.kind !== "coefficient" || isIntercept(t));
  return alone || all[1] - all[0] < TOO_LONG * (others[1] - others[0]) ? all : others;
}

export function forest(terms, grouped) {
  const domain = domainOf(terms);
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
    const rows = terms.filter((t) => t.name.toLowerCase().includes(typed)).sort(orders[order]);
    sorters.forEach((b) => b.setAttribute("aria-pressed", String(b.textContent === order)));
    place.replaceChildren(
      rowTable(
        rows,
        domain,
        { zero: true },
        ["Term", "", "Mean", grouped ? "95\u00a0% of groups" : "95\u00a0% interval"],
        "Coefficients with their intervals",
      ),
    );
  };
  render();
  const note = grouped
    ? "What groups are like: the mean of each term, and where 95\u00a0% of groups lie."
    : "Posterior means with 95\u00a0% intervals. An interval that leaves out 0 tells the sign of its term.";
  const cut = terms.some((t) => beyond(t, domain));
  return section(
    "coefficients",
    grouped ? "The population" : "Coefficients",
    cut ? `${note} An arrow points to what lies beyond the axis.` : note,
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

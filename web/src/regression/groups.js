// SPDX-License-Identifier: BSD-3-Clause
// Groups against their population, term by term, with how far each was drawn towards it.
import { h } from "../dom.js";
import { plural } from "../format.js";
import { NORMAL_975 } from "../normal.js";
import { section } from "../page.js";
import { extent } from "../scale.js";
import { isIntercept } from "./forest.js";
import { rowTable } from "./rows.js";

// So many groups are shown at once; of more, as many from both ends.
const AT_ONCE = 60;

// The axis goes out to own means that lie so many sds of the population from its mean.
const REACH = 6;

/**
 * Where a group's own data point. Its posterior is, on one term, an average of that and of
 * the population's mean, weighted by precisions: 1/sd^2 = 1/own^2 + 1/population^2. A group
 * whose data tell next to nothing of the term has no own place to show.
 */
function ownMean(mean, sd, population) {
  const weight = 1 - (sd / population.sd) ** 2;
  return weight > 0.02 ? population.mean + (mean - population.mean) / weight : null;
}

/** Of many rows, those between the ends wait until they are asked for. */
export function markMiddle(rows) {
  if (rows.length <= AT_ONCE) return;
  rows.forEach((row, i) => {
    row.waits = i >= AT_ONCE / 2 && i < rows.length - AT_ONCE / 2;
  });
}

export const needsMore = (rows) => rows.length > AT_ONCE;

/** The button that shows them; paper, which cannot be clicked, has them all (style.css). */
export function showAll(place, n) {
  const half = AT_ONCE / 2;
  const button = h("button", { type: "button", class: "all", onclick: () => set(!open) });
  const note = h("span", { class: "note" });
  let open;
  const set = (now) => {
    open = now;
    place.classList.toggle("ends", !open);
    button.setAttribute("aria-expanded", String(open));
    button.textContent = open ? "Show fewer" : `Show all ${n}`;
    note.textContent = open ? "" : `The ${half} highest and the ${half} lowest are shown.`;
  };
  set(false);
  return h("div", { class: "row ends-tools" }, note, button);
}

/** Terms on a logarithmic scale in the engine are not those of the population's list. */
export function groupSection(data) {
  const { groups, terms, info } = data;
  const shared = info.grouping === "hierarchical";
  const shown = terms.map((t, i) => ({ ...t, i })).filter((t) => t.kind === "coefficient");
  const first = shown.find((t) => !isIntercept(t)) ?? shown[0];
  const select = h(
    "select",
    { id: "term", onchange: () => render() },
    shown.map((t) => h("option", { value: t.i, selected: t === first }, t.name)),
  );
  const place = h("div", { class: "groups" });
  const render = () => {
    const population = terms[Number(select.value)];
    const rows = groups.name
      .map((name, m) => {
        const mean = groups.mean[m][Number(select.value)],
          sd = groups.sd[m][Number(select.value)];
        return {
          name,
          mean,
          lower: mean - NORMAL_975 * sd,
          upper: mean + NORMAL_975 * sd,
          own: shared ? ownMean(mean, sd, population) : null,
        };
      })
      .sort((a, b) => b.mean - a.mean);
    markMiddle(rows);
    const near = (x) => x != null && Math.abs(x - population.mean) < REACH * population.sd;
    const domain = extent([
      population.lower,
      population.upper,
      ...rows.flatMap((r) => [r.lower, r.upper]),
      ...rows.map((r) => r.own).filter(near),
    ]);
    place.replaceChildren(
      rowTable(
        [
          {
            rows,
            domain,
            lines: {
              zero: domain[0] < 0 && domain[1] > 0,
              mean: population.mean,
              band: [population.lower, population.upper],
            },
          },
        ],
        [groups.variable, "", "Mean", "95\u00a0% interval"],
        `Groups of ${groups.variable}`,
      ),
    );
  };
  render();
  const note = shared
    ? "The line is the mean of the population, the broken line 0, the band where 95\u00a0% of groups lie. A filled dot is a group\u2019s posterior mean with its 95\u00a0% interval; the ring is roughly the estimate from its own data alone, and the dotted line shows how far it was pulled towards the population."
    : "The line is the mean over the groups, the broken line 0, the band where 95\u00a0% of their means lie. Each group was fitted by itself.";
  return section(
    "groups",
    plural(groups.name.length, "group"),
    note,
    h(
      "div",
      { class: "row tools" },
      h("label", { for: "term" }, "Term ", select),
      groups.name.length > AT_ONCE && showAll(place, groups.name.length),
    ),
    place,
  );
}

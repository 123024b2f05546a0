// SPDX-License-Identifier: BSD-3-Clause
// The graph as a table, for those who would rather read it, or cannot see it.
import { h } from "../dom.js";
import { correlation, interval, plural } from "../format.js";
import { aboutIntervals } from "./model.js";

const MOST = 200;

export function pairTable(model, pairs, onSelect) {
  const list = [...pairs].sort((a, b) => Math.abs(b.r) - Math.abs(a.r));
  const name = (topic) =>
    h(
      "td",
      {},
      h(
        "button",
        { type: "button", class: "link", onclick: () => onSelect(topic.k, "table") },
        `${topic.number} ${topic.short}`,
      ),
    );
  const between = `each with an ${aboutIntervals(model)}`;
  return h(
    "table",
    {},
    h(
      "caption",
      {},
      list.length > MOST
        ? `The strongest ${MOST} of ${list.length} pairs that the graph shows, ${between}`
        : `The ${plural(list.length, "pair")} that the graph shows, ${between}`,
    ),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        h("th", { scope: "col" }, "Topic"),
        h("th", { scope: "col" }, "Topic"),
        h("th", { scope: "col", class: "value" }, "Correlation"),
      ),
    ),
    h(
      "tbody",
      {},
      list
        .slice(0, MOST)
        .map((p) =>
          h(
            "tr",
            {},
            name(model.topics[p.i]),
            name(model.topics[p.j]),
            h(
              "td",
              { class: "value" },
              correlation(p.r),
              h("small", {}, interval(p.lower, p.upper, correlation)),
            ),
          ),
        ),
    ),
  );
}

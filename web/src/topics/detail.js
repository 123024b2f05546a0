// SPDX-License-Identifier: BSD-3-Clause
// One topic: its words, its neighbours, its documents, its trend.
import { h, s } from "../dom.js";
import { correlation, interval, percent, plural } from "../format.js";
import { extent, linear } from "../scale.js";
import { chip, colourOf } from "./chip.js";
import { neighbours } from "./model.js";
import { trendChart } from "./trend.js";

const FEW = 12,
  MANY = 50,
  DOCUMENTS = 8,
  LEVELS = 10;

function part(title, note, ...content) {
  return h(
    "div",
    { class: "part" },
    h("h3", {}, title),
    note && h("p", { class: "note" }, note),
    content,
  );
}

function wordBars(words, most, value, text) {
  return h(
    "ol",
    { class: "bars" },
    words.map((w) =>
      h(
        "li",
        { title: text(w) },
        h("span", { class: "bar under", style: `--part:${(value(w) / most).toFixed(4)}` }),
        h("span", { class: "words" }, w.term),
        h("span", { class: "value" }, text(w)),
      ),
    ),
  );
}

/** The words of a topic that drifts, slice by slice. */
function overTime({ time }, k) {
  return h(
    "ul",
    { class: "slices" },
    time.slices.map((name, i) =>
      h("li", {}, h("b", {}, name), ` ${time.words[k][i].join(", ")}`),
    ),
  );
}

/** The words of a topic side by side in groups of documents: the most probable, then those that tell
    a group apart, with how many times as probable they are there as in the mean of groups. */
function byGroup({ content }, k) {
  const times = (x) => Math.exp(x / 1000).toPrecision(2);
  return h(
    "div",
    { class: "groups" },
    content.groups.map((name, g) =>
      h(
        "section",
        {},
        h("h4", {}, name),
        h("p", {}, content.topics[k][g].words.join(", ")),
        h("p", { class: "note" }, "more than others"),
        h(
          "ul",
          {},
          content.topics[k][g].own.length
            ? content.topics[k][g].own.map(([term, by, lower, upper]) =>
                h(
                  "li",
                  { title: `${times(by)} times, 95 % interval ${times(lower)} to ${times(upper)}` },
                  h("span", { class: "words" }, term),
                  h("span", { class: "value" }, `\u00d7${times(by)}`),
                ),
              )
            : h("li", { class: "note" }, "none for sure"),
        ),
        content.common[g].length > 0 && [
          h("p", { class: "note" }, "more than others in all topics"),
          h("p", {}, content.common[g].map(([term]) => term).join(", ")),
        ],
      ),
    ),
  );
}

/** How much of the topic other fits found, where 'topics stability --keep' was asked. */
function stability(model, k) {
  const { stability: found, merged: of } = model;
  if (!found || of) return null;
  const parts = [
    found.starts && `other starts ${percent(found.starts.mean[k])}`,
    found.halves && `halves of the documents ${percent(found.halves.mean[k])}`,
  ].filter(Boolean);
  return h("p", { class: "note" }, `Of its words, found again by ${parts.join(", by ")}`);
}

/** "topics 3 and 7 of the fit", where they were merged */
function merged(model, k) {
  const of = model.merged
    ? model.merged.flatMap((g, i) => (g === k + 1 ? [i + 1] : []))
    : [];
  return of.length > 1 && h("p", { class: "note" }, `Topics ${of.join(", ")} of the fit, merged`);
}

function words(topic, n) {
  const probable = topic.words.slice(0, n);
  return h(
    "div",
    { class: "pair" },
    part(
      "By probability",
      "share of the topic",
      wordBars(
        probable,
        Math.max(...probable.map((w) => w.p), 1e-12),
        (w) => w.p,
        (w) => percent(w.p),
      ),
    ),
    part(
      "By FREX, 0 to 1",
      "frequent and exclusive",
      wordBars(
        topic.frex.slice(0, n),
        1,
        (w) => w.frex,
        (w) => w.frex.toFixed(3),
      ),
    ),
  );
}

/** A button below a list that shows more of it. */
function expandable(make, few, many, total) {
  const place = h("div", {}, make(few));
  if (total <= few) return place;
  const button = h(
    "button",
    {
      type: "button",
      class: "more",
      "aria-expanded": "false",
      onclick: () => {
        const open = button.getAttribute("aria-expanded") !== "true";
        button.setAttribute("aria-expanded", String(open));
        button.textContent = open ? "Show fewer" : "Show more";
        place.replaceChildren(make(open ? many : few), button);
      },
    },
    "Show more",
  );
  place.append(button);
  return place;
}

/** The correlation and its interval, on an axis that its list has in common. */
function whisker(p, domain) {
  const x = linear(domain, [3, 97]);
  return s(
    "svg",
    { class: "whisker", viewBox: "0 0 100 12", "aria-hidden": "true" },
    s("line", { class: "zero", x1: x(0), x2: x(0), y1: 0, y2: 12 }),
    s("line", { class: "range", x1: x(p.lower), x2: x(p.upper), y1: 6, y2: 6 }),
    s("circle", { cx: x(p.r), cy: 6, r: 3 }),
  );
}

function neighbourList(list, onSelect) {
  const domain = extent([0, ...list.flatMap((p) => [p.lower, p.upper])], 0);
  return h(
    "ul",
    { class: "neighbours" },
    list.map((p) =>
      h(
        "li",
        {},
        h(
          "button",
          {
            type: "button",
            onclick: () => onSelect(p.other.k, "detail"),
            title: `correlation ${correlation(p.r)}, interval ${interval(p.lower, p.upper, correlation)}`,
          },
          chip(p.other),
          h("span", { class: "words" }, p.other.label),
          whisker(p, domain),
          h("span", { class: "value" }, correlation(p.r)),
        ),
      ),
    ),
  );
}

function neighbourPart(title, list, few, onSelect) {
  return (
    list.length > 0 &&
    part(
      title,
      "correlation, with an interval of about 95\u00a0%",
      expandable(
        (n) => neighbourList(list.slice(0, n), onSelect),
        few,
        list.length,
        list.length,
      ),
    )
  );
}

function documents(topic) {
  return (n) =>
    h(
      "ol",
      { class: "bars documents" },
      topic.documents
        .slice(0, n)
        .map((d) =>
          h(
            "li",
            { title: d.name },
            h("span", { class: "bar under", style: `--part:${d.share.toFixed(4)}` }),
            h("span", { class: "words" }, d.name),
            h("span", { class: "value" }, percent(d.share, 0)),
          ),
        ),
    );
}

function trendNote({ variable, dropped }) {
  const note = "mean share of a document, with 95\u00a0% intervals of the mean";
  return dropped > 0
    ? `${note}; ${plural(dropped, "document")} without ${variable} left out`
    : note;
}

export function topicDetail(model, trend, k, onSelect) {
  const topic = model.topics[k];
  const near = neighbours(model, k);
  return h(
    "div",
    { style: `--colour:${colourOf(topic)}` },
    h(
      "p",
      { class: "over" },
      h("span", { class: "dot", style: `background:${colourOf(topic)}` }),
      `Topic ${topic.number} \u00b7 ${percent(topic.prevalence)} of a document on average`,
    ),
    h("h2", { id: "topic", class: "label" }, topic.label),
    merged(model, k),
    stability(model, k),
    expandable((n) => words(topic, n), FEW, MANY, topic.words.length),
    neighbourPart(
      "Goes with",
      near.filter((p) => p.r > 0),
      5,
      onSelect,
    ),
    neighbourPart(
      "Avoids",
      near.filter((p) => p.r < model.unrelated),
      3,
      onSelect,
    ),
    trend &&
      part(
        `By ${trend.variable}`,
        trendNote(trend),
        expandable((n) => trendChart(trend, k, n), LEVELS, Infinity, trend.level?.length ?? 0),
      ),
    model.time && part(`Words by ${model.time.variable}`, "most probable", overTime(model, k)),
    model.content &&
      part(
        `Words by ${model.content.variable}`,
        "most probable, and more than in others",
        byGroup(model, k),
      ),
    part(
      "Documents that show it most",
      "share of the document",
      expandable(documents(topic), DOCUMENTS, topic.documents.length, topic.documents.length),
    ),
  );
}

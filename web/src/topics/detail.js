// SPDX-License-Identifier: BSD-3-Clause
// One topic: its words, its neighbours, its documents, its trend.
import { h, s } from "../dom.js";
import { correlation, interval, percent, plural } from "../format.js";
import { extent, linear } from "../scale.js";
import { chip, colourOf } from "./chip.js";
import { documentList } from "./documents.js";
import { labelEditor } from "./labelling.js";
import { effectChart, effectNote, effectTitle } from "./effects.js";
import { aboutIntervals, byFrex, byRelevance, neighbours } from "./model.js";
import { trendChart } from "./trend.js";
import { wordPart } from "./word.js";

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

function wordBars(words, most, value, text, onWord) {
  return h(
    "ol",
    { class: "bars" },
    words.map((w) =>
      h(
        "li",
        { title: text(w) },
        h("span", { class: "bar under", style: `--part:${(value(w) / most).toFixed(4)}` }),
        h("button", { type: "button", class: "words word", onclick: () => onWord(w.t) }, w.term),
        h("span", { class: "value" }, text(w)),
      ),
    ),
  );
}

/** A weight from 0 to 1, which the reader chooses. */
function weightSlider(label, title, value, onChange) {
  const output = h("output", {}, value.toFixed(1));
  const slider = h("input", { type: "range", min: 0, max: 1, step: 0.1, value, "aria-label": title });
  slider.addEventListener("input", () => {
    output.textContent = Number(slider.value).toFixed(1);
    onChange(Number(slider.value));
  });
  return h("label", { class: "slider weight", title }, label, slider, output);
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

/** By probability, or by relevance with another weight. */
function probable(model, topic, n, onWord) {
  const list = byRelevance(model, topic, model.choice.lambda).slice(0, n);
  return wordBars(
    list,
    Math.max(...list.map((w) => w.p), 1e-12),
    (w) => w.p,
    (w) => percent(w.p),
    onWord,
  );
}

function exclusive(model, topic, n, onWord) {
  return wordBars(
    byFrex(topic, model.choice.weight).slice(0, n),
    1,
    (w) => w.frex,
    (w) => w.frex.toFixed(3),
    onWord,
  );
}

/** Two lists, with sliders that stay where they are when a list changes. */
function words(model, topic, n, onWord) {
  const { choice } = model;
  const left = h("div", {}, probable(model, topic, n, onWord)),
    right = h("div", {}, exclusive(model, topic, n, onWord));
  const title = h("h3", {}, "");
  const head = () => {
    title.textContent = choice.lambda < 1 ? "By relevance" : "By probability";
  };
  head();
  return h(
    "div",
    { class: "pair" },
    h(
      "div",
      { class: "part" },
      title,
      h("p", { class: "note" }, "share of the topic"),
      weightSlider(
        "\u03bb",
        "Relevance: 1 ranks words by probability, 0 by how much more frequent they are here than elsewhere",
        choice.lambda,
        (value) => {
          choice.lambda = value;
          head();
          left.replaceChildren(probable(model, topic, n, onWord));
        },
      ),
      left,
    ),
    part(
      "By FREX, 0 to 1",
      "frequent and exclusive",
      weightSlider(
        "Weight",
        "FREX: the weight of exclusivity; 0 ranks words by frequency alone",
        choice.weight,
        (value) => {
          choice.weight = value;
          right.replaceChildren(exclusive(model, topic, n, onWord));
        },
      ),
      right,
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

function neighbourPart(model, title, list, few, onSelect) {
  return (
    list.length > 0 &&
    part(
      title,
      `correlation, with an ${aboutIntervals(model)}`,
      expandable(
        (n) => neighbourList(list.slice(0, n), onSelect),
        few,
        list.length,
        list.length,
      ),
    )
  );
}

function trendNote({ variable, dropped }) {
  const note = "mean share of a document, with 95\u00a0% intervals of the mean";
  return dropped > 0
    ? `${note}; ${plural(dropped, "document")} without ${variable} left out`
    : note;
}

export function topicDetail(model, trend, k, onSelect, onLabel) {
  const topic = model.topics[k];
  const near = neighbours(model, k);
  const chosen = h("div", { "aria-live": "polite" });
  const onWord = (t) => {
    chosen.replaceChildren(wordPart(model, topic, t, onSelect, () => chosen.replaceChildren()));
    chosen.scrollIntoView({ block: "nearest" });
  };
  return h(
    "div",
    { style: `--colour:${colourOf(topic)}` },
    h(
      "p",
      { class: "over" },
      h("span", { class: "dot", style: `background:${colourOf(topic)}` }),
      `Topic ${topic.number} \u00b7 ${percent(topic.prevalence)} of a document on average`,
    ),
    labelEditor(model, topic, onLabel),
    merged(model, k),
    stability(model, k),
    expandable((n) => words(model, topic, n, onWord), FEW, MANY, topic.words.length),
    chosen,
    neighbourPart(
      model,
      "Goes with",
      near.filter((p) => p.r > 0),
      5,
      onSelect,
    ),
    neighbourPart(
      model,
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
    model.effects.map((effect) => {
      const chart = effectChart(effect, k);
      return chart && part(effectTitle(effect), effectNote(effect, k), chart);
    }),
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
      expandable((n) => documentList(model, topic, n, onWord), DOCUMENTS, topic.documents.length, topic.documents.length),
    ),
  );
}

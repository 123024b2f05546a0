// SPDX-License-Identifier: BSD-3-Clause
// The report of a topic model: a list, a graph, the topic that is selected in both.
import { h } from "../dom.js";
import { count, number, percent, plural } from "../format.js";
import { fitSection, pageFoot, pageHead, unfinished } from "../page.js";
import { topicDetail } from "./detail.js";
import { Graph } from "./graph.js";
import { TopicList } from "./list.js";
import { readLabels } from "./labelling.js";
import { neighbours, readTopics, together } from "./model.js";
import { pairTable } from "./pairs.js";

const narrow = () => matchMedia("(max-width: 760px)").matches;

function facts(info) {
  return [
    plural(info.K, "topic"),
    plural(info.D, "document"),
    plural(info.words, "word"),
    plural(info.V, "term"),
  ];
}

function settings(info) {
  const s = info.settings ?? {};
  return [
    ["Method", info.method],
    ["Topics", info.K],
    ["Started from", info.init],
    ["Seed", info.init === "random" ? info.seed : null],
    ["Covariates", info.formula],
    ["Documents left out for missing values", info.dropped > 0 ? count(info.dropped) : null],
    ["Log evidence per word", number(info.log_evidence_per_word, 6)],
    ["Iterations", `${count(info.iterations)} of at most ${count(info.max_iter)}`],
    ["Iterations that lowered it", info.decreases],
    ["Documents unsettled at the end", info.unsettled],
    ["Tolerance", s.tol],
    ["Route", s.route],
    ["Smoothing", s.smooth],
    ["Shrinkage of \u03a3", s.shrink],
    ["Diagonal \u03a3", s.diagonal ? "yes" : null],
    ["Ridge", info.formula ? s.ridge : null],
  ];
}

/** For the top of the page: that topics are clusters of documents. */
function clusters({ mixing, method }) {
  if (!mixing?.clusters) return "";
  const advice =
    method === "laplace" ? "Documents may be too short, or of one topic each." : "Use --method laplace.";
  return h(
    "p",
    { class: "unfinished", role: "note" },
    `Doubtful: topics are clusters here. The largest topic of a document has ${percent(mixing.largest_share, 0)} of it on average, and log ratios have a variance of ${number(mixing.variance, 2)}: correlations and proportions say little. ${advice}`,
  );
}

/** Beside the correlations: that documents are too short for them. */
function fewWords({ mixing }) {
  return (
    mixing?.few_words &&
    h(
      "p",
      { class: "note doubt", role: "note" },
      `Doubtful: documents are short for so many topics. The largest topic of a document has ${number(mixing.largest_words, 3)} of its words on average; below 14, ${mixing.averaged ? "other topics may fit as well, of which intervals know nothing" : "topics come out purer than they are and correlations too near 0. Their intervals allow for it"}.`,
    )
  );
}

const howToRead = (info) => [
  "A circle is a topic with its number; its area is the topic\u2019s mean share of a document, except that none is too small for its number. Words are shown beside it where there is room: zoom in for more. A line joins topics that go together: documents with more of one have more of the other. Colours are groups of topics with many lines between them, and mean nothing else; grey topics have none.",
  `The strength of a line is the correlation of the topics\u2019 centred log ratios under the fitted \u03a3${info.formula ? ", which is what the covariates leave unexplained" : ""}. The dark line is as wide as the lower end of its interval of about 95\u00a0%, the pale band as wide as the upper end; it is shown where the lower end is above the number below. The interval is Fisher\u2019s, for as many documents as there are, corrected for how little the words of each document tell of its topics, and wider by what more documents do not take away: topics that come out purer than they are. That a fit from another start may find other topics is not in it.`,
];

function graphControls(graph, model, onChange) {
  const most = Math.max(0.05, ...model.pairs.map((p) => p.lower));
  const output = h("output", {});
  const slider = h("input", {
    type: "range",
    min: 0,
    max: most.toFixed(2),
    step: 0.01,
    value: model.threshold.toFixed(2),
    "aria-label": "Show lines whose correlation is surely above",
  });
  const avoiding = h("input", { type: "checkbox" });
  const change = () => {
    output.textContent = Number(slider.value).toFixed(2);
    graph.set({ threshold: Number(slider.value), avoiding: avoiding.checked });
    onChange();
  };
  slider.addEventListener("input", change);
  avoiding.addEventListener("change", change);
  output.textContent = model.threshold.toFixed(2);
  return h(
    "div",
    { class: "controls" },
    h(
      "label",
      {
        class: "slider",
        title: "Lines are shown where the whole interval of the correlation lies above",
      },
      "Correlation above",
      slider,
      output,
    ),
    h(
      "label",
      {
        class: "check",
        title: "Broken lines from the selected topic to those that it surely avoids",
      },
      avoiding,
      "Avoided",
    ),
  );
}

function zoomButtons(graph) {
  const button = (text, label, action) =>
    h(
      "button",
      { type: "button", class: "icon", "aria-label": label, title: label, onclick: action },
      text,
    );
  return h(
    "div",
    { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("\u2212", "Zoom out", () => graph.zoom(1 / 1.3)),
    button("+", "Zoom in", () => graph.zoom(1.3)),
    button("\u2922", "Show all", () => graph.fit()),
  );
}

/** Escape closes what is open and goes back to where it was opened. */
function closeSheets(event) {
  if (event.key !== "Escape") return;
  const open = event.currentTarget.querySelector("details[open]");
  if (!open) return;
  open.open = false;
  open.querySelector("summary").focus();
}

/** The card, and what to call when the lines shown have changed. */
function graphCard(graph, model, info, select) {
  const sheet = h("div", { class: "sheet" });
  const table = h("details", { name: "sheet" }, h("summary", {}, "Table"), sheet);
  const fill = () => {
    if (table.open) sheet.replaceChildren(pairTable(model, graph.shownPairs(), select));
  };
  table.addEventListener("toggle", fill);
  const element = h(
    "section",
    { class: "card graph-card", "aria-labelledby": "graph" },
    h(
      "div",
      { class: "row" },
      h("h2", { id: "graph" }, "Which topics go together"),
      zoomButtons(graph),
    ),
    fewWords(info),
    graph.svg,
    h(
      "div",
      { class: "tray", onkeydown: closeSheets },
      graphControls(graph, model, fill),
      h(
        "details",
        { name: "sheet" },
        h("summary", {}, "How to read"),
        h(
          "div",
          { class: "sheet" },
          howToRead(info).map((text) => h("p", {}, text)),
        ),
      ),
      table,
    ),
  );
  return { element, fill };
}

export function showTopics(data, app) {
  const model = readTopics(data);
  readLabels(model, data);
  const detail = h("section", {
    class: "card detail",
    "aria-labelledby": "topic",
    tabindex: -1,
  });
  const live = h("p", { class: "hidden", "aria-live": "polite" });

  const select = (k, from) => {
    graph.set({ selected: k });
    list.select(k);
    detail.replaceChildren(topicDetail(model, data.trend, k, select, relabelled));
    detail.scrollTop = 0;
    card.fill();
    if (from) live.textContent = announce(model, k);
    if (from) history.replaceState(null, "", `#topic-${k + 1}`);
    if (narrow() && (from === "list" || from === "table"))
      detail.scrollIntoView({ block: "start" });
  };
  const relabelled = () => {
    list.render();
    graph.relabel();
    card.fill();
  };
  const graph = new Graph(model, (k) => select(k, "graph"));
  const card = graphCard(graph, model, data.info, select);
  const list = new TopicList(model, select, (found) => graph.set({ found }));

  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName)) return;
    event.preventDefault();
    list.search.focus();
  });
  app.append(
    pageHead(data.title, facts(data.info)),
    unfinished(data.info) || "",
    clusters(data.info),
    h("main", { class: "topics-page" }, list.element, card.element, detail),
    fitSection(data.info, data.trace, "Log evidence per word", settings(data.info)),
    pageFoot(data),
    live,
  );

  const asked = Number(/^#topic-(\d+)$/.exec(location.hash)?.[1]) - 1;
  const first = model.topics.reduce((a, b) => (b.prevalence > a.prevalence ? b : a)).k;
  select(model.topics[asked] ? asked : first);
}

function announce(model, k) {
  const topic = model.topics[k];
  const near = neighbours(model, k)
    .filter(together)
    .slice(0, 3)
    .map((p) => p.other.short);
  return `Topic ${topic.number}: ${topic.label}.${near.length ? ` Goes with ${near.join("; ")}.` : ""}`;
}

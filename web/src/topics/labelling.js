// SPDX-License-Identifier: BSD-3-Clause
// Labels that the reader gives topics. The browser remembers them for this report, where it
// may; a file of them is for 'delaplace topics label'.
import { h } from "../dom.js";
import { relabel } from "./model.js";

const MOST = 100;

/** What tells this report from others, which share the browser's memory. */
function keyOf(data) {
  const { K, D, words, log_evidence: evidence } = data.info;
  return `delaplace labels ${data.title} ${K} ${D} ${words} ${evidence}`;
}

let key = "";

function remembered() {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? {};
  } catch {
    return {}; // no memory, or not ours
  }
}

function remember(model) {
  const labels = Object.fromEntries(
    model.topics.filter((t) => t.typed).map((t) => [t.number, t.label]),
  );
  try {
    localStorage.setItem(key, JSON.stringify(labels));
  } catch {
    // then for this visit only
  }
}

function give(topic, label) {
  relabel(topic, label);
  topic.typed = true;
}

export function readLabels(model, data) {
  key = keyOf(data);
  const labels = remembered();
  for (const topic of model.topics) {
    const label = labels[topic.number];
    if (typeof label === "string" && label.trim()) give(topic, label.trim().slice(0, MOST));
  }
}

/** "3: economy", a line for each topic with a label of its own. */
function labelFile(model) {
  const lines = model.topics.filter((t) => t.own).map((t) => `${t.number}: ${t.label}\n`);
  return `data:text/plain;charset=utf-8,${encodeURIComponent(lines.join(""))}`;
}

function saveLink(model) {
  return h(
    "a",
    {
      class: "save",
      href: labelFile(model),
      download: "labels.txt",
      title: "To keep them in the model: delaplace topics label MODEL labels.txt",
    },
    "Save labels",
  );
}

/** The heading, which can be changed. */
export function labelEditor(model, topic, onLabel) {
  const place = h("div", { class: "heading" });
  const show = () =>
    place.replaceChildren(
      h("h2", { id: "topic", class: "label" }, topic.label),
      h(
        "div",
        { class: "labelling" },
        h("button", { type: "button", class: "rename", onclick: edit }, "Rename"),
        model.topics.some((t) => t.typed) ? saveLink(model) : "",
      ),
    );
  const change = (label) => {
    give(topic, label.trim());
    remember(model);
    onLabel();
    show();
    place.querySelector(".rename").focus();
  };
  const edit = () => {
    const input = h("input", {
      type: "text",
      value: topic.own ? topic.label : "",
      maxlength: MOST,
      placeholder: topic.label,
      "aria-label": `Label of topic ${topic.number}`,
    });
    const form = h(
      "form",
      {
        class: "labelling",
        onsubmit: (event) => {
          event.preventDefault();
          change(input.value);
        },
        onkeydown: (event) => {
          if (event.key !== "Escape") return;
          event.stopPropagation();
          show();
        },
      },
      input,
      h("button", { type: "submit" }, "Keep"),
    );
    place.replaceChildren(h("h2", { id: "topic", class: "label" }, topic.label), form);
    input.focus();
  };
  show();
  return place;
}

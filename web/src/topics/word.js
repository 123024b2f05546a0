// SPDX-License-Identifier: BSD-3-Clause
// One word: the topics it belongs to, and where documents say it.
import { h } from "../dom.js";
import { percent } from "../format.js";
import { chip, colourOf } from "./chip.js";
import { read } from "./documents.js";

const AROUND = 48,
  PLACES = 8;

function topicsOf(model, t, onSelect) {
  const { topics } = model.homes[t];
  return h(
    "ul",
    { class: "homes" },
    topics.map(({ k, share }) =>
      h(
        "li",
        {},
        h(
          "button",
          { type: "button", onclick: () => onSelect(k, "detail") },
          chip(model.topics[k]),
          h("span", { class: "words" }, model.topics[k].label),
          h("span", { class: "value" }, percent(share, 0)),
          h("span", {
            class: "bar",
            style: `--part:${share.toFixed(4)};--colour:${colourOf(model.topics[k])}`,
          }),
        ),
      ),
    ),
  );
}

/** The last or the first characters, whole ones, cut at a blank where there is one. */
function before(text) {
  const end = Array.from(text.slice(-4 * AROUND)).slice(-AROUND).join("");
  return end.length < text.length ? `\u2026${end.replace(/^\S*\s/, "")}` : end;
}

function after(text) {
  const start = Array.from(text.slice(0, 4 * AROUND)).slice(0, AROUND).join("");
  return start.length < text.length ? `${start.replace(/\s\S*$/, "")}\u2026` : start;
}

/** Where a document has the word: {left, said, right}. */
function placesIn(document, t) {
  const pieces = [...read(document.parts)].filter((piece) => !piece.more);
  return pieces.flatMap((piece, i) => {
    if (piece.t !== t) return [];
    const join = (list) => list.map((p) => p.text).join("").replace(/\s+/g, " ");
    return [
      {
        document,
        left: before(join(pieces.slice(0, i))),
        said: piece.text,
        right: after(join(pieces.slice(i + 1))),
      },
    ];
  });
}

/** From the documents of this topic first, then of others; each document once or twice. */
function places(model, topic, t) {
  const seen = new Set();
  const found = [];
  for (const { documents } of [topic, ...model.topics])
    for (const document of documents) {
      if (!document.parts || seen.has(document.name)) continue;
      seen.add(document.name);
      found.push(...placesIn(document, t).slice(0, 2));
      if (found.length >= PLACES) return found.slice(0, PLACES);
    }
  return found;
}

function context(list) {
  return h(
    "ol",
    { class: "context" },
    list.map(({ document, left, said, right }) =>
      h(
        "li",
        { title: document.name },
        h("p", { dir: "auto" }, left, h("b", {}, said), right),
        h("p", { class: "note" }, document.name),
      ),
    ),
  );
}

export function wordPart(model, topic, t, onSelect, onClose) {
  const list = places(model, topic, t);
  const hasText = model.topics.some((other) => other.documents.some((d) => d.parts));
  return h(
    "div",
    { class: "part about" },
    h(
      "div",
      { class: "row" },
      h("h3", {}, `\u201c${model.terms[t]}\u201d`),
      h(
        "button",
        { type: "button", class: "icon", "aria-label": "Close", title: "Close", onclick: onClose },
        "\u00d7",
      ),
    ),
    h(
      "p",
      { class: "note" },
      `its topics, by their share of the word; ${percent(model.homes[t].p, 2)} of all words`,
    ),
    topicsOf(model, t, onSelect),
    list.length > 0 && h("p", { class: "note" }, "in context"),
    list.length > 0 && context(list),
    hasText &&
      list.length === 0 &&
      h("p", { class: "note" }, "not in the beginnings of the documents shown here"),
  );
}

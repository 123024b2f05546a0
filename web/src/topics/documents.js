// SPDX-License-Identifier: BSD-3-Clause
// Documents with what they say. A text comes in parts: plain, term, word, plain, term, word,
// ..., plain, and null where it goes on. All of it is put in as text, whatever it says.
import { h } from "../dom.js";
import { percent } from "../format.js";

/** The plain parts and the words between them. */
export function* read(parts) {
  for (let i = 0; i < parts.length; i += 3) {
    if (parts[i] === null) yield { more: true };
    else if (parts[i]) yield { text: parts[i] };
    if (i + 2 < parts.length) yield { text: parts[i + 2], t: parts[i + 1] };
  }
}

/** Lines as the screen breaks them; paragraphs stay. */
function flow(said) {
  return said.replace(/\s*\n\s*/g, (gap) => (gap.split("\n").length > 2 ? "\n\n" : " "));
}

/** Whether the topic has most of what the word is used for. */
function belongs(model, k, t) {
  return (model.homes[t]?.topics ?? []).some((home) => home.k === k && home.share >= 0.5);
}

function text(model, topic, parts, onWord) {
  return h(
    "p",
    { class: "text", dir: "auto" },
    [...read(parts)].map(({ text: said, t, more }) => {
      if (more) return "\u2026";
      if (t === undefined || !belongs(model, topic.k, t)) return flow(said);
      return h("button", { type: "button", class: "mark", onclick: () => onWord(t) }, said);
    }),
  );
}

function row(document) {
  return [
    h("span", { class: "bar under", style: `--part:${document.share.toFixed(4)}` }),
    h("span", { class: "words" }, document.name),
    h("span", { class: "value" }, percent(document.share, 0)),
  ];
}

/** The first n documents of a topic; of those with text the first is open. */
export function documentList(model, topic, n, onWord) {
  return h(
    "ol",
    { class: "bars documents" },
    topic.documents
      .slice(0, n)
      .map((document, i) =>
        document.parts
          ? h(
              "li",
              { class: "said", title: document.name },
              h(
                "details",
                { open: i === 0 },
                h("summary", {}, row(document)),
                text(model, topic, document.parts, onWord),
              ),
            )
          : h("li", { title: document.name }, row(document)),
      ),
  );
}

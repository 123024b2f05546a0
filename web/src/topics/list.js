// SPDX-License-Identifier: BSD-3-Clause
// All topics with the share of each, to sort, to search by word, to walk through by keys.
import { h } from "../dom.js";
import { percent, plural } from "../format.js";
import { chip, colourOf } from "./chip.js";
import { findWord } from "./model.js";

// A page of paper cannot be clicked: it lists more words of each topic.
const PAPER_WORDS = 10;

const orders = {
  Share: (a, b) => b.prevalence - a.prevalence,
  Number: (a, b) => a.k - b.k,
  "A\u2013Z": (a, b) => a.label.localeCompare(b.label),
};

export class TopicList {
  constructor(model, onSelect, onFound) {
    this.model = model;
    this.onSelect = onSelect;
    this.onFound = onFound;
    this.order = "Share";
    this.selected = null;
    this.search = h("input", {
      type: "search",
      placeholder: "Find a word",
      "aria-label": "Find the topics that have a word",
      autocomplete: "off",
      spellcheck: "false",
      oninput: () => this.render(),
      onkeydown: (e) => this.searchKey(e),
    });
    this.status = h("p", { class: "note", role: "status" });
    this.rows = h("ol", {
      class: "topics",
      "aria-label": "Topics",
      onkeydown: (e) => this.key(e),
    });
    this.sorters = Object.keys(orders).map((name) =>
      h("button", { type: "button", onclick: () => this.sort(name) }, name),
    );
    this.element = h(
      "section",
      { class: "card list", "aria-labelledby": "topics" },
      h(
        "div",
        { class: "row" },
        h("h2", { id: "topics" }, "Topics"),
        h("div", { class: "choice", role: "group", "aria-label": "Sort by" }, this.sorters),
      ),
      this.search,
      this.status,
      this.rows,
    );
    this.render();
  }

  sort(name) {
    this.order = name;
    this.render();
  }

  /** What to show: each topic, with the word that was found in it. */
  shown() {
    const typed = this.search.value.trim().toLowerCase();
    if (!typed)
      return this.model.topics
        .map((topic) => ({ topic }))
        .sort((a, b) => orders[this.order](a.topic, b.topic));
    return this.model.topics
      .map((topic) => ({ topic, word: findWord(topic, typed) }))
      .filter((found) => found.word)
      .sort((a, b) => b.word.p - a.word.p);
  }

  render() {
    const list = this.shown();
    const searching = this.search.value.trim() !== "";
    const most = Math.max(
      ...list.map((f) => (searching ? f.word.p : f.topic.prevalence)),
      1e-12,
    );
    this.rows.replaceChildren(...list.map((found) => this.row(found, most)));
    this.sorters.forEach((b) =>
      b.setAttribute("aria-pressed", String(b.textContent === this.order && !searching)),
    );
    this.status.textContent = searching
      ? list.length
        ? `${plural(list.length, "topic")}, by the word\u2019s probability`
        : "None of the topics\u2019 first words"
      : "";
    this.status.hidden = !searching;
    this.onFound(searching ? new Set(list.map((f) => f.topic.k)) : null);
    this.mark();
  }

  row({ topic, word }, most) {
    const value = word ? word.p : topic.prevalence;
    const label = word
      ? [h("b", {}, word.term), h("span", { class: "muted" }, ` in ${topic.short}`)]
      : topic.label;
    return h(
      "li",
      {},
      h(
        "button",
        {
          type: "button",
          class: "topic",
          "data-topic": topic.number,
          onclick: () => this.onSelect(topic.k, "list"),
        },
        h(
          "span",
          { class: "name" },
          chip(topic),
          h("span", { class: "words" }, label),
        ),
        h("span", { class: "value" }, percent(value, word ? 2 : 1)),
        h("span", {
          class: "bar",
          style: `--part:${(value / most).toFixed(4)};--colour:${colourOf(topic)}`,
        }),
        h(
          "span",
          { class: "on-paper" },
          topic.words
            .slice(0, PAPER_WORDS)
            .map((w) => w.term)
            .join(", "),
        ),
      ),
    );
  }

  // ---- selection and keys: one stop of the tab key, arrows within ----

  select(k) {
    this.selected = k;
    this.mark();
  }

  mark() {
    const buttons = [...this.rows.querySelectorAll("button")];
    const current = buttons.find((b) => Number(b.dataset.topic) === this.selected + 1);
    for (const b of buttons) {
      if (b === current) b.setAttribute("aria-current", "true");
      else b.removeAttribute("aria-current");
      b.tabIndex = b === (current ?? buttons[0]) ? 0 : -1;
    }
    if (!current) return;
    // Scrolls the list alone, never the page.
    const { offsetTop: top, offsetHeight: size } = current.parentElement;
    if (top < this.rows.scrollTop) this.rows.scrollTop = top;
    else if (top + size > this.rows.scrollTop + this.rows.clientHeight)
      this.rows.scrollTop = top + size - this.rows.clientHeight;
  }

  key(event) {
    const buttons = [...this.rows.querySelectorAll("button")];
    const at = buttons.indexOf(document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: buttons.length - 1 }[
      event.key
    ];
    const next = buttons[to];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    if (!next) return;
    next.focus({ preventScroll: true });
    this.onSelect(Number(next.dataset.topic) - 1, "keys");
  }

  searchKey(event) {
    if (event.key === "Escape") {
      this.search.value = "";
      this.render();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      const first = this.rows.querySelector("button");
      if (!first) return;
      event.preventDefault();
      first.focus({ preventScroll: true });
      this.onSelect(Number(first.dataset.topic) - 1, "keys");
    }
  }
}

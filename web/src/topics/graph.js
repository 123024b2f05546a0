// SPDX-License-Identifier: BSD-3-Clause
// The picture of which topics go together. A node has the topic's number inside, so that
// each can be told where there is no room for words; its area is the topic's share, its
// colour the group it belongs to. An edge is as wide as the lower end of its correlation's
// interval; the pale band around it is as wide as the upper end.
import { s, textWidth } from "../dom.js";
import { correlation, interval, percent } from "../format.js";
import { colourOf } from "./chip.js";
import { gestures } from "./gestures.js";
import { placeLabels } from "./labels.js";
import { layout } from "./layout.js";
import { apart, together } from "./model.js";

const FONT = 12.5,
  LINE = 17,
  MARGIN = 18;
const font = () => `500 ${FONT}px ${getComputedStyle(document.body).fontFamily}`;

// Numbers: how large, and the least radius that holds one of so many digits.
const numberSize = (radius) => Math.min(13, Math.max(9.5, 0.85 * radius));
const leastRadius = (K) => (K > 99 ? 10.5 : 8.5);

export class Graph {
  constructor(model, onSelect) {
    this.model = model;
    this.onSelect = onSelect;
    this.threshold = model.threshold;
    this.avoiding = false;
    this.view = { x: 0, y: 0, scale: 1 };
    this.selected = null;
    this.found = null;
    this.edgeLayer = s("g", { class: "edges" });
    this.nodeLayer = s("g", { class: "nodes" });
    this.labelLayer = s("g", { class: "labels", "aria-hidden": "true" });
    this.svg = s(
      "svg",
      {
        class: "graph",
        tabindex: 0,
        role: "application",
        "aria-roledescription": "graph of topics",
        "aria-label":
          "Which topics go together. Arrow keys go to the next topic in that direction, plus and minus zoom, zero shows all. The same correlations are in a table below.",
      },
      this.edgeLayer,
      this.nodeLayer,
      this.labelLayer,
    );
    this.drawNodes();
    gestures(this);
    new ResizeObserver(() => this.resize()).observe(this.svg);
  }

  // ---- nodes and where they stand ----

  drawNodes() {
    const most = Math.max(...this.model.topics.map((t) => t.prevalence));
    const largest = Math.min(24, 72 / Math.sqrt(this.model.K) + 7);
    this.nodes = this.model.topics.map((topic) => {
      const radius = Math.max(
        leastRadius(this.model.K),
        largest * Math.sqrt(topic.prevalence / most),
      );
      const circle = s("circle", { r: radius, style: `fill:${colourOf(topic)}` });
      const number = s("text", { class: "number", dy: "0.36em" }, topic.number);
      const g = s(
        "g",
        { class: "node", "data-topic": topic.number },
        circle,
        number,
        s("title", {}, `Topic ${topic.number}: ${topic.label} (${percent(topic.prevalence)})`),
      );
      this.nodeLayer.append(g);
      return { topic, group: topic.group, radius, g, circle, number };
    });
  }

  resize() {
    const { width, height } = this.svg.getBoundingClientRect();
    if (width < 10 || height < 10) return;
    [this.width, this.height] = [width, height];
    this.svg.setAttribute("viewBox", `0 0 ${width} ${height}`); // for paper, where it is scaled
    if (!this.arranged || Math.abs(width / this.arranged - 1) > 0.25) this.arrange();
    this.fit();
  }

  nameNode(node) {
    const { short, frex, label, number, prevalence } = node.topic;
    node.labels = [short, frex[0]?.term ?? ""].map((text) => ({
      text,
      width: textWidth(text, font()),
    }));
    node.g.querySelector("title").textContent = `Topic ${number}: ${label} (${percent(prevalence)})`;
  }

  /** After topics were given other labels; they stay where they are. */
  relabel() {
    this.nodes.forEach((node) => this.nameNode(node));
    this.set({});
  }

  arrange() {
    this.arranged = this.width;
    for (const node of this.nodes) {
      this.nameNode(node);
      node.boxWidth =
        Math.max(2 * node.radius, node.labels[this.model.K > 30 ? 1 : 0].width) + 10;
      node.boxHeight = 2 * node.radius + LINE + 8;
    }
    const springs = this.model.pairs.filter((p) => p.lower > Math.max(0, this.model.threshold));
    layout(this.nodes, springs, this.width, this.height).forEach((place, k) =>
      Object.assign(this.nodes[k], place),
    );
  }

  /** Shows all of it, in the middle. */
  fit() {
    const side = (low, high) => [
      Math.min(...this.nodes.map(low)),
      Math.max(...this.nodes.map(high)),
    ];
    const [x0, x1] = side(
      (n) => n.x - n.boxWidth / 2,
      (n) => n.x + n.boxWidth / 2,
    );
    const [y0, y1] = side(
      (n) => n.y - n.radius,
      (n) => n.y + n.radius + LINE,
    );
    const scale = Math.min(
      (this.width - 2 * MARGIN) / (x1 - x0),
      (this.height - 2 * MARGIN) / (y1 - y0),
      1.6,
    );
    this.view = {
      scale,
      x: this.width / 2 - (scale * (x0 + x1)) / 2,
      y: this.height / 2 - (scale * (y0 + y1)) / 2,
    };
    this.leastScale = scale / 2;
    this.render();
  }

  zoom(factor, x = this.width / 2, y = this.height / 2) {
    const v = this.view;
    const scale = Math.min(12, Math.max(this.leastScale, v.scale * factor));
    const by = scale / v.scale;
    this.view = { scale, x: x - (x - v.x) * by, y: y - (y - v.y) * by };
    this.render();
  }

  // ---- what is shown ----

  set({
    threshold = this.threshold,
    avoiding = this.avoiding,
    selected = this.selected,
    found = this.found,
  }) {
    Object.assign(this, { threshold, avoiding, selected, found });
    if (this.width) this.render();
  }

  /** Most topics avoid most others a little, so that is shown of the selected one alone. */
  shownPairs() {
    const touches = (p) => p.i === this.selected || p.j === this.selected;
    return this.model.pairs.filter(
      (p) =>
        (together(p) && p.lower > this.threshold) ||
        (this.avoiding && touches(p) && apart(this.model, p) && -p.upper > this.threshold),
    );
  }

  render() {
    const { x, y, scale } = this.view;
    for (const node of this.nodes) {
      node.px = x + scale * node.x;
      node.py = y + scale * node.y;
      node.pr = Math.max(
        leastRadius(this.model.K),
        node.radius * Math.sqrt(Math.min(2, Math.max(0.35, scale))),
      );
      node.g.setAttribute(
        "transform",
        `translate(${node.px.toFixed(1)} ${node.py.toFixed(1)})`,
      );
      node.circle.setAttribute("r", node.pr.toFixed(1));
      node.number.setAttribute("font-size", numberSize(node.pr).toFixed(1));
    }
    const pairs = this.shownPairs();
    this.markNodes(pairs);
    this.edgeLayer.replaceChildren(...pairs.map((p) => this.edge(p)));
    this.drawLabels(pairs);
  }

  markNodes(pairs) {
    const near = new Set(
      pairs
        .filter((p) => p.i === this.selected || p.j === this.selected)
        .flatMap((p) => [p.i, p.j]),
    );
    for (const node of this.nodes) {
      const k = node.topic.k;
      node.claims = k === this.selected;
      node.near = near.has(k);
      node.faded = this.found ? !this.found.has(k) : false;
      node.g.classList.toggle("selected", k === this.selected);
      node.g.classList.toggle("faded", node.faded);
    }
  }

  edge(pair) {
    const a = this.nodes[pair.i],
      b = this.nodes[pair.j];
    const width = (r) => (10 * Math.max(0, Math.abs(r)) ** 1.2 + 0.4).toFixed(2);
    const [inner, outer] = pair.r > 0 ? [pair.lower, pair.upper] : [pair.upper, pair.lower];
    const touches = pair.i === this.selected || pair.j === this.selected;
    const faded = a.faded || b.faded;
    const within = pair.r > 0 && a.group >= 0 && a.group === b.group;
    const ends = {
      x1: a.px.toFixed(1),
      y1: a.py.toFixed(1),
      x2: b.px.toFixed(1),
      y2: b.py.toFixed(1),
    };
    return s(
      "g",
      {
        class: `edge${pair.r < 0 ? " avoid" : ""}${touches ? " touches" : ""}${faded ? " faded" : ""}`,
        style: within && `--edge:${colourOf(a.topic)};--edge-band:${colourOf(a.topic)}`,
      },
      s("line", { class: "band", ...ends, "stroke-width": width(outer) }),
      s("line", { class: "core", ...ends, "stroke-width": width(inner) }),
      s(
        "title",
        {},
        `${a.topic.short} \u2013 ${b.topic.short}: correlation ${correlation(pair.r)}, about ${interval(pair.lower, pair.upper, correlation)}`,
      ),
    );
  }

  /** The selected topic's label comes first, then its neighbours', then by share. */
  drawLabels(pairs) {
    const first = (n) => (n.topic.k === this.selected ? 2 : n.near ? 1 : 0) - (n.faded ? 4 : 0);
    const order = [...this.nodes].sort(
      (a, b) => first(b) - first(a) || b.topic.prevalence - a.topic.prevalence,
    );
    const lines = pairs.map(({ i, j }) => [this.nodes[i], this.nodes[j]]);
    const labels = placeLabels(order, lines, this.width, this.height, LINE);
    this.labelLayer.replaceChildren(
      ...labels.map(({ node, text, x, y, anchor }) =>
        s(
          "text",
          {
            x: x.toFixed(1),
            y: y.toFixed(1),
            "text-anchor": anchor,
            "font-size": FONT,
            class: `${node.topic.k === this.selected ? "selected" : ""}${node.faded ? " faded" : ""}`,
          },
          text,
        ),
      ),
    );
  }

  // ---- keys ----

  /** The nearest node in a direction, seen from the selected one. */
  step(dx, dy) {
    const from = this.nodes[this.selected ?? 0];
    let best = null,
      least = Infinity;
    for (const node of this.nodes) {
      const along = (node.px - from.px) * dx + (node.py - from.py) * dy;
      const across = Math.abs((node.px - from.px) * dy) + Math.abs((node.py - from.py) * dx);
      const cost = along + 2 * across;
      if (node !== from && along > 1 && cost < least) [best, least] = [node, cost];
    }
    if (best) this.onSelect(best.topic.k);
  }
}

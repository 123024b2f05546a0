// SPDX-License-Identifier: BSD-3-Clause
// A topic's number on its colour: the same mark in the graph, in lists and in headings.
import { h } from "../dom.js";

const COLOURS = 8;

export function colourOf(topic) {
  return topic.group < 0 ? "var(--alone)" : `var(--group-${topic.group % COLOURS})`;
}

export function chip(topic) {
  return h("span", { class: "chip", style: `background:${colourOf(topic)}` }, topic.number);
}

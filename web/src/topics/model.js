// SPDX-License-Identifier: BSD-3-Clause
// The topics as the page uses them, from the rounded numbers of the report.
import { communities } from "./communities.js";

const millionth = 1e-6,
  tenThousandth = 1e-4,
  thousandth = 1e-3;

/** [a, b, c, d, ...] in pieces of n */
function pieces(list, n) {
  return Array.from({ length: list.length / n }, (_, i) => list.slice(i * n, i * n + n));
}

function readTopic(topic, k, terms) {
  const frex = pieces(topic.frex, 3).map(([t, p, x]) => ({
    term: terms[t],
    p: p * millionth,
    exclusivity: x * tenThousandth,
  }));
  return {
    k,
    number: k + 1,
    prevalence: topic.prevalence * millionth,
    words: pieces(topic.words, 2).map(([t, p]) => ({ term: terms[t], p: p * millionth })),
    frex,
    documents: topic.documents.map(([name, share]) => ({ name, share: share * tenThousandth })),
    label: frex
      .slice(0, 3)
      .map((w) => w.term)
      .join(", "),
    short: frex
      .slice(0, 2)
      .map((w) => w.term)
      .join(", "),
  };
}

/** Every pair i < j with its correlation r and the ends of its interval. */
function readPairs(flat, K) {
  const list = [];
  for (let i = 0, at = 0; i < K; i++)
    for (let j = i + 1; j < K; j++, at += 3)
      list.push({
        i,
        j,
        r: flat[at] * thousandth,
        lower: flat[at + 1] * thousandth,
        upper: flat[at + 2] * thousandth,
      });
  return list;
}

/** The least correlation, to hundredths, that leaves few enough edges to be read. */
function readableThreshold(pairs, K) {
  const lower = pairs
    .map((p) => p.lower)
    .filter((x) => x > 0)
    .sort((a, b) => b - a);
  const most = Math.round(1.6 * K);
  return lower.length > most ? Math.ceil(lower[most] * 100) / 100 : 0;
}

export function readTopics(data) {
  const K = data.topics.length;
  const topics = data.topics.map((topic, k) => readTopic(topic, k, data.terms));
  const pairs = readPairs(data.pairs, K);
  const threshold = readableThreshold(pairs, K);
  const edges = pairs.filter((p) => p.lower > threshold);
  const groups = communities(
    K,
    edges,
    topics.map((t) => t.prevalence),
  );
  const any = groups.some((group) => group >= 0); // without, one colour for all
  groups.forEach((group, k) => {
    topics[k].group = any ? group : 0;
  });
  return { K, topics, pairs, threshold, unrelated: -1 / Math.max(1, K - 1) };
}

/** The pairs of topic k, the strongest first, each with the other topic. */
export function neighbours(model, k) {
  return model.pairs
    .filter((p) => p.i === k || p.j === k)
    .map((p) => ({ ...p, other: model.topics[p.i === k ? p.j : p.i] }))
    .sort((a, b) => Math.abs(b.r) - Math.abs(a.r));
}

/** Surely together: the whole interval is above 0. */
export function together(pair) {
  return pair.lower > 0;
}

/** Surely avoiding each other: below what topics have that are unrelated. */
export function apart(model, pair) {
  return pair.upper < model.unrelated;
}

/** The word of a topic that fits what was typed best: its start, then any part. */
export function findWord(topic, typed) {
  const all = [...topic.words, ...topic.frex];
  return (
    all.find((w) => w.term.toLowerCase() === typed) ??
    all.find((w) => w.term.toLowerCase().startsWith(typed)) ??
    (typed.length > 2 ? all.find((w) => w.term.toLowerCase().includes(typed)) : undefined)
  );
}

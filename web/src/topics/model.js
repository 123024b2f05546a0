// SPDX-License-Identifier: BSD-3-Clause
// The topics as the page uses them, from the rounded numbers of the report.

const millionth = 1e-6,
  tenThousandth = 1e-4;

/** [a, b, c, d, ...] in pieces of n */
function pieces(list, n) {
  return Array.from({ length: list.length / n }, (_, i) => list.slice(i * n, i * n + n));
}

function firstWords(frex, n) {
  return frex
    .slice(0, n)
    .map((w) => w.term)
    .join(", ");
}

/** own: the label that somebody gave the topic, or null */
function readTopic(topic, k, terms, own) {
  const frex = pieces(topic.frex, 3).map(([t, p, x]) => ({
    term: terms[t],
    p: p * millionth,
    frex: x * tenThousandth,
  }));
  return {
    k,
    number: k + 1,
    group: topic.group,
    prevalence: topic.prevalence * millionth,
    words: pieces(topic.words, 2).map(([t, p]) => ({ term: terms[t], p: p * millionth })),
    frex,
    documents: topic.documents.map(([name, share]) => ({ name, share: share * tenThousandth })),
    label: own ?? firstWords(frex, 3),
    short: own ?? firstWords(frex, 2),
    own: own !== null,
  };
}

/** Every pair i < j with its correlation r and the ends of its interval. Divided, not
    multiplied: what is equal as a text is then equal as a number, as the threshold needs. */
function readPairs(flat, K) {
  const list = [];
  for (let i = 0, at = 0; i < K; i++)
    for (let j = i + 1; j < K; j++, at += 3)
      list.push({
        i,
        j,
        r: flat[at] / 1000,
        lower: flat[at + 1] / 1000,
        upper: flat[at + 2] / 1000,
      });
  return list;
}

/** Colours and the first threshold are the program's, so that its pictures have them, too. */
export function readTopics(data) {
  const K = data.topics.length;
  return {
    K,
    topics: data.topics.map((topic, k) => readTopic(topic, k, data.terms, data.info.labels?.[k] ?? null)),
    pairs: readPairs(data.pairs, K),
    threshold: data.threshold / 100,
    time: data.time ?? null,
    content: data.content ?? null,
    stability: data.info.stability ?? null,
    merged: data.info.merged?.topic ?? null,
    unrelated: -1 / Math.max(1, K - 1),
  };
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

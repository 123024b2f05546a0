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
    t,
    term: terms[t],
    p: p * millionth,
    frex: x * tenThousandth,
  }));
  return {
    k,
    number: k + 1,
    group: topic.group,
    prevalence: topic.prevalence * millionth,
    words: pieces(topic.words, 4).map(([t, p, common, exclusive]) => ({
      t,
      term: terms[t],
      p: p * millionth,
      common: common * tenThousandth,
      exclusive: exclusive * tenThousandth,
    })),
    frex,
    documents: topic.documents.map(([name, share, parts]) => ({
      name,
      share: share * tenThousandth,
      parts: parts ?? null,
    })),
    ...named(frex, own),
  };
}

/** What a topic is called: as somebody has labelled it, or by its first words. */
function named(frex, own) {
  return {
    label: own ?? firstWords(frex, 3),
    short: own ?? firstWords(frex, 2),
    own: own !== null,
  };
}

export function relabel(topic, own) {
  Object.assign(topic, named(topic.frex, own || null));
}

/** Of a term: how frequent it is, and its topics with their shares of its occurrences. */
function readHome(home) {
  if (!home) return { p: 0, topics: [] };
  return {
    p: home[0] * 1e-7,
    topics: pieces(home[1], 2).map(([k, share]) => ({ k, share: share * tenThousandth })),
  };
}

/** \u03bb log p + (1 - \u03bb) log(p / p in all), by Sievert and Shirley; 1 is the order of p. */
export function byRelevance(model, topic, lambda) {
  if (lambda >= 1) return topic.words;
  const score = (w) =>
    w.p > 0 && model.homes[w.t].p > 0
      ? Math.log(w.p) - (1 - lambda) * Math.log(model.homes[w.t].p)
      : -Infinity;
  return sortedBy(topic.words, score);
}

/** FREX with that weight of exclusivity; 1/2 is the program's. */
export function byFrex(topic, weight) {
  if (weight === 0.5) return topic.frex;
  const score = (w) => 1 / (weight / w.exclusive + (1 - weight) / w.common);
  return sortedBy(topic.words, score).map((w) => ({ ...w, frex: score(w) }));
}

/** The largest first, of equals as they come. */
function sortedBy(list, score) {
  return list
    .map((item) => [score(item), item])
    .sort(([a], [b]) => b - a || 0)
    .map(([, item]) => item);
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
    terms: data.terms,
    homes: data.homes.map(readHome),
    choice: { lambda: 1, weight: 0.5 },
    pairs: readPairs(data.pairs, K),
    threshold: data.threshold / 100,
    time: data.time ?? null,
    content: data.content ?? null,
    effects: data.effects ?? [],
    stability: data.info.stability ?? null,
    merged: data.info.merged?.topic ?? null,
    understated: Boolean(data.info.mixing?.few_words && !data.info.mixing.averaged), // correlations, in short documents
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

/** What stands beside correlations. */
export function aboutIntervals(model) {
  const text = "interval of about 95\u00a0%";
  return model.understated ? `${text}; likely too near 0, since documents are short` : text;
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

// SPDX-License-Identifier: BSD-3-Clause
// From numbers to places, and where the marks of an axis stand.

/** Maps [a, b] to [from, to]; a constant domain maps to the middle. */
export function linear([a, b], [from, to]) {
  if (a === b) return () => (from + to) / 2;
  return (x) => from + ((x - a) / (b - a)) * (to - from);
}

/** About n round numbers within [a, b]: steps of 1, 2 or 5 times a power of ten, the one
    closest to (b - a) / n. */
export function ticks(a, b, n = 5) {
  if (!(b > a)) return [a];
  const rough = (b - a) / n;
  const power = 10 ** Math.floor(Math.log10(rough));
  const away = (m) => Math.abs(Math.log((m * power) / rough));
  const step = power * [1, 2, 5, 10].reduce((best, m) => (away(m) < away(best) ? m : best));
  const list = [];
  for (let i = Math.ceil(a / step - 1e-9); i * step <= b + step * 1e-9; i++)
    list.push(Number((i * step).toPrecision(12)));
  return list;
}

/** The same for logarithms. */
export function logarithmic(domain, range) {
  const place = linear(domain.map(Math.log), range);
  return (x) => place(Math.log(x));
}

/** Powers of ten within [a, b], with 2 and 5 times them where there is room for n in all;
    round numbers where that is too few. */
export function logTicks(a, b, n) {
  const within = (factors) => {
    const list = [];
    for (let e = Math.floor(Math.log10(a)); e <= Math.log10(b) + 1e-9; e++)
      for (const m of factors) list.push(Number((m * 10 ** e).toPrecision(12)));
    return list.filter((x) => x >= a * (1 - 1e-9) && x <= b * (1 + 1e-9));
  };
  const lists = [[1, 2, 5], [1, 3], [1]].map(within);
  const list = lists.find((l) => l.length <= n + 1) ?? lists[2];
  return list.length > 1 ? list : ticks(a, b, n);
}

/** All ticks with as many decimals as their step needs. */
export function tickText(list) {
  const step = list.length > 1 ? list[1] - list[0] : Math.abs(list[0]) || 1;
  const decimals = Math.max(0, Math.min(8, -Math.floor(Math.log10(step) + 1e-9)));
  return list.map((x) => x.toFixed(decimals).replace("-", "\u2212"));
}

/** The range of numbers, a little wider at both ends. */
export function extent(numbers, margin = 0.04) {
  const finite = numbers.filter((x) => x != null && Number.isFinite(x));
  if (finite.length === 0) return [0, 1];
  const low = finite.reduce((a, b) => Math.min(a, b));
  const high = finite.reduce((a, b) => Math.max(a, b));
  const more = (high - low || Math.abs(high) || 1) * margin;
  return [low - more, high + more];
}

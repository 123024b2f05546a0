// SPDX-License-Identifier: BSD-3-Clause
// Numbers as people read them.

// A number that rounds to zero has no sign.
const minus = (text) => (/^-[0.]*$/.test(text) ? text.slice(1) : text.replace("-", "\u2212"));

/** 1234567 -> "1,234,567" */
export function count(n) {
  return n.toLocaleString("en-US");
}

/** A share of 1 as a percentage: 0.123 -> "12.3 %". */
export function percent(x, digits = 1) {
  return `${(100 * x).toFixed(digits)}\u00a0%`;
}

/** To three significant digits, without an exponent where that is short. */
export function number(x, digits = 3) {
  if (x == null || !Number.isFinite(x)) return "\u2013";
  if (x !== 0 && (Math.abs(x) < 1e-4 || Math.abs(x) >= 1e6))
    return minus(x.toExponential(digits - 1));
  const decimals = x === 0 ? 0 : Math.max(0, digits - 1 - Math.floor(Math.log10(Math.abs(x))));
  return minus(x.toFixed(Math.min(decimals, 8)));
}

/**
 * As the terminal's tables have it: four significant digits, or all of a whole number. A
 * number that is not 0 is not written as one.
 */
export function significant(x) {
  if (x == null || !Number.isFinite(x)) return number(x);
  const size = Math.abs(x);
  if (size >= 9999.5 && size < 1e7) return minus(x.toFixed(0));
  const short = x !== 0 && (size < 1e-4 || size >= 1e7);
  const digits = short ? x.toExponential(3) : String(Number(x.toPrecision(4)));
  return minus(digits.replace(/\.?0+e/, "e"));
}

/** How to write numbers of one table: with the decimals that half of their sds call for. */
export function alike(sds) {
  const sorted = sds.filter((x) => x > 0 && Number.isFinite(x)).sort((a, b) => a - b);
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? 1;
  const decimals = Math.max(0, 1 - Math.floor(Math.log10(middle)));
  if (decimals > 6) return number;
  return (x) => (x == null || Math.abs(x) >= 1e7 ? number(x) : minus(x.toFixed(decimals)));
}

/** A correlation: always with its sign. */
export function correlation(r) {
  return (r < 0 ? "\u2212" : "+") + Math.abs(r).toFixed(2);
}

export function interval(lower, upper, format = number) {
  return `${format(lower)} to ${format(upper)}`;
}

export function plural(n, word) {
  return `${count(n)} ${word}${n === 1 ? "" : "s"}`;
}

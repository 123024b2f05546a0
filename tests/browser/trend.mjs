// SPDX-License-Identifier: BSD-3-Clause
// Usage: node trend.mjs REPORT.html
// A fit that stopped early says so at the top; the trend over a skewed number fills its
// axis, whose numbers are whole; intervals of correlations stay in their column.
import assert from "node:assert/strict";
import { atEachSize } from "./check.mjs";

const trend = '.chart[aria-label="Share by size_kb"]';

async function saysThatItStopped(page) {
  assert.match(await page.textContent(".unfinished"), /before convergence after 2 iterations/);
  const above = await page.$eval(".unfinished", (note) =>
    Boolean(note.compareDocumentPosition(document.querySelector("main")) & 4),
  );
  assert.ok(above, "the note is not above the topics");
}

async function trendFillsItsAxis(page) {
  assert.match(await page.textContent(`${trend} .axis-name`), /^size_kb \(log scale\)$/);
  const places = await page.$eval(`${trend} polyline`, (line) =>
    line
      .getAttribute("points")
      .split(" ")
      .map((p) => Number(p.split(",")[0])),
  );
  const [first, middle, last] = [places[0], places[places.length >> 1], places.at(-1)];
  assert.ok(middle - first > 0.25 * (last - first), `squeezed: ${places}`);
  const cut = await page.$eval(trend, (chart) => {
    const frame = chart.getBoundingClientRect();
    return [...chart.querySelectorAll("text")].filter((text) => {
      const box = text.getBoundingClientRect();
      return box.left < frame.left || box.right > frame.right;
    }).length;
  });
  assert.equal(cut, 0, "numbers of the axis are cut");
}

async function intervalsStayInPlace(page) {
  const stray = await page.$$eval(".neighbours button", (rows) =>
    rows.filter((row) => {
      const label = row.querySelector(".words").getBoundingClientRect();
      const range = row.querySelector(".range").getBoundingClientRect();
      return range.left < label.right;
    }).length,
  );
  assert.equal(stray, 0, "intervals run through labels");
}

await atEachSize(process.argv[2], async (page) => {
  await saysThatItStopped(page);
  await trendFillsItsAxis(page);
  await intervalsStayInPlace(page);
});

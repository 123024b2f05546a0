// SPDX-License-Identifier: BSD-3-Clause
// Usage: node curves.mjs REPORT.html CURVES SDS SERIES DOTS
// The curves of a regression in a real browser: so many, with their bands, and so many sds and
// what stands beside them; SERIES that can be chosen; whether there are DOTS for rows.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName, settle } from "./check.mjs";

const file = process.argv[2];
const [curves, sds, series, dots] = process.argv.slice(3, 7).map(Number);
const inside = "section[aria-labelledby=curves]";

await atEachSize(file, async (page) => {
  const count = (selector) => page.locator(`${inside} ${selector}`).count();
  assert.equal(await count("figure.curve"), curves);
  assert.equal(await count(".chart polyline.line"), curves);
  assert.equal(await count(".chart polygon.area"), curves);
  assert.equal(await count(".rows tbody tr:not(.axis-row)"), sds);
  assert.equal(await count("select option"), series);
  assert.equal((await count(".chart circle.dot")) > 0, dots > 0);
  await everyControlHasAName(page);
  if (series === 0) return;
  const line = () => page.locator(`${inside} polyline.line`).first().getAttribute("points");
  const before = await line();
  await page.locator(`${inside} select`).selectOption({ index: 1 });
  await settle(page);
  await settle(page);
  assert.notEqual(await line(), before);
});

// SPDX-License-Identifier: BSD-3-Clause
// Usage: node effects.mjs REPORT.html
// A report with curves of a regression: a band for each group over numbers, rows for
// categories of the one topic that has them, and differences.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName, settle } from "./check.mjs";

const part = (page, title) => page.locator(`.part:has(> h3:text-is("${title}"))`);

await atEachSize(process.argv[2], async (page) => {
  await page.click('.topic[data-topic="2"]');
  await settle(page);
  const curves = part(page, "Share over year and half");
  assert.equal(await curves.locator("polyline").count(), 2);
  assert.equal(await curves.locator("polygon").count(), 2);
  assert.match(await curves.locator(".legend").textContent(), /even.*odd/);
  assert.match(await curves.locator("> .note").textContent(), /^~ half \+ year; other covariates/);
  const rows = part(page, "Share over half");
  assert.deepEqual(await rows.locator(".levels .words").allTextContents(), ["even", "odd"]);
  const differences = part(page, "Differences by half over year");
  assert.equal(await differences.locator("polyline").count(), 1);
  const box = await curves.locator("svg").boundingBox();
  const place = await curves.boundingBox();
  assert.ok(box.width <= place.width + 1, "the chart is wider than its place");
  await everyControlHasAName(page);
  await page.click('.topic[data-topic="1"]');
  await settle(page);
  assert.equal(await part(page, "Share over half").count(), 0, "of another topic");
  assert.equal(await curves.count(), 1);
});

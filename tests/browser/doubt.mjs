// SPDX-License-Identifier: BSD-3-Clause
// Usage: node doubt.mjs REPORT.html
// A report of documents that are short for so many topics: that correlations are too near 0
// stands beside each of them, on the page and in its table.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName } from "./check.mjs";

await atEachSize(process.argv[2], async (page) => {
  const doubt = page.locator(".graph-card .doubt");
  assert.match(await doubt.textContent(), /short for so many topics/);
  assert.ok(await doubt.isVisible());
  const told = /likely too near 0, since documents are short$/;
  const notes = await page.locator(".part:has(.neighbours) > .note").allTextContents();
  assert.ok(notes.length > 0 && notes.every((note) => told.test(note)), notes.join("; "));
  await page.click("summary:text('Table')");
  assert.match(await page.textContent("caption"), told);
  const graph = await page.locator(".graph").boundingBox();
  assert.ok(graph.height > 250, "the doubt leaves the graph too little room");
  await everyControlHasAName(page);
});

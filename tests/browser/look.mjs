// SPDX-License-Identifier: BSD-3-Clause
// Usage: node look.mjs REPORT.html EFFECTS COLUMNS
// A look at a regression in a real browser: so many curves of effects, first on the page, with their
// bands or intervals, and residuals by so many columns, the fitted value among them.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName } from "./check.mjs";

const file = process.argv[2];
const [effects, columns] = process.argv.slice(3, 5).map(Number);

await atEachSize(file, async (page) => {
  const count = (id, selector) =>
    page.locator(`section[aria-labelledby=${id}] ${selector}`).count();
  assert.equal(await page.locator("main section h2").first().textContent(), "Effects");
  assert.equal(await count("effects", "figure.curve"), effects);
  assert.ok((await count("effects", ".chart .line, .chart .mark")) >= effects);
  assert.equal(await count("residuals", "figure.curve"), columns + 1);
  assert.ok((await count("residuals", ".chart circle.dot")) > 0);
  assert.ok((await count("replicates", "figure.curve")) > 0);
  assert.ok((await count("influence", ".chart circle.dot")) > 0);
  assert.equal(await page.locator("text=/NaN|undefined|null/").count(), 0);
  const broken = await page
    .locator(".chart [points], .chart [d], .chart circle, .chart line")
    .evaluateAll((list) => list.filter((e) => /NaN|undefined/.test(e.outerHTML)).length);
  assert.equal(broken, 0);
  await everyControlHasAName(page);
});

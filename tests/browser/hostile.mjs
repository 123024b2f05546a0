// SPDX-License-Identifier: BSD-3-Clause
// Usage: node hostile.mjs REPORT.html TITLE
// A title that is a program, and terms that are, are shown and not run.
import assert from "node:assert/strict";
import { atEachSize } from "./check.mjs";

const [file, title] = process.argv.slice(2);

await atEachSize(file, async (page) => {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.textContent("h1"), title);
  assert.equal(await page.title(), title);
  assert.ok(
    (await page.$$eval("tbody th", (cells) => cells.map((c) => c.textContent))).some((t) =>
      t.includes("<img"),
    ),
  );
  assert.equal(await page.locator("script").count(), 2);
  assert.equal(await page.locator("img").count(), 0);
});

// SPDX-License-Identifier: BSD-3-Clause
// Usage: node regression.mjs REPORT.html TERMS GROUPS PARTS
// The report of a regression in a real browser. GROUPS is 0 where there are none.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName, overlaps } from "./check.mjs";

const file = process.argv[2];
const [terms, groups, parts] = process.argv.slice(3).map(Number);
const rowsIn = (id) => `section[aria-labelledby=${id}] .rows tbody tr`;

async function showsAll(page) {
  const count = (selector) => page.locator(selector).count();
  assert.equal(await count(rowsIn("coefficients")), terms);
  assert.equal(await count(`${rowsIn("coefficients")} .range`), terms);
  assert.equal(await count(".chart .mark"), parts);
  assert.equal(await count(".numbers tbody tr"), parts);
  assert.ok((await count(".settings dt")) > 5);
  assert.equal(await count(rowsIn("groups")), groups);
}

async function sortingSorts(page) {
  if (terms < 3) return;
  const means = () =>
    page.$$eval(`${rowsIn("coefficients")} td:nth-child(3)`, (cells) =>
      cells.map((c) => parseFloat(c.textContent.replace("\u2212", "-"))),
    );
  await page.click(".choice >> text=Estimate");
  const list = await means();
  assert.deepEqual(
    list,
    [...list].sort((a, b) => b - a),
  );
}

async function groupsFollowTheTerm(page) {
  if (groups === 0) return;
  const places = () =>
    page.$$eval(`${rowsIn("groups")} .point`, (dots) => dots.map((d) => d.style.left).join());
  const before = await places();
  assert.notEqual(await page.inputValue("#term"), "0", "it begins with the intercept");
  await page.selectOption("#term", "0");
  assert.notEqual(await places(), before);
  assert.equal(await page.locator(`${rowsIn("groups")} .population`).count(), groups);
  assert.ok(
    (await page.locator(`${rowsIn("groups")} .own`).count()) > 0,
    "shrinkage is not shown",
  );
}

/** Numbers of an axis have room, and all that a row says is seen, on a phone as well. */
async function axesAreLegible(page) {
  for (const axis of await page.locator(".plot-axis").all())
    assert.equal(
      await overlaps(axis.locator("span")),
      0,
      "numbers of an axis cover each other",
    );
  assert.ok(
    await page
      .locator(`${rowsIn("coefficients")} .muted`)
      .first()
      .isVisible(),
  );
}

await atEachSize(file, async (page) => {
  for (const check of [
    showsAll,
    everyControlHasAName,
    axesAreLegible,
    sortingSorts,
    groupsFollowTheTerm,
  ])
    await check(page);
});

// SPDX-License-Identifier: BSD-3-Clause
// Usage: node regression.mjs REPORT.html TERMS GROUPS PARTS
// The report of a regression in a real browser. GROUPS is 0 where there are none.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName } from "./check.mjs";

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
  await page.selectOption("#term", "1");
  assert.notEqual(await places(), before);
  assert.equal(await page.locator(`${rowsIn("groups")} .population`).count(), groups);
  assert.ok(
    (await page.locator(`${rowsIn("groups")} .own`).count()) > 0,
    "shrinkage is not shown",
  );
}

await atEachSize(file, async (page) => {
  for (const check of [showsAll, everyControlHasAName, sortingSorts, groupsFollowTheTerm])
    await check(page);
});

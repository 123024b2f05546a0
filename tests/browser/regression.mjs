// SPDX-License-Identifier: BSD-3-Clause
// Usage: node regression.mjs REPORT.html TERMS GROUPS PARTS [separate]
// The report of a regression in a real browser. GROUPS is 0 where there are none; they share
// a prior unless they are separate.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName, overlaps, settle } from "./check.mjs";

const file = process.argv[2];
const [terms, groups, parts] = process.argv.slice(3, 6).map(Number);
const hierarchical = groups > 0 && process.argv[6] !== "separate";
const tableIn = (id) => `section[aria-labelledby=${id}] .rows`;
const rowsIn = (id) => `${tableIn(id)} tbody tr:not(.axis-row)`;
const AT_ONCE = 60; // groups

async function showsAll(page) {
  const count = (selector) => page.locator(selector).count();
  assert.equal(await count(rowsIn("coefficients")), terms);
  assert.equal(await count(`${rowsIn("coefficients")} .range`), terms);
  assert.equal(await count("section[aria-labelledby=calibration] .chart .mark"), parts);
  assert.equal(await count("section[aria-labelledby=calibration] .numbers tbody tr"), parts);
  assert.ok((await count(".settings dt")) > 5);
  assert.equal(await count(rowsIn("groups")), groups);
}

/** How sure the mean of groups is, and where they lie: a thick line and a thin one. */
async function meanAndGroupsStandApart(page) {
  const heads = await page.locator(`${tableIn("coefficients")} thead th`).allTextContents();
  assert.deepEqual(
    heads.slice(1).map((head) => head.replace("\u00a0", " ")),
    hierarchical
      ? ["Mean", "95 % interval", "95 % of groups"]
      : ["Mean", groups > 0 ? "95 % of groups" : "95 % interval"],
  );
  const spreads = page.locator(`${rowsIn("coefficients")} .spread`);
  const shared = await page
    .locator(`${rowsIn("coefficients")} td`, { hasText: /^one for all$/ })
    .count(); // a scale
  assert.equal((await spreads.count()) + shared, hierarchical ? terms : 0);
  assert.ok(shared <= 1);
  if (!hierarchical) return;
  const thin = await spreads.first().boundingBox(),
    thick = await page.locator(`${rowsIn("coefficients")} .range`).first().boundingBox();
  assert.ok(thin.height < thick.height && thin.width !== thick.width);
}

/** In the page: whether what an element holds is within all around it that would cut it. */
function isWhole(element) {
  const parts = [...element.children].map((e) => e.getBoundingClientRect());
  for (let e = element; e !== document.body; e = e.parentElement) {
    const around = e.getBoundingClientRect();
    if (getComputedStyle(e).overflowX === "visible") continue;
    if (parts.some((p) => p.left < around.left || p.right > around.right)) return false;
  }
  return true;
}

/** A phone has room for every number, side by side. */
async function numbersHaveRoom(page) {
  const table = page.locator(tableIn("coefficients"));
  const [content, room] = await table.evaluate((e) => [
    e.parentElement.scrollWidth,
    e.parentElement.clientWidth,
  ]);
  assert.ok(content <= room, `the table is ${content} wide in a room of ${room}`);
  for (const row of await page.locator(`${rowsIn("coefficients")}`).all())
    assert.equal(await overlaps(row.locator("th, .value")), 0, "numbers cover each other");
}

/** The rows over each axis. */
async function sortingSorts(page) {
  if (terms < 3) return;
  const means = () =>
    page.$$eval(`${tableIn("coefficients")} tbody`, (parts) =>
      parts.map((part) =>
        [...part.querySelectorAll("tr:not(.axis-row) td:nth-child(3)")].map((cell) =>
          parseFloat(cell.textContent.replace("\u2212", "-")),
        ),
      ),
    );
  await page.click(".choice >> text=Estimate");
  for (const list of await means())
    assert.deepEqual(
      list,
      [...list].sort((a, b) => b - a),
    );
}

/** A row whose mean lies far from the others' has its dot, over an axis of its own. */
async function everyMeanIsSeen(page) {
  assert.equal(await page.locator(`${rowsIn("coefficients")} .point`).count(), terms);
  const axes = await page.locator(`${tableIn("coefficients")} .axis-row`).count();
  const told = await page.locator("section[aria-labelledby=coefficients] .note").textContent();
  assert.equal(axes > 1, told.includes("own axis"));
}

/** No number is written as 0 that is not: an interval that is clear of 0 is seen to be. */
async function numbersKeepTheirSign(page) {
  const { list, rows } = await page.evaluate((selector) => {
    const data = JSON.parse(document.getElementById("data").textContent);
    const texts = (row) => [...row.children].map((cell) => cell.textContent);
    return {
      list: data.mean_of_groups ?? data.terms,
      rows: [...document.querySelectorAll(selector)].map(texts),
    };
  }, rowsIn("coefficients"));
  for (const term of list) {
    const shown = rows.find(([name]) => name === term.name);
    const ends = shown[3].split(" to ").map((text) => parseFloat(text.replace("\u2212", "-")));
    assert.deepEqual(ends.map(Math.sign), [term.lower, term.upper].map(Math.sign));
  }
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
  const own = await page.locator(`${rowsIn("groups")} .own`).count();
  assert.equal(own > 0, hierarchical, "shrinkage is shown where there is some");
}

/** Groups are seen without an inner scroll bar: all, or of many the ends until one asks. */
async function groupsAreSeen(page) {
  if (groups === 0) return;
  const seen = () =>
    page.$$eval(rowsIn("groups"), (rows) => rows.filter((r) => r.offsetHeight > 0).length);
  const hidden = await page.$eval(".groups", (e) => e.scrollHeight - e.clientHeight);
  assert.ok(hidden <= 1, `${hidden} pixels of the groups are hidden`);
  assert.equal(await seen(), Math.min(groups, AT_ONCE));
  const button = page.locator("button.all");
  assert.equal(await button.count(), groups > AT_ONCE ? 1 : 0);
  await page.emulateMedia({ media: "print" });
  assert.equal(await seen(), groups, "paper leaves out groups");
  await page.emulateMedia({ media: "screen" });
  if (groups <= AT_ONCE) return;
  assert.equal(await button.textContent(), `Show all ${groups}`);
  await button.click();
  assert.equal(await seen(), groups);
  assert.equal(await button.getAttribute("aria-expanded"), "true");
  await button.click();
  assert.equal(await seen(), AT_ONCE);
}

/** In the page: whether what is seen at the middle and at both edges of an element is it. */
function isOnTop(element) {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [left + 1, (left + right) / 2, right - 1].every((x) =>
    element.contains(document.elementFromPoint(x, (top + bottom) / 2)),
  );
}

/** While one scrolls through groups their head stays above and their axis below. */
async function headAndAxisStayApart(page) {
  if (groups < 20) return;
  const scrollTo = async (locator, block) => {
    await locator.evaluate((e, where) => e.scrollIntoView({ block: where }), block);
    await settle(page);
  };
  const head = page.locator(`${tableIn("groups")} thead th`).last();
  await page.evaluate(() => scrollTo(0, 0));
  await scrollTo(head, "end");
  assert.ok(await head.evaluate(isOnTop), "the head of the groups is covered below");
  await scrollTo(page.locator(rowsIn("groups")).nth(12), "start");
  const above = await head.boundingBox(),
    axis = await page.locator(`${tableIn("groups")} tfoot .plot-cell`).boundingBox();
  assert.ok(above.y + above.height < axis.y, "the axis of the groups covers their head");
  assert.ok(await head.evaluate(isOnTop), "the head of the groups is covered");
  for (const part of await page.locator(`${tableIn("groups")} .plot-axis span`).all())
    assert.ok(await part.evaluate(isOnTop), "a number of the axis is covered");
}

/** What the fit knows of its rows. */
async function rowsAndWeightsAreTold(page) {
  const info = await page.evaluate(
    () => JSON.parse(document.getElementById("data").textContent).info,
  );
  const told = await page.$$eval(".settings div", (rows) =>
    Object.fromEntries(rows.map((r) => [r.firstChild.textContent, r.lastChild.textContent])),
  );
  assert.ok(told.Rows.startsWith(info.rows.toLocaleString("en-US")));
  assert.ok(told.Rows.includes(info.dropped ? `${info.dropped} left out` : "none left out"));
  assert.equal(told.Weights?.split(",")[0], info.weights);
  assert.equal(told.Levels, info.levels ?? undefined);
  const facts = await page.locator(".facts").textContent();
  assert.equal(facts.includes("levels "), info.levels != null);
  assert.ok(told.Method.startsWith(info.method));
  assert.ok((await page.locator("#fit + .note").textContent()).includes(`by ${info.method} `));
}

/** Numbers of an axis have room, and all that a row says is seen, on a phone as well. */
async function axesAreLegible(page) {
  for (const axis of await page.locator(".plot-axis").all()) {
    assert.equal(
      await overlaps(axis.locator("span")),
      0,
      "numbers of an axis cover each other",
    );
    assert.ok(await axis.evaluate(isWhole), "the last number of an axis is cut off");
  }
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
    meanAndGroupsStandApart,
    numbersHaveRoom,
    everyControlHasAName,
    axesAreLegible,
    sortingSorts,
    groupsFollowTheTerm,
    groupsAreSeen,
    everyMeanIsSeen,
    numbersKeepTheirSign,
    headAndAxisStayApart,
    rowsAndWeightsAreTold,
  ]) {
    await check(page);
    await settle(page);
  }
});

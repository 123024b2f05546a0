// SPDX-License-Identifier: BSD-3-Clause
// Usage: node topics.mjs REPORT.html TOPICS LEVELS DROPPED
// The report of a topic model in a real browser: what it shows, and that hands and keys work.
import assert from "node:assert/strict";
import {
  atEachSize,
  everyControlHasAName,
  everyNodeHasItsNumber,
  overlaps,
  settle,
} from "./check.mjs";

const file = process.argv[2];
const [topics, levels, dropped] = process.argv.slice(3).map(Number);

const selected = (page) => page.getAttribute(".topic[aria-current]", "data-topic").then(Number);
const heading = (page) => page.textContent("#topic");
const count = (page, selector) => page.locator(selector).count();

async function agree(page, number) {
  assert.equal(await selected(page), number);
  assert.equal(await page.getAttribute(".node.selected", "data-topic"), String(number));
  assert.match(await page.textContent(".over"), new RegExp(`^Topic ${number} `));
}

async function showsAll(page) {
  assert.equal(await count(page, ".node"), topics);
  assert.equal(await count(page, ".topic"), topics);
  assert.equal(await count(page, ".doubt"), 0, "doubts a fit that is fine");
  assert.ok((await count(page, ".edge")) > 0, "no edges");
  assert.ok((await count(page, ".labels text")) >= topics / 2, "few labels");
  assert.equal(await overlaps(page.locator(".labels text")), 0, "labels cover each other");
  assert.equal(await count(page, ".pair .bars"), 2);
  assert.ok((await count(page, ".documents li")) > 0);
  assert.equal(await count(page, ".levels li"), Math.min(levels, 10));
  assert.equal(await count(page, ".chart polyline"), 1);
  assert.ok((await count(page, ".settings dt")) > 5);
}

/** The trend tells how many documents it is without. */
async function trendCounts(page) {
  const note = await page.textContent(".part:has(.levels) .note");
  assert.ok(note.endsWith(`; ${dropped} documents without section left out`), note);
}

/** Colours are those that the program has found, in the graph and in the list. */
async function coloursAreTheProgram(page) {
  const groups = await page.evaluate(() =>
    JSON.parse(document.getElementById("data").textContent).topics.map((t) => t.group),
  );
  const wanted = groups.map((g) => (g < 0 ? "var(--alone)" : `var(--group-${g % 8})`));
  for (let k = 0; k < topics; k++)
    for (const selector of [".node", ".topic"]) {
      const mark = page.locator(`${selector}[data-topic="${k + 1}"] :is(circle, .chip)`);
      assert.ok((await mark.getAttribute("style")).includes(wanted[k]));
    }
}

/** Words by FREX are sorted by it, and it is a number up to 1. */
async function frexSorts(page) {
  const values = await page.$$eval(".pair .part:nth-child(2) .value", (list) =>
    list.map((v) => Number(v.textContent)),
  );
  assert.ok(values.length > 0 && values.every((x) => x > 0 && x <= 1));
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  );
}

/** Shares have one unit. */
async function sharesAreInPercent(page) {
  const shares = await page
    .locator(".topic .value, .documents .value, .levels .value, .pair .part:first-child .value")
    .allTextContents();
  assert.ok(shares.length > topics && shares.every((text) => /^[\d.]+\u00a0%$/.test(text)));
}

async function clicksSelect(page) {
  for (const number of [2, topics]) {
    await page.click(`.topic[data-topic="${number}"]`);
    await agree(page, number);
    assert.ok(page.url().endsWith(`#topic-${number}`));
  }
  await page.locator('.node[data-topic="1"]').scrollIntoViewIfNeeded();
  await page.click('.node[data-topic="1"] circle');
  await agree(page, 1);
  const before = await heading(page);
  await page.click(".neighbours button >> nth=0");
  assert.notEqual(await heading(page), before);
}

async function keysWork(page) {
  await page.focus(".topic[aria-current]");
  await page.keyboard.press("Home");
  const first = await selected(page);
  await page.keyboard.press("ArrowDown");
  assert.notEqual(await selected(page), first);
  await page.keyboard.press("ArrowUp");
  await agree(page, first);

  await page.focus("svg.graph");
  const tried = [];
  for (const key of ["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]) {
    await page.keyboard.press(key);
    tried.push(await selected(page));
  }
  assert.ok(new Set(tried).size > 1, "arrows do not move in the graph");
  const place = () =>
    page.$$eval(".node", (nodes) => nodes.map((n) => n.getAttribute("transform")).join());
  const whole = await place();
  await page.keyboard.press("+");
  assert.notEqual(await place(), whole);
  await page.keyboard.press("0");
  assert.equal(await place(), whole);
}

async function searchFinds(page) {
  await page.keyboard.press("/");
  await page.keyboard.type("game");
  assert.ok((await count(page, ".topic")) < topics);
  assert.ok((await count(page, ".node.faded")) > 0);
  assert.match(await page.textContent(".topic"), /game/);
  await page.keyboard.press("Enter");
  await page.focus("input[type=search]");
  await page.keyboard.press("Escape");
  assert.equal(await count(page, ".topic"), topics);
  assert.equal(await count(page, ".node.faded"), 0);
}

async function sortingSorts(page) {
  const numbers = () =>
    page.$$eval(".topic", (rows) => rows.map((r) => Number(r.dataset.topic)));
  await page.click(".list .choice >> text=Number");
  assert.deepEqual(
    await numbers(),
    Array.from({ length: topics }, (_, k) => k + 1),
  );
  await page.click(".list .choice >> text=Share");
  const shares = await page.$$eval(".topic .value", (values) =>
    values.map((v) => parseFloat(v.textContent)),
  );
  assert.deepEqual(
    shares,
    [...shares].sort((a, b) => b - a),
  );
}

async function tableTellsTheSame(page) {
  const edges = await count(page, ".edge");
  await page.click("summary >> text=Table");
  assert.equal(await count(page, ".sheet tbody tr"), edges);
  await page.keyboard.press("Escape");
  assert.equal(await page.isVisible(".sheet tbody tr >> nth=0"), false);
  const most = await page.getAttribute("input[type=range]", "max");
  await page.fill("input[type=range]", String(Number(most))); // 0.3, as the page has it, not 0.30
  assert.ok((await count(page, ".edge")) < edges, "the slider hides nothing");
}

async function nodesCanBeDragged(page) {
  const node = page.locator(".node").first();
  await node.scrollIntoViewIfNeeded();
  const box = await node.locator("circle").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y + 20, { steps: 4 });
  await page.mouse.up();
  const moved = await node.locator("circle").boundingBox();
  assert.ok(Math.abs(moved.x - box.x - 30) < 2 && Math.abs(moved.y - box.y - 20) < 2);
}

/** Fingers that go along: path(part) tells where each is, for part from 0 to 1. */
async function touch(page, path) {
  const cdp = await page.context().newCDPSession(page);
  const send = (type, touchPoints) =>
    cdp.send("Input.dispatchTouchEvent", { type, touchPoints });
  await send("touchStart", path(0));
  for (let step = 1; step <= 6; step++) {
    await send("touchMove", path(step / 6));
    await settle(page);
  }
  await send("touchEnd", []);
  await settle(page);
}

/** Two fingers around the middle of the graph, first `from` pixels apart and then `to`. */
async function pinch(page, from, to) {
  const box = await page.locator("svg.graph").boundingBox();
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  await touch(page, (part) => {
    const half = (from + (to - from) * part) / 2;
    return [
      { x: x - half, y },
      { x: x + half, y },
    ];
  });
}

/** How far the outermost nodes are from each other. */
const spread = (page) =>
  page.$$eval(".node circle", (circles) => {
    const x = circles.map((c) => c.getBoundingClientRect().x);
    return Math.max(...x) - Math.min(...x);
  });

async function fingersWork(page, size) {
  if (size !== "phone") return;
  await page.locator("svg.graph").scrollIntoViewIfNeeded();
  const [whole, scrolled] = [await spread(page), await page.evaluate(() => scrollY)];
  await pinch(page, 60, 120);
  const near = await spread(page);
  assert.ok(Math.abs(near / whole - 2) < 0.1, `apart by 2, the graph grew by ${near / whole}`);
  await pinch(page, 120, 60);
  assert.ok(Math.abs((await spread(page)) / whole - 1) < 0.1, "it does not shrink back");
  assert.equal(await page.evaluate(() => scrollY), scrolled, "two fingers moved the page");
  await page.tap("[aria-label='Show all']");
  await page.tap('.node[data-topic="2"] circle');
  await agree(page, 2);

  const { x, y } = await page.locator("svg.graph").boundingBox();
  const before = await page.evaluate(() => scrollY);
  await touch(page, (part) => [{ x: x + 12, y: y + 300 - 200 * part }]);
  assert.ok((await page.evaluate(() => scrollY)) > before, "one finger moves no page");
}

/** A line tells between what it is and how strong it is; the whiskers have a width. */
async function correlationsAreTold(page) {
  assert.match(
    await page.locator(".edge title").first().textContent(),
    /^.+ \u2013 .+: correlation [+\u2212]\d\.\d\d, about [+\u2212]\d/,
  );
  const widths = await page.$$eval(".neighbours .range", (ranges) =>
    ranges.map((r) => r.getBoundingClientRect().width),
  );
  assert.ok(widths.length > 0 && widths.every((w) => w > 4), `whiskers of ${widths} pixels`);
}

async function themesDiffer(page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click("[aria-label='Switch between light and dark']");
  assert.notEqual(await ground(), before);
}

await atEachSize(file, async (page, size) => {
  for (const check of [
    showsAll,
    (of) => everyNodeHasItsNumber(of, topics),
    trendCounts,
    coloursAreTheProgram,
    frexSorts,
    sharesAreInPercent,
    everyControlHasAName,
    correlationsAreTold,
    clicksSelect,
    keysWork,
    searchFinds,
    sortingSorts,
    tableTellsTheSame,
    nodesCanBeDragged,
    fingersWork,
    themesDiffer,
  ]) {
    await check(page, size);
    await settle(page);
  }
});

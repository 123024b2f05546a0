// SPDX-License-Identifier: BSD-3-Clause
// Usage: node topics.mjs REPORT.html TOPICS LEVELS
// The report of a topic model in a real browser: what it shows, and that hands and keys work.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName, overlaps, settle } from "./check.mjs";

const file = process.argv[2];
const [topics, levels] = process.argv.slice(3).map(Number);

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
  assert.ok((await count(page, ".edge")) > 0, "no edges");
  assert.ok((await count(page, ".labels text")) >= topics / 2, "few labels");
  assert.equal(await overlaps(page, ".labels text"), 0, "labels cover each other");
  assert.equal(await count(page, ".pair .bars"), 2);
  assert.ok((await count(page, ".documents li")) > 0);
  assert.equal(await count(page, ".levels li"), Math.min(levels, 10));
  assert.equal(await count(page, ".chart polyline"), 1);
  assert.ok((await count(page, ".settings dt")) > 5);
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
  await page.fill("input[type=range]", await page.getAttribute("input[type=range]", "max"));
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

async function themesDiffer(page) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click("[aria-label='Switch between light and dark']");
  assert.notEqual(await ground(), before);
}

await atEachSize(file, async (page) => {
  for (const check of [
    showsAll,
    everyControlHasAName,
    clicksSelect,
    keysWork,
    searchFinds,
    sortingSorts,
    tableTellsTheSame,
    nodesCanBeDragged,
    themesDiffer,
  ]) {
    await check(page);
    await settle(page);
  }
});

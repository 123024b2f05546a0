// SPDX-License-Identifier: BSD-3-Clause
// Usage: node text.mjs REPORT.html
// A report with the documents' text: it is shown and not run, words tell of themselves, weights
// and labels can be chosen, and on a phone the list comes first.
import assert from "node:assert/strict";
import { atEachSize, everyControlHasAName, settle } from "./check.mjs";

const file = process.argv[2];
const texts = (page, selector) => page.locator(selector).allTextContents();

async function textIsText(page) {
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.equal(await page.locator("img").count(), 0);
  assert.equal(await page.locator("script").count(), 2);
  assert.match((await texts(page, ".documents .words"))[0], /d\d+<b>/);
  let said = "";
  for (const number of [1, 2, 3]) {
    await page.click(`.topic[data-topic="${number}"]`);
    for (const more of await page.locator(".part .more").all()) await more.click();
    await page.$$eval(".said details", (list) => list.forEach((d) => (d.open = true)));
    said += (await texts(page, ".said .text")).join("");
  }
  assert.match(said, /garden|harbour|guitar/);
  assert.ok(said.includes("<img src=x onerror=window.pwned=1></script>"), "a text is cut");
  assert.equal(await page.evaluate(() => window.pwned), undefined);
  assert.ok((await page.locator(".said .mark").count()) > 10, "no words are marked");
}

async function wordsTell(page) {
  const word = await page.textContent(".pair .word >> nth=0");
  await page.click(".pair .word >> nth=0");
  assert.equal(await page.textContent(".about h3"), `\u201c${word}\u201d`);
  const shares = (await texts(page, ".homes .value")).map(parseFloat);
  assert.ok(shares.length > 0 && shares[0] > 50 && shares[0] <= 100);
  const context = await texts(page, ".context b");
  assert.ok(context.length > 1 && context.every((said) => said.toLowerCase() === word));
  await page.click(".said .mark >> nth=1");
  assert.equal(
    (await page.textContent(".about h3")).slice(1, -1),
    (await page.textContent(".said .mark >> nth=1")).toLowerCase(),
  );
  await page.click(".about [aria-label=Close]");
  assert.equal(await page.locator(".about").count(), 0);
}

async function weightsRank(page) {
  const words = () => texts(page, ".pair .part:first-child .word");
  const before = await words();
  await page.fill(".pair .part:first-child input", "0");
  assert.equal(await page.textContent(".pair .part:first-child h3"), "By relevance");
  await page.fill(".pair .part:first-child input", "1");
  assert.deepEqual(await words(), before);
  await page.fill(".pair .part:nth-child(2) input", "0.9");
  const frex = (await texts(page, ".pair .part:nth-child(2) .value")).map(Number);
  assert.deepEqual(
    frex,
    [...frex].sort((a, b) => b - a),
  );
}

async function labelsStay(page) {
  const label = "<i>mine</i> & yours";
  await page.click(".rename");
  await page.fill(".labelling input", label);
  await page.keyboard.press("Enter");
  assert.equal(await page.textContent("#topic"), label);
  assert.ok((await texts(page, ".topic .words")).includes(label));
  assert.ok((await texts(page, ".node title")).some((t) => t.includes(label)));
  assert.match(
    decodeURIComponent(await page.getAttribute(".save", "href")),
    /^data:text\/plain;charset=utf-8,\d: <i>mine<\/i> & yours\n$/,
  );
  await page.reload();
  await page.waitForSelector("footer");
  assert.ok((await texts(page, ".topic .words")).includes(label), "the label is forgotten");
  await page.evaluate(() => localStorage.clear());
}

async function listComesFirst(page, size) {
  if (size !== "phone") return;
  const top = async (selector) => (await page.locator(selector).boundingBox()).y;
  assert.ok((await top(".list")) < (await top(".detail")));
  assert.ok((await top(".list")) < (await top(".graph-card")));
}

await atEachSize(file, async (page, size) => {
  for (const check of [
    listComesFirst,
    textIsText,
    everyControlHasAName,
    wordsTell,
    weightsRank,
    labelsStay,
  ]) {
    await check(page, size);
    await settle(page);
  }
});

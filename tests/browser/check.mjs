// SPDX-License-Identifier: BSD-3-Clause
// What the tests of reports share: a browser, pages that must stay silent and offline, and
// measures of what they show. CHROMIUM names the browser, PLAYWRIGHT its driver's folder.
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { chromium } = createRequire(import.meta.url)(process.env.PLAYWRIGHT);

export const sizes = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

/** Runs test(page, sizeName) at each size; complaints and requests of the page fail it. */
export async function atEachSize(file, test) {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    args: ["--no-sandbox"],
  });
  try {
    for (const [name, viewport] of Object.entries(sizes)) {
      const page = await browser.newPage({
        viewport,
        hasTouch: name === "phone",
        reducedMotion: "reduce",
      });
      const complaints = [];
      page.on("console", (message) => complaints.push(message.text()));
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("request", (request) => {
        if (!/^(file|data):/.test(request.url())) complaints.push(`asked for ${request.url()}`);
      });
      await page.goto(pathToFileURL(file).href);
      await page.waitForSelector("footer");
      await settle(page);
      await test(page, name);
      await fitsTheWidth(page, name);
      assert.deepEqual(complaints, [], `${file} at ${name} complains`);
      await page.close();
    }
  } finally {
    await browser.close();
  }
}

/** Until what was asked for is drawn. */
export function settle(page) {
  return page.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );
}

export async function fitsTheWidth(page, name) {
  const [content, room] = await page.evaluate(() => [
    document.scrollingElement.scrollWidth,
    innerWidth,
  ]);
  assert.ok(content <= room, `${name}: the page is ${content} wide on a screen of ${room}`);
}

/** How many pairs of a locator's elements cover each other. */
export function overlaps(locator) {
  return locator.evaluateAll((elements) => {
    const boxes = elements.map((e) => e.getBoundingClientRect());
    const slack = 1;
    let count = 0;
    boxes.forEach((a, i) =>
      boxes.slice(i + 1).forEach((b) => {
        if (
          a.left + slack < b.right &&
          b.left + slack < a.right &&
          a.top + slack < b.bottom &&
          b.top + slack < a.bottom
        )
          count++;
      }),
    );
    return count;
  });
}

/** Every topic of the graph can be told: its number is there to read, and none on another. */
export async function everyNodeHasItsNumber(page, topics) {
  const frame = await page.locator("svg.graph").boundingBox();
  const numbers = page.locator(".node .number");
  assert.deepEqual(
    await numbers.allTextContents(),
    Array.from({ length: topics }, (_, k) => String(k + 1)),
  );
  for (const number of await numbers.all()) {
    const box = await number.boundingBox();
    assert.ok(box.width > 3 && box.height >= 9, "a number is too small to read");
    assert.ok(
      box.x >= frame.x &&
        box.x + box.width <= frame.x + frame.width &&
        box.y >= frame.y &&
        box.y + box.height <= frame.y + frame.height,
      "a number is outside the graph",
    );
  }
  const sizes = await numbers.evaluateAll((list) =>
    list.map((e) => parseFloat(getComputedStyle(e).fontSize)),
  );
  assert.ok(Math.min(...sizes) >= 9, `numbers of ${Math.min(...sizes)} pixels`);
  assert.equal(await overlaps(numbers), 0, "numbers cover each other");
}

/** Every control says what it is. */
export async function everyControlHasAName(page) {
  const nameless = await page.$$eval("button, input, select, svg[role], summary", (list) =>
    list
      .filter(
        (e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length),
      )
      .map((e) => e.outerHTML.slice(0, 80)),
  );
  assert.deepEqual(nameless, []);
}

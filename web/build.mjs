// SPDX-License-Identifier: BSD-3-Clause
// Usage: node build.mjs [OUTPUT]
// Puts style and program into one HTML file, ../src/report/report.html unless told. The
// marks {{title}} and {{data}} stay in it: the C program puts a fit in their places.
import { build } from "esbuild";
import { readFile, writeFile } from "node:fs/promises";

const here = (path) => new URL(path, import.meta.url);
const output = process.argv[2] ?? here("../src/report/report.html").pathname;

async function bundle(entry) {
  const result = await build({
    entryPoints: [here(entry).pathname],
    bundle: true,
    minify: true,
    write: false,
    format: "iife",
    charset: "ascii",
    target: ["es2020", "chrome111", "firefox113", "safari15.4"],
    legalComments: "none",
  });
  return result.outputFiles[0].text.trim();
}

const [page, style, program] = await Promise.all([
  readFile(here("src/index.html"), "utf8"),
  bundle("src/style.css"),
  bundle("src/main.js"),
]);
if (/<\/(script|style)|\{\{/i.test(style + program))
  throw new Error("style or program would end its place in the page");

// Functions, since "$&" in a program must stay as it is.
const html = page.replace("{{style}}", () => style).replace("{{program}}", () => program);
await writeFile(output, html);

// SPDX-License-Identifier: BSD-3-Clause
// Usage: node many_topics.mjs REPORT.html TOPICS
// A crowded graph: every topic can be told, on a phone as well.
import { atEachSize, everyNodeHasItsNumber } from "./check.mjs";

const [file, topics] = process.argv.slice(2);

await atEachSize(file, (page) => everyNodeHasItsNumber(page, Number(topics)));

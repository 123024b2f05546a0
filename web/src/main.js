// SPDX-License-Identifier: BSD-3-Clause
import { showRegression } from "./regression/page.js";
import { showTopics } from "./topics/page.js";

const data = JSON.parse(document.getElementById("data").textContent);
const app = document.getElementById("app");
if (data.kind === "topics") showTopics(data, app);
else showRegression(data, app);

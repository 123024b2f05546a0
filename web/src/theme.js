// SPDX-License-Identifier: BSD-3-Clause
// Light or dark: as the system has it, until the reader says otherwise.
import { h, s } from "./dom.js";

const key = "delaplace-theme";

// A browser may keep nothing for files opened from disk.
function recall() {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

function remember(theme) {
  try {
    localStorage.setItem(key, theme);
  } catch {
    /* the choice holds until the page is closed */
  }
}

function current() {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  return document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
}

export function themeButton() {
  const saved = recall();
  if (saved === "light" || saved === "dark") document.documentElement.dataset.theme = saved;
  const turn = () => {
    const theme = current() === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = theme;
    remember(theme);
  };
  return h(
    "button",
    {
      class: "icon",
      type: "button",
      "aria-label": "Switch between light and dark",
      title: "Light or dark",
      onclick: turn,
    },
    s(
      "svg",
      { viewBox: "0 0 20 20", width: 18, height: 18, "aria-hidden": "true" },
      s("circle", {
        cx: 10,
        cy: 10,
        r: 7,
        fill: "none",
        stroke: "currentColor",
        "stroke-width": 1.5,
      }),
      s("path", { d: "M10 3a7 7 0 0 1 0 14z", fill: "currentColor" }),
    ),
  );
}

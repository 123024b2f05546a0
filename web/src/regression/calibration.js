// SPDX-License-Identifier: BSD-3-Clause
// What was fitted against what was observed.
import { axisBottom, axisLeft, frame, responsive } from "../chart.js";
import { h, s } from "../dom.js";
import { alike, count, interval, plural } from "../format.js";
import { section } from "../page.js";
import { extent, linear, ticks } from "../scale.js";

const LEFT = 48,
  TOP = 8;

function chart(series, shares, width) {
  const size = Math.min(width, 420),
    right = size - 8,
    bottom = size - 48;
  const points = series.points ?? [];
  const values = [
    ...series.parts.flatMap((p) => [p.fitted, p.lower, p.upper]),
    ...points.flat(),
  ];
  const domain = shares ? [0, Math.min(1, extent([0, ...values])[1])] : extent(values);
  const x = linear(domain, [LEFT, right]),
    y = linear(domain, [bottom, TOP]);
  const list = ticks(...domain, 5);
  return frame(
    size,
    size,
    "Observed against fitted means; the numbers are in the table beside it",
    axisLeft(list, y, LEFT, right),
    axisBottom(list, x, bottom, TOP),
    s("line", {
      class: "ideal",
      x1: x(domain[0]),
      y1: y(domain[0]),
      x2: x(domain[1]),
      y2: y(domain[1]),
    }),
    points.map(([a, b]) => s("circle", { class: "raw", cx: x(a), cy: y(b), r: 2.5 })),
    series.parts.map((p) => [
      s("line", {
        class: "range",
        x1: x(p.fitted),
        x2: x(p.fitted),
        y1: y(p.lower),
        y2: y(p.upper),
      }),
      s("circle", { class: "mark", cx: x(p.fitted), cy: y(p.observed), r: 4.5 }),
    ]),
    s(
      "text",
      { class: "axis-name", x: (LEFT + right) / 2, y: size - 8, "text-anchor": "middle" },
      "fitted",
    ),
    s(
      "text",
      {
        class: "axis-name",
        x: 12,
        y: (TOP + bottom) / 2,
        "text-anchor": "middle",
        transform: `rotate(-90 12 ${(TOP + bottom) / 2})`,
      },
      "observed",
    ),
  );
}

function table(series) {
  const number = alike(series.parts.map((p) => (p.upper - p.lower) / 4));
  return h(
    "table",
    { class: "numbers" },
    h("caption", { class: "hidden" }, "Fitted and observed means"),
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        ["Rows", "Fitted", "Observed", "95\u00a0% interval"].map((t) =>
          h("th", { scope: "col", class: "value" }, t),
        ),
      ),
    ),
    h(
      "tbody",
      {},
      series.parts.map((p) =>
        h(
          "tr",
          {},
          h("td", { class: "value" }, count(p.rows)),
          h("td", { class: "value" }, number(p.fitted)),
          h("td", { class: "value" }, number(p.observed)),
          h("td", { class: "value muted" }, interval(p.lower, p.upper, number)),
        ),
      ),
    ),
  );
}

/** What the parts are of. Rows that are known to a limit alone are in none of them. */
function note(calibration, dots) {
  const known = calibration.series[0].parts.reduce((sum, p) => sum + p.rows, 0);
  const all = known === calibration.rows;
  const whose = all ? plural(known, "row") : `The ${count(known)} of ${plural(calibration.rows, "row")} that are known exactly`;
  const line = all
    ? "On the line, the fit is right on average."
    : "The others are beyond a limit, so these lie to one side of the line where the fit is right, too; the residuals take all rows into account.";
  return `${whose}, sorted by their fitted values and divided into parts of equal size: in each, the mean fitted and the mean observed, with a 95\u00a0% interval. ${line}${dots ? " Pale dots are single rows." : ""}`;
}

export function calibrationSection({ calibration, info }) {
  const shares = ["bernoulli", "binomial", "multinomial", "ordinal"].includes(info.family);
  const place = h("div", { class: "calibration" });
  const levels = calibration.series.length > 1;
  const dots = calibration.series.some((series) => series.points?.length);
  const select =
    levels &&
    h(
      "select",
      { id: "level", onchange: () => render() },
      calibration.series.map((series, i) => h("option", { value: i }, series.level)),
    );
  const render = () => {
    const series = calibration.series[select ? Number(select.value) : 0];
    place.replaceChildren(
      h(
        "figure",
        {},
        responsive((width) => chart(series, shares, width)),
      ),
      h("div", { class: "scroll-x" }, table(series)),
    );
  };
  render();
  return section(
    "calibration",
    "Fitted against observed",
    note(calibration, dots),
    select && h("div", { class: "row tools" }, h("label", { for: "level" }, "Level ", select)),
    place,
  );
}

// SPDX-License-Identifier: BSD-3-Clause
// Labels that never cover each other or a node, as on a map: each in turn takes the free
// place around its node that the fewest lines cross, away from other nodes, which it might
// seem to name, or none; zooming in makes room for more.

const GAP = 4;

// How many lines may cross a long label before a short one without is better.
const SHORTER = 2.5;

function overlaps(a, b) {
  return a.x0 < b.x1 && b.x0 < a.x1 && a.y0 < b.y1 && b.y0 < a.y1;
}

/** Whether the line between two nodes passes through a box: what is left of it, as parts of
    its length, after each side of the box has cut. */
function crosses([a, b], box) {
  let from = 0,
    to = 1;
  const cut = (start, way, low, high) => {
    if (way === 0) return start > low && start < high;
    const ends = [(low - start) / way, (high - start) / way];
    from = Math.max(from, Math.min(...ends));
    to = Math.min(to, Math.max(...ends));
    return from < to;
  };
  return cut(a.px, b.px - a.px, box.x0, box.x1) && cut(a.py, b.py - a.py, box.y0, box.y1);
}

// Below, above, right, left, then the corners.
const sides = [
  [0, 1],
  [0, -1],
  [1, 0],
  [-1, 0],
  [1, 1],
  [-1, 1],
  [1, -1],
  [-1, -1],
];
const CORNER = 0.75; // of the way out, where a circle leaves more room

// What a side costs, in lines that cross: of two that are as free, the first is better.
const SIDE_COST = 0.05;

function around({ px, py, pr }, { text, width }, line) {
  return sides.map(([x, y], side) => {
    const away = (pr + GAP) * (x && y ? CORNER : 1);
    const x0 = px + x * away - (width * (1 - x)) / 2,
      y0 = py + y * (x ? away : pr + GAP / 2) - (line * (1 - y)) / 2;
    return {
      text,
      anchor: ["end", "middle", "start"][x + 1],
      x: x0 + (width * (1 - x)) / 2,
      y: y0 + line * 0.74,
      box: { x0: x0 - 2, x1: x0 + width + 2, y0, y1: y0 + line },
      penalty: side * SIDE_COST,
    };
  });
}

// What it costs to stand so many pixels from another node, in lines that cross.
const NEAR = 7,
  NEAR_COST = 0.8;

function nearby({ x0, x1, y0, y1 }) {
  return { x0: x0 - NEAR, x1: x1 + NEAR, y0: y0 - NEAR, y1: y1 + NEAR };
}

/** The place that costs least; of equals the first. */
function cheapest(places, lines, others) {
  let best,
    least = Infinity;
  for (const place of places) {
    const around = nearby(place.box);
    const cost =
      lines.filter((ends) => crosses(ends, place.box)).length +
      NEAR_COST * others.filter((circle) => overlaps(around, circle)).length +
      place.penalty;
    if (cost < least) [best, least] = [place, cost];
  }
  return best;
}

/**
 * nodes in the order of their claims: {px, py, pr, labels, claims}, the label most wanted
 * first; lines as pairs of nodes. A node that claims a label gets one even on top of others.
 */
export function placeLabels(nodes, lines, width, height, line) {
  const circles = nodes.map((n) => ({
    x0: n.px - n.pr,
    x1: n.px + n.pr,
    y0: n.py - n.pr,
    y1: n.py + n.pr,
  }));
  const taken = [],
    labels = [];
  const isFree = ({ box }) =>
    box.x0 >= 0 &&
    box.x1 <= width &&
    box.y0 >= 0 &&
    box.y1 <= height &&
    !taken.some((other) => overlaps(box, other));
  nodes.forEach((node, at) => {
    if (node.px < 0 || node.px > width || node.py < 0 || node.py > height) return;
    const free = node.labels
      .flatMap((label, i) =>
        around(node, label, line).map((place) => ({
          ...place,
          penalty: place.penalty + i * SHORTER,
        })),
      )
      .filter(isFree);
    const others = circles.filter((_, i) => i !== at);
    const clear = free.filter(({ box }) => !others.some((circle) => overlaps(box, circle)));
    const place =
      cheapest(clear, lines, others) ??
      (node.claims ? cheapest(free, lines, others) : undefined);
    if (!place) return;
    taken.push(place.box);
    labels.push({ node, ...place });
  });
  return labels;
}

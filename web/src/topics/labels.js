// SPDX-License-Identifier: BSD-3-Clause
// Labels that never cover each other or a node, as on a map: each in turn takes the free
// place around its node that the fewest lines cross, or none; zooming in makes room for more.

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

/** Below, above, right, left. */
function around({ px, py, pr }, { text, width: w }, line) {
  const box = (x0, y0) => ({ x0: x0 - 2, x1: x0 + w + 2, y0, y1: y0 + line });
  const baseline = line * 0.74;
  const places = [
    {
      anchor: "middle",
      x: px,
      y: py + pr + GAP / 2 + baseline,
      box: box(px - w / 2, py + pr + GAP / 2),
    },
    {
      anchor: "middle",
      x: px,
      y: py - pr - GAP / 2 - line + baseline,
      box: box(px - w / 2, py - pr - GAP / 2 - line),
    },
    {
      anchor: "start",
      x: px + pr + GAP,
      y: py - line / 2 + baseline,
      box: box(px + pr + GAP, py - line / 2),
    },
    {
      anchor: "end",
      x: px - pr - GAP,
      y: py - line / 2 + baseline,
      box: box(px - pr - GAP - w, py - line / 2),
    },
  ];
  return places.map((place) => ({ ...place, text }));
}

/** The place that costs least; of equals the first. */
function cheapest(places, lines) {
  let best,
    least = Infinity;
  for (const place of places) {
    const cost = lines.filter((ends) => crosses(ends, place.box)).length + place.penalty;
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
        around(node, label, line).map((place) => ({ ...place, penalty: i * SHORTER })),
      )
      .filter(isFree);
    const clear = free.filter(
      ({ box }) => !circles.some((circle, i) => i !== at && overlaps(box, circle)),
    );
    const place = cheapest(clear, lines) ?? (node.claims ? cheapest(free, lines) : undefined);
    if (!place) return;
    taken.push(place.box);
    labels.push({ node, ...place });
  });
  return labels;
}

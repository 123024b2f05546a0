// SPDX-License-Identifier: BSD-3-Clause
// Where topics stand: springs along the edges, repulsion between all (Fruchterman and
// Reingold 1991), then boxes around nodes and labels are pushed apart. It starts from a
// circle ordered by group, so the same model always gives the same picture.

const STEPS = 500,
  PASSES = 300;

// How strongly what has no edges is drawn to the middle, so that it stays near the others.
const ALONE = 1.8;

/**
 * nodes: {group, boxWidth, boxHeight}; edges: {i, j, r}. Returns places {x, y} for a
 * picture of about width by height.
 */
export function layout(nodes, edges, width, height) {
  const place = startOnCircle(nodes, width, height);
  const joined = new Set(edges.flatMap(({ i, j }) => [i, j]));
  const pull = nodes.map((_, k) => (joined.has(k) ? 0.9 : ALONE));
  const length = 0.75 * Math.sqrt((width * height) / Math.max(1, nodes.length));
  for (let step = 0; step < STEPS; step++)
    relax(place, edges, pull, length, width / height, 0.12 * width * (1 - step / STEPS) ** 1.5);
  stretch(place, width / height);
  for (let pass = 0; pass < PASSES; pass++) if (!separate(nodes, place)) break;
  return place;
}

/** Towards the shape of the picture, within reason. */
function stretch(place, aspect) {
  const range = (list) => Math.max(1, Math.max(...list) - Math.min(...list));
  const ratio = (aspect * range(place.map((p) => p.y))) / range(place.map((p) => p.x));
  const by = Math.sqrt(Math.min(1.8, Math.max(1 / 1.8, ratio)));
  for (const p of place) {
    p.x *= by;
    p.y /= by;
  }
}

function startOnCircle(nodes, width, height) {
  const order = nodes.map((_, k) => k).sort((a, b) => rank(nodes[a]) - rank(nodes[b]) || a - b);
  const place = [];
  order.forEach((k, at) => {
    const angle = (2 * Math.PI * at) / nodes.length;
    place[k] = { x: 0.35 * width * Math.cos(angle), y: 0.35 * height * Math.sin(angle) };
  });
  return place;
}

// Topics by themselves come last, so that they do not part a group.
const rank = (node) => (node.group < 0 ? Infinity : node.group);

function relax(place, edges, pull, length, aspect, limit) {
  const force = place.map(() => ({ x: 0, y: 0 }));
  const push = (i, j, f) => {
    const dx = place[i].x - place[j].x,
      dy = place[i].y - place[j].y;
    const d = Math.max(1, Math.hypot(dx, dy)),
      size = f(d) / d;
    force[i].x += dx * size;
    force[i].y += dy * size;
    force[j].x -= dx * size;
    force[j].y -= dy * size;
  };
  for (let i = 0; i < place.length; i++)
    for (let j = i + 1; j < place.length; j++) push(i, j, (d) => length ** 2 / d);
  for (const { i, j, r } of edges) push(i, j, (d) => -(0.4 + 1.6 * r) * (d ** 2 / length));
  place.forEach((p, k) => {
    // towards the middle, less along the longer side
    const fx = force[k].x - (p.x * pull[k]) / aspect,
      fy = force[k].y - p.y * pull[k] * aspect;
    const size = Math.max(1e-9, Math.hypot(fx, fy)),
      move = Math.min(size, limit) / size;
    p.x += fx * move;
    p.y += fy * move;
  });
}

/** Pushes overlapping boxes apart along the shorter way; true when there were any. */
function separate(nodes, place) {
  let moved = false;
  for (let i = 0; i < nodes.length; i++)
    for (let j = i + 1; j < nodes.length; j++) {
      const a = place[i],
        b = place[j];
      const overlapX = (nodes[i].boxWidth + nodes[j].boxWidth) / 2 - Math.abs(a.x - b.x);
      const overlapY = (nodes[i].boxHeight + nodes[j].boxHeight) / 2 - Math.abs(a.y - b.y);
      if (overlapX <= 0 || overlapY <= 0) continue;
      moved = true;
      if (overlapX < overlapY) {
        const half = (a.x < b.x ? -1 : 1) * (overlapX / 2 + 0.1);
        a.x += half;
        b.x -= half;
      } else {
        const half = (a.y < b.y ? -1 : 1) * (overlapY / 2 + 0.1);
        a.y += half;
        b.y -= half;
      }
    }
  return moved;
}

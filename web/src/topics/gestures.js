// SPDX-License-Identifier: BSD-3-Clause
// Hands on the graph: drag a node or the ground, pinch, wheel, keys. A page still scrolls
// under one finger, and under a wheel until the graph has the focus; two fingers are the
// graph's.

const CLICK = 4; // pixels that a hand may tremble

function keys(graph) {
  const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  graph.svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (steps[event.key]) graph.step(...steps[event.key]);
    else if (event.key === "+" || event.key === "=") graph.zoom(1.3);
    else if (event.key === "-") graph.zoom(1 / 1.3);
    else if (event.key === "0") graph.fit();
    else return;
    event.preventDefault();
  });
}

function wheel(graph) {
  graph.svg.addEventListener(
    "wheel",
    (event) => {
      if (!event.ctrlKey && !event.metaKey && document.activeElement !== graph.svg) return;
      event.preventDefault();
      const box = graph.svg.getBoundingClientRect();
      graph.zoom(
        Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)),
        event.clientX - box.left,
        event.clientY - box.top,
      );
    },
    { passive: false },
  );
}

function pointers(graph) {
  const { svg } = graph;
  const down = new Map(); // pointer id -> where it was last
  let node = null,
    travelled = 0;
  const at = (event) => {
    const box = svg.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };

  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    const g = event.target.closest(".node");
    down.set(event.pointerId, at(event));
    travelled = 0;
    node = down.size === 1 && g ? graph.nodes[Number(g.dataset.topic) - 1] : null;
    if (event.pointerType !== "touch" || node) svg.setPointerCapture(event.pointerId);
  });

  svg.addEventListener("pointermove", (event) => {
    const before = down.get(event.pointerId);
    if (!before) return;
    const now = at(event),
      dx = now.x - before.x,
      dy = now.y - before.y;
    travelled += Math.hypot(dx, dy);
    if (down.size === 2) pinch(graph, down, event.pointerId, now);
    else if (node && travelled > CLICK) move(graph, node, dx, dy);
    else if (!node && event.pointerType !== "touch") pan(graph, dx, dy);
    down.set(event.pointerId, now);
  });

  svg.addEventListener("pointerup", (event) => {
    if (node && travelled <= CLICK) graph.onSelect(node.topic.k);
    node = null;
    down.delete(event.pointerId);
  });
  svg.addEventListener("pointercancel", (event) => {
    node = null;
    down.delete(event.pointerId);
  });
}

function move(graph, node, dx, dy) {
  node.x += dx / graph.view.scale;
  node.y += dy / graph.view.scale;
  graph.render();
}

function pan(graph, dx, dy) {
  graph.view.x += dx;
  graph.view.y += dy;
  graph.render();
}

function pinch(graph, down, id, now) {
  const [before, other] = [down.get(id), [...down].find(([key]) => key !== id)[1]];
  const distance = (p) => Math.max(1, Math.hypot(p.x - other.x, p.y - other.y));
  pan(graph, (now.x - before.x) / 2, (now.y - before.y) / 2);
  graph.zoom(distance(now) / distance(before), (now.x + other.x) / 2, (now.y + other.y) / 2);
}

/** A browser that has begun to scroll keeps the fingers to itself: two it must not get. */
function keepTwoFingers({ svg }) {
  const keep = (event) => {
    if (event.touches.length > 1) event.preventDefault();
  };
  for (const type of ["touchstart", "touchmove"])
    svg.addEventListener(type, keep, { passive: false });
}

export function gestures(graph) {
  keys(graph);
  keepTwoFingers(graph);
  wheel(graph);
  pointers(graph);
}

// Drawing a tree, and moving the view.

const EM = 13; // pixels of the letters at zoom 1
const [INNER, FOLDED, LOST_ALL, STOPS, NEW_STOPS, FOUND] = [1, 2, 4, 8, 16, 32];

// -- colours and hatches ---------------------------------------------------------

const STROKES = {
  "/": "M-1 7L7 -1M-1 1L1 -1M5 7L7 5", "\\": "M-1 -1L7 7M-1 5L1 7M5 -1L7 1",
  x: "M-1 -1L7 7M-1 7L7 -1", "-": "M0 3H6", "+": "M0 3H6M3 0V6",
};

function hatches(scene, prefix) {
  const patterns = scene.looks.map(([colour, hatch], j) => {
    const inside = [make("rect", { width: 6, height: 6, fill: colour })];
    if (hatch.startsWith(".")) {
      for (const [x, y] of [[1.5, 1.5], [4.5, 4.5]]) inside.push(make("circle", { cx: x, cy: y, r: 0.9, class: "dot" }));
    } else if (hatch) inside.push(make("path", { d: STROKES[hatch[0]], class: "stroke" }));
    return make("pattern", { id: `${prefix}c${j}`, width: 6, height: 6, patternUnits: "userSpaceOnUse" }, ...inside);
  });
  return make("defs", {}, ...patterns);
}

const LOOKS = 49; // then colours and hatches start again
const fillOf = (j, prefix) => (j < 0 ? "var(--muted)" : `url(#${prefix}c${j % LOOKS})`);

/** Shares of classes, or a mean in its band; `value` as scene.py writes it. */
function valueBar(value, classes, prefix, x, y, w, h) {
  const parts = [];
  if (classes) {
    let at = x;
    for (let i = 0; i < value.length; i += 2) {
      const wide = (w * value[i + 1]) / 1000;
      parts.push(make("rect", { x: at, y, width: Math.max(wide - (i + 2 < value.length ? 0.8 : 0), 0.4), height: h, fill: fillOf(value[i], prefix) }));
      at += wide;
    }
    parts.push(make("rect", { x, y, width: w, height: h, class: "outline" }));
    return parts;
  }
  const [mean, low, high] = value.map((part) => x + (w * part) / 1000);
  parts.push(make("rect", { x, y, width: w, height: h, class: "track" }));
  parts.push(make("rect", { x: low, y, width: Math.max(high - low, 1), height: h, fill: value[3] }));
  parts.push(make("rect", { x: mean - 2.4, y: y - 0.5, width: 4.8, height: h + 1, class: "paper" }));
  parts.push(make("rect", { x: mean - 1, y: y - 1.5, width: 2, height: h + 3, class: "ink" }));
  return parts;
}

// -- a tree ----------------------------------------------------------------------

/** A line of scene.py as an object in pixels. */
function readNode(line, say) {
  const px = (v) => (v * EM) / 100;
  const [id, parent, depth, flags, card, leave, head, info, value, gauge, label, words, edge] = line;
  const [x, y, w, h] = card.map(px), [lw, lh] = (label || []).map(px);
  return {
    id, parent, depth, flags, value, head: head.map(say), info: info.map(say), words: words && words.map(say), gauge: gauge / 1000,
    box: { x, y, w, h }, leave: px(leave), label: label && { x: x + w / 2 - lw / 2, y: y - lh, w: lw, h: lh },
    edge: edge && { known: px(edge[0]), missing: px(edge[1]), shift: px(edge[2]), mark: edge[3], side: edge[4] },
  };
}

/** One smooth bend from a card down to a label, moved sideways along its normal. */
function bend(from, leave, to, off) {
  const pull = 0.58 * (to[1] - leave), points = [[from[0] + off, from[1]]];
  for (let i = 0; i <= 18; i++) {
    const t = i / 18, u = 1 - t;
    const x = from[0] * u * u * (u + 3 * t) + to[0] * t * t * (t + 3 * u);
    const y = u ** 3 * leave + 3 * u * u * t * (leave + pull) + 3 * u * t * t * (to[1] - pull) + t ** 3 * to[1];
    const dx = 6 * u * t * (to[0] - from[0]);
    const dy = 3 * (u * u * pull + 2 * u * t * (to[1] - leave - 2 * pull) + t * t * pull);
    const long = Math.hypot(dx, dy) || 1;
    points.push([x + (off * dy) / long, y - (off * dx) / long]);
  }
  return "M" + points.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L");
}

function writeText(scene, code, x, y, middle) {
  const [size, colour, bold] = scene.styles[code.charCodeAt(0) - 97];
  const text = make("text", { x, y, class: colour + (bold ? " bold" : ""), "font-size": size * EM, "text-anchor": middle ? "middle" : null });
  text.textContent = code.slice(1);
  return text;
}

/** Words side by side in one text: the browser's own font decides how wide they are. */
function writeRow(scene, codes, x, y) {
  const row = make("text", { x, y });
  codes.forEach((code, i) => {
    const [size, colour, bold] = scene.styles[code.charCodeAt(0) - 97];
    const part = make("tspan", { class: colour + (bold ? " bold" : ""), "font-size": size * EM, dx: i ? 0.5 * EM : null });
    part.textContent = code.slice(1);
    row.append(part);
  });
  return row;
}

function drawEdge(scene, parent, node, lane, way) {
  const e = node.edge, parts = [];
  const missing = lane ? e.missing : 0;
  const whole = e.known + missing + (e.known && missing ? 2 : 0);
  const from = [parent.box.x + parent.box.w / 2 + e.shift, parent.box.y + parent.box.h];
  const to = [node.label.x + node.label.w / 2, node.label.y];
  if (e.known) parts.push(make("path", { d: bend(from, parent.leave, to, (-e.side * (whole - e.known)) / 2), class: way(node) ? "flow way" : "flow", "stroke-width": e.known }));
  if (missing) {
    const d = bend(from, parent.leave, to, (e.side * (whole - missing)) / 2);
    if (missing > 2.8) parts.push(make("path", { d, class: "ribbon", "stroke-width": missing }));
    const dashes = scene.marks[Math.max(e.mark, 0)][1].map((v) => v * 1.3).join(" ");
    parts.push(make("path", { d, class: "lane", "stroke-width": Math.min(missing, 2), "stroke-dasharray": dashes }));
  }
  return parts;
}

function drawStub(node) {
  const x = node.box.x + node.box.w, y = node.box.y + node.box.h / 2;
  return make("path", { d: `M${x} ${y}h13m0 -8v16`, class: "lane", "stroke-width": 2, "stroke-dasharray": node.flags & NEW_STOPS ? "1.3 4" : null });
}

function drawCard(scene, node, prefix) {
  const { x, y, w, h } = node.box, pad = 0.45 * EM, inner = node.flags & INNER, parts = [];
  if (node.flags & FOLDED) parts.push(make("rect", { x: x + 4, y: y + 4, width: w, height: h, rx: 4, class: "pile" }));
  const kind = node.flags & LOST_ALL ? "lost" : inner || node.flags & FOLDED ? "inner" : "leaf";
  parts.push(make("rect", { x, y, width: w, height: h, rx: 4, class: `card ${kind}` }));
  parts.push(writeRow(scene, node.head, x + pad, y + (inner ? 1.3 : 2.45) * EM));
  parts.push(...valueBar(node.value, scene.n_classes, prefix, x + pad, y + (inner ? 1.75 : 0.5) * EM, w - 2 * pad, 0.8 * EM));
  if (inner) {
    const at = { x: x + pad, y: y + 2.72 * EM, height: 0.24 * EM };
    parts.push(make("rect", { ...at, width: w - 2 * pad, class: "track" }));
    if (node.gauge) parts.push(make("rect", { ...at, width: Math.max((w - 2 * pad) * node.gauge, 1.5), class: "gauge" }));
  }
  if (node.info.length) parts.push(writeRow(scene, node.info, x + pad, y + h - 0.48 * EM));
  parts.push(make("rect", { x: x - 2, y: y - 2, width: w + 4, height: h + 4, rx: 6, class: "halo" }));
  return parts;
}

const plain = (codes) => (codes || []).map((code) => code.slice(1)).join(" ");

/** Draw a whole scene into a group; returns the nodes and their elements by number. */
function drawTree(world, scene, prefix, { lane = true, item = () => ({}), way = () => false } = {}) {
  const nodes = scene.nodes.map((line) => readNode(line, (i) => scene.words[i])), byId = new Map(nodes.map((node) => [node.id, node]));
  const back = make("g", { "aria-hidden": "true" }), front = make("g", {}), items = new Map();
  for (const node of nodes) {
    const parent = byId.get(node.parent);
    if (parent) back.append(...drawEdge(scene, parent, node, lane, way));
    if (lane && node.flags & (STOPS | NEW_STOPS)) back.append(drawStub(node));
  }
  for (const node of nodes) {
    if (node.label) {
      const { x, y, w, h } = node.label;
      front.append(make("rect", { x: x + 2, y, width: w - 4, height: h, class: "paper" }));
      node.words.forEach((code, i) => front.append(writeText(scene, code, x + w / 2, y + (0.95 + 1.16 * i) * EM, true)));
    }
    const group = make("g", { ...item(node), "data-node": node.id }, ...drawCard(scene, node, prefix));
    items.set(node.id, group);
    front.append(group);
  }
  world.replaceChildren(hatches(scene, prefix), back, front);
  return { nodes, byId, items };
}

// -- moving the view ---------------------------------------------------------------

/** Zoom with ctrl + wheel or two fingers, pan by dragging. */
function makeView(svg, world, size) {
  const view = { k: 1, x: 0, y: 0 }, fingers = new Map();
  let moved = false;
  const apply = () => world.setAttribute("transform", `translate(${view.x.toFixed(2)} ${view.y.toFixed(2)}) scale(${view.k.toFixed(4)})`);
  const room = () => ({ w: svg.clientWidth || 800, h: svg.clientHeight || 480 });
  function zoom(by, x = room().w / 2, y = room().h / 2) {
    const k = Math.min(Math.max(view.k * by, 0.05), 4), f = k / view.k;
    Object.assign(view, { k, x: x - (x - view.x) * f, y: y - (y - view.y) * f });
    apply();
  }
  function fit(least = 0, { w, h } = room()) {
    const [wide, high] = size(), margin = 14;
    const k = Math.max(Math.min((w - 2 * margin) / wide, (h - 2 * margin) / high, 1.15), least);
    Object.assign(view, { k, x: (w - wide * k) / 2, y: Math.max((h - high * k) / 2, margin) });
    apply();
  }
  /** Move as little as needed so that a box is in sight. */
  function show(box) {
    const { w, h } = room(), m = 18, shift = (low, high, end) => (low < m ? m - low : high > end - m ? Math.max(end - m - high, m - low) : 0);
    const left = view.x + box.x * view.k, top = view.y + box.y * view.k;
    view.x += shift(left, left + box.w * view.k, w);
    view.y += shift(top, top + box.h * view.k, h);
    apply();
  }
  svg.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    const at = svg.getBoundingClientRect();
    zoom(Math.exp(-event.deltaY / 400), event.clientX - at.left, event.clientY - at.top);
  }, { passive: false });
  svg.addEventListener("pointerdown", (event) => { moved = false; fingers.set(event.pointerId, [event.clientX, event.clientY]); });
  svg.addEventListener("pointermove", (event) => {
    const before = fingers.get(event.pointerId), now = [event.clientX, event.clientY];
    if (!before) return;
    if (!moved && Math.hypot(now[0] - before[0], now[1] - before[1]) < 4) return;
    if (!moved) svg.setPointerCapture?.(event.pointerId);
    moved = true;
    const others = [...fingers].filter(([id]) => id !== event.pointerId).map(([, at]) => at);
    if (others.length) {
      const far = (at) => Math.hypot(at[0] - others[0][0], at[1] - others[0][1]) || 1, at = svg.getBoundingClientRect();
      zoom(far(now) / far(before), (now[0] + others[0][0]) / 2 - at.left, (now[1] + others[0][1]) / 2 - at.top);
    } else {
      view.x += now[0] - before[0];
      view.y += now[1] - before[1];
      apply();
    }
    fingers.set(event.pointerId, now);
  });
  for (const end of ["pointerup", "pointercancel", "pointerleave"]) svg.addEventListener(end, (event) => fingers.delete(event.pointerId));
  return { view, zoom, fit, show, wasMoved: () => moved };
}

// -- small parts of a page -----------------------------------------------------------

/** A bar for a share from 0 to 1. */
function shareBar(part, fill) {
  return make("span", { class: "bar" }, make("svg", { "aria-hidden": "true" },
    make("rect", { width: `${Math.min(Math.max(100 * part, 0), 100)}%`, height: "100%", fill })));
}

function legend(scene, prefix, marks, lane) {
  const sample = (...inside) => make("svg", { width: 28, height: 12, "aria-hidden": "true" }, ...inside);
  const entry = (picture, words) => make("span", {}, picture, words);
  const entries = scene.classes.map((name, j) => entry(sample(make("rect", { width: 28, height: 12, fill: fillOf(j, prefix) })), name));
  if (scene.n_classes > scene.classes.length) entries.push(entry("", `and ${scene.n_classes - scene.classes.length} more classes`));
  entries.push(entry(sample(make("path", { d: "M0 6h28", class: "flow", "stroke-width": 5 })), "known"));
  for (const mark of lane ? marks : []) {
    const [words, dashes] = scene.marks[mark];
    const ribbon = mark === scene.marks.length - 1 ? [] : [make("path", { d: "M0 6h28", class: "ribbon", "stroke-width": 7 })];
    entries.push(entry(sample(...ribbon, make("path", { d: "M0 6h28", class: "lane", "stroke-width": 2, "stroke-dasharray": dashes.map((v) => v * 1.3).join(" ") })), words));
  }
  return entries;
}

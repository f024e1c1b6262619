// TreeExplorer: a toolbar, the tree, a panel about the selected node.

const SUPPORTS = [0, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2];

function explorerBar(model, moves, drawing) {
  const field = (words, control, value) => make("label", {}, words, control, value);
  const depth = make("input", { type: "range", min: 0, step: 1, "data-testid": "depth", "aria-label": "Depth",
    input: () => { depthText.textContent = depthWord(); },
    change: () => put(model, "max_depth", +depth.value > +depth.max - 1 ? null : +depth.value) });
  const depthText = make("output", {}), supportText = make("output", {});
  const depthWord = () => (+depth.value > +depth.max - 1 ? "auto" : depth.value);
  const support = make("input", { type: "range", min: 0, max: SUPPORTS.length - 1, step: 1, "data-testid": "support", "aria-label": "Least support",
    input: () => { supportText.textContent = percentOf(SUPPORTS[+support.value]); },
    change: () => put(model, "min_support", SUPPORTS[+support.value]) });
  const percentOf = (part) => `${+(100 * part).toFixed(1)}%`;
  const width = make("select", { "data-testid": "edge-width", "aria-label": "Edge width", change: () => put(model, "edge_width", width.value) },
    ...[["root", "of all rows"], ["parent", "of the parent"], ["fixed", "fixed"]].map(([value, words]) => make("option", { value }, words)));
  const lane = make("input", { type: "checkbox", "data-testid": "lane", change: () => put(model, "show_missing", lane.checked) });
  const search = make("input", { type: "search", placeholder: "column …", size: 11, "data-testid": "search", "aria-label": "Search a column",
    input: () => put(model, "search", search.value),
    keydown: (event) => { if (event.key === "Enter") model.send({ next: true }); } });
  const found = make("output", { class: "found" });
  const button = (words, title, run) => make("button", { type: "button", title, "aria-label": title, click: run }, words);
  const snip = button("Prune", "Cut off what is below the selected node", () => model.send({ snip: model.get("selected") }));
  const undo = button("Undo", "Take back the last cut", () => model.send({ undo: true }));
  const title = make("b", { class: "title" }), note = make("span", { class: "note" });
  const bar = make("div", { class: "tools" }, make("div", { class: "names" }, title, note),
    make("div", { class: "controls" }, field("Depth", depth, depthText), field("Support ≥", support, supportText), field("Edge width", width),
      make("label", {}, lane, "missing lane"), make("label", { class: "find" }, search, found),
      make("span", { class: "zoom" }, snip, undo, ...saveButtons("tree", drawing), button("−", "Zoom out", () => moves().zoom(1 / 1.25)), button("+", "Zoom in", () => moves().zoom(1.25)), button("Fit", "Fit the tree into view", () => moves().fit()))));
  function update() {
    const scene = model.get("scene"), asked = model.get("max_depth"), part = model.get("min_support");
    title.textContent = scene.title;
    note.textContent = `${scene.note} · ${scene.nodes.length} of ${scene.total} nodes shown`;
    depth.max = scene.deepest + 1;
    depth.value = asked === null ? depth.max : Math.min(asked, scene.deepest);
    depthText.textContent = depthWord();
    support.value = SUPPORTS.findLastIndex((s) => s <= part);
    supportText.textContent = percentOf(part);
    width.value = model.get("edge_width");
    lane.checked = model.get("show_missing");
    if (search.value !== model.get("search")) search.value = model.get("search");
    undo.disabled = !model.get("snips");
    found.textContent = scene.found < 0 ? "" : `${scene.found} found`;
  }
  return { bar, update };
}

function explorerPanel(model, prefix) {
  const side = make("aside", { class: "side", "aria-label": "Selected node", tabindex: 0 });
  const go = (v, words) => make("button", { type: "button", class: "go", click: () => put(model, "selected", v) }, words);
  function update() {
    const panel = model.get("panel"), miss = panel.missing, parts = [];
    parts.push(make("h3", {}, make("span", { class: "muted" }, `${panel.head[0]} `), panel.head[1]), make("p", {}, panel.facts));
    parts.push(make("h4", {}, "Rule"));
    const steps = panel.rule.flatMap(([words, joined], i) => [i ? make("i", {}, "and") : null,
      make("span", {}, words, joined ? make("em", {}, ` ${joined}`) : null)]);
    parts.push(make("div", { class: "rule" }, ...(steps.length ? steps : [make("i", {}, "every row starts here")])));
    parts.push(make("h4", {}, panel.classes[0]?.[0] === "mean" ? "Value" : "Classes"));
    parts.push(make("table", {}, ...panel.classes.map(([name, j, part, amount, words]) => make("tr", {},
      make("td", {}, name), make("td", { class: "wide" }, shareBar(part, fillOf(j, prefix))), make("td", { class: "num" }, amount), make("td", { class: "num muted" }, words)))));
    if (miss) {
      parts.push(make("h4", {}, "Missing here"), make("p", {}, make("b", { class: "missing" }, miss.lead[0]), ` ${miss.lead[1]} `, make("b", {}, miss.feature), `. ${miss.then}`));
      parts.push(make("table", {}, ...miss.to.map(([v, words, part, came, written]) => make("tr", {},
        make("td", {}, v < 0 ? "" : go(v, `→ #${v}`), ` ${words}`), make("td", { class: "wide" }, shareBar(part, "var(--missing)")), make("td", { class: "num" }, came), make("td", { class: "num missing" }, written)))));
      if (miss.how) parts.push(make("p", {}, miss.how));
    }
    if (panel.rows) {
      const { columns, cells, note, hidden } = panel.rows;
      parts.push(make("h4", {}, `Rows (${note})`));
      parts.push(make("div", { class: "rows" }, make("table", {}, make("tr", {}, ...columns.map((name) => make("th", {}, name))),
        ...cells.map((line) => make("tr", {}, ...line.map((value) => (value === null ? make("td", { class: "gone", title: "missing" }, "?") : make("td", {}, value))))))));
      if (hidden) parts.push(make("p", {}, `and ${hidden} more columns`));
    }
    side.replaceChildren(...parts);
  }
  return { side, update };
}

function renderExplorer({ model, el }) {
  const prefix = `mdt${++count}-`, { root, stop } = frame(model, el, "explorer");
  const world = make("g", {}), live = make("div", { class: "unseen", "aria-live": "polite" });
  const svg = make("svg", { class: "stage", role: "tree", "aria-label": "Decision tree; arrow keys walk, Enter folds and unfolds" }, world);
  const key = make("div", { class: "legend" });
  const hint = make("div", { class: "hint" }, "Click or arrow keys select · double click or Enter folds · Delete prunes · drag moves · Ctrl + wheel zooms");
  let drawn = { nodes: [], byId: new Map(), items: new Map() }, marked = null;
  const moves = makeView(svg, world, () => model.get("scene").size.map((v) => (v * EM) / 100));
  const drawing = () => ({ svg, world, size: model.get("scene").size.map((v) => (v * EM) / 100) });
  const tools = explorerBar(model, () => moves, drawing), panel = explorerPanel(model, prefix);
  root.append(tools.bar, make("div", { class: "main" }, make("div", { class: "left" }, svg, key, hint), panel.side), live);

  const nameOf = (node) => [`node ${node.id}`, node.words ? plain(node.words) : "root", plain(node.head), plain(node.info)].join(", ");
  function draw() {
    const scene = model.get("scene"), selected = model.get("selected"), focused = svg.contains(document.activeElement);
    const before = drawn.byId.get(selected)?.box;
    const siblings = new Map();
    for (const line of scene.nodes) siblings.set(line[1], [...(siblings.get(line[1]) || []), line[0]]);
    drawn = drawTree(world, scene, prefix, { lane: model.get("show_missing"), item: (node) => ({
      role: "treeitem", tabindex: -1, "aria-selected": "false", class: node.flags & FOUND ? "found" : null, "aria-level": node.depth + 1, "aria-label": nameOf(node),
      "aria-posinset": siblings.get(node.parent).indexOf(node.id) + 1, "aria-setsize": siblings.get(node.parent).length,
      "aria-expanded": node.flags & INNER ? "true" : node.flags & FOLDED ? "false" : null }) });
    const after = drawn.byId.get(selected)?.box;
    if (before && after) { // the selected node stays where it was
      moves.view.x += (before.x - after.x) * moves.view.k;
      moves.view.y += (before.y - after.y) * moves.view.k;
      moves.zoom(1);
    }
    const marks = [...new Set(drawn.nodes.map((node) => (node.edge ? node.edge.mark : -1)))].filter((mark) => mark >= 0).sort();
    key.replaceChildren(...legend(scene, prefix, marks, model.get("show_missing")));
    mark(focused);
    tools.update();
  }
  function mark(focus) {
    const group = drawn.items.get(model.get("selected"));
    if (marked !== group) {
      marked?.setAttribute("aria-selected", "false");
      marked?.setAttribute("tabindex", -1);
      marked = group;
    }
    if (!group) return;
    group.setAttribute("aria-selected", "true");
    group.setAttribute("tabindex", 0);
    if (focus) group.focus({ preventScroll: true });
    live.textContent = group.getAttribute("aria-label");
  }
  function selectedChanged() {
    const node = drawn.byId.get(model.get("selected"));
    if (node) moves.show(node.box); // reads sizes, so before anything is written
    mark(svg.contains(document.activeElement));
  }
  const select = (v) => { if (v !== model.get("selected")) put(model, "selected", v); else mark(true); };
  const toggle = (node) => { if (node.flags & (INNER | FOLDED)) model.send({ toggle: node.id }); };
  const nodeAt = (event) => drawn.byId.get(+event.target.closest?.("[data-node]")?.dataset.node);
  svg.addEventListener("click", (event) => {
    const node = nodeAt(event);
    if (node && !moves.wasMoved()) { drawn.items.get(node.id).focus({ preventScroll: true }); select(node.id); }
  });
  svg.addEventListener("dblclick", (event) => { const node = nodeAt(event); if (node) toggle(node); });
  svg.addEventListener("keydown", (event) => {
    const node = drawn.byId.get(model.get("selected"));
    if (!node || event.ctrlKey || event.metaKey || event.altKey) return;
    const level = drawn.nodes.filter((other) => other.depth === node.depth), at = level.indexOf(node);
    const to = { ArrowUp: node.parent, ArrowDown: drawn.nodes.find((other) => other.parent === node.id)?.id,
      ArrowLeft: level[at - 1]?.id, ArrowRight: level[at + 1]?.id, Home: 0, End: drawn.nodes.at(-1).id };
    const run = { Enter: () => toggle(node), " ": () => toggle(node), Delete: () => model.send({ snip: node.id }), "+": () => moves.zoom(1.25), "-": () => moves.zoom(1 / 1.25) }[event.key];
    if (run) run();
    else if (!(event.key in to)) return;
    else if (to[event.key] >= 0) { select(to[event.key]); drawn.items.get(to[event.key])?.focus({ preventScroll: true }); }
    event.preventDefault();
    event.stopPropagation(); // the notebook has keys of its own
  });
  const unfollow = follow(model, { scene: draw, selected: selectedChanged, panel: panel.update, show_missing: draw, snips: tools.update });
  draw();
  panel.update();
  const first = () => { moves.fit(0.64); selectedChanged(); };
  const size = new ResizeObserver(() => { if (svg.clientWidth) { first(); size.disconnect(); root.dataset.ready = "1"; } });
  size.observe(svg);
  return () => { stop(); unfollow(); size.disconnect(); root.remove(); };
}

export default { render: renderExplorer };

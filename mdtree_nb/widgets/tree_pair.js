// TreePair: two trees, and the nodes that hold the same rows.

function renderPair({ model, el }) {
  const { root, stop } = frame(model, el, "pair");
  const title = make("b", { class: "title" }), note = make("span", { class: "note", "aria-live": "polite" });
  const depth = make("input", { type: "range", min: 0, step: 1, "data-testid": "depth", "aria-label": "Depth",
    change: () => put(model, "max_depth", +depth.value > +depth.max - 1 ? null : +depth.value) });
  const table = make("table", { class: "both" }), main = make("div", { class: "two" });
  root.append(make("div", { class: "tools" }, make("div", { class: "names" }, title, note), make("div", { class: "controls" }, make("label", {}, "Depth", depth))), main, table);
  const sides = ["selected", "partner"].map((trait, side) => {
    const prefix = `mdt${++count}-`, world = make("g", {}), head = make("h3", {});
    const svg = make("svg", { class: "stage", role: "group", "aria-label": side ? "Second tree" : "First tree" }, world);
    const size = () => model.get("scenes")[side].size.map((v) => (v * EM) / 100);
    const moves = makeView(svg, world, size);
    const bar = make("div", { class: "head" }, head, make("span", {}, ...saveButtons(`tree-${side + 1}`, () => ({ svg, world, size: size() }))));
    main.append(make("section", { "data-side": side }, bar, svg));
    let items = new Map();
    const choose = (v) => { if (v !== model.get(trait)) put(model, trait, v); };
    svg.addEventListener("click", (event) => { const node = event.target.closest?.("[data-node]"); if (node && !moves.wasMoved()) choose(+node.dataset.node); });
    svg.addEventListener("keydown", (event) => {
      const node = event.target.closest?.("[data-node]");
      if (!node || (event.key !== "Enter" && event.key !== " ")) return;
      choose(+node.dataset.node);
      event.preventDefault();
      event.stopPropagation();
    });
    function mark() {
      for (const [v, item] of items) item.setAttribute("aria-pressed", v === model.get(trait) ? "true" : "false");
    }
    function draw() {
      const scene = model.get("scenes")[side], kept = svg.contains(document.activeElement) ? document.activeElement.dataset?.node : null;
      head.textContent = model.get("about").names[side];
      const drawn = drawTree(world, scene, prefix, { item: (node) => ({ role: "button", tabindex: 0, "aria-pressed": "false",
        "aria-label": [`node ${node.id}`, node.words ? plain(node.words) : "root", plain(node.head), plain(node.info)].join(", ") }) });
      items = drawn.items;
      mark();
      if (kept) items.get(+kept)?.focus({ preventScroll: true });
    }
    return { draw, mark, moves, svg };
  });
  let before = "";
  function draw() {
    const about = model.get("about"), scenes = model.get("scenes");
    title.textContent = about.title;
    note.textContent = about.note;
    depth.max = 1 + Math.max(...scenes.flatMap((scene) => scene.nodes.map((node) => node[2])), model.get("max_depth") ?? 0);
    depth.value = model.get("max_depth") ?? depth.max;
    table.replaceChildren(make("tr", {}, make("th", {}), ...about.names.map((name) => make("th", { scope: "col" }, name))),
      ...about.rows.map(([name, ...cells]) => make("tr", {}, make("th", { scope: "row" }, name), ...cells.map((cell) => make("td", {}, cell)))));
    const now = JSON.stringify(scenes.map((scene) => scene.nodes.map((node) => node[0])));
    for (const side of sides) { side.draw(); if (now !== before) side.moves.fit(0.45); }
    before = now;
    root.dataset.ready = "1";
  }
  let timer = 0;
  const soon = () => { clearTimeout(timer); timer = setTimeout(draw, 0); };
  const unfollow = follow(model, { scenes: soon, about: soon, selected: () => sides[0].mark(), partner: () => sides[1].mark(), error: soon });
  draw();
  const size = new ResizeObserver(() => { if (main.clientWidth) { for (const side of sides) side.moves.fit(0.45); size.disconnect(); } });
  size.observe(main);
  return () => { clearTimeout(timer); stop(); unfollow(); size.disconnect(); root.remove(); };
}

export default { render: renderPair };

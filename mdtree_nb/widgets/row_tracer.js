// RowTracer: the row's cells to edit, and its way through the tree under each strategy.

function cellField(model, prefix, [f, name, value, edited, isNumber, levels]) {
  const send = (text) => model.send({ put: [f, text] });
  const missing = value === null;
  const input = make("input", { type: "text", value: missing ? "" : value, placeholder: "missing", size: Math.min(Math.max((value || "").length, 6), 14),
    "aria-label": `${name}${missing ? ", missing" : ""}`, list: levels ? `${prefix}l${f}` : null, inputmode: isNumber ? "decimal" : null, autocomplete: "off",
    change: () => send(input.value), keydown: (event) => { event.stopPropagation(); if (event.key === "Enter") input.blur(); } });
  const blank = make("button", { type: "button", class: "blank", title: `Blank ${name}`, "aria-label": `Blank ${name}`, disabled: missing, click: () => send(null) }, "?");
  const choices = levels ? make("datalist", { id: `${prefix}l${f}` }, ...levels.map((level) => make("option", { value: level }))) : null;
  return make("label", { class: `cell${missing ? " gone" : ""}${edited ? " edited" : ""}`, "data-column": name }, make("span", {}, name), input, blank, choices);
}

function tracerBar(model) {
  const row = make("input", { type: "number", min: 0, class: "row", "aria-label": "Row", "data-testid": "row", change: () => put(model, "row", +row.value) });
  const slide = make("input", { type: "range", min: 0, "aria-label": "Row", "data-testid": "row-slider", input: () => put(model, "row", +slide.value) });
  const known = make("span", { class: "note" });
  const target = make("select", { "aria-label": "Class", "data-testid": "target", change: () => put(model, "target", target.value) });
  const picks = [0, 1].map((i) => make("select", { "aria-label": i ? "Second strategy" : "First strategy", "data-testid": `predict-${i}`,
    change: () => put(model, "predict", picks.map((pick) => pick.value).filter(Boolean)) }));
  const restore = make("button", { type: "button", "data-testid": "restore", click: () => model.send({ restore: true }) }, "Undo edits");
  const rows = make("label", {}, "Row", row, slide, known), classes = make("label", {}, "Explain", target);
  const bar = make("div", { class: "controls" }, rows, classes, make("label", {}, "Predict by", picks[0]), make("label", {}, "and by", picks[1]), restore);
  const options = (select, values, now, words = (v) => v) => {
    select.replaceChildren(...values.map((value) => make("option", { value, selected: value === now }, words(value))));
    select.value = now;
  };
  function update() {
    const about = model.get("about"), predict = model.get("predict");
    rows.hidden = !about.rows;
    row.max = slide.max = Math.max(about.rows - 1, 0);
    row.value = slide.value = model.get("row") ?? 0;
    known.textContent = `of ${about.rows}${about.label === null ? "" : ` · its label: ${about.label}`}`;
    classes.hidden = !about.classes.length;
    options(target, ["", ...about.classes], model.get("target"), (v) => (v ? `P(${v})` : "the most probable class"));
    options(picks[0], about.strategies, predict[0]);
    options(picks[1], ["", ...about.strategies], predict[1] || "", (v) => v || "nothing else");
    restore.disabled = !model.get("cells").some((cell) => cell[3]);
  }
  return { bar, update };
}

/** Contributions as a list, and side by side on a bar from 0 to 1. */
function sumOf(trace, prefix) {
  const list = make("table", { class: "parts" }, ...trace.parts.map(([v, words, note]) => make("tr", {},
    make("td", { class: "muted" }, `#${v}`), make("td", {}, words), make("td", { class: "muted" }, note))));
  if (trace.others[0]) list.append(make("tr", {}, make("td", {}), make("td", { class: "muted" }, `${trace.others[0]} more nodes add ${trace.others[1].toFixed(3)}`)));
  const pieces = [...trace.parts.map(([v, , , amount]) => [`#${v}`, amount]), ...(trace.others[0] ? [["…", trace.others[1]]] : [])];
  const bar = make("svg", { class: "sum", role: "img", "aria-label": `${trace.answer}: ${trace.parts.map((part) => `node ${part[0]}: ${part[1]}`).join("; ")}` },
    make("rect", { width: "100%", height: 24, class: "track" }));
  let at = 0;
  for (const [name, amount] of pieces) {
    if (amount <= 0) continue;
    const x = `${100 * at}%`, wide = `${100 * amount}%`;
    bar.append(make("rect", { x, y: 0, width: wide, height: 24, fill: trace.class < 0 ? "var(--flow)" : fillOf(trace.class, prefix), class: "piece" }));
    if (amount > 0.07) {
      const middle = `${100 * (at + amount / 2)}%`;
      const label = make("text", { x: middle, y: 16.5, "text-anchor": "middle", "font-size": 11.5, class: "ink onbar" });
      label.textContent = name;
      bar.append(label);
    }
    at += amount;
  }
  const ends = make("div", { class: "ends" }, make("span", {}, trace.class < 0 ? "" : "0"), make("b", { "data-testid": "answer" }, trace.answer), make("span", {}, trace.class < 0 ? "" : "1"));
  return make("div", { class: "total" }, list, bar, ends);
}

function traceView(trace, prefix) {
  const world = make("g", {}), reached = new Set(trace.reached);
  const svg = make("svg", { class: "stage", role: "img", tabindex: 0, "aria-label": `Way of the row under ${trace.name}: ${trace.answer}` }, world);
  const moves = makeView(svg, world, () => trace.scene.size.map((v) => (v * EM) / 100));
  const drawn = drawTree(world, trace.scene, prefix, { item: (node) => ({ class: reached.has(node.id) ? "reached" : "unreached" }), way: (node) => reached.has(node.id) });
  svg.addEventListener("keydown", (event) => {
    const run = { "+": () => moves.zoom(1.25), "-": () => moves.zoom(1 / 1.25), "0": () => moves.fit() }[event.key];
    if (run) { run(); event.stopPropagation(); }
  });
  svg.addEventListener("dblclick", () => moves.fit());
  return { element: make("section", { class: "trace", "data-strategy": trace.name }, make("h3", {}, trace.name, make("span", { class: "muted" }, ` → ${trace.answer} `), ...saveButtons("row", () => ({ svg, world, size: trace.scene.size.map((v) => (v * EM) / 100) }))), svg, sumOf(trace, prefix)), moves, drawn };
}

function renderTracer({ model, el }) {
  const prefix = `mdt${++count}-`, { root, stop } = frame(model, el, "tracer");
  const tools = tracerBar(model), cells = make("div", { class: "cells", role: "group", "aria-label": "Values of the row" }), main = make("div", { class: "traces" });
  const title = make("b", { class: "title", "aria-live": "polite" });
  root.append(make("div", { class: "tools" }, title, tools.bar), cells, main);
  let views = [], timer = 0;
  function drawCells() {
    const focused = cells.contains(document.activeElement) ? document.activeElement.closest("[data-column]")?.dataset.column : null;
    const unasked = model.get("about").unasked;
    cells.replaceChildren(...model.get("cells").map((cell) => cellField(model, prefix, cell)),
      ...(unasked > 0 ? [make("span", { class: "note" }, `${unasked} more column${unasked > 1 ? "s" : ""}, which the tree does not ask`)] : []));
    if (focused) [...cells.children].find((child) => child.dataset.column === focused)?.querySelector("input").focus();
  }
  function draw() {
    const traces = model.get("traces");
    main.className = `traces${traces.length > 1 ? " two" : ""}`;
    // The size is known before anything is written: else the page is laid out once per tree.
    const old = views.length === traces.length && main.querySelector("svg.stage"), room = old ? { w: old.clientWidth, h: old.clientHeight } : undefined;
    views = traces.map((trace, i) => traceView(trace, `${prefix}${i}-`));
    main.replaceChildren(...views.map((view) => view.element));
    for (const { moves } of views) moves.fit(0.6, room);
    title.textContent = model.get("about").title;
    tools.update();
    drawCells();
    root.dataset.ready = "1";
  }
  // Several traits change together: draw them once.
  const soon = () => { clearTimeout(timer); timer = setTimeout(draw, 0); };
  const unfollow = follow(model, { row: tools.update, traces: soon, cells: soon, about: soon, error: soon });
  draw();
  const size = new ResizeObserver(() => { if (main.clientWidth) { for (const { moves } of views) moves.fit(0.6); size.disconnect(); } });
  size.observe(main);
  return () => { clearTimeout(timer); stop(); unfollow(); size.disconnect(); root.remove(); };
}

export default { render: renderTracer };

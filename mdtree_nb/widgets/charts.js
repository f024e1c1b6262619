// Widgets of sliders, charts and tables: what they show is decided in Python.

const DASH = { dash: "5 3", dot: "1.5 3" };
const ROLE = (role) => (!role ? "none" : role.startsWith("#") ? role : `var(--${role})`);

function chartText(at, words, colour, { align = "left", bold = false, size = 11 } = {}) {
  const text = make("text", { x: at[0], y: at[1], "font-size": size, class: bold ? "bold" : null, style: `fill:${ROLE(colour)}`,
    "text-anchor": { left: null, center: "middle", right: "end" }[align], "dominant-baseline": "central" });
  text.textContent = words;
  return text;
}

function chartShape(shape) {
  const at = [];
  for (let i = 0; i < shape.at.length; i += 2) at.push(shape.at[i] === null || shape.at[i + 1] === null ? null : [shape.at[i] / 10, shape.at[i + 1] / 10]);
  const dash = DASH[shape.dash], name = shape.name || null;
  if (shape.kind === "line") {
    let d = "", broken = true;
    for (const point of at) { if (point) d += `${broken ? "M" : "L"}${point[0]} ${point[1]}`; broken = !point; }
    return [make("path", { d, class: "none", "data-name": name, style: `stroke:${ROLE(shape.colour)}`, "stroke-width": shape.size, "stroke-dasharray": dash })];
  }
  if (shape.kind === "dots") { // one path for all: a thousand circles are slow
    const r = shape.size;
    const d = at.filter(Boolean).map(([x, y]) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`).join("");
    const look = shape.hollow ? `fill:var(--paper);stroke:${ROLE(shape.colour)}` : `fill:${ROLE(shape.colour)}`;
    return [make("path", { d, "data-name": name, "data-count": at.length, style: look, opacity: shape.faint ? 0.75 : null })];
  }
  if (shape.kind === "box") {
    const [[x0, y0], [x1, y1]] = at;
    return [make("rect", { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0),
      style: `fill:${ROLE(shape.colour)};stroke:${ROLE(shape.outline)}`, "stroke-dasharray": dash })];
  }
  const [dx, dy] = shape.shift || [0, 0];
  return [chartText([at[0][0] + dx, at[0][1] + dy], shape.text, shape.colour, shape)];
}

function drawChart(spec, clicked) {
  const [w, h] = spec.size, [x0, y0, x1, y1] = spec.frame.map((v) => v / 10);
  const svg = make("svg", { class: "chart", viewBox: `0 0 ${w} ${h}`, role: "img", style: `max-width:${w}px`, "aria-label": spec.words || spec.title });
  svg.append(make("path", { d: `M${x0} ${y1}V${y0}H${x1}`, class: "axes" }));
  for (const [at, words] of spec.ticks[0]) svg.append(chartText([at / 10, y0 + 12], words, "muted", { align: "center" }));
  for (const [at, words] of spec.ticks[1]) svg.append(chartText([x0 - 5, at / 10], words, "ink", { align: "right" }));
  svg.append(chartText([6, 13], spec.title, "ink", { bold: true, size: 12 }), chartText([(x0 + x1) / 2, y0 + 29], spec.labels[0], "ink", { align: "center" }));
  const label = chartText([0, 0], spec.labels[1], "ink", { align: "center" });
  label.setAttribute("transform", `translate(9 ${(y0 + y1) / 2}) rotate(-90)`);
  svg.append(label, ...spec.shapes.flatMap(chartShape));
  svg.addEventListener("click", (event) => {
    const box = svg.getBoundingClientRect();
    clicked(((event.clientX - box.left) / box.width) * w, ((event.clientY - box.top) / box.height) * h);
  });
  return svg;
}

function drawTable({ caption, head, rows }) {
  return make("table", {}, make("caption", {}, caption), make("tr", {}, ...head.map((words) => make("th", { scope: "col" }, words))),
    ...rows.map((row) => make("tr", { class: row[0].startsWith("missing") ? "missing" : null }, ...row.map((words, i) => make(i ? "td" : "th", { class: i ? "num" : null, scope: i ? null : "row" }, words)))));
}

/** Says at most so often what a slider says, and at the end what it said last. */
function calmly(run, pause = 40) {
  let timer = 0, next = null, last = 0;
  const fire = () => { timer = 0; last = Date.now(); run(next); };
  const say = (value) => { next = value; if (!timer) timer = setTimeout(fire, Math.max(0, pause - (Date.now() - last))); };
  say.stop = () => clearTimeout(timer);
  return say;
}

function chartControl(model, { trait, label, kind, min, max, step, options, percent, whole }) {
  const hook = { "data-testid": trait, "aria-label": label };
  if (kind === "button") return { element: make("button", { type: "button", ...hook, click: () => model.send({ [trait]: true }) }, label), update() {}, stop() {} };
  if (kind === "check") {
    const boxes = options.map(([value, words]) => [value, make("input", { type: "checkbox", "data-testid": `${trait}-${value}`,
      change: () => put(model, trait, boxes.filter(([, box]) => box.checked).map(([name]) => name)) }), words]);
    return { element: make("span", { role: "group", class: "checks", ...hook }, label, ...boxes.map(([, box, words]) => make("label", {}, box, words))), stop() {},
      update() { for (const [value, box] of boxes) box.checked = model.get(trait).includes(value); } };
  }
  if (kind === "select") {
    const select = make("select", { ...hook, change: () => put(model, trait, whole ? +select.value : select.value) }, ...options.map(([value, words]) => make("option", { value }, words)));
    return { element: make("label", {}, label, select), update() { select.value = model.get(trait); }, stop() {} };
  }
  const send = calmly((value) => put(model, trait, value));
  const written = make("output", {});
  const write = (value) => { written.textContent = percent ? `${Math.round(100 * value)} %` : `${+(+value).toPrecision(5)}`; };
  const input = make("input", { type: kind, min, max, step, ...hook, input: () => { write(+input.value); if (kind === "range") send(+input.value); },
    change: () => { if (kind === "number") put(model, trait, +input.value); } });
  return { element: make("label", {}, label, input, kind === "range" ? written : null), stop: send.stop,
    update() { const value = model.get(trait) ?? model.get("view").at?.[trait] ?? min; if (document.activeElement !== input || +input.value !== +value) input.value = value; write(value); } };
}

function renderCharts({ model, el }) {
  const { root, stop } = frame(model, el, "charts");
  const title = make("b", { class: "title", "aria-live": "polite" }), note = make("span", { class: "note" });
  const bar = make("div", { class: "controls" }), main = make("div", { class: "panels" }), side = make("div", { class: "numbers" });
  root.append(make("div", { class: "tools" }, make("div", { class: "names" }, title, note), bar), make("div", { class: "body" }, main, side));
  let controls = [], built = "", timer = 0, clock = 0;
  const setClock = () => { // a store that is still written is read again and again
    clearInterval(clock);
    const seconds = model.get("every");
    if (seconds > 0) clock = setInterval(() => model.send({ refresh: true }), 1000 * seconds);
  };
  function build() {
    const wanted = JSON.stringify(model.get("controls"));
    if (wanted === built) return;
    built = wanted;
    const focused = bar.contains(document.activeElement) ? document.activeElement.dataset.testid : null;
    for (const control of controls) control.stop();
    controls = model.get("controls").map((control) => chartControl(model, control));
    bar.replaceChildren(...controls.map((control) => control.element));
    if (focused) bar.querySelector(`[data-testid="${CSS.escape(focused)}"]`)?.focus();
  }
  function draw() {
    const view = model.get("view");
    build();
    title.textContent = view.title;
    note.textContent = view.note;
    main.replaceChildren(...view.charts.map((spec, i) => drawChart(spec, (x, y) => model.send({ click: [i, x, y] }))));
    side.replaceChildren(...view.tables.map(drawTable));
    for (const control of controls) control.update();
    root.dataset.ready = "1";
  }
  const soon = () => { clearTimeout(timer); timer = setTimeout(draw, 0); };
  const unfollow = follow(model, { view: soon, controls: soon, error: soon, every: setClock });
  draw();
  setClock();
  return () => { clearTimeout(timer); clearInterval(clock); for (const control of controls) control.stop(); stop(); unfollow(); root.remove(); };
}

export default { render: renderCharts };

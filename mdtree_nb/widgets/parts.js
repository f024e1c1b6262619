// What all widgets share: making elements, following traits, the root and its errors.
// Words from data are set as text and never read as HTML.

const SVG = "http://www.w3.org/2000/svg";
let count = 0; // several widgets on a page need ids of their own

/** Make an element; attributes that are functions listen, children that are text stay text. */
function make(name, attributes = {}, ...children) {
  const svg = make.svg.has(name);
  const element = svg ? document.createElementNS(SVG, name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key, value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  // JupyterLab's shortcuts would take arrows and Enter away from what has the focus.
  if (name === "input" || name === "select" || name === "button" || "tabindex" in attributes) element.setAttribute("data-lm-suppress-shortcuts", "true");
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}
make.svg = new Set(["svg", "g", "path", "rect", "text", "tspan", "line", "circle", "defs", "pattern"]);

/** Follow traits; returns how to stop. */
function follow(model, handlers) {
  const pairs = Object.entries(handlers).map(([name, run]) => [`change:${name}`, run]);
  for (const [event, run] of pairs) model.on(event, run);
  return () => { for (const [event, run] of pairs) model.off(event, run); };
}

function put(model, name, value) {
  model.set(name, value);
  model.save_changes();
}

// -- a drawing as a file -----------------------------------------------------------

const KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "paint-order", "opacity", "font-family", "font-size", "font-weight", "text-anchor"];

/** The whole drawing as an address, its colours and its paper written into it. */
function asAddress({ svg, world, size: [w, h] }) {
  const shown = world.getAttribute("transform"), paper = getComputedStyle(svg.closest(".mdt")).backgroundColor;
  const box = { x: -9, y: -9, width: w + 18, height: h + 18 }, copy = svg.cloneNode(true), to = [copy, ...copy.querySelectorAll("*")];
  world.removeAttribute("transform");
  [svg, ...svg.querySelectorAll("*")].forEach((from, i) => {
    const look = getComputedStyle(from);
    to[i].setAttribute("style", KEPT.map((name) => `${name}:${look[name]}`).join(";"));
  });
  world.setAttribute("transform", shown);
  copy.querySelector("g").removeAttribute("transform");
  for (const [name, value] of Object.entries({ ...box, viewBox: Object.values(box).join(" ") })) copy.setAttribute(name, value);
  copy.prepend(make("rect", { ...box, fill: paper }));
  return `data:image/svg+xml,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
}

/** Buttons that hand over a drawing as SVG and as PNG. */
function saveButtons(name, drawing) {
  const hand = (href, ending) => make("a", { href, download: `${name}.${ending}` }).click();
  const asPng = () => {
    const image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      hand(canvas.toDataURL(), "png");
    };
    image.src = asAddress(drawing());
  };
  const button = (words, click) => make("button", { type: "button", "aria-label": `Save as ${words}`, click }, words);
  return [button("SVG", () => hand(asAddress(drawing()), "svg")), button("PNG", asPng)];
}

/** Root of a widget with its theme and the place where errors are said. */
function frame(model, el, name) {
  const alert = make("div", { class: "error", role: "alert" });
  const root = make("div", { class: `mdt ${name}`, "data-theme": model.get("theme") }, alert);
  const showError = () => { alert.textContent = model.get("error"); };
  const stop = follow(model, { error: showError, theme: () => { root.dataset.theme = model.get("theme"); } });
  showError();
  el.append(root);
  return { root, stop };
}

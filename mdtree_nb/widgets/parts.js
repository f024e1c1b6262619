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

const LOOKS_KEPT = ["fill", "stroke", "stroke-width", "stroke-dasharray", "stroke-linejoin", "paint-order", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "dominant-baseline"];

/** The whole drawing as a document of its own, its colours written into it. */
function asDocument(svg, world, [w, h], paper) {
  const shown = world.getAttribute("transform"), margin = 12;
  world.removeAttribute("transform");
  const copy = svg.cloneNode(true), from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
  from.forEach((element, i) => {
    const look = getComputedStyle(element);
    to[i].setAttribute("style", LOOKS_KEPT.map((name) => `${name}:${look.getPropertyValue(name)}`).join(";"));
  });
  if (shown) world.setAttribute("transform", shown);
  for (const [name, value] of Object.entries({ xmlns: SVG, width: w + 2 * margin, height: h + 2 * margin, viewBox: `${-margin} ${-margin} ${w + 2 * margin} ${h + 2 * margin}` })) copy.setAttribute(name, value);
  copy.prepend(make("rect", { x: -margin, y: -margin, width: w + 2 * margin, height: h + 2 * margin, fill: paper }));
  return new XMLSerializer().serializeToString(copy);
}

/** Buttons that hand over a drawing as SVG and as PNG. */
function saveButtons(name, drawing) {
  const hand = (blob, ending) => {
    const link = make("a", { href: URL.createObjectURL(blob), download: `${name}.${ending}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  };
  const source = () => {
    const { svg, world, size } = drawing();
    return [asDocument(svg, world, size, getComputedStyle(svg.closest(".mdt")).backgroundColor), size];
  };
  const asSvg = () => hand(new Blob([source()[0]], { type: "image/svg+xml" }), "svg");
  const asPng = () => {
    const [text] = source(), image = new Image();
    image.onload = () => {
      const canvas = make("canvas", { width: 2 * image.width, height: 2 * image.height });
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      canvas.toBlob((blob) => hand(blob, "png"));
    };
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`;
  };
  const button = (words, run) => make("button", { type: "button", title: `Save the picture as ${words}`, "aria-label": `Save as ${words}`, click: run }, words);
  return [button("SVG", asSvg), button("PNG", asPng)];
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

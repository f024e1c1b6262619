"""A widget's JavaScript in an empty page, with a model that only remembers."""

from __future__ import annotations

import json
from typing import Any

MOUNT = """async ([esm, css, state]) => {
  const url = URL.createObjectURL(new Blob([esm], {type: "text/javascript"}));
  const widget = (await import(url)).default;
  const listeners = {}, fire = name => { for (const run of listeners[name] ?? []) run(); };
  window.saved = []; window.sent = [];
  window.model = {
    get: name => state[name],
    set(name, value) {
      if (state[name] !== value) { state[name] = value; fire("change:" + name); }
    },
    save_changes() { window.saved.push(structuredClone({...state})); },
    on(name, run) { (listeners[name] ??= []).push(run); },
    off(name, run) { listeners[name] = (listeners[name] ?? []).filter(other => other !== run); },
    send(wish) { window.sent.push(wish); },
  };
  window.listening = () => Object.values(listeners).reduce((n, runs) => n + runs.length, 0);
  const style = document.createElement("style");
  style.textContent = css;
  document.head.append(style);
  const element = document.createElement("div");
  document.body.append(element);
  const start = performance.now();
  window.cleanup = await widget.render({model: window.model, el: element});
  window.took = performance.now() - start;
}"""


def page_state(widget: Any) -> dict[str, Any]:
    """State of a widget as the page has it, without what belongs to the machinery."""
    state = widget.get_state()
    names = [name for name in state if not name.startswith("_") and name != "layout"]
    return json.loads(json.dumps({name: state[name] for name in names}))


def mount(page: Any, widget: Any, **changes: Any) -> None:
    """Show a widget in an empty page."""
    page.set_content("<!doctype html><body style='margin:8px'></body>")
    state = {**page_state(widget), **changes}
    page.evaluate(MOUNT, [widget._esm, widget._css, state])
    page.locator(".mdt[data-ready='1']").wait_for()


def push(page: Any, widget: Any, *names: str) -> None:
    """Let the page know of new values, as Python would."""
    state = page_state(widget)
    for name in names:
        page.evaluate("([name, value]) => model.set(name, value)", [name, state[name]])

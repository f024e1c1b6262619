"""JupyterLab on this machine alone, and a notebook in it that a test can drive.

The application object drives it (`--expose-app-in-browser`), so there are neither toolbar
buttons to find nor pauses to guess. State in Python is asked from the notebook's own kernel.
"""

from __future__ import annotations

import ast
import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# Whatever opens a dialog, asks the network or hides cells that are out of sight.
SETTINGS = {
    "apputils-extension/notification": {"fetchNews": "false", "checkForUpdates": False},
    "docmanager-extension/plugin": {"autosave": False},
    "notebook-extension/tracker": {"windowingMode": "none"},
    "extensionmanager-extension/plugin": {"enabled": False},
}
OPEN = """async path => {
  const app = window.jupyterapp;
  await app.restored;
  const panel = await app.commands.execute("docmanager:open", {path, factory: "Notebook"});
  await panel.context.ready;
  await panel.sessionContext.ready;
  await panel.revealed;
  await panel.sessionContext.session.kernel.info;
  app.shell.collapseLeft();
}"""
PANEL = (
    """const panel = [...jupyterapp.shell.widgets("main")].find(w => w.context?.path === path);"""
)
RUN = (
    "async path => {"
    + PANEL
    + """await jupyterapp.commands.execute("notebook:run-all-cells");
  return panel.content.model.sharedModel.cells.filter(c => c.cell_type === "code")
    .flatMap(c => c.toJSON().outputs).filter(o => o.output_type === "error")
    .map(o => o.ename + ": " + o.evalue);
}"""
)
ASK = (
    "async ([path, code, asked]) => {"
    + PANEL
    + """const kernel = panel.sessionContext.session.kernel;
  const reply = await kernel.requestExecute({code, silent: true, store_history: false,
    user_expressions: asked ? {asked} : {}}).done;
  const {status, evalue, user_expressions} = reply.content;
  return [status, evalue, user_expressions?.asked?.data?.["text/plain"]];
}"""
)


@contextlib.contextmanager
def lab_server(folder: Path) -> Iterator[str]:
    """Start JupyterLab with settings of its own; gives its address and ends it again."""
    home = Path(tempfile.mkdtemp(prefix="mdtree-lab-"))
    for name, value in SETTINGS.items():
        plugin = home / "settings" / "@jupyterlab" / f"{name}.jupyterlab-settings"
        plugin.parent.mkdir(parents=True, exist_ok=True)
        plugin.write_text(json.dumps(value))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"JUPYTER_CONFIG_DIR": "cfg", "JUPYTER_RUNTIME_DIR": "run", "JUPYTER_DATA_DIR": "data"}
    own |= {"JUPYTERLAB_SETTINGS_DIR": "settings", "JUPYTERLAB_WORKSPACES_DIR": "spaces"}
    own |= {"IPYTHONDIR": "ipython"}
    environment = {k: v for k, v in os.environ.items() if k != "MPLBACKEND"}
    environment |= {name: str(home / part) for name, part in own.items()}
    root = Path(__file__).resolve().parents[2]
    environment["PYTHONPATH"] = os.pathsep.join([str(root), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root"]
    command += [f"--ServerApp.root_dir={folder}", "--ServerApp.ip=127.0.0.1"]
    command += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += ["--IdentityProvider.token=", "--ServerApp.password="]
    command += ["--ServerApp.disable_check_xsrf=True", "--LabApp.news_url="]
    command += ["--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    command += ["--LabApp.extension_manager=readonly", "--expose-app-in-browser"]
    with open(home / "log.txt", "wb") as log:
        server = subprocess.Popen(
            command, env=environment, stdout=log, stderr=log, start_new_session=True
        )
        try:
            address = f"http://127.0.0.1:{port}"
            _wait_for(address + "/api/status", server, home / "log.txt")
            yield address
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(server.pid, signal.SIGTERM)  # its kernels too
            with contextlib.suppress(subprocess.TimeoutExpired):
                server.wait(10)
            shutil.rmtree(home, ignore_errors=True)


def _wait_for(url: str, server: subprocess.Popen[bytes], log: Path) -> None:
    for _ in range(600):
        if server.poll() is not None:
            break
        with contextlib.suppress(OSError), urllib.request.urlopen(url, timeout=2):
            return
        time.sleep(0.1)
    raise RuntimeError("JupyterLab did not start:\n" + log.read_text()[-3000:])


class Notebook:
    """A notebook that is open in Lab."""

    def __init__(self, page: Any, address: str, path: str):
        self.page, self.path, self.problems = page, path, []
        page.on("pageerror", self._note)
        page.on("console", lambda m: m.type == "error" and self.problems.append(m.text))
        page.goto(f"{address}/lab/workspaces/test?reset", wait_until="domcontentloaded")
        page.wait_for_function("() => window.jupyterapp?.shell", timeout=90_000)
        page.evaluate(OPEN, path)

    def _note(self, error: Any) -> None:
        # Lab itself stumbles now and then when the widget of an output is closed.
        if "removeChild" not in str(error) or "jlab_core" not in (error.stack or ""):
            self.problems.append(f"{error} {error.stack}")

    def run(self) -> None:
        """Run all cells."""
        errors = self.page.evaluate(RUN, self.path)
        assert errors == []

    def do(self, code: str) -> None:
        """Run code in the kernel, beside the document."""
        status, error, _ = self.page.evaluate(ASK, [self.path, code, ""])
        assert status == "ok", error

    def ask(self, expression: str) -> Any:
        """Value of an expression in the kernel."""
        _, _, text = self.page.evaluate(ASK, [self.path, "", expression])
        return ast.literal_eval(text)

    def becomes(self, expression: str, wanted: Any) -> None:
        """Wait until an expression in the kernel has a value."""
        for _ in range(200):
            got = self.ask(expression)
            if got == wanted:
                return
            time.sleep(0.05)
        raise AssertionError(f"{expression} is {got!r}, not {wanted!r}")

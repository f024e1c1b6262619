"""Chromium for the tests: found, started, and cut off from everything but this machine.

Its own fixed window, fonts and colours make pictures repeatable. Playwright brings no browser
along: Debian's is used, or the one that CHROMIUM names.
"""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Iterator
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
ARGUMENTS = [
    "--no-sandbox",  # a container has no user to give rights away from
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--hide-scrollbars",
    "--force-color-profile=srgb",
]
HERE_ONLY = ("http://127.0.0.1", "ws://127.0.0.1", "about:", "data:", "blob:")


def chromium_path() -> str | None:
    """Where Chromium is; None = there is none."""
    found = os.environ.get("CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    return found if found and os.path.exists(found) else None


@contextlib.contextmanager
def browser_context(outside: list[str], **options: Any) -> Iterator[Any]:
    """A fresh profile; requests that would leave this machine are refused and noted down."""
    from playwright.sync_api import sync_playwright

    def judge(route: Any) -> None:
        url = route.request.url
        if url.startswith(HERE_ONLY):
            route.continue_()
        else:
            outside.append(url)
            route.abort()

    with sync_playwright() as player:
        browser = player.chromium.launch(executable_path=chromium_path(), args=ARGUMENTS)
        context = browser.new_context(
            viewport={"width": 1360, "height": 1100}, reduced_motion="reduce", **options
        )
        context.route("**/*", judge)
        try:
            yield context
        finally:
            context.close()
            browser.close()

"""Fixtures of the tests in a browser; `tests/conftest.py` hands them on.

Without Chromium these tests are skipped, and say so.
"""

import chromium
import pytest


def skip_without_chromium(items):
    if chromium.chromium_path() is None:
        reason = "NO CHROMIUM, so no widget was tried in a browser: apt-get install chromium"
        for item in items:
            if "browser" in item.path.parts:
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(scope="module")
def outside():
    """Addresses outside this machine that a page asked for."""
    return []


@pytest.fixture(scope="module")
def context(outside):
    with chromium.browser_context(outside) as context:
        yield context


@pytest.fixture
def page(context, outside):
    page = context.new_page()
    page.set_default_timeout(15_000)
    problems = []
    page.on("pageerror", lambda error: problems.append(str(error)))
    yield page
    page.close()
    assert problems == []
    assert outside == []

"""What a journey needs: a console of its own, a browser, people in it."""

import pytest
from playwright.async_api import async_playwright

from tests.live import browser as chromium
from tests.live import house as houses


@pytest.fixture(scope="session")
def template(tmp_path_factory):
    return houses.prepared(tmp_path_factory.mktemp("template"))


@pytest.fixture
def house(template, tmp_path, request):
    built = houses.build(tmp_path / "data", template=template, workers=getattr(request, "param", 1))
    yield built
    built.stop()


@pytest.fixture(scope="session")
async def browser():
    path = chromium.executable()
    async with async_playwright() as playwright:
        started = await playwright.chromium.launch(executable_path=path, args=[*chromium.ARGUMENTS])
        yield started
        await started.close()


@pytest.fixture
async def visit(browser):
    """Open a page for one more person: `page = await visit(url, locale=…)`; each has cookies of their own."""
    opened = []

    async def open_page(url, **options):
        context = await browser.new_context(viewport={"width": 1440, "height": 900}, **options)
        opened.append(context)
        page = await context.new_page()
        await page.goto(url)
        return page

    yield open_page
    for context in opened:
        await context.close()

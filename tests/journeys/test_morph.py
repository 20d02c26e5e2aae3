"""A refreshed page invents nothing: what was blank stays blank, what was chosen stays chosen."""

import pytest

from tests.live.house import ROOT

pytestmark = pytest.mark.embedded  # about the page in front of the rows, whatever stores them

SOURCE = (ROOT / "static/lib/morph.js").read_text(encoding="utf-8")
REFRESH = """async ([source, html, chosen]) => {
  const { morph } = await import("data:text/javascript," + encodeURIComponent(source));
  const form = () => new DOMParser().parseFromString(html, "text/html").querySelector("form");
  document.body.replaceChildren(document.importNode(form(), true));
  const select = document.querySelector("select");
  if (chosen !== null) select.value = chosen;
  morph(document.querySelector("form"), form());
  return select.value;
}"""
HTML = (
    '<form><select><option value="" selected></option><option value="true">true</option>'
    '<option value="false">false</option></select></form>'
)


@pytest.mark.parametrize(("chosen", "kept"), [(None, ""), ("true", "true"), ("false", "false")])
async def test_a_choice_nobody_made_is_not_made_by_a_refresh(visit, chosen, kept):
    page = await visit("about:blank")
    assert await page.evaluate(REFRESH, [SOURCE, HTML, chosen]) == kept

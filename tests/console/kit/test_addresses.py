"""Names in addresses: what goes in comes out again."""

from urllib.parse import unquote, urljoin

import pytest
from django.urls import path, resolve, reverse

from console.kit import addresses  # noqa: F401  # brings the converter

urlpatterns = [path("things/<name:name>/", print, name="thing")]  # type: ignore[arg-type]  # only resolved
PLAIN = ["a", "a/b", "/", "a/", "a\nb", "\r\n", "a b", "\u2028", "%0A", "?#&", "靠窗"]
WALKED = [".", "..", "../../etc/passwd", "a/../b", "a/.", "~..", "~~/~.", "...", ".a", "a..", "~"]


@pytest.mark.urls(__name__)
@pytest.mark.parametrize("name", [*PLAIN, *WALKED])
def test_every_name_has_an_address_that_leads_back_to_it(name):
    address = reverse("thing", args=[name])
    assert "\n" not in address
    assert urljoin("http://console.example/", address) == f"http://console.example{address}"
    assert resolve(unquote(address)).kwargs == {"name": name}

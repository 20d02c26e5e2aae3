"""The addresses of the browser's sockets."""

from django.urls import re_path

from console.live.consumers import Hints

websocket_urlpatterns = [
    re_path(r"^ws/hints$", Hints.as_asgi()),  # type: ignore[arg-type]  # Django's stubs know views only
]

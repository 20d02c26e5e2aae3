"""The addresses of the browser's sockets."""

from django.urls import path

from console.live.consumers import Hints

websocket_urlpatterns = [path("ws/hints", Hints.as_asgi())]

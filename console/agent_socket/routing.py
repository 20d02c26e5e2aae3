"""The address of the agents' socket."""

from django.urls import path

from console.agent_socket.socket import agent_socket

websocket_urlpatterns = [path("ws/agent/v1", agent_socket)]  # type: ignore[arg-type]  # Django's stubs know views only

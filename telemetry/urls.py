"""The addresses of telemetry."""

from django.urls import URLPattern, path

from telemetry import api

urlpatterns: list[URLPattern] = [
    path("api/v1/schema", api.Schema.as_view(), name="api-schema"),
    path("api/v1/calls", api.Calls.as_view(), name="api-calls"),
    path("api/v1/calls/<path:call_id>", api.Call.as_view(), name="api-call"),
]

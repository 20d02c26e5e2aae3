"""The addresses of telemetry."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []

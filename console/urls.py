"""The addresses of the whole console, composed from the apps' tables."""

from django.urls import include, path

urlpatterns = [
    path("", include("console.people.urls")),
    path("", include("telemetry.urls")),
    path("", include("escalations.urls")),
]

"""The addresses of the whole console, composed from the apps' tables."""

from django.urls import include, path

from console import pages
from console.overview.pages import overview

urlpatterns = [
    path("", overview, name="overview"),
    path("audit/", pages.audit, name="audit"),
    path("go/", pages.go, name="go"),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("", include("console.people.urls")),
    path("", include("telemetry.urls")),
    path("", include("escalations.urls")),
]
handler403 = "console.pages.forbidden"
handler404 = "console.pages.missing"
handler500 = "console.pages.broken"

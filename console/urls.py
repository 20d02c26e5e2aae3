"""The addresses of the whole console, composed from the apps' tables."""

from django.urls import include, path

from console import pages
from console.agent_socket.api import AsyncApi
from console.joined.causes import cause
from console.joined.spikes import spike
from console.kit import addresses  # noqa: F401  # brings the `name` converter
from console.overview.pages import overview
from console.reference.pages import api_page
from console.trace.pages import trace

urlpatterns = [
    path("", overview, name="overview"),
    path("traces/<name:trace_id>/", trace, name="trace"),
    path("audit/", pages.audit, name="audit"),
    path("api/", api_page, name="api-page"),
    path("api/v1/asyncapi", AsyncApi.as_view(), name="api-asyncapi"),
    path("go/", pages.go, name="go"),
    path("styleguide/", pages.styleguide, name="styleguide"),
    path("", include("console.people.urls")),
    path("", include("console.notices.urls")),
    path("", include("telemetry.urls")),
    path("", include("escalations.urls")),
    path("spikes/<int:spike_id>/", spike, name="spike"),
    path("causes/<str:cause_id>/", cause, name="cause"),  # after the list of rules, which stands beside it
]
handler400 = "console.pages.misread"
handler403 = "console.pages.forbidden"
handler404 = "console.pages.missing"
handler500 = "console.pages.broken"

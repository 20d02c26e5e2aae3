"""The addresses of cases."""

from django.urls import URLPattern, path

from escalations import api, pages

CASE = "api/v1/escalations/<uuid:escalation_id>"

urlpatterns: list[URLPattern] = [
    path("queue/", pages.queue, name="queue"),
    path("queue/bulk/", pages.bulk, name="bulk"),
    path("queue/bulk/pick/", pages.pick, name="bulk-pick"),
    path("queue/bulk/<str:key>/", pages.done, name="bulk-done"),
    path("groups/<str:fingerprint>/", pages.group, name="group"),
    path("queue/<str:ref>/preview/", pages.preview, name="queue-preview"),
    path("queue/<str:ref>/row/", pages.row, name="queue-row"),
    path("cases/<str:ref>/", pages.case, name="case"),
    path("cases/<str:ref>/decision/", pages.decide, name="case-decision"),
    path("cases/<str:ref>/draft/", pages.draft, name="case-draft"),
    path("cases/<str:ref>/claim/", pages.claim, name="case-claim"),
    path("cases/<str:ref>/release/", pages.release, name="case-release"),
    path("cases/<str:ref>/assign/", pages.assign, name="case-assign"),
    path("cases/<str:ref>/snooze/", pages.snooze, name="case-snooze"),
    path("cases/<str:ref>/redeliver/", pages.redeliver, name="case-redeliver"),
    path("cases/<str:ref>/retract/", pages.retract, name="case-retract"),
    path("cases/<str:ref>/resolve/", pages.resolve, name="case-resolve"),
    path("cases/<str:ref>/note/", pages.note, name="case-note"),
    path("api/v1/policies", api.Policies.as_view(), name="api-policies"),
    path("api/v1/policies/backtest", api.Backtest.as_view(), name="api-policies-backtest"),
    path("api/v1/policies/suggestions", api.Suggestions.as_view(), name="api-suggestions"),
    path(
        "api/v1/policies/suggestions/<str:suggestion_id>", api.Suggestion.as_view(), name="api-suggestion"
    ),
    path("api/v1/policies/webhook-secret", api.WebhookSecret.as_view(), name="api-webhook-secret"),
    path("api/v1/policies/<str:name>/mode", api.PolicyMode.as_view(), name="api-policy-mode"),
    path("api/v1/policies/<str:name>/shadow", api.Shadow.as_view(), name="api-policy-shadow"),
    path("api/v1/policies/<str:name>", api.Policy.as_view(), name="api-policy"),
    path("api/v1/pauses", api.Pauses.as_view(), name="api-pauses"),
    path("api/v1/pauses/<str:kind>/<str:name>", api.Pause.as_view(), name="api-pause"),
    path("api/v1/teams", api.Teams.as_view(), name="api-teams"),
    path("api/v1/teams/<str:name>", api.Team.as_view(), name="api-team"),
    path("api/v1/teams/<str:name>/overrides", api.Overrides.as_view(), name="api-team-overrides"),
    path(
        "api/v1/teams/<str:name>/overrides/<int:override_id>",
        api.Override.as_view(),
        name="api-team-override",
    ),
    path("api/v1/groups", api.Groups.as_view(), name="api-groups"),
    path(
        "api/v1/groups/<str:fingerprint>/decision", api.GroupDecision.as_view(), name="api-group-decision"
    ),
    path("api/v1/escalations", api.Cases.as_view(), name="api-cases"),
    path("api/v1/escalations/bulk", api.Bulk.as_view(), name="api-cases-bulk"),
    path("api/v1/escalations/kinds/<str:kind>", api.CasesInKind.as_view(), name="api-cases-in-kind"),
    path(CASE, api.Case.as_view(), name="api-case"),
    path(f"{CASE}/answer", api.Answer.as_view(), name="api-case-answer"),
    path(f"{CASE}/assignee", api.Assignee.as_view(), name="api-case-assignee"),
    path(f"{CASE}/snooze", api.Snooze.as_view(), name="api-case-snooze"),
    path(f"{CASE}/cancel", api.Cancel.as_view(), name="api-case-cancel"),
    path(f"{CASE}/claim", api.Claim.as_view(), name="api-case-claim"),
    path(f"{CASE}/decision", api.Decision.as_view(), name="api-case-decision"),
    path(f"{CASE}/ack", api.Acknowledgement.as_view(), name="api-case-ack"),
    path(f"{CASE}/outcome", api.Outcome.as_view(), name="api-case-outcome"),
    path(f"{CASE}/notes", api.Notes.as_view(), name="api-case-notes"),
    path(f"{CASE}/redelivery", api.Redelivery.as_view(), name="api-case-redelivery"),
    path(f"{CASE}/rest", api.Rest.as_view(), name="api-case-rest"),
    path(f"{CASE}/resolution", api.Resolution.as_view(), name="api-case-resolution"),
]

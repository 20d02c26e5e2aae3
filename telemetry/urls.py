"""The addresses of telemetry."""

from django.urls import URLPattern, path

from console.kit import addresses  # noqa: F401  # brings the `name` converter
from telemetry import api
from telemetry.pages import agents, breakers, calls, causes, labels, rules, spikes, tools

urlpatterns: list[URLPattern] = [
    path("tools/", tools.tools, name="tools"),
    path("tools/<name:name>/not-found/", labels.not_found, name="tool-not-found"),
    path("tools/<name:name>/", tools.tool, name="tool"),
    path("calls/", calls.calls, name="calls"),
    path("calls/<int:call_id>/label/", labels.label, name="call-label"),
    path("causes/", causes.causes, name="causes"),
    path("causes/rules/", rules.rules, name="cause-rules"),
    path("causes/rules/<int:rule_id>/drop/", rules.drop, name="cause-rule-drop"),
    path("spikes/", spikes.spikes, name="spikes"),
    path("spikes/mutes/", spikes.mute, name="spikes-mute"),
    path("spikes/mutes/<int:mute_id>/end/", spikes.unmute, name="spikes-unmute"),
    path("spikes/<int:spike_id>/acknowledge/", spikes.acknowledge, name="spike-acknowledge"),
    path("breakers/", breakers.breakers, name="breakers"),
    path("breakers/<name:name>/command/", breakers.breaker_command, name="breaker-command"),
    path("breakers/<name:name>/", breakers.breaker, name="breaker"),
    path("agents/", agents.agents, name="agents"),
    path("agents/<name:name>/keys/<int:key_id>/revoke/", agents.revoke_key, name="revoke-key"),
    path("agents/<name:name>/", agents.agent, name="agent"),
    path("metrics", api.metrics, name="metrics"),
    path("api/v1/schema", api.Schema.as_view(), name="api-schema"),
    path("api/v1/calls", api.Calls.as_view(), name="api-calls"),
    path("api/v1/calls.jsonl", api.CallsExport.as_view(), name="api-calls-export"),
    path("api/v1/calls/<name:call_id>", api.Call.as_view(), name="api-call"),
    path("v1/traces", api.Traces.as_view(), name="otlp-traces"),
    path("api/v1/labels", api.Label.as_view(), name="api-label"),
    path("api/v1/tools/<name:name>/not-found", api.NotFound.as_view(), name="api-not-found"),
    path("api/v1/causes/rules", api.CauseRules.as_view(), name="api-cause-rules"),
    path("api/v1/causes/rules/<int:rule_id>", api.CauseRule.as_view(), name="api-cause-rule"),
    path("api/v1/spikes", api.Spikes.as_view(), name="api-spikes"),
    path("api/v1/spikes/mutes", api.Mutes.as_view(), name="api-mutes"),
    path("api/v1/spikes/mutes/<int:mute_id>", api.Mute.as_view(), name="api-mute"),
    path(
        "api/v1/spikes/<int:spike_id>/acknowledgement",
        api.SpikeAcknowledgement.as_view(),
        name="api-spike-acknowledgement",
    ),
    path("api/v1/deploys", api.Deploys.as_view(), name="api-deploys"),
    path("api/v1/breakers/events", api.Events.as_view(), name="api-breaker-events"),
    path("api/v1/breakers/instances/<name:instance>", api.Instance.as_view(), name="api-breaker-instance"),
    path("api/v1/breakers/commands", api.Commands.as_view(), name="api-breaker-commands"),
    path("api/v1/breakers/commands/ack", api.CommandAck.as_view(), name="api-breaker-ack"),
    path(
        "api/v1/breakers/<name:breaker>/commands", api.BreakerCommands.as_view(), name="api-breaker-command"
    ),
]

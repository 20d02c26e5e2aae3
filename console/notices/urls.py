"""The addresses of notices."""

from django.urls import URLPattern, path

from console.notices import api, pages

REST = "api/v1/notifications"

urlpatterns: list[URLPattern] = [
    path("account/notifications/", pages.notifications, name="notifications"),
    path("channels/", pages.channels, name="channels"),
    path("channels/new/<slug:kind>/", pages.new_channel, name="channel-new"),
    path("channels/<int:channel_id>/", pages.channel, name="channel"),
    path("channels/<int:channel_id>/<slug:verb>/", pages.act_on_channel, name="channel-verb"),
    path("outbox/", pages.outbox, name="outbox"),
    path("outbox/<uuid:delivery_id>/redelivery/", pages.redeliver, name="redelivery"),
    path(f"{REST}/channels", api.Channels.as_view(), name="api-notice-channels"),
    path(f"{REST}/channels/<int:channel_id>", api.Channel.as_view(), name="api-notice-channel"),
    path(f"{REST}/channels/<int:channel_id>/pause", api.Pause.as_view(), name="api-notice-channel-pause"),
    path(f"{REST}/channels/<int:channel_id>/test", api.Test.as_view(), name="api-notice-channel-test"),
    path(f"{REST}/preferences", api.Preferences.as_view(), name="api-notice-preferences"),
    path(f"{REST}/deliveries", api.Deliveries.as_view(), name="api-notice-deliveries"),
    path(
        f"{REST}/deliveries/<uuid:delivery_id>/redelivery",
        api.Redelivery.as_view(),
        name="api-notice-redelivery",
    ),
    path(f"{REST}/offered", api.Offered.as_view(), name="api-notices-offered"),
    path(f"{REST}/shown", api.Shown.as_view(), name="api-notices-shown"),
]

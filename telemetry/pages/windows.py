"""The stretch of time that a page shows, as its address says it."""

from django.http import HttpRequest

from telemetry.vocabulary import Window


def window_of(request: HttpRequest, default: Window = Window.HOUR) -> Window:
    """Read the window asked for; the default where none or nonsense was."""
    asked = request.GET.get("window", "")
    return Window(asked) if asked in set(Window) else default

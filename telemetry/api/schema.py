"""The whole HTTP API as OpenAPI 3.1, JSON unless YAML is asked for."""

import threading
from typing import Any

from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView

_writing = threading.Lock()


class Schema(SpectacularAPIView):
    """Served to everyone: it says nothing that is not in the code."""

    renderer_classes = [OpenApiJsonRenderer, OpenApiYamlRenderer]

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        """Write it, one at a time: the library loads what describes our types at the first use, and not twice at once."""
        with _writing:
            return super().dispatch(request, *args, **kwargs)

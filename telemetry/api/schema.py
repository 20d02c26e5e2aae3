"""The whole HTTP API as OpenAPI 3.1, JSON unless YAML is asked for."""

from drf_spectacular.renderers import OpenApiJsonRenderer, OpenApiYamlRenderer
from drf_spectacular.views import SpectacularAPIView


class Schema(SpectacularAPIView):
    """Served to everyone: it says nothing that is not in the code."""

    renderer_classes = [OpenApiJsonRenderer, OpenApiYamlRenderer]

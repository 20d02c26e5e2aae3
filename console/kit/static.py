"""Static files under hashed names, ES module imports included: no bundler, long caching."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class ModuleStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]  # whitenoise ships no types
    """Rewrites `import … from "./x.js"` to the hashed name as well."""

    support_js_module_import_aggregation = True

"""Every read of telemetry: frozen dataclasses out, never querysets."""

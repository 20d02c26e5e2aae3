"""The pages of telemetry: tools, calls, traces, breakers, agents."""

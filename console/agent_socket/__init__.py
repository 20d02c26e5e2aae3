"""The one socket of agents, `/ws/agent/v1`: decisions and breaker commands out, acknowledgements in."""

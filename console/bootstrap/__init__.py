"""The set-up: from a bare Python to a ready environment, on the standard library alone."""

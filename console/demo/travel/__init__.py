"""A small travel service, its own process and its own state, that fails in every way tools fail."""

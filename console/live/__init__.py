"""The browser's socket: hints that something changed, never what."""

"""Notices to people: what is worth a message, whom it reaches on which channel, and how each attempt ended."""

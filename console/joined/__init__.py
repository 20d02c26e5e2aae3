"""Pages of facts with the cases they led to: one cause, one spike."""

"""What may happen to a case and what follows, from values and a time."""

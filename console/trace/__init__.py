"""One trace: what its calls did, and the cases it led to."""

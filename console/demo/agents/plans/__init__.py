"""What the agents offer to people when they cannot go on: one module for each kind of trouble."""

"""What agents do in each framework, with a model that reads from a script."""

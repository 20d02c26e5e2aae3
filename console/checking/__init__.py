"""The whole suite as a table of steps, each a child process with one line of outcome."""

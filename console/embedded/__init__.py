"""What one process needs to be the whole console: a channel layer and a task worker inside it."""

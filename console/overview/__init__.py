"""The first page: what fails, who recovers it, what waits for a person."""

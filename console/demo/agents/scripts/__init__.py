"""The scripted model: for each agent, what it tries in which order and the short reasons it gives."""

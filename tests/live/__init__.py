"""The real server as a child process, for journeys: killed, started again, asked over the network."""

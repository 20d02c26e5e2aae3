"""Three agents that book trips against the travel service, for ever, through the SDK and nothing else."""

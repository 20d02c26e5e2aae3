"""The tools of the three agents: each one operation of the travel service, with how it is recovered."""

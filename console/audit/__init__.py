"""Who did what, when: one chained entry for every write by a person, a policy or an agent."""

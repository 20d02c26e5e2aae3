"""What the benchmarks of ingest share: reports, a client that costs little, the store's own limit, a console."""

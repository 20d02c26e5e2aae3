"""The demo fleet: a flaky travel service and three agents that book trips through the SDK."""

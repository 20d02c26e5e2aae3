"""Decisions about notices from plain values: when, to whom, and what of hostile text may travel."""

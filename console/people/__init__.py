"""The people who sign in, what they may do, and how they get in."""

"""What is read about notices, as frozen values."""

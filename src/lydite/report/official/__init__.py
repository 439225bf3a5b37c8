"""The layouts of the official programs, one module each."""

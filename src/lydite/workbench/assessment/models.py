"""What is kept of assessment."""

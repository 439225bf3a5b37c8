"""What is kept of corpus."""

"""What is kept of adjudication."""

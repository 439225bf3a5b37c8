"""Judging what ACE systems found beyond gold, and deciding between annotators."""

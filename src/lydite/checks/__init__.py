"""Checks: two corpora in, findings out; nothing is changed."""

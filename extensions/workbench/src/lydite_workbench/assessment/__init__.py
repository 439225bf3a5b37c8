"""Judging event arguments that systems found: items, assignments, judgements."""

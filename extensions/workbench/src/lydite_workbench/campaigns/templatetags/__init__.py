"""Filters of the templates of campaigns."""

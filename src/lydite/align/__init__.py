"""Alignment: which items of the two sides belong together."""

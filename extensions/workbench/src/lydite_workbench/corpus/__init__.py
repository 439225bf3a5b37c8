"""Exploring a collection of documents: search, targets, selection, merging."""

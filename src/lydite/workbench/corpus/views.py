"""Pages of this app; each one is reached by a line in ``urls`` that says who may see it."""

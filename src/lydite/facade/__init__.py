"""From names and paths to the pipeline: which task, which profile, which format, which settings.

The command line and the library both ask here, so that both do the same.  What was inferred is reported in
:class:`~lydite.facade.choosing.Request` and can be overridden.
"""

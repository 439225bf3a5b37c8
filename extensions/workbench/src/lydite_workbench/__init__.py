"""A campaign in the browser: runs come in, are checked, scored, ranked, judged and published.

The workbench computes no figure.  It keeps accounts, files and jobs, and calls the library for everything else; the
``services`` of an app are its only door to it.  Nothing here is imported by other commands: Django is an extra.
"""

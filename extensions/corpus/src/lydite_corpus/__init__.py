"""Collections: explore them, choose targets and documents, merge entities across documents.

The engine is Tantivy, in the extra ``[corpus]``.  Everything here is plain functions and records, so that the command
and a workbench can stand on the same ground; nothing here prints.
"""

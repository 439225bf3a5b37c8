"""The one path from files to a summary: read → check → compare → measure → summarise → report.

``task`` declares what a task is, ``reading`` makes corpora of files, ``running`` walks every task along the same path,
with ``sides`` (documents, findings, hashes) and ``gathering`` (sums).
"""

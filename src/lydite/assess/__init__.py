"""The assessment workflow of event arguments: quote filter, pool, import, sheets, status, agreement, merge, repair.

Everything here reads stores, makes new ones in memory, and writes them in one step (:mod:`lydite.assess.writing`).
"""

"""Tables of mentions: read as documents, or counted as wholes in memory, out of it, or on a cluster.

``columns`` says what a table must hold, ``pieces`` reads its rows from files and objects, ``format`` makes documents of it
as of any other file.  For a clustering that is too large for that, ``plan`` says what is counted, and the engines
(``in_arrays``, ``in_duckdb``, ``in_dask``) count it: all of them give the same whole numbers.
"""

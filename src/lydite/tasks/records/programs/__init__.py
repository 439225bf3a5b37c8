"""How programs score records: each module gives the outcomes and the counts of one of them."""

"""Post-hoc adjudication of ACE targets: what systems found beyond gold is judged, and scored again.

``queue`` pools what must be judged, ``decisions`` reads the log of judgements, ``scores`` puts them into ACE value and
B-cubed, ``apply`` does all of it from files.
"""

"""What the metrics of a page count, in one line each; ``docs/metrics.md`` and the pages of the tasks tell more.

n is the number of mentions that a gold cluster of size k and a system cluster of size r share.
"""

from __future__ import annotations

from collections.abc import Mapping

_DETECTION = "TP = sum of the similarities of the pairs; P = TP / system items, R = TP / gold items."

FORMULAS: Mapping[str, str] = {
    "detection": _DETECTION,
    "augmented": _DETECTION,
    "original": "TP = sum of the best similarities of gold mentions with a partner; P = TP / (TP + FP), R = TP / gold mentions.",
    "accuracy": "Mean over gold mentions of the share of their partners that have the attribute right.",
    "multiplicative": "Micro F1 of spans × micro accuracies.",
    "muc-partial": "P = (exact + ½ partial) / system mentions, R = (exact + ½ partial) / gold mentions.",
    "temporal-awareness": "P = links of the system that follow from gold / links of the system, R = links of gold that follow from the system / links of gold.",
    "mentions": "P = common mentions / system mentions, R = common mentions / gold mentions.",
    "muc": "R = Σ (n − 1) / Σ (k − 1), P = Σ (n − 1) / Σ (r − 1), over shared parts and clusters.",
    "b-cubed": "R = Σ n²/k / gold mentions, P = Σ n²/r / system mentions.",
    "ceaf-m": "Best one-to-one Σ n; R = it / gold mentions, P = it / system mentions.",
    "ceaf-e": "Best one-to-one Σ 2n / (k + r); R = it / gold clusters, P = it / system clusters.",
    "blanc": "Means of P, R and F1 of coreference links and of other links.",
    "lea": "R = Σ k · (shared links / links of the cluster) / gold mentions, P the same by system clusters.",
    "conll": "Mean of the F1 of MUC, B³ and CEAFe.",
    "kbp": "Mean of the F1 of MUC, B³, CEAFe and BLANC.",
    "mor": "Largest one-to-one sum of shared nodes; P = it / nodes of system mentions, R = it / nodes of gold mentions.",
    "span-exact": "P = spans of the same place and type / system spans, R = such / gold spans.",
    "span-types": "Mean over types of P, R and F1 of their spans.",
    "span-types-weighted": "Mean over types of P, R and F1 of their spans, weighed by the number of gold spans.",
    "span-strict": "P = pairs of the same place and type / system spans, R = such / gold spans.",
    "span-boundaries": "P = pairs of the same place / system spans, R = such / gold spans.",
    "span-partial": "P = (pairs of the same place + ½ other pairs) / system spans, R = it / gold spans.",
    "span-type": "P = pairs of the same type / system spans, R = such / gold spans.",
    "span-muc": "Pairs of the same type and pairs of the same place added up; P = it / twice the system spans, R = it / twice the gold spans.",
    "span-overlap": "P = sum of the Dice coefficients of the pairs / system spans, R = it / gold spans.",
    "leaf-agreement": "P = correct / (correct + mismatched + spurious), R = correct / (correct + mismatched + missing), over leaves.",
    "triple-match": "P = paired triples / system triples, R = paired triples / gold triples; one to one.",
    "triple-coverage": "P = system triples in a pair / system triples, R = gold triples in a pair / gold triples.",
    "relation-match": "P = right items / system items, R = right items / gold items.",
    "assessed": "Over clusters of arguments: P = TP / (TP + FP), R = TP / (TP + FN); TP are selected arguments that were assessed as good.",
    "linking": "Mean over gold arguments of the F1 of their neighbours in frames; overall = (1 − λ) · argument score + λ · link score.",
    "ace-value": "(value of gold − misses − errors − false alarms) / value of gold.",
    "ace-value-weighted": "With K what was kept of gold’s value: R = K / value of gold, P = K / (value of gold − misses + false alarms).",
    "ace-counts": "P = right occurrences / those of the system, R = right ones / those of gold.",
    "ace-b-cubed": "A gold mention of R earns the largest C(R, S) / |R|, a system mention of S the largest C(R, S) / |S|, with C the matching mentions.",
    "ace-b-cubed-value": "As B-cubed, with values in place of counts.",
}  # fmt: skip
"""Metric → what it counts; variants that differ in detail only are left to the documentation."""

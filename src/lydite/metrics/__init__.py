"""The metrics, each with its citation and the laws that hold for it."""

from lydite.metrics.base import Metric
from lydite.registry import Registry

METRICS: Registry[Metric] = Registry(
    "metric",
    {
        "detection": "lydite.metrics.detection:DETECTION",
        "augmented": "lydite.metrics.detection:AUGMENTED",
        "original": "lydite.metrics.detection:ORIGINAL",
        "accuracy": "lydite.metrics.detection:ACCURACY",
        "muc-partial": "lydite.metrics.detection:MUC_PARTIAL",
        "temporal-awareness": "lydite.metrics.sequencing:TEMPORAL_AWARENESS",
        "mentions": "lydite.metrics.clusters:MENTIONS",
        "muc": "lydite.metrics.clusters:MUC",
        "b-cubed": "lydite.metrics.clusters:B_CUBED",
        "ceaf-m": "lydite.metrics.clusters:CEAF_M",
        "ceaf-e": "lydite.metrics.clusters:CEAF_E",
        "blanc": "lydite.metrics.clusters:BLANC",
        "lea": "lydite.metrics.clusters:LEA",
        "conll": "lydite.metrics.clusters:CONLL",
        "kbp": "lydite.metrics.clusters:KBP",
        "blanc-original": "lydite.metrics.clusters:BLANC_ORIGINAL",
        "pairwise": "lydite.metrics.clusters:PAIRWISE",
        "pairwise-negative": "lydite.metrics.clusters:PAIRWISE_NEGATIVE",
        "exact-clusters": "lydite.metrics.clusters:EXACT_CLUSTERS",
        "rand": "lydite.metrics.clusters:RAND",
        "adjusted-rand": "lydite.metrics.clusters:ADJUSTED_RAND",
        "b-cubed-0": "lydite.metrics.clusters:B_CUBED_0",
        "b-cubed-all": "lydite.metrics.clusters:B_CUBED_ALL",
        "b-cubed-rn": "lydite.metrics.clusters:B_CUBED_RN",
        "ceaf-m-rn": "lydite.metrics.clusters:CEAF_M_RN",
        "ceaf-e-rn": "lydite.metrics.clusters:CEAF_E_RN",
        "b-cubed-cs": "lydite.metrics.clusters:B_CUBED_CS",
        "ceaf-m-cs": "lydite.metrics.clusters:CEAF_M_CS",
        "ceaf-e-cs": "lydite.metrics.clusters:CEAF_E_CS",
        "triple-match": "lydite.metrics.triples:TRIPLE_MATCH",
        "triple-coverage": "lydite.metrics.triples:TRIPLE_COVERAGE",
        "first-come": "lydite.metrics.triples:FIRST_COME",
    },
    group="lydite.metrics",
)

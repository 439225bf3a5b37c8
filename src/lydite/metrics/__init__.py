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
        "triple-match": "lydite.metrics.triples:TRIPLE_MATCH",
        "triple-coverage": "lydite.metrics.triples:TRIPLE_COVERAGE",
        "first-come": "lydite.metrics.triples:FIRST_COME",
    },
    group="lydite.metrics",
)

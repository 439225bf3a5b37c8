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
        "assessed": "lydite.metrics.assessed:ASSESSED",
        "linking": "lydite.metrics.linking:LINKING",
    },
    group="lydite.metrics",
)

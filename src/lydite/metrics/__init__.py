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
        "ace-value": "lydite.metrics.ace_value:ACE_VALUE",
        "ace-value-weighted": "lydite.metrics.ace_value:ACE_VALUE_WEIGHTED",
        "ace-counts": "lydite.metrics.ace_value:ACE_COUNTS",
        "ace-external-links": "lydite.metrics.ace_value:ACE_EXTERNAL_LINKS",
        "ace-b-cubed": "lydite.metrics.ace_b_cubed:ACE_B_CUBED",
        "ace-b-cubed-value": "lydite.metrics.ace_b_cubed:ACE_B_CUBED_VALUE",
        "ace-b-cubed-documents": "lydite.metrics.ace_b_cubed:ACE_B_CUBED_DOCUMENTS",
        "ace-b-cubed-documents-value": "lydite.metrics.ace_b_cubed:ACE_B_CUBED_DOCUMENTS_VALUE",
        "ace-recognition": "lydite.metrics.ace_recognition:ACE_RECOGNITION",
        "ace-names": "lydite.metrics.ace_recognition:ACE_NAMES",
        "ace-mention-detection": "lydite.metrics.ace_recognition:ACE_MENTION_DETECTION",
    },
    group="lydite.metrics",
)

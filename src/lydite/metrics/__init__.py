"""The metrics, each with its citation and the laws that hold for it."""

from lydite.metrics.base import MetricDeclaration
from lydite.registry import Registry

CLUSTER_METRICS = {
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
    "mor": "lydite.metrics.clusters:MOR",
    "zero": "lydite.metrics.clusters:ZERO",
}
"""The metrics of clusters, among which ``--metrics`` of coreference chooses."""

MEANS = {"conll": ("muc", "b-cubed", "ceaf-e"), "kbp": ("muc", "b-cubed", "ceaf-e", "blanc")}
"""The metrics that are means of others; they are reported wherever their parts are."""

METRICS: Registry[MetricDeclaration] = Registry(
    "metric",
    {
        "detection": "lydite.metrics.detection:DETECTION",
        "augmented": "lydite.metrics.detection:AUGMENTED",
        "original": "lydite.metrics.detection:ORIGINAL",
        "accuracy": "lydite.metrics.detection:ACCURACY",
        "original-v1.0": "lydite.metrics.detection:ORIGINAL_V1_0",
        "accuracy-v1.0": "lydite.metrics.detection:ACCURACY_V1_0",
        "multiplicative": "lydite.metrics.detection:MULTIPLICATIVE",
        "muc-partial": "lydite.metrics.detection:MUC_PARTIAL",
        "temporal-awareness": "lydite.metrics.sequencing:TEMPORAL_AWARENESS",
        **CLUSTER_METRICS,
        "span-exact": "lydite.metrics.spans:SPAN_EXACT",
        "span-types": "lydite.metrics.spans:SPAN_TYPES",
        "span-types-weighted": "lydite.metrics.spans:SPAN_TYPES_WEIGHTED",
        "span-strict": "lydite.metrics.spans:SPAN_STRICT",
        "span-boundaries": "lydite.metrics.spans:SPAN_BOUNDARIES",
        "span-partial": "lydite.metrics.spans:SPAN_PARTIAL",
        "span-type": "lydite.metrics.spans:SPAN_TYPE",
        "span-muc": "lydite.metrics.spans:SPAN_MUC",
        "span-overlap": "lydite.metrics.spans:SPAN_OVERLAP",
        "leaf-agreement": "lydite.metrics.leaves:LEAF_AGREEMENT",
        "triple-match": "lydite.metrics.triples:TRIPLE_MATCH",
        "triple-coverage": "lydite.metrics.triples:TRIPLE_COVERAGE",
        "first-come": "lydite.metrics.triples:FIRST_COME",
        "assessed": "lydite.metrics.assessed:ASSESSED",
        "linking": "lydite.metrics.linking:LINKING",
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

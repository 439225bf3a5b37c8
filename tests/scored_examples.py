"""Gold and a system of every task: small files that the repository holds."""

from __future__ import annotations

COREF = "tests/conformance/coref/big-merge"
RELATIONS = "tests/conformance/modern-oneie/01-random-402001"
SPANS = "tests/conformance-spans/default_06"
EXAMPLES = {
    "nugget": ("examples/gold.tbf", "examples/systems/alder.tbf"),
    "coref": (f"{COREF}/key.conll", f"{COREF}/response.conll"),
    "arguments": ("examples/arguments/annotation", "examples/arguments/systems/alder"),
    "triples": ("examples/triples/gold.trp", "examples/triples/system.trp"),
    "ace": ("examples/ace/gold", "examples/ace/systems/birch"),
    "records": ("examples/invoices/gold.jsonl", "examples/invoices/prompt-a.jsonl"),
    "relations": (f"{RELATIONS}/gold.jsonl", f"{RELATIONS}/system.jsonl"),
    "spans": (f"{SPANS}/gold.jsonl", f"{SPANS}/system.jsonl"),
}
"""Task → gold, system."""

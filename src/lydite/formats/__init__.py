"""The formats that lydite reads and writes."""

from lydite.formats.base import Format
from lydite.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "tbf": "lydite.formats.tbf:TBF",
        "trp": "lydite.formats.triples:TRP",
        "kaf": "lydite.formats.naf:KAF",
        "naf": "lydite.formats.naf:NAF",
        "kybot": "lydite.formats.kybot:KYBOT",
        "tuples": "lydite.formats.tuples:TUPLES",
        "textpro": "lydite.formats.textpro:TEXTPRO",
        "triples-jsonl": "lydite.formats.triples_jsonl:TRIPLES_JSONL",
        "triples-tsv": "lydite.formats.triples_tsv:TRIPLES_TSV",
    },
    group="lydite.formats",
)

EXTENSIONS: dict[str, tuple[str, ...]] = {
    ".tbf": ("tbf",),
    ".trp": ("trp",),
    ".kaf": ("kaf",),
    ".naf": ("naf",),
    ".kybot.xml": ("kybot",),
    ".tpl": ("tuples",),
    ".txp": ("textpro",),
    ".jsonl": ("triples-jsonl",),
}
"""Which formats an extension may mean: known without loading a reader."""

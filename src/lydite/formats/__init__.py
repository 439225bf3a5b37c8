"""The formats that lydite reads and writes."""

from lydite.formats.base import Format
from lydite.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "tbf": "lydite.formats.tbf:TBF",
        "conll": "lydite.formats.conll:CONLL",
        "semeval": "lydite.formats.conll:SEMEVAL",
        "coref-xml": "lydite.formats.coref_xml:COREF_XML",
        "coref-jsonl": "lydite.formats.coref_jsonl:COREF_JSONL",
        "corefud": "lydite.formats.corefud:COREFUD",
    },
    group="lydite.formats",
)

EXTENSIONS: dict[str, tuple[str, ...]] = {
    ".tbf": ("tbf",),
    ".conll": ("semeval", "conll"),
    ".v4_gold_conll": ("conll",),
    ".v4_auto_conll": ("conll",),
    ".conllu": ("corefud",),
    ".xml": ("coref-xml",),
    ".jsonl": ("coref-jsonl",),
    ".jsonlines": ("coref-jsonl",),
}
"""Which formats an extension may mean: known without loading a reader."""

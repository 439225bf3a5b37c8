"""The formats that lydite reads and writes."""

from collections.abc import Iterator

from lydite.formats.base import ALL_LAYERS, Format
from lydite.registry import Registry

FORMATS: Registry[Format] = Registry(
    "format",
    {
        "tbf": "lydite.formats.tbf:TBF",
        "lydite": "lydite.formats.lydite_jsonl:LYDITE",
        "brat": "lydite.formats.brat:BRAT",
        "ere": "lydite.formats.ere:ERE",
        "textee": "lydite.formats.event_records:TEXTEE",
        "oneie": "lydite.formats.event_records:ONEIE",
        "dygie": "lydite.formats.event_records:DYGIE",
        "spert": "lydite.formats.spert:SPERT",
        "docred": "lydite.formats.docred:DOCRED",
        "maven-ere": "lydite.formats.maven_ere:MAVEN_ERE",
        "rams": "lydite.formats.role_records:RAMS",
        "gen-arg": "lydite.formats.role_records:GEN_ARG",
        "maven-arg": "lydite.formats.role_records:MAVEN_ARG",
        "maven": "lydite.formats.maven:MAVEN",
        "conll": "lydite.formats.conll:CONLL",
        "semeval": "lydite.formats.conll:SEMEVAL",
        "coref-xml": "lydite.formats.coref_xml:COREF_XML",
        "coref-jsonl": "lydite.formats.coref_jsonl:COREF_JSONL",
        "corefud": "lydite.formats.corefud:COREFUD",
        "cluster-table": "lydite.formats.cluster_table:CLUSTER_TABLE",
        "table": "lydite.tables.format:TABLE",
        "trp": "lydite.formats.triples:TRP",
        "kaf": "lydite.formats.naf:KAF",
        "naf": "lydite.formats.naf:NAF",
        "kybot": "lydite.formats.kybot:KYBOT",
        "tuples": "lydite.formats.tuples:TUPLES",
        "textpro": "lydite.formats.textpro:TEXTPRO",
        "triples-jsonl": "lydite.formats.triples_jsonl:TRIPLES_JSONL",
        "triples-tsv": "lydite.formats.triples_tsv:TRIPLES_TSV",
        "eal": "lydite.formats.eal:EAL",
        "events": "lydite.formats.events:EVENTS",
        "apf": "lydite.formats.apf:APF",
        "iob": "lydite.formats.iob:IOB",
        "spans-jsonl": "lydite.formats.spans_jsonl:SPANS_JSONL",
        "entities": "lydite.formats.string_files:ENTITIES",
        "relations": "lydite.formats.string_files:RELATIONS",
        "event-strings": "lydite.formats.string_files:EVENT_STRINGS",
        "grit": "lydite.formats.record_files:GRIT",
        "gtt": "lydite.formats.record_files:GTT",
        "records-jsonl": "lydite.formats.record_files:RECORDS_JSONL",
        "records-json": "lydite.formats.record_files:RECORDS_JSON",
        "records-folder": "lydite.formats.record_files:RECORDS_FOLDER",
    },
    group="lydite.formats",
)

EXTENSIONS: dict[str, tuple[str, ...]] = {
    ".tbf": ("tbf",),
    ".ann": ("brat",),
    ".rich_ere.xml": ("ere",),
    ".event_nuggets.xml": ("ere",),
    ".event_hoppers.xml": ("ere",),
    ".conll": ("semeval", "conll"),
    ".bio": ("iob",),
    ".iob": ("iob",),
    ".iob2": ("iob",),
    ".v4_gold_conll": ("conll",),
    ".v4_auto_conll": ("conll",),
    ".conllu": ("corefud",),
    ".clusters": ("cluster-table",),
    ".parquet": ("table",),
    ".pq": ("table",),
    ".arrow": ("table",),
    ".feather": ("table",),
    ".csv": ("table",),
    ".kybot.xml": ("kybot",),
    ".xml": ("coref-xml", "ere", "apf"),
    ".lydite.jsonl": ("lydite",),
    ".jsonl": (
        "lydite",
        "textee",
        "oneie",
        "dygie",
        "rams",
        "gen-arg",
        "maven-arg",
        "maven",
        "maven-ere",
        "coref-jsonl",
        "triples-jsonl",
        "events",
        "spans-jsonl",
    ),
    ".jsonlines": ("coref-jsonl", "dygie"),
    ".trp": ("trp",),
    ".tsv": ("triples-tsv",),
    ".kaf": ("kaf",),
    ".naf": ("naf",),
    ".tpl": ("tuples",),
    ".txp": ("textpro",),
    ".apf": ("apf",),
}
"""Which formats an extension means, in the order in which they are asked: known without loading a reader.

What files of a format are called (``Format.extensions``) is more: of ``.txt`` or ``.json`` only their first bytes tell.
"""

VAGUE = frozenset({".tsv", ".csv"})
"""Extensions that anything can have: they mean their format only where the task is known."""


def serves(name: str, task: str) -> bool:
    """Whether files of a format are scored by a task: the format says so, or it can hold anything."""
    found = FORMATS[name]
    return task in found.tasks or ALL_LAYERS in found.layers


def formats_of(task: str) -> Iterator[str]:
    """The formats of a task, those of other packages last; each is loaded when it is asked for."""
    return (name for name in FORMATS if serves(name, task))

"""Gold and system files in every format, for tests that go through all of them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from lydite.facade.library import read
from lydite.formats import FORMATS
from lydite.formats.lydite_jsonl import write

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples"
CASES = ROOT / "tests" / "conformance"
CONVERSIONS = CASES / "triples-convert"

Content = Path | bytes


class Sample(NamedTuple):
    """What two sides say of one layer, in the format that it comes from, and how it is scored."""

    name: str
    task: str
    layer: str
    format: str
    gold: Content
    system: Content
    settings: Mapping[str, Any]
    gold_format: str = ""
    """The format of gold, where that of the system holds no gold; such a gold is never converted."""

    def files(self, folder: Path) -> tuple[str, str]:
        """The two sides as files or folders."""
        return self._file(folder, "gold", self.gold), self._file(folder, "system", self.system)

    def _file(self, folder: Path, side: str, content: Content) -> str:
        if isinstance(content, Path):
            return str(content)
        path = folder / side / f"d{FORMATS[self.format].extensions[0]}"
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        return str(path)


def _read(path: str) -> bytes:
    return (CONVERSIONS / path).read_bytes()


def _changed(content: bytes, old: bytes, new: bytes) -> bytes:
    """Another annotator's file."""
    assert old in content
    return content.replace(old, new)


TEXTEE = (
    b'{"doc_id": "d", "wnd_id": "d-0", "tokens": ["Rebels", "stormed", "Hest"], "event_mentions": [{"event_type":'
    b' "Attack", "trigger": {"start": 1, "end": 2, "text": "stormed"}, "arguments": [{"role": "Attacker", "start": 0,'
    b' "end": 1, "text": "Rebels"}, {"role": "Place", "start": 2, "end": 3, "text": "Hest"}]}]}\n'
    b'{"doc_id": "d", "wnd_id": "d-1", "tokens": ["Two", "died"], "event_mentions": [{"event_type": "Die",'
    b' "trigger": {"start": 1, "end": 2, "text": "died"}, "arguments": []}]}\n'
)
ONEIE = (
    b'{"doc_id": "d", "tokens": ["Rebels", "stormed", "Hest"], "graph": {"entities": [[0, 1, "PER", "NOM", 1],'
    b' [2, 3, "GPE", "NAM", 1]], "triggers": [[1, 2, "Attack", 0.9]], "roles": [[0, 0, "Attacker", 0.8],'
    b' [0, 1, "Place", 0.7]]}}\n'
    b'{"doc_id": "d", "tokens": ["Two", "died", "."], "entity_mentions": [{"id": "x", "start": 0, "end": 1}],'
    b' "event_mentions": [{"event_type": "Die", "trigger": {"start": 1, "end": 2},'
    b' "arguments": [{"entity_id": "x", "role": "Victim"}]}]}\n'
)
DYGIE = (
    b'{"doc_key": "d", "sentences": [["Rebels", "stormed", "Hest"], ["Two", "died"]],'
    b' "events": [[[[1, "Attack"], [0, 0, "Attacker"], [2, 2, "Place"]]], [[[4, "Die"], [3, 3, "Victim"]]]]}\n'
    b'{"doc_key": "e", "sentences": [["He", "left"]], "events": [[[[1, "Transport"], [0, 0, "Artifact"]]]]}\n'
)
MAVEN = (
    b'{"id": "d", "content": [{"tokens": ["Rebels", "stormed", "Hest"]}, {"tokens": ["The", "attack", "failed"]}],'
    b' "events": [{"id": "e1", "type": "Attack", "mention": [{"id": "m1", "sent_id": 0, "offset": [1, 2]},'
    b' {"id": "m2", "sent_id": 1, "offset": [1, 2]}]}, {"id": "e2", "type": "Fail", "mention":'
    b' [{"id": "m3", "sent_id": 1, "offset": [2, 3]}]}]}\n'
)
MAVEN_ERE = (
    b'{"id": "d", "tokens": [["Rebels", "fled", "in", "1912"], ["The", "flight", "failed"]], "events":'
    b' [{"id": "e1", "type": "Escape", "mention": [{"id": "m1", "sent_id": 0, "offset": [1, 2]},'
    b' {"id": "m2", "sent_id": 1, "offset": [1, 2]}]}, {"id": "e2", "type": "Fail", "mention":'
    b' [{"id": "m3", "sent_id": 1, "offset": [2, 3]}]}], "TIMEX": [{"id": "t1", "mention": "1912", "type": "DATE",'
    b' "sent_id": 0, "offset": [3, 4]}], "temporal_relations": {"CONTAINS": [["t1", "e1"]]},'
    b' "causal_relations": {}, "subevent_relations": [["e1", "e2"]]}\n'
)
MAVEN_ARG = (
    b'{"id": "d", "document": "Rebels fled to Lima . They left Ana .", "events": [{"id": "e1", "type": "Escape",'
    b' "mention": [{"id": "m1", "trigger_word": "fled", "offset": [7, 11]}, {"id": "m2", "trigger_word": "left",'
    b' "offset": [27, 31]}], "argument": {"Agent": [{"entity_id": "n"}], "Place": [{"content": "Lima", "offset":'
    b' [15, 19]}], "Target": [{"content": "Ana", "offset": [32, 35]}, {"content": "Ben"}]}}], "entities":'
    b' [{"id": "n", "type": "PER", "mention": [{"id": "n1", "mention": "Rebels", "offset": [0, 6]},'
    b' {"id": "n2", "mention": "They", "offset": [22, 26]}]}]}\n'
)
SPERT = (
    b'[{"orig_id": "s1", "tokens": ["Ana", "runs", "Hest"], "entities": [{"type": "PER", "start": 0, "end": 1},'
    b' {"type": "LOC", "start": 2, "end": 3}], "relations": [{"type": "runs", "head": 0, "tail": 1}]},'
    b' {"orig_id": "s2", "tokens": ["Ben", "left"], "entities": [{"type": "PER", "start": 0, "end": 1}],'
    b' "relations": []}]\n'
)
TEXTEE_GRAPH = (
    b'{"doc_id": "d", "wnd_id": "d-0", "tokens": ["Ana", "runs", "Hest", "Ben"], "entity_mentions": ['
    b'{"id": "n1", "entity_type": "PER", "start": 0, "end": 1, "text": "Ana"}, {"id": "n2", "entity_type": "GPE",'
    b' "start": 2, "end": 3, "text": "Hest"}], "relation_mentions": [{"id": "r1", "relation_type": "runs",'
    b' "arguments": [{"entity_id": "n1", "role": "Arg-1", "text": "Ana"}, {"entity_id": "n2", "role": "Arg-2",'
    b' "text": "Hest"}]}], "event_mentions": []}\n'
)
ERE = (CASES / "nugget-convert" / "rich-ere-to-tbf" / "input" / "doc1.rich_ere.xml").read_bytes()
TSV = b"Marie Curie\tborn in\tWarsaw\nMarie Curie\twon\tNobel Prize\nShe\tlaughed\t\n"

SPANS = (
    b'{"doc_id": "d", "text": "Ana met Ben in New York .", "spans": [{"start": 0, "end": 3, "label": "PER"},'
    b' {"start": 8, "end": 11, "label": "PER"}, {"start": 15, "end": 23, "label": "LOC"}]}\n'
)
TAGGED = (
    b'{"doc_id": "d", "tokens": ["Ana", "met", "Ben", "in", "New", "York", "."],'
    b' "tags": ["B-PER", "O", "B-PER", "O", "B-LOC", "I-LOC", "O"]}\n'
    b'{"doc_id": "e", "tokens": [["The", "EU", "left"], ["Ana", "did"]], "tags": [["O", "B-ORG", "O"], ["B-PER", "O"]]}\n'
)
COLUMNS = (
    b"-DOCSTART- -X- O O\n\nEU NNP B-NP B-ORG\nleft VBD B-VP O\n\nAna NNP B-NP B-PER\nLee NNP I-NP I-PER\n\n"
)

LINES = (
    b'{"doc": "a", "relation": "agent", "first": {"ids": ["w1", "w2"]}, "second": {"ids": ["w3"]}}\n'
    b'{"doc": "a", "relation": "cause", "first": {"ids": ["w1"]}, "second": {"ids": ["w5"]}}\n'
    b'{"doc": "b", "relation": "cause", "first": {"ids": ["w1"]}, "second": {"ids": ["w5"]}}\n'
)

_RECORDS = {
    "ere": (
        ERE,
        _changed(
            _changed(ERE, b'realis="actual"', b'realis="generic"'), b'subtype="die"', b'subtype="injure"'
        ),
    ),
    "oneie": (ONEIE, _changed(_changed(ONEIE, b'"Place"', b'"Target"'), b'"Die"', b'"Injure"')),
    "textee": (TEXTEE, _changed(_changed(TEXTEE, b'"Place"', b'"Target"'), b'"Die"', b'"Injure"')),
    "dygie": (DYGIE, _changed(_changed(DYGIE, b"[3, 3,", b"[4, 4,"), b'"Attack"', b'"Injure"')),
    "maven": (MAVEN, _changed(MAVEN, b'"Fail"', b'"Attack"')),
}
_MAVEN = {
    "maven-ere": (MAVEN_ERE, _changed(MAVEN_ERE, b'"type": "Fail"', b'"type": "Escape"')),
    "maven-arg": (
        MAVEN_ARG,
        _changed(_changed(MAVEN_ARG, b'"Place"', b'"Origin"'), b"[27, 31]", b"[26, 31]"),
    ),
}
_LAYERS = ("term-sentiment", "opinion", "entity", "property", "srl", "dep")
_KAF, _NAF = _read("kaf-opinion/input.kaf"), _read("naf-srl/input.naf")
_KYBOT, _TUPLES = _read("kybot-threshold-50/input.kybot.xml"), _read("tuples-first-event/input.tpl")
_TEXTPRO = _read("textpro/input.txp")
_TRIPLES: dict[str, tuple[bytes, bytes, dict[str, Any]]] = {
    "kaf": (_KAF, _changed(_KAF, b'polarity="negative"', b'polarity="positive"'), {"layers": _LAYERS}),
    "naf": (_NAF, _changed(_NAF, b'semRole="A1"', b'semRole="A2"'), {"layers": _LAYERS}),
    "kybot": (
        _KYBOT,
        _changed(_KYBOT, b'rtype="patient"', b'rtype="done-by"'),
        {"kaf": str(CONVERSIONS / "kybot-threshold-50" / "a.kaf"), "wsd-threshold": 50.0},
    ),
    "tuples": (_TUPLES, _changed(_TUPLES, b'role="agent"', b'role="theme"'), {"first-element": "event"}),
    "textpro": (_TEXTPRO, _changed(_TEXTPRO, b"VVD", b"VVN"), {"columns": ("pos", "entity")}),
    "triples-tsv": (TSV, _changed(TSV, b"Warsaw", b"Paris"), {}),
}

EXACT_EVENTS = ROOT / "tests" / "shipped" / "arguments" / "exact-sets"
COREF = CASES / "coref" / "random-07-noisy"
COREF_XML = CASES / "coref-xml" / "random-topics-closure"
ARGUMENTS = CASES / "arguments" / "62-breakdowns"
LINKING = CASES / "arguments-linking" / "k10-random"
FOLDER = CASES / "triples" / "folder-missing-system-file"

_OF_CASES: tuple[tuple[str, str, str, str, str, str, dict[str, Any]], ...] = (
    *(
        (f"{source} {layer}", task, layer, source, f"modern-{source}/01-random-{number}", end, settings)
        for source, number, end in (
            ("oneie", 402001, "jsonl"),
            ("dygie", 404001, "jsonl"),
        )
        for task, layer, settings in (
            ("relations", "graphs", {"profile": "oneie"}),
            ("spans", "mentions", {}),
        )
    ),
    (
        "docred",
        "relations",
        "facts",
        "docred",
        "modern-docred/01-random-406001",
        "json",
        {"profile": "docred"},
    ),
    *(
        (
            f"maven-ere {layer}",
            task,
            layer,
            "maven-ere",
            "modern-maven-ere/01-random-410001",
            "jsonl",
            settings,
        )
        for task, layer, settings in (
            ("relations", "event-pairs", {"profile": "maven-ere"}),
            ("coref", "clusters", {}),
        )
    ),
    ("rams", "arguments", "role-links", "rams", "modern-rams/01-random-408001", "jsonl", {"profile": "rams"}),
    (
        "gen-arg",
        "arguments",
        "filled-templates",
        "gen-arg",
        "modern-wikievents/01-random-409001",
        "jsonl",
        {
            "profile": "wikievents",
            "templates": str(CASES / "modern-wikievents" / "01-random-409001" / "ontology.json"),
            "heads": str(CASES / "modern-wikievents" / "01-random-409001" / "heads.jsonl"),
        },
    ),
    (
        "maven-arg",
        "arguments",
        "role-strings",
        "maven-arg",
        "modern-maven-arg/01-random-411001",
        "jsonl",
        {"profile": "maven-arg"},
    ),
)
_FINCH = b'{"doc_id": "d", "entities": [{"text": "Orla Finch", "label": "PER"}, {"text": "Velden", "label": "LOC"}]}\n'
_LEADS = b'{"doc_id": "d", "relations": [{"head": "Finch", "type": "leads", "tail": "Front"}, {"head": "Vale", "type": "left", "tail": "Velden"}]}\n'
_MOVE = b'{"doc_id": "d", "events": [{"type": "Move", "trigger": "left", "arguments": {"agent": "Finch", "place": "Velden"}}]}\n'
_STRINGS = (
    ("spans", "entities", _FINCH, _changed(_FINCH, b"Velden", b"Ostrey")),
    ("triples", "relations", _LEADS, _changed(_LEADS, b"Velden", b"Ostrey")),
    ("arguments", "event-strings", _MOVE, _changed(_MOVE, b"Velden", b"Ostrey")),
)
_LAMPS = b'{"id": "d", "record": {"total": 3.5, "items": [{"name": "lamp"}]}}\n{"id": "e", "record": {"total": 4}}\n'
_LISTED = b'[{"id": "d", "record": {"total": 3.5, "place": "Hest"}}, {"id": "e", "record": {"total": 4}}]\n'
_ALONE = b'{"total": 3.5, "items": [{"name": "lamp"}]}\n'
_GRIT = b'{"docid": "TST1-MUC3-0001", "extracts": {"Target": [[["Marlow depot", 0]]], "Victim": [[["Ana", 9]]]}}\n'
_GTT = b'{"docid": "TST1-MUC3-0001", "templates": [{"incident_type": "attack", "Target": [[["Marlow depot", 0]]]}]}\n'
_ANSWERS = (
    ("records-jsonl", "strict", _LAMPS, _changed(_LAMPS, b"3.5", b"3.25")),
    ("records-json", "strict", _LISTED, _changed(_LISTED, b"3.5", b"3.25")),
    ("records-folder", "strict", _ALONE, _changed(_ALONE, b"3.5", b"3.25")),
    ("grit", "muc4-ceaf-ree", _GRIT, _changed(_GRIT, b"Ana", b"Ben")),
    ("gtt", "muc4-gtt", _GTT, _changed(_GTT, b"Marlow depot", b"Marlow")),
)

SAMPLES: tuple[Sample, ...] = (
    Sample(
        "characters",
        "nugget",
        "mentions",
        "tbf",
        EXAMPLES / "gold.tbf",
        EXAMPLES / "systems" / "alder.tbf",
        {},
    ),
    Sample(
        "tokens",
        "nugget",
        "mentions",
        "tbf",
        EXAMPLES / "gold.tokens.tbf",
        EXAMPLES / "systems-tokens" / "alder.tbf",
        {"profile": "kbp2015", "tokens": str(EXAMPLES / "tokens")},
    ),
    *(
        Sample(name, task, layer, source, gold, system, settings)
        for source, name, (gold, system) in (
            *((name, name, sides) for name, sides in _RECORDS.items()),
            *(("maven", name, sides) for name, sides in _MAVEN.items()),
        )
        for task, layer, settings in (
            ("nugget", "mentions", {} if name == "ere" else {"profile": "exact", "attributes": ("type",)}),
            ("arguments", "events", {"profile": "exact"}),
        )
    ),
    Sample(
        "events",
        "arguments",
        "events",
        "events",
        EXACT_EVENTS / "gold.jsonl",
        EXACT_EVENTS / "system.jsonl",
        {"profile": "exact"},
    ),
    Sample(
        "assessed",
        "arguments",
        "arguments",
        "eal",
        EXAMPLES / "arguments" / "annotation",
        EXAMPLES / "arguments" / "systems" / "alder",
        {},
    ),
    Sample(
        "breakdowns",
        "arguments",
        "arguments",
        "eal",
        ARGUMENTS / "annotation",
        ARGUMENTS / "system",
        {"profile": "kbp2014"},
    ),
    Sample(
        "linked",
        "arguments",
        "arguments",
        "eal",
        LINKING / "annotation",
        LINKING / "system",
        {"profile": "kbp2015", "linking": str(LINKING / "reference-linking")},
    ),
    Sample(
        "runs",
        "coref",
        "clusters",
        "conll",
        COREF / "key.conll",
        COREF / "response.conll",
        {"profile": "conll-8.01", "reading": "as-official"},
    ),
    Sample(
        "repeats",
        "coref",
        "clusters",
        "conll",
        CASES / "coref" / "duplicate-in-key" / "key.conll",
        CASES / "coref" / "duplicate-in-key" / "response.conll",
        {"profile": "conll-8.01", "reading": "as-official"},
    ),
    Sample(
        "rows",
        "coref",
        "clusters",
        "table",
        b"document,start,end,cluster\nd1,0,1,a\nd1,3,5,a\nd1,7,8,b\nd2,0,2,c\nd2,4,4,c\n",
        b"document,start,end,cluster\nd1,0,1,a\nd1,3,5,b\nd1,7,8,b\nd2,0,2,c\nd2,4,4,c\n",
        {},
    ),
    Sample(
        "sentences",
        "coref",
        "clusters",
        "dygie",
        b'{"doc_key": "d1", "sentences": [["Ann", "met", "Bob"], ["She", "left", "him"]], "events": [[[[1, "Meet"]]], []], "clusters": [[[0, 0], [3, 3]], [[2, 2], [5, 5]]]}\n',
        b'{"doc_key": "d1", "sentences": [["Ann", "met", "Bob"], ["She", "left", "him"]], "events": [[[[1, "Meet"]]], []], "clusters": [[[0, 0], [5, 5]], [[2, 2], [1, 1]]]}\n',
        {"profile": "conll-8.01"},
    ),
    Sample(
        "addresses",
        "coref",
        "clusters",
        "coref-xml",
        COREF_XML / "key.xml",
        COREF_XML / "response.xml",
        {"profile": "newsreader"},
    ),
    Sample(
        "file",
        "triples",
        "triples",
        "trp",
        EXAMPLES / "triples" / "gold.trp",
        EXAMPLES / "triples" / "system.trp",
        {},
    ),
    Sample(
        "lines", "triples", "triples", "triples-jsonl", LINES, _changed(LINES, b'"cause"', b'"agent"'), {}
    ),
    Sample("folder", "triples", "triples", "trp", FOLDER / "gold", FOLDER / "system", {}),
    *(
        Sample(name, "triples", "triples", name, gold, system, settings)
        for name, (gold, system, settings) in _TRIPLES.items()
    ),
    Sample(
        "spans",
        "spans",
        "mentions",
        "spans-jsonl",
        SPANS,
        _changed(_changed(SPANS, b'"LOC"', b'"GPE"'), b'"end": 11', b'"end": 14'),
        {},
    ),
    Sample("tags", "spans", "tags", "spans-jsonl", TAGGED, _changed(TAGGED, b'"I-LOC"', b'"O"'), {}),
    Sample("columns", "spans", "tags", "iob", COLUMNS, _changed(COLUMNS, b"B-ORG", b"B-LOC"), {}),
    *(
        Sample(
            name,
            task,
            layer,
            source,
            CASES / case / f"gold.{end}",
            CASES / case / f"system.{end}",
            settings,
            "oneie" if source == "gen-arg" else "",
        )
        for name, task, layer, source, case, end, settings in _OF_CASES
    ),
    *(
        Sample(f"{source} {layer}", task, layer, source, gold, system, settings)
        for source, gold, system in (
            ("spert", SPERT, _changed(SPERT, b'"LOC", "start": 2', b'"LOC", "start": 1')),
            ("textee", TEXTEE_GRAPH, _changed(TEXTEE_GRAPH, b'"GPE"', b'"LOC"')),
        )
        for task, layer, settings in (
            ("relations", "graphs", {"profile": "spert"}),
            ("spans", "mentions", {}),
        )
    ),
    *(
        Sample(
            f"{source} words",
            task,
            "strings",
            source,
            gold,
            system,
            {"profile": "uie" if task == "arguments" else "strings"},
        )
        for task, source, gold, system in _STRINGS
    ),
    *(
        Sample(source, "records", "record", source, gold, system, {"profile": profile})
        for source, profile, gold, system in _ANSWERS
    ),
    Sample("ace", "ace", "ace", "apf", EXAMPLES / "ace" / "gold", EXAMPLES / "ace" / "systems" / "alder", {}),
)

KAF = str(CONVERSIONS / "kybot-threshold-50" / "a.kaf")
END = b"#EndOfDocument\n"


def _first(pattern: str) -> bytes:
    return min(CASES.glob(pattern)).read_bytes()


FILES: dict[str, bytes] = {
    "tbf": (ROOT / "examples" / "gold.tbf").read_bytes().partition(END)[0] + END,
    "brat": _first("nugget-convert/brat-to-characters/input/*.ann"),
    "ere": _first("nugget-convert/rich-ere-to-tbf/input/*.xml"),
    "lydite": write(read(CASES / "nugget-convert" / "brat-to-characters" / "input" / "doc1.ann")),
    "oneie": (
        b'{"doc_id": "d", "tokens": ["a", "b"], "graph": {"entities": [[0, 1, "P", "N", 1]],'
        b' "triggers": [[1, 2, "T", 1]], "roles": [[0, 0, "R", 1]]}}\n'
        b'{"doc_id": "d", "tokens": ["c"], "entity_mentions": [{"id": "x", "start": 0, "end": 1}], "event_mentions":'
        b' [{"event_type": "T", "trigger": {"start": 0, "end": 1}, "arguments": [{"entity_id": "x", "role": "R"}]}]}\n'
    ),
    "textee": (
        b'{"doc_id": "d", "wnd_id": "d-0", "tokens": ["a", "b"], "event_mentions": [{"event_type": "T", "trigger":'
        b' {"start": 1, "end": 2}, "arguments": [{"role": "R", "start": 0, "end": 1}]}]}\n'
    ),
    "dygie": b'{"doc_key": "d", "sentences": [["a", "b"]], "events": [[[[1, "T", 1.0], [0, 0, "R"]]]]}\n',
    "spert": b'{"tokens": ["a", "b"], "entities": [{"type": "T", "start": 0, "end": 1}], "relations": []}\n',
    "docred": (
        b'{"title": "d", "sents": [["a"], ["b"]], "vertexSet": [[{"name": "a", "sent_id": 0, "type": "T"}],'
        b' [{"name": "b", "sent_id": 1, "type": "T"}]], "labels": [{"h": 0, "t": 1, "r": "P1", "evidence": [0]}]}\n'
    ),
    "rams": b'{"doc_key": "d", "sentences": [["a", "b"]], "evt_triggers": [[1, 1, [["T", 1.0]]]], "gold_evt_links": [[[1, 1], [0, 0], "evt001arg01r"]]}\n',
    "gen-arg": b'{"doc_key": "d", "predicted": "a did b"}\n',
    "maven-ere": b'{"id": "d", "coreference": [["m"]], "temporal_relations": {"BEFORE": [["m", "n"]]}}\n',
    "maven-arg": b'{"id": "d", "preds": {"g": {"event_type": "T", "R": ["a"]}}}\n',
    "maven": (
        b'{"id": "d", "content": [{"tokens": ["a", "b"]}],'
        b' "events": [{"id": "e", "type": "T", "mention": [{"id": "m", "sent_id": 0, "offset": [0, 1]}]}]}\n'
        b'{"id": "r", "tokens": [["a", "b", "c"]], "events": [{"id": "e", "type": "T", "mention": [{"id": "m",'
        b' "sent_id": 0, "offset": [0, 1]}]}, {"id": "f", "type": "T", "mention": [{"id": "n", "sent_id": 0,'
        b' "offset": [1, 2]}]}], "TIMEX": [{"id": "t", "mention": "c", "type": "D", "sent_id": 0, "offset": [2, 3]}],'
        b' "temporal_relations": {"BEFORE": [["e", "t"]]}, "subevent_relations": [["e", "f"]]}\n'
        b'{"id": "a", "document": "x y z", "events": [{"id": "e", "type": "T", "mention": [{"id": "m",'
        b' "trigger_word": "y", "offset": [2, 3]}], "argument": {"R": [{"entity_id": "n"}, {"content": "z"}]}}],'
        b' "entities": [{"id": "n", "type": "P", "mention": [{"id": "o", "mention": "x", "offset": [0, 1]}]}]}\n'
    ),
    "conll": _first("coref/*/key.conll"),
    "semeval": _first("coref/*/key.conll"),
    "coref-xml": _first("coref-xml/*/key.xml"),
    "coref-jsonl": b'{"doc_key": "d", "clusters": [[[0, 0], [4, 5]]]}\n{"doc_key": "e", "type": "graph", "links": [["a", "b"]]}\n',
    "corefud": b"# newdoc id = d\n# global.Entity = eid-etype-head-other\n1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)\n\n",
    "trp": (ROOT / "examples" / "triples" / "gold.trp").read_bytes(),
    "triples-jsonl": b'{"doc": "d", "relation": "r", "first": {"ids": ["w1"]}, "second": {"ids": ["w2"]}}\n',
    "events": b'{"doc_id": "d", "events": [{"type": "T", "trigger": [1, 2], "text": "b", "arguments": [{"role": "R", "span": [3, 4]}, {"role": "R", "text": "a"}]}]}\n',
    "apf": _first("ace/*/ref/*.xml"),
    "cluster-table": b"t1/d1#m1\tc7\nt1/d2#m4\tc7\n# a remark\nt1/d2#m5\tc8\nt2/d3#m1\tc8\n",
    "table": b'document,start,end,cluster\nd1,0,1,a\nd1,3,5,a\n"d,2",0,2,b\nd1,7,8,b\n',
    "kaf": (CONVERSIONS / "kaf-opinion" / "input.kaf").read_bytes(),
    "naf": (CONVERSIONS / "naf-srl" / "input.naf").read_bytes(),
    "kybot": (CONVERSIONS / "kybot-threshold-50" / "input.kybot.xml").read_bytes(),
    "tuples": (CONVERSIONS / "tuples-first-event" / "input.tpl").read_bytes(),
    "textpro": (CONVERSIONS / "textpro" / "input.txp").read_bytes(),
    "iob": COLUMNS,
    "spans-jsonl": SPANS + TAGGED.replace(b'"doc_id": "d"', b'"doc_id": "t"'),
    "entities": b'{"doc_id": "d", "text": "Orla Finch left Velden.", "entities": [{"text": "Orla Finch", "label": "PER"}]}\n'
    b'{"doc_id": "e", "entities": {"LOC": ["Velden", "Ostrey"]}}\n',
    "relations": b'{"doc_id": "d", "relations": [{"head": "Finch", "type": "leads", "tail": ["Front", "K.F."]}]}\n'
    b'{"doc_id": "e", "relations": [{"head": "Vale", "head_type": "PER", "type": "left", "tail": "Velden"}]}\n',
    "event-strings": b'{"doc_id": "d", "events": [{"type": "Move", "trigger": "left", "arguments": {"agent": "Finch"}}]}\n'
    b'{"doc_id": "e", "events": [{"type": "Meet", "trigger": "met", "arguments": [{"role": "who", "text": "Vale"}]}]}\n',
    "grit": b'{"docid": "TST1-MUC3-0001", "extracts": {"Target": [[["Marlow depot", 0]]], "Victim": []}}\n',
    "gtt": b'{"docid": "TST1-MUC3-0001", "templates": [{"incident_type": "attack", "Target": [[["Marlow depot", 0]]]}]}\n',
    "records-jsonl": b'{"id": "d", "record": {"total": 3.5, "items": [{"name": "lamp"}]}}\n'
    b'{"id": "e", "text": "t", "output": "{\\"total\\": 4,}"}\n',
    "records-json": b'[{"id": "d", "record": {"total": 3.5}}, {"id": "e", "record": {"total": 4}}]\n',
    "records-folder": b'{"total": 3.5, "items": [{"name": "lamp"}]}\n',
    "triples-tsv": b"Staff\tpraised\tNew York\nGuests\thated\t\n\nShe\tleft\tit\r\n",
}
FILE_SETTINGS: dict[str, dict[str, Any]] = {
    "entities": {"compare-strings": "forms"},
    "relations": {"compare-strings": "forms"},
    "event-strings": {"compare-strings": "as-written"},
    "kaf": {"layers": _LAYERS},
    "naf": {"layers": _LAYERS},
    "kybot": {"kaf": KAF, "wsd-threshold": 50.0},
    "tuples": {"first-element": "event"},
    "textpro": {"columns": ("pos", "entity")},
}

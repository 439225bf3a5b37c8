"""Any bytes give a corpus or findings: never a traceback, never a hang."""

from __future__ import annotations

import io
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from damage import damaged
from lydite.cli import run
from lydite.errors import LyditeError, UsageError
from lydite.facade import read
from lydite.formats import FORMATS
from lydite.formats.lydite_jsonl import write
from lydite.formats.rewriting import check_formats
from lydite.formats.source import Part, Source

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "conformance"
CONVERSIONS = CASES / "triples-convert"
KAF = str(CONVERSIONS / "kybot-threshold-50" / "a.kaf")
END = b"#EndOfDocument\n"


def _first(pattern: str) -> bytes:
    return min(CASES.glob(pattern)).read_bytes()


SAMPLES: dict[str, bytes] = {
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
    "dygie": b'{"doc_key": "d", "sentences": [["a", "b"]], "events": [[[[1, "T", 1.0], [0, 0, "R"]]]]}\n',
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
    "kaf": (CONVERSIONS / "kaf-opinion" / "input.kaf").read_bytes(),
    "naf": (CONVERSIONS / "naf-srl" / "input.naf").read_bytes(),
    "kybot": (CONVERSIONS / "kybot-threshold-50" / "input.kybot.xml").read_bytes(),
    "tuples": (CONVERSIONS / "tuples-first-event" / "input.tpl").read_bytes(),
    "textpro": (CONVERSIONS / "textpro" / "input.txp").read_bytes(),
    "triples-tsv": b"Staff\tpraised\tNew York\nGuests\thated\t\n\nShe\tleft\tit\r\n",
}
LAYERS = ("term-sentiment", "opinion", "entity", "property", "srl", "dep")
SETTINGS: dict[str, dict[str, Any]] = {
    "kaf": {"layers": LAYERS},
    "naf": {"layers": LAYERS},
    "kybot": {"kaf": KAF, "wsd-threshold": 50.0},
    "tuples": {"first-element": "event"},
    "textpro": {"columns": ("pos", "entity")},
}
STORES = {
    "assessed": CASES / "arguments" / "80-random-1",
    "linked": CASES / "arguments-linking" / "k10-random",
}
KNOWN_STATUSES = {0, 1, 2, 3, 4}


def test_every_reader_is_given_damaged_files() -> None:
    assert {*SAMPLES, "eal"} == set(FORMATS)


def _read_all(source: Source, name: str) -> None:
    try:
        corpus = FORMATS[name].read(source, SETTINGS.get(name, {}))
        for doc_id in corpus.documents:
            document = corpus.documents[doc_id]
            list(document.mentions)
    except LyditeError:
        pass


@pytest.mark.parametrize("name", list(SAMPLES))
@given(data=st.data())
def test_damaged_bytes_give_a_corpus_or_findings(name: str, data: st.DataObject) -> None:
    content = data.draw(damaged(SAMPLES[name]))
    part = Part(f"d{FORMATS[name].extensions[0]}", lambda: io.BytesIO(content))
    _read_all(Source(part.path, (part,)), name)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("damaged")


def _options(name: str) -> list[str]:
    given: Mapping[str, Any] = SETTINGS.get(name, {})
    values = {
        key: ",".join(value) if isinstance(value, tuple) else str(value) for key, value in given.items()
    }
    return ["--from", name, *(word for key, value in values.items() for word in (f"--{key}", value))]


def _task(name: str) -> str:
    return FORMATS[name].tasks[0] if FORMATS[name].tasks else "nugget"


@pytest.mark.parametrize("name", list(SAMPLES))
def test_the_samples_themselves_are_scored(folder: Path, name: str) -> None:
    path = folder / f"sound{FORMATS[name].extensions[0]}"
    path.write_bytes(SAMPLES[name])
    assert run(["score", _task(name), str(path), str(path), "-q", *_options(name)]) == 0


@pytest.mark.parametrize("name", list(SAMPLES))
@settings(max_examples=20)
@given(data=st.data())
def test_the_command_never_confesses_a_defect_over_a_damaged_file(
    folder: Path, name: str, data: st.DataObject
) -> None:
    task = _task(name)
    gold, system = (folder / f"{side}{FORMATS[name].extensions[0]}" for side in ("gold", "system"))
    gold.write_bytes(SAMPLES[name])
    system.write_bytes(data.draw(damaged(SAMPLES[name])))
    layout = data.draw(st.sampled_from(("text", "json")))
    options = _options(name)
    assert run(["validate", task, str(system), "-q", *options]) in KNOWN_STATUSES
    assert run(["score", task, str(gold), str(system), "-q", "--format", layout, *options]) in KNOWN_STATUSES


def _reachable(name: str) -> list[str]:
    """The writers that can carry something of what a reader gives."""
    targets = []
    for target in FORMATS:
        try:
            check_formats(FORMATS[name], FORMATS[target])
        except UsageError:
            continue
        targets.append(target)
    return targets


@pytest.mark.parametrize("name", list(SAMPLES))
@settings(max_examples=8)
@given(data=st.data())
def test_no_conversion_and_no_agreement_confesses_a_defect_over_a_damaged_file(
    folder: Path, name: str, data: st.DataObject
) -> None:
    path, sound = (folder / side / f"d{FORMATS[name].extensions[0]}" for side in ("damaged", "sound"))
    for file, content in ((path, data.draw(damaged(SAMPLES[name]))), (sound, SAMPLES[name])):
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(content)
    for target in _reachable(name):
        words = [
            "convert",
            _task(name),
            str(path),
            str(folder / f"out-{name}-{target}"),
            "--to",
            target,
            "-q",
        ]
        assert run([*words, *_options(name)]) in KNOWN_STATUSES, target
    assert run(["agree", _task(name), str(sound), str(path), "-q", *_options(name)]) in KNOWN_STATUSES


@pytest.mark.parametrize("name", list(SAMPLES))
def test_every_sample_is_converted_to_every_format_in_reach(folder: Path, name: str) -> None:
    path = folder / f"whole{FORMATS[name].extensions[0]}"
    path.write_bytes(SAMPLES[name])
    targets = _reachable(name)
    assert "lydite" in targets
    for target in targets:
        words = [
            "convert",
            _task(name),
            str(path),
            f"{folder / f'whole-{name}-{target}'}/",
            "--to",
            target,
            "-q",
        ]
        assert run([*words, *_options(name)]) == 0, target


@pytest.mark.parametrize("kind", list(STORES))
@settings(max_examples=30)
@given(data=st.data())
def test_a_store_with_a_damaged_file_is_read_or_refused(folder: Path, kind: str, data: st.DataObject) -> None:
    case = folder / kind
    shutil.rmtree(case, ignore_errors=True)
    shutil.copytree(STORES[kind], case, ignore=shutil.ignore_patterns("*.json"))
    files = sorted(file for file in case.rglob("*") if file.is_file())
    file = data.draw(st.sampled_from(files))
    file.write_bytes(data.draw(damaged(file.read_bytes())))
    for part in sorted(case.iterdir()):
        _read_all(Source(str(part), ()), "eal")
    gold, system = str(case / "annotation"), str(case / "system")
    options = ["-q", "--from", "eal", "--reading", data.draw(st.sampled_from(("refuse", "as-official")))]
    if kind == "linked":
        options += ["--profile", "kbp2015", "--linking", str(case / "reference-linking")]
    assert run(["validate", "arguments", system, "--gold", gold, *options]) in KNOWN_STATUSES
    assert run(["score", "arguments", gold, system, "--format", "json", *options]) in KNOWN_STATUSES
    out = str(folder / f"{kind}.lydite.jsonl")
    assert run(["convert", "arguments", system, out, "--to", "lydite", *options]) in KNOWN_STATUSES

"""Any bytes give a corpus or findings: never a traceback, never a hang."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.errors import LyditeError
from lydite.facade import read
from lydite.formats import FORMATS
from lydite.formats.lydite_jsonl import write
from lydite.formats.source import Part, Source

ROOT = Path(__file__).parent.parent.parent
CASES = ROOT / "tests" / "conformance"


def _first(pattern: str) -> bytes:
    return min(CASES.glob(pattern)).read_bytes()


SAMPLES: dict[str, bytes] = {
    "tbf": (ROOT / "examples" / "gold.tbf").read_bytes()[:2000],
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
    ),
    "conll": _first("coref/*/key.conll"),
    "semeval": _first("coref/*/key.conll"),
    "coref-xml": _first("coref-xml/*/key.xml"),
    "coref-jsonl": b'{"doc_key": "d", "clusters": [[[0, 0], [4, 5]]]}\n{"doc_key": "e", "type": "graph", "links": [["a", "b"]]}\n',
    "corefud": b"# newdoc id = d\n# global.Entity = eid-etype-head-other\n1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)\n\n",
    "trp": (ROOT / "examples" / "triples" / "gold.trp").read_bytes(),
    "triples-jsonl": b'{"doc": "d", "relation": "r", "first": {"ids": ["w1"]}, "second": {"ids": ["w2"]}}\n',
    "events": b'{"doc_id": "d", "events": [{"type": "T", "trigger": [1, 2], "arguments": [{"role": "R", "span": [3, 4]}]}]}\n',
    "apf": _first("ace/*/ref/*.xml"),
}


@pytest.mark.parametrize("name", list(SAMPLES))
@given(data=st.data())
def test_damaged_bytes_give_a_corpus_or_findings(name: str, data: st.DataObject) -> None:
    content = SAMPLES[name]
    for _ in range(data.draw(st.integers(0, 3))):
        place = data.draw(st.integers(0, len(content)))
        junk = data.draw(
            st.one_of(
                st.binary(max_size=4),
                st.sampled_from([b"\t", b"\n", b'"', b"[", b"}", b"<", b"-1", b"9" * 30]),
            )
        )
        content = content[:place] + junk + content[place + data.draw(st.integers(0, 6)) :]
    found = FORMATS[name]
    part = Part(f"d{found.extensions[0]}", lambda: io.BytesIO(content))
    try:
        corpus = found.read(Source(part.path, (part,)), {})
        for doc_id in corpus.documents:
            document = corpus.documents[doc_id]
            list(document.mentions)
    except LyditeError:
        pass

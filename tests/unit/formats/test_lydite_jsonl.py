"""lydite's own form: everything that a reader knows comes back, and bad lines are named."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lydite
from lydite.cli import run
from lydite.errors import FormatError, LyditeError
from lydite.facade.library import read
from lydite.formats.layers import LAYERS
from lydite.formats.lydite_jsonl import LYDITE, SCHEMA, DocumentData, MentionData, RelationData, write
from lydite.formats.source import Source, SourcePart
from lydite.model import Corpus, Document, Mention, Span
from strategies import corpora

ROOT = Path(__file__).parent.parent.parent.parent
DATA = Path(lydite.__file__).parent / "data"


def read_bytes(data: bytes) -> Corpus:
    return LYDITE.read(
        Source("x.lydite.jsonl", (SourcePart("x.lydite.jsonl", lambda: io.BytesIO(data)),)), {}
    )


def without_lines(mentions: object) -> list[Mention]:
    return [mention._replace(line=0) for mention in mentions]  # type: ignore[attr-defined]


@given(corpus=corpora())
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    again = read_bytes(write(corpus))
    assert again.doc_ids == corpus.doc_ids
    for doc_id, document in corpus.documents.items():
        found = again.documents[doc_id]
        assert without_lines(found.mentions) == without_lines(document.mentions)
        assert [(one.name, one.id, one.members) for one in found.relations] == [
            (one.name, one.id, one.members) for one in document.relations
        ]


@pytest.mark.parametrize(
    "path",
    sorted((ROOT / "tests" / "conformance").glob("*/*/key.*"))[::7]
    + sorted((ROOT / "tests" / "conformance").glob("triples/*/gold.trp"))[::7]
    + sorted((ROOT / "tests" / "conformance").glob("ace/*/ref"))[::5]
    + sorted((ROOT / "tests" / "conformance").glob("arguments/*/annotation"))[::5],
    ids=lambda path: "/".join(path.parts[-3:]),
)
def test_layers_of_all_tasks_come_back(path: Path) -> None:
    named = {"ref": "apf", "annotation": "eal"}.get(path.name)
    corpus = read(path, format=named)
    again = read_bytes(write(corpus))
    for doc_id, document in corpus.documents.items():
        for name, layer in document.layers.items():
            assert repr(again.documents[doc_id].layers[name]) == repr(layer)


def test_bytes_that_were_no_text_survive() -> None:
    document = Document("d1", (Mention("E1", Span(((0, 1),)), "caf\udce9"),))
    again = read_bytes(write(Corpus("c", {"d1": document})))
    assert again.documents["d1"].mentions[0].text == "caf\udce9"


def test_a_document_needs_nothing_but_its_name() -> None:
    assert read_bytes(b'{"doc_id": "d1"}\n').doc_ids == ("d1",)


def test_the_unit_is_that_of_the_first_mention_with_a_place() -> None:
    data = (
        b'{"doc_id": "a"}\n{"doc_id": "b", "mentions": [{"text": "x]"}, {"text": "y]", "tokens": ["t1"]}]}\n'
    )
    assert read_bytes(data).facts["unit"] == "token"


def test_all_bad_lines_are_named_at_once() -> None:
    corpus = read_bytes(b'{"doc_id": "a", "mentions": 1}\n{"doc_id": "b"}\n{"doc_id": "c", "menitons": []}\n')
    with pytest.raises(FormatError) as refused:
        _ = corpus.documents["a"]
    assert [finding.location.line for finding in refused.value.findings if finding.location] == [1, 3]


def test_an_unknown_layer_is_refused() -> None:
    corpus = read_bytes(b'{"doc_id": "a", "layers": {"moods": []}}\n')
    with pytest.raises(FormatError, match="no layer 'moods'"):
        _ = corpus.documents["a"]


def schema() -> dict[str, object]:
    """The JSON Schema of a line, from what the code decodes: what ``document.schema.json`` must hold."""
    mention, relation = properties_of(MentionData), properties_of(RelationData)
    properties = properties_of(DocumentData)
    properties["schema"] = {"const": SCHEMA}
    properties["mentions"] = {"type": "array", "items": object_of(mention, ())}
    properties["relations"] = {"type": "array", "items": object_of(relation, ("name",))}
    properties["layers"] = {
        "type": "object",
        "properties": {name: {"description": f"one {LAYERS[name].noun} each"} for name in LAYERS},
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": "https://lydite.readthedocs.io/schema/document-1.json",
        "title": "A document in lydite's own form",
        **object_of(properties, ("doc_id",)),
    }


def object_of(properties: dict[str, object], required: tuple[str, ...]) -> dict[str, object]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


def properties_of(kind: type[msgspec.Struct]) -> dict[str, object]:
    _, components = msgspec.json.schema_components([kind])
    found: Mapping[str, Mapping[str, object]] = components[kind.__name__]["properties"]
    return {name: {key: held for key, held in one.items() if key != "default"} for name, one in found.items()}


def test_the_schema_of_the_package_is_the_one_of_the_code() -> None:
    with (DATA / "document.schema.json").open(encoding="utf-8") as stream:
        assert json.load(stream) == schema()


def test_the_example_corpus_has_the_schema() -> None:
    import jsonschema

    for line in write(read(ROOT / "examples" / "gold.tbf")).splitlines():
        jsonschema.validate(json.loads(line), schema())


LINE = write(
    Corpus("c", {"d1": Document("d1", (Mention("E1", Span(((0, 1),)), "x", "T", "Actual"),), text="x")})
)


@given(place=st.integers(0, len(LINE)), junk=st.binary(max_size=4), cut=st.integers(0, 5))
def test_a_damaged_line_gives_a_corpus_or_findings(place: int, junk: bytes, cut: int) -> None:
    try:
        corpus = read_bytes(LINE[:place] + junk + LINE[place + cut :])
        for doc_id in corpus.documents:
            list(corpus.documents[doc_id].mentions)
    except LyditeError:
        pass


@pytest.mark.parametrize(
    ("layers", "said"),
    [
        ('{"ace": [{"kind": "person", "id": "E1", "attributes": {}}]}', "expected entity, value"),
        ('{"ace": [{"kind": "entity", "id": "E1", "attributes": {"a b": ""}}]}', "name of an attribute"),
        ('{"clusters": [{"id": "1", "members": [[]]}]}', "runs of tokens"),
        ('{"clusters": [{"id": "1", "members": [null]}]}', "runs of tokens"),
        ('{"clusters": [{"id": "1", "members": [[1, 2, 3]]}]}', "runs of tokens"),
        ('"\\ud800"', "expected an object"),
    ],
)
def test_a_layer_of_another_shape_is_refused_before_it_is_written(
    tmp_path: Path, layers: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "d.lydite.jsonl"
    path.write_text(f'{{"schema":"lydite.document/1","doc_id":"d","layers": {layers}}}\n')
    for to in ("apf", "coref-xml"):
        task = "ace" if to == "apf" else "coref"
        assert run(["convert", task, str(path), str(tmp_path / "out.xml"), "--to", to]) == 3
        assert said in capsys.readouterr().err


def test_documents_without_clusters_can_be_joined(tmp_path: Path) -> None:
    path = tmp_path / "d.lydite.jsonl"
    path.write_text('{"schema": "lydite.document/1", "doc_id": "d"}\n')
    assert run(["validate", "coref", str(path), "--profile", "newsreader"]) in {0, 1}

"""What a loss report says of single conversions, and what was once lost without a word."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.cli import run
from lydite.facade.converting import measure_conversion
from lydite.formats import FORMATS
from lydite.formats.losses import Loss, Losses
from lydite.model import Corpus, Document, Mention, Relation, Span
from lydite.model.ace import Element as AceElement
from lydite.model.ace import Link
from lydite.model.argument import Event, EventArgument
from lydite.model.cluster import Cluster, Partition
from lydite.model.triple import Triple, TripleElement

CONLL = (
    "#begin document (d); part 000\n"
    "d\t0\t0\tShe\t(1)\nd\t0\t1\tmet\t-\nd\t0\t2\ther\t(1)\nd\t0\t3\tboss\t-\n\n#end document\n"
)


def losses_of(target: str, *documents: Document) -> Losses:
    corpus = Corpus("c", {document.doc_id: document for document in documents}, format="lydite")
    losses, _ = measure_conversion(corpus, FORMATS[target])
    return losses


def converted(source: Path, target: Path, *words: str) -> dict[str, Any]:
    """The loss report of a conversion through the command."""
    report = target.with_name("losses.json")
    task = [word for word in words[:1] if not word.startswith("-")]
    options = ["--losses", str(report), "-q", *words[len(task) :]]
    assert run(["convert", *task, str(source), str(target), *options]) == 0
    found: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    return found


@pytest.mark.parametrize(
    ("ending", "name"),
    [(".conllu", "corefud"), (".jsonl", "coref-jsonl"), (".txt", "semeval"), (".conll", "conll")],
)
def test_words_of_columns_are_written_where_the_target_has_words(
    tmp_path: Path, ending: str, name: str
) -> None:
    source, target = tmp_path / "in.conll", tmp_path / f"out{ending}"
    source.write_text(CONLL, encoding="utf-8")
    report = converted(source, target, "--to", name)
    assert report["kept"]["tokens"] == 4
    assert report["unknown"] == {}
    back = converted(target, tmp_path / "back.conll", "--from", name, "--to", "conll")
    assert back["kept"]["tokens"] == 4
    assert (tmp_path / "back.conll").read_text(encoding="utf-8") == CONLL.replace("(1)", "(0)")


def test_words_that_nobody_knows_are_reported_and_are_no_loss(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text('{"doc_key": "d", "clusters": [[[0, 0], [4, 5]]]}\n', encoding="utf-8")
    assert run(["convert", str(source), str(tmp_path / "out.conll"), "--to", "conll", "--strict"]) == 0
    told = capsys.readouterr().err
    assert "unknown: 6 words: coref-jsonl says none, _ is written instead" in told


def test_a_word_with_white_space_is_changed_and_reported() -> None:
    clusters = Partition([Cluster("1", ((0, 1),))])
    document = Document("d", tokens={"a": "New York", "b": "fell"}, layers={"clusters": clusters})
    losses = losses_of("conll", document)
    assert [(loss.before, loss.after) for loss in losses.changed["tokens"]] == [("New York", "New_York")]
    assert losses.kept["tokens"] == 1


def test_a_document_without_mentions_is_missed_in_a_table() -> None:
    full = Document("a", layers={"clusters": Partition([Cluster("1", ((0, 1), (2, 4)))])})
    empty = Document("b", layers={"clusters": Partition()})
    for name in ("cluster-table", "coref-xml"):
        losses = losses_of(name, full, empty)
        assert [loss.document for loss in losses.dropped["documents"]] == ["b"]
    assert not losses_of("conll", full, empty).is_lossy


def test_a_slash_in_the_name_of_one_of_many_documents_is_lost_where_files_have_the_name() -> None:
    documents = [
        Document(name, layers={"triples": (Triple("r", TripleElement(("w1",))),)}) for name in ("a/1", "b")
    ]
    losses = losses_of("trp", *documents)
    assert [loss.after for loss in losses.changed["document names"]] == ["a_1.trp", "b.trp"]
    assert losses.is_lossy
    of_files = [
        document._replace(doc_id=f"{name}.kaf", path=f"in/{name}.kaf")
        for name, document in zip("ab", documents, strict=True)
    ]
    assert not losses_of("trp", *of_files).is_lossy
    assert not losses_of("triples-jsonl", *documents).is_lossy


def test_a_mention_without_a_place_gets_one_in_tbf_and_that_is_reported() -> None:
    losses = losses_of("tbf", Document("d", (Mention("E1", Span(), "storm", "Attack", "Actual"),)))
    assert losses.changed["spans"][0].after == "0,0"


def test_tabs_and_line_breaks_make_no_columns_in_tbf(tmp_path: Path) -> None:
    odd = Mention("E1", Span(((0, 3),)), "a\tb", "T\n1", "Actual", ("0\r5",))
    corpus = Corpus("c", {"d": Document("d", (odd,))}, format="lydite")
    assert FORMATS["tbf"].write is not None
    path = tmp_path / "d.tbf"
    path.write_bytes(FORMATS["tbf"].write(corpus))
    (mention,) = lydite.read(path).documents["d"].mentions
    assert mention[2:6] == ("a b", "T 1", "Actual", ("0 5",))


def test_two_events_of_one_trigger_keep_their_own_arguments_in_brat() -> None:
    events = tuple(
        Event("Attack", ((0, 5),), (EventArgument("Place", ((begin, begin + 3),)),)) for begin in (10, 20)
    )
    losses = losses_of("brat", Document("d", layers={"events": events}))
    assert (losses.kept["events"], losses.kept["event arguments"]) == (2, 2)
    assert not losses.is_lossy


def test_heads_are_reported_where_they_have_no_place() -> None:
    events = (Event("Attack", ((0, 5),), (EventArgument("Place", ((9, 14),), ((9, 11),)),), ((0, 2),)),)
    losses = losses_of("brat", Document("d", layers={"events": events}))
    assert set(losses.dropped) == {"heads of triggers", "heads of event arguments"}
    assert not losses_of("events", Document("d", layers={"events": events})).is_lossy


def test_control_characters_are_replaced_in_apf_and_that_is_reported() -> None:
    element = AceElement("entity", "E1", {"TYPE": "PER"}, links=(Link("wiki", "Q\x0b1"),))
    losses = losses_of("apf", Document("d", layers={"ace": (element,)}))
    assert losses.count("changed", "ACE elements") == 1


def test_a_triple_whose_words_change_is_changed_and_not_dropped() -> None:
    triple = Triple("r", TripleElement(("w1",), "", "a\x0bb"), TripleElement(("w2",)))
    losses = losses_of("trp", Document("d", layers={"triples": (triple,)}))
    assert losses.count("changed", "triples") == 1
    assert not losses.dropped


def test_spans_of_tokens_have_no_place_in_brat(tmp_path: Path) -> None:
    source = Path("examples/gold.tokens.tbf")
    report = converted(source, tmp_path / "brat", "--to", "brat")
    (mentions,) = (entry for entry in report["dropped"] if entry["what"] == "mentions")
    assert mentions["count"] == 177
    assert mentions["why"] == "brat has no place for them"


def test_a_document_joined_from_several_is_measured_as_a_whole(tmp_path: Path) -> None:
    source = tmp_path / "in.xml"
    targets = "".join(f'<target id="topic/{name}#t{number}"/>' for number, name in enumerate("aab"))
    source.write_text(f'<coreferences><coref cid="1">{targets}</coref></coreferences>', encoding="utf-8")
    report = converted(source, tmp_path / "out.clusters", "--profile", "newsreader")
    assert report["kept"] == {"clusters": 1}
    assert not report["lossy"]


@pytest.mark.parametrize("doc_id", ["d" * 400, "a\0b", "..", "é" * 200])
def test_any_name_of_a_document_makes_a_name_of_a_file(tmp_path: Path, doc_id: str) -> None:
    source = tmp_path / "in.lydite.jsonl"
    mention = {"id": "E1", "span": [[0, 3]], "text": "got", "type": "T", "realis": "Actual"}
    lines = [{"doc_id": name, "mentions": [mention]} for name in (doc_id, "other")]
    source.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    report = converted(source, tmp_path / "brat", "--to", "brat")
    assert "document names" in {entry["what"] for entry in report["changed"]}
    assert len(list((tmp_path / "brat").iterdir())) == 2


def test_two_documents_are_never_written_into_one_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = tmp_path / "in.jsonl"
    lines = [f'{{"doc": "{name}", "relation": "r", "first": {{"ids": ["w1"]}}}}\n' for name in ("a/b", "a_b")]
    source.write_text("".join(lines), encoding="utf-8")
    assert run(["convert", str(source), str(tmp_path / "out"), "--to", "trp"]) == 2
    assert "'a/b' and 'a_b' would both be the file 'a_b.trp'" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


def test_a_part_with_a_number_of_any_length_is_written_in_columns(tmp_path: Path) -> None:
    source = tmp_path / "in.conll"
    source.write_text(CONLL.replace("000", "9" * 5000), encoding="utf-8")
    assert run(["convert", str(source), str(tmp_path / "out.conll"), "-q"]) == 0


def test_words_of_token_tables_are_written_and_a_cluster_that_lost_a_member_is_changed(
    tmp_path: Path,
) -> None:
    source = Path("examples/gold.tokens.tbf")
    words = ("--to", "conll", "--tokens", "examples/tokens")
    report = converted(source, tmp_path / "out.conll", "nugget", *words)
    assert report["unknown"] == {}
    assert report["kept"]["tokens"] == 2485
    assert "\tFerryman\t-" in (tmp_path / "out.conll").read_text(encoding="utf-8")
    (clusters,) = (entry for entry in report["changed"] if entry["what"] == "clusters")
    first = clusters["first"][0]
    assert (first["item"], first["before"], first["after"]) == ("C1", "E1,E3,E4,E7", "E1,E3,E4")


def test_token_tables_beside_the_annotation_are_no_loss(tmp_path: Path) -> None:
    source = Path("examples/gold.tokens.tbf")
    report = converted(source, tmp_path / "out.tbf", "nugget", "--tokens", "examples/tokens")
    assert not report["lossy"]


def test_two_mentions_of_one_place_are_told_apart_by_their_companions() -> None:
    spans = [Span(tokens=(name,)) for name in ("t0", "t1", "t2", "t1")]
    mentions = tuple(Mention(f"E{n}", span, "w", f"T{n}", "Actual") for n, span in enumerate(spans))
    relations = (Relation("Coreference", "C1", ("E0", "E3")), Relation("Coreference", "C2", ("E2", "E1")))
    tokens = {f"t{n}": "w" for n in range(3)}
    losses = losses_of("conll", Document("d", mentions, relations, tokens=tokens))
    assert losses.kept["clusters"] == 2
    assert "clusters" not in losses.changed


def test_nothing_is_lost_of_the_second_document_of_a_treebank(tmp_path: Path) -> None:
    document = (
        "# newdoc id = {0}\n# global.Entity = eid-etype-head-other\n"
        "1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-2-\n2\tb\t_\t_\t_\t_\t0\t_\t_\tEntity=e1)\n\n"
    )
    source = tmp_path / "in.conllu"
    source.write_text(document.format("d1") + document.format("d2"), encoding="utf-8")
    report = converted(source, tmp_path / "out.conllu")
    assert not report["lossy"]
    assert report["kept"]["heads"] == report["kept"]["entity types"] == 2


def test_documents_of_two_units_in_one_file_that_is_read_in_one_are_reported() -> None:
    characters = Document("d1", (Mention("E1", Span(((0, 3),))),))
    tokens = Document("d2", (Mention("E1", Span(tokens=("t1",))),))
    nowhere = Document("d3", (Mention("E1", Span(), "word"),))
    (finding,) = losses_of("tbf", characters, nowhere, tokens).findings
    assert (finding.code, finding.severity, finding.document) == ("mixed-units", "warning", "d2")
    assert not losses_of("lydite", characters, tokens).findings


def test_a_realis_that_nobody_said_is_reported_where_a_placeholder_is_written() -> None:
    """In gold the placeholder agrees with anything, and nothing does not."""
    mention = Mention("E1", Span(((0, 3),)), "die", "Life_Die")
    losses = losses_of("tbf", Document("d1", (mention,)))
    assert losses.unknown == {"realis": 1}
    assert "unknown: 1 realis: lydite says none, NOT_ANNOTATED is written instead" in losses.lines()
    assert not losses.is_lossy
    assert not losses_of("brat", Document("d1", (mention._replace(realis="Actual"),))).unknown


@pytest.mark.parametrize(
    ("what", "one"),
    [
        ("mentions", "1 mention"),
        ("realis", "1 realis"),
        ("entities", "1 entity"),
        ("After relations", "1 After relation"),
        ("texts of mentions", "1 text of a mention"),
        ("heads of event arguments", "1 head of an event argument"),
        ("lines without an argument", "1 line without an argument"),
        ("arguments not yet linked", "1 argument not yet linked"),
    ],
)
def test_one_thing_is_reported_in_the_singular(what: str, one: str) -> None:
    losses = Losses("tbf", "brat")
    losses.kept[what] += 1
    losses.add(Loss(what, "d1", "E1", "x"))
    assert losses.lines() == [f"kept: {one}", f"dropped: {one}: brat cannot hold this (d1 E1 x)"]
    losses.kept[what] += 1
    assert losses.lines()[0] == f"kept: 2 {what}"


def test_a_conversion_tells_that_prefixes_no_longer_stand_for_name_spaces() -> None:
    clusters = Partition([Cluster("1", ("n:a/1#w1",))])
    document = Document("a/1", layers={"clusters": clusters, "prefixes": {"n": "http://example.org/"}})
    assert losses_of("cluster-table", document).count("dropped", "name spaces") == 1
    assert losses_of("coref-xml", document).kept["name spaces"] == 1


@pytest.mark.parametrize(
    ("line", "target"),
    [
        ({"text": "Anna", "events": [{"type": "Die", "trigger": [0, 4]}]}, "tbf"),
        ({"text": "Anna", "events": [{"type": "Die", "trigger": [0, 4]}]}, "brat"),
        ({"text": "Anna", "spans": [[0, 4, "PER"]]}, "brat"),
        (
            {
                "tokens": ["Anna"],
                "event_mentions": [{"event_type": "Die", "trigger": {"start": 0, "end": 1}}],
            },
            "tbf",
        ),
    ],
)
def test_a_text_that_stands_in_the_file_is_dropped_where_the_target_holds_none(
    tmp_path: Path, line: dict[str, Any], target: str
) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"doc_id": "d", **line}) + "\n", encoding="utf-8")
    report = converted(source, tmp_path / "out.zip", "--to", target)
    assert {"what": "texts", "count": 1} in [
        {"what": each["what"], "count": each["count"]} for each in report["dropped"]
    ]
    kept = converted(source, tmp_path / "out.lydite.jsonl")
    assert kept["kept"]["texts"] == 1


def test_a_text_beside_the_annotation_is_no_loss(tmp_path: Path) -> None:
    (tmp_path / "d.txt").write_text("Anna", encoding="utf-8")
    (tmp_path / "d.ann").write_text("T1\tDie 0 4\tAnna\nE1\tDie:T1\n", encoding="utf-8")
    report = converted(tmp_path / "d.ann", tmp_path / "out.tbf")
    assert report["dropped"] == []

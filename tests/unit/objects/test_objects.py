from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

import lydite
from lydite.errors import NoCommonDocument
from lydite.formats import FORMATS
from lydite.objects import corpus_of_objects
from plain_worlds import FILES, TASKS, figures, worlds, written


def refused(*sides: object, **settings: object) -> list[str]:
    with pytest.raises(lydite.InvalidInput) as caught:
        lydite.score(*sides, **settings)  # type: ignore[arg-type]
    return [finding.message for finding in caught.value.findings]


@pytest.mark.parametrize("task", TASKS)
def test_objects_give_the_rows_and_the_signature_of_files_with_the_same_content(
    task: str, tmp_path: Path
) -> None:
    gold, system, settings = worlds()[task]
    of_objects = lydite.score(gold, system, task=task, **settings)
    files = [
        written(side, task, tmp_path / f"{name}.jsonl") for name, side in (("gold", gold), ("sys", system))
    ]
    of_files = lydite.score(*files, task=task, format=FILES[task], **settings)
    assert figures(of_objects) == figures(of_files)
    assert of_objects.signature == of_files.signature


@pytest.mark.parametrize("task", TASKS)
def test_what_was_read_from_a_file_scores_like_the_file(task: str, tmp_path: Path) -> None:
    gold, system, settings = worlds()[task]
    files = [
        written(side, task, tmp_path / f"{name}.jsonl") for name, side in (("gold", gold), ("sys", system))
    ]
    of_files = lydite.score(*files, task=task, format=FILES[task], **settings)
    corpora = [lydite.read(path, format=FILES[task]) for path in files]
    for given in (
        corpora,
        [dict(one.documents) for one in corpora],
        [list(one.documents.values()) for one in corpora],
    ):
        assert figures(lydite.score(*given, task=task, **settings)) == figures(of_files)


@pytest.mark.parametrize("task", TASKS)
def test_gold_against_itself_is_perfect_as_objects_and_as_files(task: str, tmp_path: Path) -> None:
    gold, _, settings = worlds()[task]
    assert lydite.score(gold, gold, task=task, **settings).headline_score() == 1
    file = written(gold, task, tmp_path / "gold.jsonl")
    assert lydite.score(file, file, task=task, format=FILES[task], **settings).headline_score() == 1


@pytest.mark.parametrize("task", TASKS)
def test_objects_are_explained_and_compared_like_files_with_the_same_content(
    task: str, tmp_path: Path
) -> None:
    gold, system, settings = worlds()[task]
    files = [
        written(side, task, tmp_path / f"{name}.jsonl") for name, side in (("gold", gold), ("sys", system))
    ]
    read = {"format": FILES[task], "task": task, **settings}
    of_objects = lydite.explain(gold, system, task=task, names=["sys"], budget=False, **settings)
    of_files = lydite.explain(*files, budget=False, **read)
    assert of_objects.system == "sys"
    assert unplaced(of_objects) == unplaced(of_files)
    golds = [gold, gold, system], [files[0], files[0], files[1]]
    compared = lydite.compare(*golds[0], task=task, names=["a", "b"], resamples=20, **settings)
    again = lydite.compare(*golds[1], resamples=20, **read)
    assert [one.system for one in compared.systems] == ["a", "b"]
    assert [one[1:] for one in compared.systems] == [one[1:] for one in again.systems]


def unplaced(explanation: lydite.Explanation) -> list[tuple[object, ...]]:
    """Verdicts without the lines of files, which objects do not have."""
    return [(one.document, one.side, one.id, one.cause, one.credit, one.lost) for one in explanation.verdicts]


def test_every_document_that_does_not_fit_is_refused_with_the_place_of_its_first_fault() -> None:
    gold = {"d7": [(0, 5, "A"), {"start": "12", "end": 14, "type": 4}], "d8": 3}
    assert refused(gold, {"d7": [(1, 2)]}, task="nugget") == [
        "documents[\"d7\"].mentions[1].start: expected an integer, found '12'",
        'documents["d8"].mentions: expected a list of mentions, found 3',
        'documents["d7"].mentions[0]: expected a dict or (start, end, type[, realis]), found (1, 2)',
    ]


@pytest.mark.parametrize(
    ("document", "fault"),
    [
        ({"mentions": [], "foo": 1}, ": unknown key 'foo'; known: mentions, clusters, after, subevent, text"),
        ({"mentions": [{"start": 1, "type": "A"}]}, ".mentions[0]: the key 'end' is missing"),
        ([{"start": 1, "end": 2, "type": 4}], ".mentions[0].type: expected a text, found 4"),
        ({"mentions": [], "after": [["a"]]}, ".after[0]: expected two mention ids, found 1"),
        ({"mentions": [], "after": [["a", "b"]]}, ".after: no mention has the id 'a'"),
    ],
)
def test_a_nugget_document_that_does_not_fit_names_its_fault(document: object, fault: str) -> None:
    assert refused({"d": document}, {}, task="nugget") == [f'documents["d"]{fault}']


@pytest.mark.parametrize(
    ("event", "fault"),
    [
        ({"type": "A", "trigger": ("0", 1)}, ".trigger.start: expected an integer, found '0'"),
        (
            {"type": "A", "text": "x", "arguments": [{"role": 5}]},
            ".arguments[0].role: expected a name, found 5",
        ),
        (
            {"type": "A", "arguments": [{"role": "R", "start": "3", "end": 4}]},
            ".arguments[0].start: expected an integer, found '3'",
        ),
        (
            {"typ": "A"},
            ": unknown key 'typ'; known: arguments, id, realis, text, trigger, trigger_head, type",
        ),
    ],
)
def test_an_event_that_does_not_fit_names_its_fault(event: object, fault: str) -> None:
    assert refused({"d": [event]}, {}, task="arguments", profile="exact") == [
        f'documents["d"].events[0]{fault}'
    ]


def test_a_cluster_that_does_not_fit_names_its_fault() -> None:
    assert refused({"d": [1], "e": [[{}]]}, {}, task="coref") == [
        'documents["d"].clusters[0]: expected a list of mentions, found 1',
        'documents["e"].clusters[0][0]: expected a mention that can be hashed, found {}',
    ]


def test_tags_that_do_not_fit_name_their_fault() -> None:
    assert refused({"d": {"tags": ["X"]}, "e": {"tags": ["O"], "text": 3}}, {}, task="spans") == [
        "documents[\"d\"].tags[0]: expected O or a tag such as B-PER or I-PER, found 'X'",
        'documents["e"].text: expected a text, found 3',
    ]


@pytest.mark.parametrize(
    ("task", "document", "message"),
    [
        ("nugget", [{"start": 0, "end": 1, "type": "A", "kind": 2}], "unknown key 'kind'"),
        ("nugget", [(5, 5, "A")], "expected 0 ≤ start < end, found 5 and 5"),
        ("nugget", [(True, 5, "A")], "expected an integer, found True"),
        ("nugget", {"mentions": [], "clusters": [["x", "y"]]}, "no mention has the id 'x'"),
        ("nugget", {"mentions": [(0, 1, "A")], "after": [["E1"]]}, "expected two mention ids, found 1"),
        ("nugget", {"mentions": [], "clusters": [["x"]]}, "no mention has the id 'x'"),
        ("nugget", [{"start": 0, "end": 1, "type": "A", "id": 1.5}], ".id: expected a text or an integer"),
        ("nugget", [{"start": 0, "end": 1, "type": "A", "confidence": "1"}], "expected a number, found '1'"),
        ("nugget", [{"start": 0, "end": 1, "type": "A", "confidence": np.nan}], "expected a finite number"),
        ("coref", {"c1": [(0, 1)]}, "found a dict; give its values()"),
        ("coref", ["ab"], "clusters[0]: expected a list of mentions, found 'ab'"),
        ("coref", [[{1: 2}]], "clusters[0][0]: expected a mention that can be hashed"),
        ("arguments", {"events": [{"trigger": (0, 1)}]}, "events[0]: the key 'type' is missing"),
        (
            "arguments",
            {"events": [{"type": "A", "trigger": (0, 1), "arguments": [{"role": "x", "start": 3}]}]},
            "arguments[0].end: expected an integer, found None",
        ),
        (
            "arguments",
            [
                {
                    "type": "A",
                    "trigger": (0, 1),
                    "arguments": [{"role": "x", "start": 3, "end": 4, "span": (5, 6)}],
                }
            ],
            "arguments[0]: expected start and end, or span, found both",
        ),
        ("triples", [("a", "b")], "triples[0]: expected (first, relation, second)"),
        ("triples", [("a", 3, {4})], "triples[0].relation: expected a text, found 3"),
        ("spans", ["B-PER", "PER"], ".tags[1]: expected O or a tag such as B-PER or I-PER, found 'PER'"),
        ("spans", [(0, "x", "PER")], ".spans[0].end: expected an integer, found 'x'"),
        ("spans", {"tags": ["O"], "tokens": []}, ".tokens: expected as many tags as tokens"),
        ("spans", {"tokens": ["a"]}, "expected a key 'tags' or a key 'spans'"),
        ("ace", [1], "expected a lydite.Document or a dict of lydite's own format"),
    ],
)
def test_a_refusal_says_what_was_expected(task: str, document: object, message: str) -> None:
    (finding, *_) = lydite.validate({"d": document}, task=task)
    assert finding.message.startswith('documents["d"]')
    assert message in "\n".join(one.message for one in lydite.validate({"d": document}, task=task))


def test_arrays_where_something_else_belongs_are_refused() -> None:
    pair = np.array([1, 2])
    assert "start: expected an integer" in refused({"d": [(pair, 3, "PER")]}, {"d": []}, task="spans")[0]
    assert ".doc_id: expected a text" in refused({"d": {"doc_id": pair}}, {"d": {}}, task="ace")[0]


def test_a_submission_is_validated_beside_gold_in_an_array() -> None:
    rows = np.array([[[0, 1], [2, 3]]])
    assert [one.code for one in lydite.validate([[[(0, 1)]]], gold=rows, task="coref")] == []


def test_an_id_that_comes_twice_is_refused() -> None:
    documents = [lydite.Document("d1"), lydite.Document("d1")]
    assert refused(documents, documents[:1], task="nugget") == [
        "documents[1]: the document id 'd1' occurs twice"
    ]


def test_nuggets_have_one_signature_as_objects_and_in_every_format_that_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "gold.tbf").write_text(
        "#BeginOfDocument d1\n"
        "ann\td1\tE1\t7,14\tstormed\tConflict_Attack\tActual\n"
        "ann\td1\tE2\t28,31;35,42\tset on fire\tConflict_Attack\tActual\t0.9\n"
        "@Coreference\tC1\tE1,E2\n"
        "#EndOfDocument\n"
        "#BeginOfDocument d2\n#EndOfDocument\n"
    )
    corpus = lydite.read(tmp_path / "gold.tbf")
    (tmp_path / "gold.jsonl").write_bytes(FORMATS["lydite"].write(corpus))  # type: ignore[misc]
    stormed = {"start": 7, "end": 14, "text": "stormed", "type": "Conflict_Attack", "realis": "Actual"}
    fire = {**stormed, "spans": [(28, 31), (35, 42)], "text": "set on fire", "id": "E2"}
    del fire["start"], fire["end"]
    objects = {"d1": {"mentions": [{**stormed, "id": "E1"}, fire], "clusters": [["E1", "E2"]]}, "d2": []}
    given = (tmp_path / "gold.tbf", tmp_path / "gold.jsonl", objects, corpus)
    signatures = {lydite.score(one, one, task="nugget").signature for one in given}
    assert len(signatures) == 1


@pytest.mark.parametrize(("profile", "signatures"), [("default", 1), ("reference", 2)])
def test_the_order_of_triples_is_signed_where_credit_depends_on_it(
    profile: str, signatures: int, tmp_path: Path
) -> None:
    triples = [("w1", "A", "w2"), (("w1", "w2"), "A", "w2"), ("w3", "B", None)]
    for name, order in (("one", triples), ("other", triples[::-1])):
        corpus = lydite.Corpus(name, {"d": corpus_of_objects({"d": order}, "triples", name).documents["d"]})
        (tmp_path / f"{name}.jsonl").write_bytes(FORMATS["lydite"].write(corpus))  # type: ignore[misc]
    of_objects, of_files = (
        {lydite.score(one, one, task="triples", profile=profile).signature for one in given}
        for given in (
            [{"d": triples}, {"d": triples[::-1]}],
            [tmp_path / "one.jsonl", tmp_path / "other.jsonl"],
        )
    )
    assert of_objects == of_files
    assert len(of_objects) == signatures


@pytest.mark.parametrize(
    ("gold", "signatures"),
    [
        ([[(0, 1), (5, 6)], [(0, 1)]], 2),
        ([[(0, 1), (5, 6)], [(3, 4)]], 1),
        ([["m1", "m2"], ["m1"]], 2),
        ([["m1", "m2"], ["m3"]], 1),
    ],
)
def test_the_order_of_clusters_is_signed_where_a_mention_stands_in_several(
    gold: list[list[object]], signatures: int
) -> None:
    orders = [{"d": gold}, {"d": gold[::-1]}, {"d": [cluster[::-1] for cluster in gold]}]
    assert len({lydite.score(one, one, task="coref").signature for one in orders}) == signatures


@pytest.mark.parametrize(("profile", "signatures"), [("strings", 2), ("exact", 1)])
def test_a_text_is_signed_where_words_are_taken_from_it(profile: str, signatures: int) -> None:
    argument = {"role": "Place", "start": 4, "end": 7}
    events = [{"type": "Attack", "trigger": (0, 3), "arguments": [argument]}]
    texts = [{"d": {"text": text, "events": events}} for text in ("war ach boy", "war aix boy")]
    summaries = [lydite.score(texts[0], one, task="arguments", profile=profile) for one in texts]
    assert len({one.signature for one in summaries}) == signatures
    assert len({one["ac"].micro.f1 for one in summaries}) == signatures


def test_objects_need_a_task_and_what_is_no_corpus_is_refused() -> None:
    with pytest.raises(lydite.UsageError, match="name the task"):
        lydite.score({}, {})
    with pytest.raises(lydite.UsageError, match="expected a path, a Corpus, a mapping or an iterable"):
        lydite.score(3, 4, task="coref")  # type: ignore[arg-type]


def test_numbers_of_numpy_and_lists_of_json_are_the_same_mentions() -> None:
    gold = [[[(0, 1), (2, 3)]]]
    spans = np.array([[0, 1], [2, 3]])
    for system in ([[[[0, 1], [2, 3]]]], [[spans]], [[[tuple(span) for span in spans]]]):
        assert lydite.score(gold, system, task="coref")["coref"]["conll"].f1 == 1
    mention = (np.int64(0), np.int32(5), "A")
    assert lydite.score([[mention]], [[(0, 5, "A")]], task="nugget")["type"].micro.f1 == 1


def test_iterators_are_taken_and_systems_get_names() -> None:
    def documents() -> Iterator[object]:
        yield iter([iter([(0, 1), (2, 3)])])

    summary = lydite.score(documents(), documents(), documents(), task="coref")
    assert summary.systems == ("system", "system-2")
    named = lydite.score(documents(), documents(), documents(), task="coref", names=["a", "b"])
    assert named.systems == ("a", "b")
    with pytest.raises(lydite.UsageError, match="expected 1 different name,"):
        lydite.score(documents(), documents(), task="coref", names=["a", "b"])


def test_clusters_without_names_stay_apart_where_documents_are_scored_together() -> None:
    gold, system, _ = worlds()["coref"]
    together = lydite.score(gold, system, task="coref", unit="corpus")
    assert together["coref"]["muc"] == lydite.score(gold, system, task="coref")["coref"]["muc"]


CONLL = "#begin document ({0}); part 000\n{0}\t0\t0\tw\t{1}\n{0}\t0\t1\tw\t{2}\n\n#end document\n"
CROSSING = {
    "gold.conll": CONLL.format("a", "(1)", "(2)") + CONLL.format("b", "(1)", "(2)"),
    "system.conll": CONLL.format("a", "(1)", "(2)") + CONLL.format("b", "(2)", "(1)"),
    "gold.jsonl": '{"doc_key": "a", "clusters": [[[0, 0]], [[1, 1]]]}\n{"doc_key": "b", "clusters": [[[0, 0], [1, 1]]]}\n',
    "system.jsonl": '{"doc_key": "a", "clusters": [[[0, 0], [1, 1]]]}\n{"doc_key": "b", "clusters": [[[0, 0]], [[1, 1]]]}\n',
}


@pytest.mark.parametrize("kind", ["conll", "jsonl"])
@pytest.mark.parametrize("settings", [{"unit": "corpus"}, {"profile": "newsreader"}])
def test_documents_of_files_that_are_scored_together_keep_the_names_of_their_clusters(
    kind: str, settings: dict[str, str], tmp_path: Path
) -> None:
    files = [tmp_path / f"{side}.{kind}" for side in ("gold", "system")]
    for file in files:
        file.write_text(CROSSING[file.name], encoding="utf-8")
    of_files = lydite.score(*files, task="coref", **settings)
    gold, system = (lydite.read(path) for path in files)
    ranks = [lydite.Metric("coref", **settings, by=("doc", "*")) for _ in gold.documents]  # type: ignore[arg-type]
    for rank, doc_id in zip(ranks, gold.documents, strict=True):
        rank.update([gold.documents[doc_id]], [system.documents[doc_id]], [doc_id])
    ranks[0].merge(lydite.Metric.from_state(ranks[1].state()))
    of_documents = [
        lydite.score(gold, system, task="coref", **settings),
        lydite.score(dict(gold.documents), dict(system.documents), task="coref", **settings),
        ranks[0].compute(),
    ]
    for one in of_documents:
        assert figures(one) == figures(of_files)
        assert one.signature == of_files.signature


def test_annotators_and_submissions_may_be_objects() -> None:
    gold, system, _ = worlds()["nugget"]
    assert lydite.agree(gold, system, task="nugget").annotators == ("annotator-1", "annotator-2")
    assert not [one for one in lydite.validate(system, gold=gold, task="nugget") if one.severity == "error"]


def test_spans_keep_their_names_and_words() -> None:
    gold = {"d": {"spans": [{"id": "x7", "start": 0, "end": 3, "label": "PER"}], "text": "Ana left"}}
    system = {"d": {"spans": [(0, 3, "LOC")], "text": "Ana left"}}
    verdicts = list(lydite.explain(gold, system, task="spans").verdicts)
    assert [(one.id, one.text) for one in verdicts] == [("x7", "Ana"), ("T1", "Ana")]
    tagged = {"d": {"tokens": ["Ana", "left"], "tags": ["B-PER", "O"]}}
    assert [one.text for one in lydite.explain(tagged, tagged, task="spans").verdicts] == ["Ana", "Ana"]


def test_characters_are_not_scored_as_tokens() -> None:
    """A file says of its spans which they are; what was read keeps it, whatever the profile is."""
    read = lydite.read("examples/gold.tbf")
    (told,) = {one for one in refused(read, read, task="nugget", profile="kbp2015") if "unit" in one}
    assert told == "the spans are of unit char, the run is of unit token"
    assert lydite.score(read, read, task="nugget", profile="kbp2015", unit="char").headline_score() == 1
    nothing: dict[str, object] = {name: {"mentions": []} for name in read.documents}
    assert lydite.score(nothing, nothing, task="nugget", profile="kbp2015").rows


def test_rows_of_arrays_and_numbers_of_numpy_as_ids_are_taken() -> None:
    row = np.array([(0, 3, "A")], dtype=object)
    assert lydite.score({np.int64(1): row}, {1: [(0, 3, "A")]}, task="nugget")["type"].micro.f1 == 1
    assert lydite.score([[np.array(["B-PER", "O"])]], [["B-PER", "O"]], task="spans").headline_score() == 1
    triples = [[(np.array(["w2", "w1"]), "has", "w3")]], [[({"w1", "w2"}, "has", "w3")]]
    assert lydite.score(*triples, task="triples").headline_score() == 1
    event = {"type": "A", "trigger": (0, 2), "arguments": [{"role": "x", "start": 3, "end": 4}]}
    same = {"type": "A", "trigger": np.array([0, 2]), "arguments": [{"role": "x", "span": np.array([3, 4])}]}
    assert lydite.score([[event]], [[same]], task="arguments", profile="exact").headline_score() == 1


def test_a_mention_without_an_id_takes_none_that_another_has() -> None:
    mentions = [
        {"start": 0, "end": 3, "type": "A", "id": "E2"},
        {"start": 5, "end": 8, "type": "A", "id": None},
        (9, 12, "A"),
    ]
    document = {"mentions": mentions, "clusters": [["E2", "E3"]]}
    assert lydite.score([document], [document], task="nugget")["coref"].micro.f1 == 1


def test_a_side_without_mentions_fits_tokens_as_well_as_characters() -> None:
    gold = lydite.read("examples/gold.tokens.tbf")
    found = lydite.score(gold, dict.fromkeys(gold.documents, ()), task="nugget")
    assert found["type"].micro.recall == 0
    metric = lydite.Metric("nugget")
    for doc_id in gold.documents:
        metric.update([gold.documents[doc_id]], [[]], [doc_id])
    assert metric.compute().corpus_rows() == found.corpus_rows()


def test_a_document_of_a_mapping_is_called_by_its_key_and_one_without_a_name_by_its_place() -> None:
    mention = lydite.Mention("E1", lydite.Span(((0, 3),)), "was", "A", "Actual")
    gold = lydite.Document("mine", (mention,))
    keyed = lydite.score({"d": gold}, {"d": gold._replace(doc_id="theirs")}, task="nugget")
    assert {row.document for row in keyed.by("doc")} == {"d"}
    listed = lydite.score([gold, [(0, 3, "A")]], [gold, []], task="nugget")
    assert {row.document for row in listed.by("doc")} == {"mine", "#1"}
    with pytest.raises(NoCommonDocument):
        lydite.score([[(0, 3, "A")]], {"0": [(0, 3, "A")]}, task="nugget")
    assert refused({"7": {"doc_id": "8"}}, {}, task="ace") == [
        "documents[\"7\"].doc_id: expected '7', found '8'"
    ]
    assert lydite.validate([3], task="coref")[0].document == "#0"


def test_a_system_that_found_no_event_is_scored_and_not_refused() -> None:
    gold = {"d": {"events": [{"type": "A", "trigger": (0, 1), "arguments": []}]}}
    for system in ({"d": {"events": []}}, {}):
        summary = lydite.score(gold, system, task="arguments")
        assert (summary.profile, summary.headline_score()) == ("exact", 0)


@pytest.mark.parametrize("task", TASKS)
def test_a_corpus_made_by_hand_is_what_its_documents_are(task: str) -> None:
    gold, system, settings = worlds()[task]
    documents = corpus_of_objects(gold, task, "gold").documents
    by_hand = lydite.Corpus("mine", dict(documents))
    summary = lydite.score(by_hand, system, task=task, **settings)
    assert figures(summary) == figures(lydite.score(gold, system, task=task, **settings))
    assert summary.inputs[0].name == "mine"


def test_gold_of_another_unit_is_refused_also_where_the_system_is_empty() -> None:
    gold = {"d": [(0, 3, "Life_Die", "Actual")]}
    for system in (gold, {"d": []}, {}):
        assert "the spans are of unit char, the run is of unit token" in refused(
            gold, system, task="nugget", profile="kbp2015"
        )

"""brat standoff: events become mentions, links become clusters, and back."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given

from lydite.errors import FormatError, InputError
from lydite.formats.brat import BRAT
from lydite.formats.source import Source, SourcePart, open_source
from lydite.formats.token_spans import natural_key
from lydite.model import Corpus, Document
from strategies import corpora


def read_text(tmp_path: Path, text: str, **options: object) -> Document:
    file = tmp_path / "d1.ann"
    file.write_text(text, encoding="utf-8")
    return BRAT.read(open_source(file), options).documents["d1"]


def test_an_event_is_a_mention_with_the_type_span_and_text_of_its_trigger(tmp_path: Path) -> None:
    document = read_text(tmp_path, "T1\tLife_Die 3 5;8 9\tgave up\nE1\tOther:T1\n")
    (mention,) = document.mentions
    assert (mention.id, mention.type, str(mention.span), mention.text, mention.realis) == (
        "E1", "Life_Die", "3,5;8,9", "gave up", "NOT_ANNOTATED",
    )  # fmt: skip


def test_a_trigger_of_another_type_than_its_event_is_reported(tmp_path: Path) -> None:
    document = read_text(tmp_path, "T1\tLife_Die 3 5\tx\nE1\tLife_Injure:T1\nE2\tLife_Die:T1\n")
    assert [(one.code, one.item) for one in document.findings] == [("trigger-of-other-type", "E1")]


def test_a_trigger_without_text_gets_a_dash(tmp_path: Path) -> None:
    assert read_text(tmp_path, "T1\tLife_Die 3 5\nE1\tLife_Die:T1\n").mentions[0].text == "-"


def test_the_last_realis_counts_wherever_it_stands(tmp_path: Path) -> None:
    text = "A1\tRealis E1 Other\nM2\tRealis E1 Actual\nE1\tX:T1\nT1\tX 1 2\tx\n"
    assert read_text(tmp_path, text).mentions[0].realis == "Actual"


@pytest.mark.parametrize(
    ("attribute", "is_told"),
    [
        ("realis E1 Actual", True),
        ("Reails E1 Other", True),
        ("Reality E1 certain", False),
        ("Negated E1", False),
    ],
)
def test_a_misspelt_realis_is_reported(attribute: str, is_told: bool, tmp_path: Path) -> None:
    document = read_text(tmp_path, f"A1\t{attribute}\nE1\tX:T1\nT1\tX 1 2\tx\n")
    assert document.mentions[0].realis == "NOT_ANNOTATED"
    assert [(one.code, one.item) for one in document.findings] == [("misspelt-name", "A1")] * is_told


def test_ids_are_in_natural_order() -> None:
    assert sorted(["E10", "E2", "E1"], key=natural_key) == ["E1", "E2", "E10"]


def test_links_are_closed_to_clusters_in_order_of_first_appearance(tmp_path: Path) -> None:
    bounds = "".join(f"T{n}\tX {n} {n + 1}\tx\nE{n}\tX:T{n}\n" for n in range(1, 6))
    links = (
        "R1\tCoreference Arg1:E4 Arg2:E5\nR2\tCoreference Arg1:E1 Arg2:E2\nR3\tCoreference Arg1:E2 Arg2:E3\n"
    )
    relations = read_text(tmp_path, bounds + links).relations
    assert [(relation.id, relation.members) for relation in relations] == [
        ("C0", ("E4", "E5")),
        ("C1", ("E1", "E2", "E3")),
    ]


def test_arguments_are_in_the_layer_of_events(tmp_path: Path) -> None:
    text = "T1\tX 1 2\tx\nT2\tP 3 4\tp\nT3\tP 5 6\tp\nE1\tX:T1 Agent:T2 Agent2:T3\n"
    (event,) = read_text(tmp_path, text).layers["events"]
    assert [(argument.role, argument.span) for argument in event.arguments] == [
        ("Agent", ((3, 4),)),
        ("Agent", ((5, 6),)),
    ]


def roles_of(tmp_path: Path, *written: str) -> list[str]:
    bounds = "".join(f"T{n}\tP {n} {n + 1}\tp\n" for n in range(1, len(written) + 2))
    arguments = " ".join(f"{role}:T{n}" for n, role in enumerate(written, 2))
    (event,) = read_text(tmp_path, f"{bounds}E1\tX:T1 {arguments}\n").layers["events"]
    return [argument.role for argument in event.arguments]


def test_a_role_whose_own_name_ends_in_a_digit_keeps_it(tmp_path: Path) -> None:
    assert roles_of(tmp_path, "ARG0", "ARG1", "ARG2") == ["ARG0", "ARG1", "ARG2"]


def test_the_fillers_of_a_role_that_ends_in_a_digit_are_counted_too(tmp_path: Path) -> None:
    assert roles_of(tmp_path, "ARG1", "ARG12", "ARG13") == ["ARG1", "ARG1", "ARG1"]


def test_a_count_may_have_several_digits(tmp_path: Path) -> None:
    written = ["Agent", *(f"Agent{number}" for number in range(2, 124))]
    assert roles_of(tmp_path, *written) == ["Agent"] * 123


def test_a_role_counted_in_one_event_is_counted_in_all_of_the_file(tmp_path: Path) -> None:
    text = "T1\tX 1 2\tx\nT2\tP 3 4\tp\nE1\tX:T1 Agent:T2\nE2\tX:T1 Agent2:T2 Agent1:T2\n"
    events = read_text(tmp_path, text).layers["events"]
    assert [argument.role for argument in events[1].arguments] == ["Agent", "Agent1"]


def test_two_files_of_one_document_are_a_finding(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "d1.ann").write_text("T1\tX 1 2\tx\nE1\tX:T1\n", encoding="utf-8")
    corpus = BRAT.read(open_source(tmp_path), {})
    assert [finding.code for finding in corpus.findings] == ["repeated-document"]


def test_labels_are_mapped(tmp_path: Path) -> None:
    (tmp_path / "map.tsv").write_text("atk\tConflict_Attack\n", encoding="utf-8")
    text = "T1\tatk 1 2\tx\nE1\tatk:T1\n"
    document = read_text(tmp_path, text, **{"label-map": str(tmp_path / "map.tsv")})
    assert document.mentions[0].type == "Conflict_Attack"


def test_a_document_without_token_table_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="token-table-missing"):
        read_text(tmp_path, "T1\tX 1 2\tx\nE1\tX:T1\n", unit="token", tokens=str(tmp_path))


@given(corpus=corpora(most=1))
def test_what_is_written_is_read_again(corpus: Corpus) -> None:
    """Mentions with spans, types and realis; clusters without the order of their members."""
    assert BRAT.write is not None
    (document,) = corpus.documents.values()
    data = BRAT.write(corpus)
    again = _read_bytes(data)
    assert [(mention.id, mention.span, mention.type, mention.realis) for mention in again.mentions] == [
        (mention.id, mention.span, mention.type, mention.realis) for mention in document.mentions
    ]
    spans = {mention.id: mention.span for mention in document.mentions}
    for relation in document.relations:
        first: dict[object, str] = {}
        for member in sorted(relation.members, key=natural_key):
            first.setdefault(spans[member], member)
        assert set(first.values()) in [set(found.members) for found in again.relations]


def _read_bytes(data: bytes) -> Document:
    import io

    part = SourcePart("d1.ann", lambda: io.BytesIO(data))
    return BRAT.read(Source("d1.ann", (part,)), {}).documents["d1"]


def test_bytes_that_are_not_text_are_refused() -> None:
    with pytest.raises(InputError, match="not-utf-8"):
        _read_bytes(b"T1\tX 1 2\t\xff\n")

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from argument_cases import answer, argument, judged, store
from lydite.assess import agreement, merging, pooling, quote_filter, repairing, status
from lydite.assess.stores import open_annotation, open_system, row_per_argument
from lydite.errors import FormatError, InvalidInput
from lydite.formats.eal import open_argument_store, write_annotation_file, write_system_file
from lydite.formats.quote_filters import read_quote_filter, write_quote_filter
from lydite.formats.texts import open_texts

ASK, BO = argument("Ask"), argument("Bo", begin=40)


def system(folder: Any, *answers: Any, doc_id: str = "D") -> Any:
    return open_system(store(folder, {doc_id: write_system_file(dict(answers))}))


def annotation(folder: Any, *rows: Any) -> Any:
    return open_annotation(store(folder, {"D": write_annotation_file(rows)}))


# Pooling


def test_the_pool_is_the_union_with_the_highest_confidence(tmp_path: Path) -> None:
    systems = [system(tmp_path / "a", (ASK, 0.3), (BO, 0.2)), system(tmp_path / "b", (ASK, 0.8))]
    (document,) = pooling.pool(systems, pooling.PoolRules("none")).documents
    assert document.answers == {ASK: 0.8, BO: 0.2}


def test_the_manifest_says_who_gave_what_and_what_was_left_out(tmp_path: Path) -> None:
    worse = ASK._replace(filler=(50, 53))
    systems = [system(tmp_path / "a", (ASK, 0.9), (worse, 0.1)), system(tmp_path / "b", (BO, 0.5))]
    made = pooling.pool(systems, pooling.PoolRules(), human=["b"])
    assert [(entry["name"], entry["human"]) for entry in made.head["systems"]] == [("a", False), ("b", True)]
    (document,) = made.documents
    assert [entry["why"] for entry in document.entry["left_out"]] == ["redundant"]
    given = {entry["argument"].split("\t")[3]: entry["systems"] for entry in document.entry["arguments"]}
    assert given["Ask"] == [{"system": "a", "confidence": 0.9, "rank": 1}]


def test_the_pool_with_top_n_keeps_the_best_of_each_system_over_all_documents(tmp_path: Path) -> None:
    other = argument("Runa", doc_id="E")
    files = {"D": write_system_file({ASK: 0.9, BO: 0.1}), "E": write_system_file({other: 0.5})}
    made = pooling.pool([open_system(store(tmp_path / "a", files))], pooling.PoolRules(top_n=2))
    assert {document.doc_id: set(document.answers) for document in made.documents} == {
        "D": {ASK},
        "E": {other},
    }


def test_every_line_of_an_earlier_pool_stays_whatever_the_rules_are(tmp_path: Path) -> None:
    worse = ASK._replace(filler=(50, 53))
    earlier = system(tmp_path / "pool", (ASK, 0.9), (worse, 0.1))
    rules = pooling.PoolRules("pool", top_n=1)
    regions = {"D": ((10, 20),)}
    made = pooling.pool([system(tmp_path / "a", (BO, 0.5))], rules, earlier=earlier, quote_filter=regions)
    assert next(iter(made.documents)).answers == {ASK: 0.9, worse: 0.1, BO: 0.5}


def test_an_earlier_pool_without_manifest_is_a_system_in_the_new_manifest(tmp_path: Path) -> None:
    earlier = system(tmp_path / "pool", (ASK, 0.9))
    made = pooling.pool([system(tmp_path / "a", (BO, 0.5))], pooling.PoolRules(), earlier=earlier)
    assert [(entry["name"], entry["earlier_pool"]) for entry in made.head["systems"]] == [
        (str(tmp_path / "pool"), True),
        ("a", False),
    ]
    (document,) = made.documents
    assert [entry["systems"][0]["system"] for entry in document.entry["arguments"]] == [
        str(tmp_path / "pool"),
        "a",
    ]


def test_arguments_from_quotes_are_left_out_of_the_pool(tmp_path: Path) -> None:
    regions = {"D": ((10, 20),)}
    made = pooling.pool(
        [system(tmp_path / "a", (ASK, 0.9), (BO, 0.1))], pooling.PoolRules(), quote_filter=regions
    )
    (document,) = made.documents
    assert set(document.answers) == {BO}
    assert [entry["why"] for entry in document.entry["left_out"]] == ["quote"]


# Quote filter


def test_a_quote_filter_file_reads_back_equal(tmp_path: Path) -> None:
    built = {"D1": ((6, 23), (24, 64)), "D2": ()}
    (tmp_path / "q").write_bytes(write_quote_filter(built))
    assert (tmp_path / "q").read_text() == "2\nD1\n6-22 24-63\nD2\n\n"
    assert read_quote_filter(tmp_path / "q") == built


def test_a_quote_filter_may_begin_with_a_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "q").write_bytes(b"\xef\xbb\xbf1\r\nD\r\n0-4\r\n")
    assert read_quote_filter(tmp_path / "q") == {"D": ((0, 5),)}


@pytest.mark.parametrize("text", ["", "x\n", "2\nD1\n\n", "1\nD1\n5\n", "1\nD1\n1-2\nD2\n"])
def test_a_broken_quote_filter_file_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "q").write_text(text)
    with pytest.raises(FormatError):
        read_quote_filter(tmp_path / "q")


@pytest.mark.parametrize("text", ["2\nD1\n1-2\nD1\n7-9\n", "1\nD1\n9-7\n", "1\nD1\n0-99 10-20\n"])
def test_a_quote_filter_that_would_lose_a_region_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "q").write_text(text)
    with pytest.raises(FormatError):
        read_quote_filter(tmp_path / "q")


def test_a_broken_region_of_a_quote_filter_is_reported_with_its_line(tmp_path: Path) -> None:
    (tmp_path / "q").write_text("2\nD1\n1-2\nD2\n3:4\n")
    with pytest.raises(FormatError) as refused:
        read_quote_filter(tmp_path / "q")
    assert str(refused.value.findings[0].location) == f"{tmp_path / 'q'}:5"


def test_a_quote_that_is_never_closed_is_refused(tmp_path: Path) -> None:
    texts = open_texts(store(tmp_path / "docs", {"D": b"a<quote>b"}))
    with pytest.raises(InvalidInput, match="quote opened at 1 is never closed"):
        quote_filter.build(texts)


# Import


def test_an_imported_line_is_unassessed_and_has_the_id_of_its_string(tmp_path: Path) -> None:
    known = ASK._replace(role="Place")
    store_ = annotation(tmp_path / "ann", judged(known, cluster=7))
    rows, added = merging.import_arguments(store_.rows("D"), {ASK: 1.0, BO: 1.0})
    new = {row.argument: (row.assessment, row.cluster) for row in rows}
    assert added == 2
    assert (new[ASK], new[BO]) == ((None, 7), (None, None))


def test_an_import_loses_no_coreference_id_that_stood_on_an_unassessed_line_alone() -> None:
    rows, _ = merging.import_arguments([judged(ASK), judged(ASK, "", cluster=7)], {})
    assert [(row.assessment is not None, row.cluster) for row in rows] == [(True, 7)]


# Status and agreement


def test_status_counts_what_is_left_to_do(tmp_path: Path) -> None:
    store_ = annotation(tmp_path / "ann", judged(ASK, cluster=1), judged(BO, ""))
    (document,) = status.status(store_, [system(tmp_path / "a", (BO, 0.5))])
    assert (document.pooled, document.assessed, document.unassessed, document.without_id) == (2, 1, 1, 1)
    assert document.selected == (1,)


def test_an_argument_on_two_lines_is_one_that_is_left_to_do_or_done(tmp_path: Path) -> None:
    store_ = annotation(tmp_path / "ann", judged(ASK, "", cluster=1), judged(ASK, cluster=1), judged(BO, ""))
    (document,) = status.status(store_)
    assert (document.pooled, document.assessed, document.unassessed) == (2, 1, 1)


def test_what_neither_assessor_was_asked_is_no_disagreement(tmp_path: Path) -> None:
    first, second = (annotation(tmp_path / name, judged(ASK, "W---")) for name in ("a", "b"))
    assert agreement.agreement(first, second).disagreements == ()


def test_kappa_takes_chance_out_of_agreement() -> None:
    cells = {("C", "C"): 20, ("C", "W"): 5, ("W", "C"): 10, ("W", "W"): 15}
    column = agreement.ColumnAgreement("role", cells)
    assert column.accuracy == pytest.approx(0.7)
    assert column.kappa == pytest.approx(0.4)


def test_kappa_is_undefined_where_all_judgements_are_equal() -> None:
    assert agreement.ColumnAgreement("role", {("C", "C"): 5}).kappa is None


def test_two_assessors_are_compared_over_what_both_judged(tmp_path: Path) -> None:
    first = annotation(tmp_path / "a", judged(ASK, cluster=1), judged(BO, "", cluster=1))
    second = annotation(tmp_path / "b", judged(ASK, "CCCI", cluster=4), judged(BO, cluster=5))
    found = agreement.agreement(first, second)
    assert (found.judged_by_both, found.judged_by_first, found.judged_by_second) == (1, 1, 2)
    assert [entry["judgements"] for entry in found.disagreements] == [{"base filler": ["C", "I"]}]
    assert (found.coreference.precision, found.coreference.recall) == (1.0, 0.5)


def test_a_document_that_one_assessor_alone_has_counts_as_judged_by_one(tmp_path: Path) -> None:
    elsewhere = judged(argument("Cai", doc_id="E"), cluster=2)
    first = annotation(tmp_path / "a", judged(ASK, cluster=1))
    files = {"D": write_annotation_file([judged(ASK, cluster=1)]), "E": write_annotation_file([elsewhere])}
    second = open_annotation(store(tmp_path / "b", files))
    for one, other, by_first, by_second in ((first, second, 1, 2), (second, first, 2, 1)):
        found = agreement.agreement(one, other)
        assert (found.judged_by_both, found.judged_by_first, found.judged_by_second) == (
            1,
            by_first,
            by_second,
        )


def test_a_quote_filter_may_lack_the_empty_line_of_its_last_document(tmp_path: Path) -> None:
    path = tmp_path / "filter.txt"
    for end in ("", "\n", "\n\n"):
        path.write_text(f"2\nD\n0-4 10-12\nE{end}", encoding="utf-8")
        assert read_quote_filter(str(path)) == {"D": ((0, 5), (10, 13)), "E": ()}
    path.write_text("2\nD\n0-4\n", encoding="utf-8")
    with pytest.raises(FormatError, match="expected 5 lines for 2 documents, found 3"):
        read_quote_filter(str(path))


# Repair


def test_repair_makes_a_store_consistent_and_counts_what_it_did() -> None:
    friday = argument("last Friday", "Time", begin=80)
    rows = [
        judged(ASK, line=1),
        judged(BO, cluster=3, line=2),
        judged(BO._replace(role="Place"), cluster=4, line=3),
        judged(argument("Nell", begin=60), "WC--", line=4),
        judged(argument("Tor", begin=70), "C---", line=5),
        judged(friday, cluster=9, line=6),
    ]
    repaired, fixes = repairing.repair_rows(rows)
    kinds = [fix.kind for fix in fixes]
    assert kinds == [
        "accepted-without-id",
        "role-cleared",
        "role-missing",
        "several-ids",
        "without-id",
        "without-id",
        "non-date",
    ]
    assert [row.cluster for row in repaired] == [10, 3, 3, 11, 12, 9]
    assert repaired[4].assessment is None
    assert repaired[5].assessment.text == "W"


def test_repair_twice_changes_nothing_more() -> None:
    once, _ = repairing.repair_rows([judged(ASK, line=1), judged(BO, "WC--", line=2)])
    assert repairing.repair_rows(once) == (list(once), [])


def test_new_ids_are_numbers_that_files_can_hold() -> None:
    rows, _ = repairing.repair_rows([judged(ASK, cluster=2**31 - 1, line=1), judged(BO, line=2)])
    assert [row.cluster for row in rows] == [2**31 - 1, 1]
    taken, eva = [judged(ASK, cluster=2**31 - 1), judged(BO, cluster=1)], argument("Eva")
    assert merging.merged_ids(taken, [judged(eva, cluster=1)])[eva.canonical] == 2


def test_repair_takes_lines_whatever_their_ids_are(tmp_path: Path) -> None:
    line = write_annotation_file([judged(ASK)]).partition(b"\t")[2]
    path = store(tmp_path / "ann", {"D": b"one\t" + line})
    ((doc_id, rows, _),) = repairing.repair_store(open_argument_store(path))
    assert (doc_id, [row.argument for row in rows]) == ("D", [ASK])


def test_a_document_that_a_store_lacks_is_empty_and_not_there(tmp_path: Path) -> None:
    assert not annotation(tmp_path / "ann", judged(ASK)).document("E").present


def test_a_coreference_id_counts_on_whatever_line_of_an_argument_it_stands() -> None:
    for rows in ([judged(ASK), judged(ASK, "", cluster=7)], [judged(ASK, "", cluster=7), judged(ASK)]):
        ((_, row),) = row_per_argument(rows).items()
        assert (row.cluster, row.assessment is None) == (7, False)


def test_repair_refuses_what_it_cannot_repair(tmp_path: Path) -> None:
    line = write_annotation_file([judged(ASK, cluster=1)]).replace(b"\tNAME", b"\tPRONOUN")
    with pytest.raises(InvalidInput, match="mention type"):
        list(repairing.repair_store(open_argument_store(store(tmp_path / "ann", {"D": line}))))


def test_a_broken_store_is_refused_with_the_findings_of_all_documents(tmp_path: Path) -> None:
    files = {"D": b"x\n", "E": b"y\n"}
    with pytest.raises(InvalidInput) as refused:
        open_system(store(tmp_path / "a", files)).answers("D")
    assert sorted(finding.document for finding in refused.value.findings) == ["D", "E"]


def test_a_system_row_keeps_the_highest_confidence(tmp_path: Path) -> None:
    low, high = (write_system_file({ASK: confidence}) for confidence in (0.2, 0.6))
    for name, lines in (("a", low + high), ("b", high + low)):
        assert open_system(store(tmp_path / name, {"D": lines})).answers("D") == {ASK: 0.6}
    assert answer(ASK).confidence == 0.5


def test_lines_of_a_merged_document_have_all_eighteen_columns() -> None:
    short = judged(ASK, cluster=1)._replace(width=17)
    merged = merging.merge_documents([short], [judged(BO, cluster=2)])
    assert [row.width for row in merged] == [18, 18]


def test_a_new_string_of_a_merged_document_gets_the_number_after_the_largest() -> None:
    merged = merging.merge_documents([judged(ASK, cluster=7)], [judged(BO, cluster=2)])
    assert [row.cluster for row in merged] == [7, 8]


def test_the_first_judgement_of_an_argument_is_kept_and_an_unassessed_line_gives_way() -> None:
    first, second, waiting = judged(ASK, "CCCC"), judged(ASK, "WWWW"), judged(ASK, "")
    assert row_per_argument([first, second])[ASK].assessment == first.assessment
    assert row_per_argument([waiting, second, first])[ASK].assessment == second.assessment


def test_more_than_one_passage_of_justification_needs_inference() -> None:
    assert not pooling.needs_inference(ASK._replace(justification=((0, 9),)))
    assert pooling.needs_inference(ASK._replace(justification=((0, 9), (20, 30))))
    assert pooling.needs_inference(ASK._replace(justification=((0, 9),), additional=((20, 30),)))


def test_arguments_that_need_inference_are_kept_beside_their_like_only_if_asked_for() -> None:
    inferred = ASK._replace(justification=((0, 9), (20, 30)))
    answers = {ASK: 0.9, inferred: 0.1}
    assert pooling.collapse(answers, keep_inference=False) == ({ASK: 0.9}, {inferred: ASK})
    assert pooling.collapse(answers, keep_inference=True) == (answers, {})

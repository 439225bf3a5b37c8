"""Scores, reports and refusals of random files are those of a second scorer, written from the rules alone."""

from __future__ import annotations

import json
import tempfile
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import lydite
import nugget_oracle as oracle
from lydite.errors import InvalidInput
from lydite.metrics.sequencing import Points
from lydite.metrics.time_chains import TimeChains
from lydite.python2_sets import set_order
from lydite.verify import nugget
from lydite.verify.cases import Case, CaseResult
from lydite.verify.leaves import Tolerance, agrees, leaves
from nugget_files import run_of
from nugget_oracle import Run

LARGE = 20_000
"""Bytes; trying all assignments of the clusters of larger files takes too long."""
FOLDER = Path(__file__).parent.parent / "conformance/nugget"
SMALL_CASES = [
    path
    for path in sorted(FOLDER.glob("*/expected.json"))
    if (path.parent / "gold.tbf").stat().st_size < LARGE
]
MAPPINGS = {
    "span_only": (),
    "mention_type": ("type",),
    "realis_status": ("realis",),
    "mention_type+realis_status": ("type", "realis"),
}
NEAR = Tolerance({"*": 1e-9, "*coref*": 1e-6, "*sequencing*": 1e-4, "*.printed*": 0.0101})
OFFICIAL = ("kbp2015", "kbp2015-v1.6.2", "kbp2016", "kbp2017")


def differences(expected: Any, found: Any) -> list[tuple[str, Any, Any]]:
    """Leaves that are not the same, on either side."""
    ours, theirs = dict(leaves(expected)), dict(leaves(found))
    return [
        (path, ours.get(path), theirs.get(path))
        for path in {**ours, **theirs}
        if path not in ours or path not in theirs or not agrees(ours[path], theirs[path], NEAR(path))
    ]


def other_lines(expected: str, found: str) -> list[tuple[str, str]]:
    """Lines that are not the same.

    The official program cuts percentages of running sums: the second scorer, which adds up exactly, may print 0.01 more.
    """
    ours, theirs = expected.split("\n"), found.split("\n")
    assert len(ours) == len(theirs)
    return [
        (left, right)
        for left, right in zip(ours, theirs, strict=True)
        if left != right and not _is_cut(left, right)
    ]


def _is_cut(left: str, right: str) -> bool:
    of_chains = left.startswith(("Metric : ", "Overall Average CoNLL score"))
    figures = [float(line.removesuffix(" *").split()[-1]) for line in (left, right) if of_chains]
    same_words = left.removesuffix(" *").split()[:-1] == right.removesuffix(" *").split()[:-1]
    return of_chains and same_words and abs(figures[0] - figures[1]) < 0.0101


# ---------------------------------------------------------------------------------------------------- the oracle


def recorded_run(path: Path) -> tuple[Run, dict[str, Any]]:
    expected = json.loads(path.read_text(encoding="utf-8"))
    folder, options = path.parent, expected["options"]
    tables = (folder / options["tokens"]).iterdir() if "tokens" in options else ()
    white_list = options.get("type_whitelist")
    run = Run(
        expected["profile"],
        (folder / "gold.tbf").read_bytes(),
        (folder / "system.tbf").read_bytes(),
        options["unit"],
        {table.name.removesuffix(".tab"): table.read_bytes() for table in tables},
        coref=bool(options.get("coref")),
        threshold=options.get("coref_threshold", 1.0),
        mapping=MAPPINGS[options.get("coref_mapping", "mention_type")],
        white_list=(folder / white_list).read_bytes() if white_list else None,
        only=options.get("only_document"),
        sequencing=bool(options.get("sequencing")),
    )
    return run, expected


TEXTS = {
    "report.txt": oracle.report,
    "comparison.txt": oracle.comparison,
    "report-v1.2.txt": partial(oracle.report, version="1.2"),
    "comparison-v1.1.txt": partial(oracle.comparison, version="1.1"),
}
OF_THE_PILOT = {
    **TEXTS,
    "report.txt": partial(oracle.report, version="1.1"),
    "comparison.txt": partial(oracle.comparison, version="1.2"),
}
"""The texts of a case and who lays them out."""


@pytest.mark.parametrize("path", SMALL_CASES, ids=lambda path: path.parent.name)
def test_the_second_scorer_computes_what_the_official_one_did(path: Path) -> None:
    run, expected = recorded_run(path)
    wanted = {
        name: {key: value for key, value in block.items() if key != "source"}
        for name, block in expected["scores"].items()
    }
    assert differences(wanted, oracle.scores(run)) == []
    for name, layout in (OF_THE_PILOT if run.profile == "pilot2014" else TEXTS).items():
        if (path.parent / name).is_file():
            official = (path.parent / name).read_bytes().decode("utf-8", "surrogateescape")
            assert other_lines(layout(run), official) == []
    if "sequencing_without_quirks" in expected:
        worked = {
            key: value for key, value in expected["sequencing_without_quirks"].items() if key != "source"
        }
        assert differences({"sequencing": worked}, {"sequencing": oracle.sequencing(soundly(run))}) == []


def soundly(run: Run) -> Run:
    """The run with the links of the profile without quirks, everything else alike."""
    return replace(run, other_rules=replace(run.rules, official_links=False))


# ------------------------------------------------------------------------------------------------- random files


def case_of(run: Run, folder: Path) -> Case:
    (folder / "gold.tbf").write_bytes(run.gold)
    (folder / "system.tbf").write_bytes(run.system)
    names = {attributes: name for name, attributes in MAPPINGS.items()}
    options: dict[str, Any] = {
        "unit": run.unit,
        "coref": run.coref,
        "coref_threshold": run.threshold,
        "coref_mapping": names[run.mapping],
        "sequencing": run.sequencing,
    }
    if run.unit == "token":
        options["tokens"] = "tokens"
        (folder / "tokens").mkdir()
        for name, table in run.tables.items():
            (folder / "tokens" / f"{name}.tab").write_bytes(table)
    if run.white_list is not None:
        options["type_whitelist"] = "types.txt"
        (folder / "types.txt").write_bytes(run.white_list)
    if run.only is not None:
        options["only_document"] = run.only
    for name in texts_of(run):
        (folder / name).touch()
    expected: dict[str, Any] = {
        "profile": run.profile,
        "reading": "as-official",
        "options": options,
        "scores": {"original": {}} if run.profile == "pilot2014" else {},
    }
    if run.profile == "kbp2015" and run.coref:
        expected["variants"] = {"v1.6.2": {}}
    if run.profile == "kbp2017" and run.sequencing:
        expected["sequencing_without_quirks"] = {}
    return Case(folder, expected)


def texts_of(run: Run) -> dict[str, Any]:
    """The official texts of a run and who lays them out in the second scorer."""
    if run.profile == "pilot2014":
        return OF_THE_PILOT
    return {name: TEXTS[name] for name in ("report.txt", "comparison.txt")} if run.profile in OFFICIAL else {}


def scored(run: Run) -> CaseResult | None:
    """What the package finds; None if it refuses the files."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return nugget.score(case_of(run, Path(folder)))
        except InvalidInput:
            return None


@pytest.mark.parametrize("profile", oracle.RULES)
@given(seed=st.integers(0, 2**32))
def test_random_files_score_as_the_rules_say(profile: str, seed: int) -> None:
    run = run_of(Random(seed), profile)
    found = scored(run)
    assert (found is None) == oracle.stops(run)
    if found is None:
        return
    assert differences(oracle.scores(run), found.blocks["scores"]) == []
    for name, layout in texts_of(run).items():
        assert other_lines(layout(run), found.files[name].decode()) == []
    if "sequencing_without_quirks" in found.blocks:
        sound = {"sequencing": oracle.sequencing(soundly(run))}
        laid_out = {key: value for key, value in found.blocks["sequencing_without_quirks"].items() if value}
        assert differences(sound, {"sequencing": laid_out}) == []
    if "variants" in found.blocks:
        older = of_older_release(replace(run, profile="kbp2015-v1.6.2"))
        assert differences(older, found.blocks["variants"]["v1.6.2"]) == []


def of_older_release(run: Run) -> dict[str, Any]:
    """The block of version 1.6.2."""
    if oracle.stops(run):
        return {"exit": 1}
    laid_out: dict[str, Any] = {"exit": 0, "detection_equal": True}
    if oracle.documents(run):
        laid_out["coref"], laid_out["document_coref_average"] = oracle.coreference(run)
    return laid_out


@given(seed=st.integers(0, 2**32))
def test_the_best_alignment_of_the_muc_measure_earns_the_most(seed: int) -> None:
    run = run_of(Random(seed), "pilot2014")

    def worth(gold: oracle.Doc, system: oracle.Doc) -> float:
        pairs = {(at, place): weight for weight, at, place in oracle.ordered_pairs(run, gold, system)}
        earned = {pair: 1.0 if weight == 1 else 0.5 for pair, weight in pairs.items()}
        sizes = len(system.mentions), len(gold.mentions)
        return oracle.largest_total(*sizes, lambda at, place: earned.get((at, place), 0.0))

    with tempfile.TemporaryDirectory() as folder:
        case = case_of(run, Path(folder))
        tokens = {"tokens": case.path("tokens")} if run.unit == "token" else {}
        summary = lydite.score(
            case.path("gold.tbf"),
            case.path("system.tbf"),
            profile="pilot2014",
            reading="as-official",
            muc_alignment="best",
            only_document=run.only,
            **tokens,
        )
    (row,) = (row for row in summary.corpus_rows() if row.metric == "muc-partial")
    found = row.tally["correct"] + 0.5 * row.tally["partial"]
    assert found == sum(worth(gold, system) for gold, system, _ in oracle.documents(run).values())


# ------------------------------------------------------------------------------------------------------ time chains

LINKS = st.tuples(st.sampled_from(["After", "Subevent"]), st.integers(1, 8), st.integers(1, 8)).filter(
    lambda link: link[1] != link[2]
)
ENTERED_TWICE = [
    ("After", 1, 2), ("After", 3, 1), ("After", 4, 3), ("After", 5, 6), ("Subevent", 4, 5), ("After", 7, 8),
    ("After", 7, 4), ("Subevent", 4, 7),
]  # fmt: skip
"""Event 4 ends before it begins, so that the earliest way from 7 enters its chain twice."""


@given(links=st.lists(LINKS, unique=True, max_size=12))
@example(links=ENTERED_TWICE)
def test_time_chains_and_logic_are_those_of_the_second_scorer(links: list[tuple[str, int, int]]) -> None:
    for closure, graph in ((TimeChains, oracle.Chains()), (Points, oracle.Logic())):
        ours = closure()
        for name, first, second in links:
            theirs = graph.take((name.encode(), first, second))
            assert ours.take((name, first, second)) == (theirs == "known")
        for name, first, second in product(("After", "Subevent"), range(1, 9), range(1, 9)):
            if first != second:
                expected = graph.holds((name.encode(), first, second))
                assert ours.follows((name, first, second)) == expected


@given(links=st.lists(LINKS, unique=True, max_size=12))
def test_links_taken_together_say_what_they_say_one_by_one(links: list[tuple[str, int, int]]) -> None:
    together, singly = Points(), Points()
    holds = together.take_all(links)
    for link in links:
        singly.take(link)
    assert holds == all(map(singly.follows, links))
    for name, first, second in product(("After", "Subevent"), range(1, 9), range(1, 9)):
        if holds and first != second:
            assert together.follows((name, first, second)) == singly.follows((name, first, second))


@given(ids=st.lists(st.integers(0, 40), max_size=60))
def test_the_order_of_sets_is_that_of_the_second_scorer(ids: list[int]) -> None:
    keys = [(b"E%d" % first, b"E%d" % (first * 7 % 23), b"After") for first in ids]
    assert set_order(keys) == oracle.in_slots(keys, oracle.triple_hash)


# --------------------------------------------------------------------------------------------- headers and footers

LINES = st.sampled_from(
    [
        b"#BeginOfDocument d1", b"#BeginOfDocument  d2 ", b"#BeginOfDocumentX", b"#BeginOfDocument", b" #BeginOfDocument\td1",
        b"#BeginOfDocument d 1\r", b"#beginofdocument d1", b"##BeginOfDocument q", b"#BeginOfDocument OfDocument",
        b"\xef\xbb\xbf#BeginOfDocument d3", b"#BeginOfDocument \xff\x85", b"#EndOfDocument", b"\t#EndOfDocument x",
        b"#EndOfDocumentOfDocument", b"#EndOfDocument\r", b"#End OfDocument", b"", b" \v", b"# remark",
        b"s\td\tE1\t1,2\t#EndOfDocument\tT\tR", b"s\td\tE2\t1,2\tOfDocument\tT\tR", b"\x85s\td\tE3\t1,2\t\tT\tR",
        b"@ Coreference\tC\tE1,E2",
    ]
)  # fmt: skip


@given(lines=st.lists(LINES, max_size=16), size=st.sampled_from((7, 64, 1 << 16)))
def test_lines_belong_to_documents_as_the_official_scorers_read_them(lines: list[bytes], size: int) -> None:
    data = b"\n".join(lines)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        patch.setattr("lydite.formats.source.CHUNK", size)
        path = Path(folder) / "f.tbf"
        path.write_bytes(data)
        corpus = lydite.read(path, format="tbf", unit="char", reading="as-official")
        found = {
            doc_id: (
                [mention.id for mention in document.mentions],
                [",".join(relation.members) for relation in document.relations],
            )
            for doc_id, document in corpus.documents.items()
        }
    assert found == {oracle.text(name): _read(block) for name, block in oracle.blocks(data).items()}


def _read(block: list[bytes]) -> tuple[list[str], list[str]]:
    columns = [oracle.text(line.removeprefix(b"@").strip(oracle.WHITE)).split("\t") for line in block]
    kinds = [line.startswith(b"@") for line in block]
    pairs = list(zip(columns, kinds, strict=True))
    ids = [row[2] for row, is_relation in pairs if not is_relation and len(row) >= 7]
    return ids, [row[2] for row, is_relation in pairs if is_relation]

"""The argument cases: how summaries, findings and stores are laid out as their ``expected.json`` has it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from lydite.assess import merging, pooling, quote_filter
from lydite.assess.stores import OpenedStore, open_annotation, open_system
from lydite.errors import Finding, FormatError, InputError, errors_among
from lydite.facade.choosing import UserChoice
from lydite.facade.validating import validate_file
from lydite.formats.eal import write_annotation_file, write_system_file
from lydite.formats.texts import open_texts
from lydite.model import Summary
from lydite.verify import modern
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import COUNTS, Leaves, lay_out, values_of
from lydite.verify.strings import is_about_strings, score_strings

MEASUREMENTS = ("standard", "strict", "lax")
_OPTIONS = {"annotation_complete": "require-complete", "documents": "document-list"}
"""Options whose names in the cases are not those of the settings."""


def _choice(case: Case, options: Mapping[str, object], **more: object) -> UserChoice:
    settings: dict[str, object] = {"reading": case.reading, **more}
    for key, value in options.items():
        if key != "profile" and value is not None:
            settings[_OPTIONS.get(key, key)] = case.resolve_path(value)
    profile = options.get("profile") or case.expected.get("profile")
    return UserChoice(task="arguments", profile=None if profile is None else str(profile), options=settings)


def _folder(case: Case, name: str) -> str:
    """A store of the case; one that is not there is an empty store."""
    path = case.folder / name
    return str(path) if path.exists() else _empty_folder().name


@cache
def _empty_folder() -> TemporaryDirectory[str]:
    """An empty folder, removed when the process ends."""
    return TemporaryDirectory(prefix="lydite-empty-")


def score(case: Case) -> CaseResult:
    """``arguments.score``: scores under the options of the case, and under those of each block of ``also``."""
    if is_about_strings(case, "arguments"):
        return score_strings(case, "arguments")
    if modern.has_both_files(case):
        return modern.score(case)
    return _blocks(case, scores_of)


def scores_of(case: Case, options: Mapping[str, object]) -> dict[str, object]:
    """The three measurements with counts, breakdowns and classes."""
    stores = _folder(case, "annotation"), _folder(case, "system")
    by = ("doc", "type", "role", "genre")
    summary = summary_of(_choice(case, options), *stores, *by, diagnosis=True)
    return {name: _measurement(summary, name) for name in MEASUREMENTS}


Scoring = Callable[[Case, Mapping[str, object]], dict[str, object]]


def _blocks(case: Case, run: Scoring) -> CaseResult:
    """What the case expects at its top level and in each block of ``also``, which has all of its own options."""
    found, expected = _scores_or_error(case, case.expected, run), _expected_of(case.expected)
    left_out: list[str] = []
    if "also" in case.expected:
        blocks = [Case(case.folder, block) for block in case.expected["also"]]
        others = [block.other_blocks("scores", "error") for block in blocks]
        found["also"] = [_scores_or_error(case, block.expected, run) for block in blocks]
        expected["also"] = [
            {**_expected_of(block.expected), **more} for block, more in zip(blocks, others, strict=True)
        ]
        left_out = [f"also[[]{place}].{name}*" for place, more in enumerate(others) for name in more]
    return CaseResult(found, expected=expected, left_out=left_out)


def _expected_of(block: Mapping[str, object]) -> dict[str, object]:
    """What a block expects: scores, or no scores and the reason of the refusal."""
    scores = {"scores": _with_sorted_classes(block.get("scores"))}
    return {**scores, "error": block["error"]} if "error" in block else scores


def _scores_or_error(case: Case, block: Mapping[str, Any], run: Scoring) -> dict[str, object]:
    try:
        return {"scores": run(case, block.get("options") or {})}
    except InputError as error:
        return {"scores": None, "error": _reason(error, block.get("error"))}


_REASON_WORDS = {
    "accepted-non-date": ("date",),
    "assessment-conflict": ("judge", "assess", "differ", "conflict", "agree"),
    "cas-without-id": ("coreference id", "without id"),
    "coref-conflict": ("coreference id",),
    "coref-missing": ("coreference id",),
    "incomplete-annotation": ("complete", "unassessed", "not assessed"),
    "linking-file": ("linking",),
    "linking-id": ("linking",),
    "linking-incomplete": ("incomplete",),
    "linking-line": ("incomplete",),
    "unassessed": ("not assessed", "unassessed"),
    "unclosed-quote": ("never closed",),
    "unknown-to-filter": ("filter",),
}
"""By finding, words that a sentence with the same reason has: the wording of a refusal is free, the reason is not."""


def _reason(error: InputError, expected: str | None) -> str:
    """The expected sentence if an error has it, or gives the same reason with the same numbers; else the error's own."""
    if expected is None:
        return str(error)
    for finding in errors_among(error.findings):
        same_reason = any(word in expected.lower() for word in _REASON_WORDS.get(finding.code, ()))
        numbers, known = (set(re.findall("[0-9]+", text)) for text in (expected, finding.message))
        if expected in finding.message or (same_reason and numbers <= known):
            return expected
    return str(error)


def _measurement(summary: Summary, name: str) -> dict[str, object]:
    rows = [
        row
        for row in summary.rows
        if row.measurement == name
        and (row.scope == "corpus" or row.counts["gold_total"] or row.counts["system_total"])
    ]
    laid_out = lay_out(
        rows,
        Leaves("", COUNTS, {"scope": "corpus"}),
        Leaves("by_document/{document}", COUNTS, {"scope": "document"}),
        *(Leaves(f"by_{part}/{{{part}}}", COUNTS, by=(part,)) for part in ("type", "role", "genre")),
        blocks=("by_document", "by_type", "by_role", "by_genre"),
    )
    laid_out["classes"] = {
        verdict: _sorted_classes(
            [entry["document"], item["event_type"], item["role"], item["realis"], item["fillers"]]
            for entry in summary.diagnosis["documents"]
            for item in entry["classes"][name][verdict]
        )
        for verdict in ("tp", "fp", "fn")
    }
    return laid_out


def _sorted_classes(classes: Iterable[Sequence[Any]]) -> list[list[object]]:
    """Classes and their fillers, sorted, since their order has no meaning."""
    return sorted([*entry[:4], sorted(entry[4])] for entry in classes)


def _with_sorted_classes(scores: object) -> object:
    """Expected scores with their lists of classes sorted as ours are."""
    if not isinstance(scores, dict):
        return scores
    return {
        name: {**block, "classes": {key: _sorted_classes(found) for key, found in block["classes"].items()}}
        if "classes" in block
        else block
        for name, block in scores.items()
    }


def score_linking(case: Case) -> CaseResult:
    """``arguments.score-linking``: argument, link and overall score, of the corpus and of every scored document."""
    return _blocks(case, linking_of)


def linking_of(case: Case, options: Mapping[str, object]) -> dict[str, object]:
    """The figures of the corpus and of each document."""
    choice = _choice(case, options, linking=_folder(case, "reference-linking"))
    summary = summary_of(choice, _folder(case, "annotation"), _folder(case, "system"), "doc")
    counts = {"tp": "tp", "fp": "fp", "fn": "fn", "arg": "value"}
    link = {"link_precision": "precision", "link_recall": "recall", "link": "value"}
    shares = {"arg_precision": "precision", "arg_recall": "recall"}
    table = (
        ("aggregate", "corpus", {**counts, **shares}, link),
        ("by_document/{document}", "document", counts, {**link, "items": "items"}),
    )
    leaves = [
        Leaves(path, figures, {"scope": scope, "measurement": measurement})
        for path, scope, arguments, links in table
        for measurement, figures in (
            ("arguments", arguments),
            ("linking", links),
            ("overall", {"overall": "value"}),
        )
    ]
    return lay_out(summary.rows, *leaves, blocks=("by_document",))


def score_exact(case: Case) -> CaseResult:
    """``arguments.score-exact``: the sets of triggers and arguments of ``gold.jsonl`` and ``system.jsonl``."""
    summary = summary_of(_choice(case, case.options), case.path("gold.jsonl"), case.path("system.jsonl"))
    return CaseResult({"scores": {row.measurement: values_of(row, COUNTS) for row in summary.corpus_rows()}})


def validate(case: Case) -> CaseResult:
    """``arguments.validate``: all listed findings, and no other errors; further warnings are allowed."""
    submission = case.expected["submission"]
    annotation = submission.split(".")[0] == "annotation"
    choice = _choice(case, case.options, documents=_folder(case, "docs"), annotation=annotation)
    try:
        findings, _ = validate_file(choice, _folder(case, submission))
    except FormatError as error:
        findings = list(error.findings)
    expected = case.expected["findings"]
    found = [finding_of(finding) for finding in findings]
    listed = [entry if entry in found else _nearest(entry, found) for entry in expected]
    others = [entry for entry in found if entry["severity"] == "error" and entry not in expected]
    return CaseResult(
        {"valid": not any(entry["severity"] == "error" for entry in found), "findings": [*listed, *others]},
        input_keys=("submission",),
    )


def finding_of(finding: Finding) -> dict[str, object]:
    """A finding as the cases list it; without line and column if it is about the store as a whole."""
    place = finding.location
    in_file = finding.document is not None and place is not None
    return {
        "check": finding.code,
        "severity": finding.severity,
        "file": finding.document or finding.item or (place.path if place else None),
        "line": place.line if in_file and place else None,
        "column": place.column if in_file and place else None,
    }


def _nearest(entry: Mapping[str, object], found: Sequence[Mapping[str, object]]) -> Mapping[str, object]:
    """The finding of the same check that comes nearest, so that a difference names the leaf that is wrong."""
    same = [other for other in found if other["check"] == entry["check"]]
    return max(same, key=lambda other: sum(other[key] == entry[key] for key in entry), default={})


def filter_quotes(case: Case) -> CaseResult:
    """``arguments.quote-filter``: the regions of the documents and the lines that the filter keeps, or the error."""
    case.refuse_other_options("profile")
    try:
        built = quote_filter.build(open_texts(_folder(case, "docs")))
        files, _ = quote_filter.apply(built, open_system(_folder(case, "system")))
    except InputError as error:
        return CaseResult({"error": _reason(error, case.expected.get("error"))})
    regions = {key: [f"{begin}-{end - 1}" for begin, end in found] for key, found in sorted(built.items())}
    kept = {doc_id: [_id(line) for line in _response_lines(data)] for doc_id, data in files.items()}
    return CaseResult({"regions": regions, "kept_response_ids": kept})


def _response_lines(data: bytes) -> list[str]:
    return [line for line in data.decode("utf-8").split("\n") if line and not line.startswith("#")]


def _id(line: str) -> int | str:
    text = line.split("\t", maxsplit=1)[0]
    return int(text) if re.fullmatch("-?[0-9]+", text) else text


def pool(case: Case) -> CaseResult:
    """``arguments.pool``: the pool, the import into the annotation store, and how many arguments were pooled."""
    case.refuse_other_options("collapse", "keep_inference", "top_n")
    option = case.options.get
    rules = pooling.PoolRules(option("collapse", "system"), option("keep_inference", False), option("top_n"))
    systems = [open_system(path) for path in sorted(Path(_folder(case, "systems")).iterdir())]
    pooled = {document.doc_id: document.answers for document in pooling.pool(systems, rules).documents}
    annotation = open_annotation(case.path("annotation"), missing_is_empty=True)
    imported = {
        doc_id: merging.import_arguments(annotation.rows(doc_id), pooled.get(doc_id, {}))[0]
        for doc_id in sorted({*pooled, *annotation.doc_ids})
    }
    return CaseResult(
        {
            "pooled": {doc_id: len(answers) for doc_id, answers in pooled.items()},
            "expected-pool": {name: _lines(write_system_file(answers)) for name, answers in pooled.items()},
            "expected-annotation": {key: _lines(write_annotation_file(one)) for key, one in imported.items()},
        },
        expected={
            "expected-pool": _expected_lines(case.folder / "expected-pool"),
            "expected-annotation": _expected_lines(case.folder / "expected-annotation"),
        },
    )


def merge(case: Case) -> CaseResult:
    """``arguments.merge``: the merged store."""

    def opened(name: str) -> OpenedStore:
        return open_annotation(case.path(name), missing_is_empty=True)

    case.refuse_other_options()
    merged = dict(merging.merge_stores(opened("baseline"), opened("additional")))
    return CaseResult(
        {"expected": {doc_id: _lines(write_annotation_file(rows)) for doc_id, rows in merged.items()}},
        expected={"expected": _expected_lines(case.folder / "expected")},
    )


def _expected_lines(folder: Path) -> dict[str, list[str]]:
    if not folder.is_dir():
        return {}
    return {path.name: _lines(path.read_bytes()) for path in sorted(folder.iterdir())}


def _lines(data: bytes) -> list[str]:
    """The lines of a file as a set: sorted, once each, spans inside a set in ascending order."""
    lines = set()
    for line in _response_lines(data):
        columns = line.split("\t")
        for position in (6, 8):
            columns[position] = ",".join(sorted(columns[position].split(",")))
        lines.add("\t".join(columns))
    return sorted(lines)

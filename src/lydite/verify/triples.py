"""The triple cases: how a summary, or converted triples, are laid out as their ``expected.json`` has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from lydite.facade.choosing import UserChoice
from lydite.facade.converting import convert_file
from lydite.model import ScoreRow, Summary
from lydite.profile import load_profile
from lydite.report.official import triple_evaluation
from lydite.tasks.triples.documents import triples_of
from lydite.tasks.triples.settings import TripleSettings
from lydite.verify.cases import Case, CaseResult, figures, summary_of
from lydite.verify.strings import is_about_strings, score_strings

MODES = triple_evaluation.MODES
_NOT_COMPARED = ("scores.*.output_name_pattern", "scores.*.missed.lines")
"""Information beside the figures: the name of a file of the reference, the length of its log."""

_OPTION_NAMES = {
    "scope": "token_range",
    "scope_mode": "scope",
    "relation": "baseline_relation",
    "column": "columns",
}
"""The names of the settings for options that cases name otherwise: ``scope`` is a file, ``scope_mode`` a choice."""

_CONVERSION_OPTIONS = frozenset({"from", "layers", "baseline"})
_OUTPUT_OPTIONS = frozenset({"key", "debug", "log", "digits", "percent_rounding", "reference_files"})
"""Options about where and how figures are printed, which change no figure."""


def _options(case: Case) -> dict[str, object]:
    return {
        _OPTION_NAMES.get(name, name): case.resolve_path(value)
        for name, value in case.options.items()
        if name not in _CONVERSION_OPTIONS | _OUTPUT_OPTIONS
    }


# ----------------------------------------------------------------------------------------------------- scoring


def score(case: Case) -> CaseResult:
    """``triples.score``: every profile block of ``scores``."""
    if is_about_strings(case, "triples"):
        return score_strings(case, "triples")
    folders = (case.folder / "gold").is_dir()
    gold, system = (case.path(name if folders else f"{name}.trp") for name in ("gold", "system"))
    blocks = {}
    for profile in case.expected["scores"]:
        options = _options(case)
        if load_profile("triples", profile, TripleSettings).settings.matching != "first-come":
            # The cases have one-to-one credit and coverage side by side.
            options["matching"] = "both"
        choice = UserChoice(task="triples", profile=profile, options=options)
        blocks[profile] = lay_out(summary_of(choice, gold, system, "relation", "profile", diagnosis=True))
    return CaseResult({"scores": blocks}, left_out=_NOT_COMPARED)


def lay_out(summary: Summary) -> dict[str, object]:
    """The figures of a summary under the keys of the cases."""
    if summary.settings["matching"] == "first-come":
        return triple_evaluation.figures(summary)
    folder = any(item.facts.get("folder") for item in summary.inputs)
    return _corpus_figures(summary) if folder else _document_figures(summary)


def _with_figures(row: ScoreRow, *counts: str) -> dict[str, object]:
    """Some counts of a row, and its figures."""
    return {**{name: row.counts[name] for name in counts}, **figures(row)}


def _total_rows(summary: Summary, metric: str, average: str = "micro") -> dict[str, ScoreRow]:
    rows = (row for row in summary.corpus_rows() if row.metric == metric and row.average == average)
    return {row.measurement: row for row in rows}


def _document_figures(summary: Summary) -> dict[str, object]:
    (document,) = summary.diagnosis["documents"]
    counts = document["counts"]
    matched, covered = _total_rows(summary, "triple-match"), _total_rows(summary, "triple-coverage")
    return {
        "gold": _side_counts(counts["gold"]),
        "system": _side_counts(counts["system"]),
        "first_elements": _element_figures(matched, "first_elements"),
        "second_elements": _element_figures(matched, "second_elements"),
        "modes": {mode: _with_figures(matched[mode], "correct") for mode in MODES},
        "coverage": {mode: _with_figures(covered[mode], "gold_covered", "system_covered") for mode in MODES},
        "per_relation": _relation_table(summary, counts["gold"]["unique"], counts["system"]["unique"]),
        "per_profile": _profile_table(summary),
        **{
            name: triple_evaluation.without_triples(document[name])
            for name in ("missed", "wrong_relation", "spurious")
        },
        "confusion": document["confusion"],
        "headline": summary.headline["measurement"],
    }


def _side_counts(counts: Mapping[str, object]) -> dict[str, object]:
    names = ("triples", "in_range", "out_of_range", "unique", "mean_first_ids", "mean_second_ids")
    return {name: counts[name] for name in names}


def _element_figures(rows: Mapping[str, ScoreRow], name: str) -> dict[str, object]:
    row = rows[name]
    return {
        "gold": row.counts["gold_total"],
        "system": row.counts["system_total"],
        "partial": _with_figures(row, "correct"),
        "exact": _with_figures(rows[f"{name}_exact"], "correct"),
    }


def _relation_table(
    summary: Summary, gold: int | None = None, system: int | None = None
) -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = {}
    for row in summary.rows_by("relation"):
        entry = table.setdefault(row.by["relation"], {})
        entry["gold"], entry["system"] = row.counts["gold_total"], row.counts["system_total"]
        if gold is not None and system is not None:
            entry["gold_share"] = _share(row.counts["gold_total"], gold)
            entry["system_share"] = _share(row.counts["system_total"], system)
        entry[row.measurement] = _with_figures(row, "correct")
    return table


def _share(part: float, whole: float) -> float | None:
    return 100 * part / whole if whole else None


def _profile_table(summary: Summary) -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = {}
    for row in summary.rows_by("profile"):
        entry = table.setdefault(row.by["profile"], {"system": row.counts["system_total"]})
        entry[row.measurement] = row.counts["hits"]
    return table


def _corpus_figures(summary: Summary) -> dict[str, object]:
    documents = summary.diagnosis["documents"]
    micro, macro = _total_rows(summary, "triple-match"), _total_rows(summary, "triple-match", "macro")

    def added(side: str, name: str) -> int:
        return sum(document["counts"][side][name] for document in documents)

    def listed(name: str) -> int:
        return sum(document[name]["count"] for document in documents)

    def without_partner(code: str) -> list[str]:
        return [finding.document or "" for finding in summary.findings if finding.code == code]

    return {
        "documents": len(documents),
        "unmatched_gold": without_partner("document-without-system"),
        "unmatched_system": without_partner("document-without-gold"),
        "gold": added("gold", "unique"),
        "system": added("system", "unique"),
        "gold_triples": added("gold", "triples"),
        "system_triples": added("system", "triples"),
        "micro": {mode: _with_figures(micro[mode], "correct") for mode in MODES},
        "macro": {mode: figures(macro[mode]) for mode in MODES},
        "per_relation": _relation_table(summary),
        "missed": listed("missed"),
        "wrong_relation": listed("wrong_relation"),
    }


# -------------------------------------------------------------------------------------------------- converting


def convert(case: Case) -> CaseResult:
    """``triples.convert``: the triples of each profile, in order by definition, as multisets for the reference."""
    kind = case.options["from"]
    options = _options(case)
    if case.options.get("layers"):
        words = [str(word).removeprefix("--") for word in case.options["layers"]]
        options["layers"] = [word for word in words if word != "intersect"]
        if "intersect" in words:
            options["intersect"] = True
    if case.options.get("baseline"):
        options["baseline"] = "chunks"
    triples: dict[str, object] = {}
    expected: dict[str, object] = {}
    counts: dict[str, object] = {}
    unread = []
    for profile, recorded in case.expected["triples"].items():
        choice = UserChoice(task="triples", profile=profile, format=kind, options=options)
        corpus = convert_file(choice, _input_path(case))
        made = [triple.to_dict() for document in corpus.documents.values() for triple in triples_of(document)]
        counts[profile] = len(made)
        if isinstance(recorded, str):
            # The reference wrote no readable file: there is nothing to compare.
            unread.extend([f"triples.{profile}", f"triples.{profile}[*", f"counts.{profile}"])
            triples[profile], expected[profile] = [], recorded
        elif profile.startswith("reference"):
            triples[profile], expected[profile] = _sorted_triples(made), _sorted_triples(recorded)
        else:
            triples[profile], expected[profile] = made, recorded
    return CaseResult({"counts": counts, "triples": triples}, left_out=unread, expected={"triples": expected})


def _sorted_triples(triples: Iterable[Mapping[str, object]]) -> list[Mapping[str, object]]:
    return sorted(triples, key=lambda triple: repr(sorted(triple.items(), key=lambda item: item[0])))


def _input_path(case: Case) -> Path:
    """The file or folder called ``input``, whatever its extension."""
    (path,) = (path for path in case.folder.iterdir() if path.name.partition(".")[0] == "input")
    return path

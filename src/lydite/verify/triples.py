"""The triple cases: how a summary, or converted triples, are laid out as their ``expected.json`` has it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from lydite.facade.choosing import UserChoice
from lydite.facade.converting import convert_file
from lydite.model import Summary
from lydite.profile import load_profile
from lydite.report.official import triple_evaluation
from lydite.tasks.triples.documents import triples_of
from lydite.tasks.triples.settings import TripleSettings
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import FIGURES, Figure, Leaves, lay_out, values_of
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
        blocks[profile] = figures_of(summary_of(choice, gold, system, "relation", "profile", diagnosis=True))
    return CaseResult({"scores": blocks}, left_out=_NOT_COMPARED)


def figures_of(summary: Summary) -> dict[str, object]:
    """The figures of a summary under the keys of the cases."""
    if summary.settings["matching"] == "first-come":
        return triple_evaluation.figures(summary)
    folder = any(item.facts.get("folder") for item in summary.inputs)
    return _corpus_figures(summary) if folder else _document_figures(summary)


_CORRECT: Mapping[str, Figure] = {"correct": "correct", **FIGURES}
_COVERED: Mapping[str, Figure] = {
    "gold_covered": "gold_covered",
    "system_covered": "system_covered",
    **FIGURES,
}
_TOTALS: Mapping[str, Figure] = {"gold": "gold_total", "system": "system_total"}
_SIDE_COUNTS = ("triples", "in_range", "out_of_range", "unique", "mean_first_ids", "mean_second_ids")


def _document_figures(summary: Summary) -> dict[str, object]:
    (document,) = summary.diagnosis["documents"]
    rows = {(row.measurement, row.metric): row for row in summary.corpus_rows() if row.average == "micro"}
    relations = _relation_table(summary)
    for entry in relations.values():
        for side in ("gold", "system"):
            unique = document["counts"][side]["unique"]
            entry[f"{side}_share"] = 100 * entry[side] / unique if unique else None
    return {
        **{
            side: {name: document["counts"][side][name] for name in _SIDE_COUNTS}
            for side in ("gold", "system")
        },
        **{
            name: {
                **values_of(rows[name, "triple-match"], _TOTALS),
                "partial": values_of(rows[name, "triple-match"], _CORRECT),
                "exact": values_of(rows[f"{name}_exact", "triple-match"], _CORRECT),
            }
            for name in ("first_elements", "second_elements")
        },
        "modes": {mode: values_of(rows[mode, "triple-match"], _CORRECT) for mode in MODES},
        "coverage": {mode: values_of(rows[mode, "triple-coverage"], _COVERED) for mode in MODES},
        "per_relation": relations,
        "per_profile": lay_out(
            summary.rows,
            Leaves("{profile}", {"system": "system_total", "{measurement}": "hits"}, by=("profile",)),
        ),
        **{
            name: triple_evaluation.without_triples(document[name])
            for name in ("missed", "wrong_relation", "spurious")
        },
        "confusion": document["confusion"],
        "headline": summary.headline["measurement"],
    }


def _relation_table(summary: Summary) -> dict[str, dict[str, Any]]:
    return lay_out(
        summary.rows,
        Leaves("{relation}", _TOTALS, by=("relation",)),
        Leaves("{relation}/{measurement}", _CORRECT, by=("relation",)),
    )


def _corpus_figures(summary: Summary) -> dict[str, object]:
    documents = summary.diagnosis["documents"]
    averages = {"micro": _CORRECT, "macro": FIGURES}
    modes = [
        row for row in summary.corpus_rows() if row.metric == "triple-match" and row.measurement in MODES
    ]

    def added(side: str, name: str) -> int:
        return sum(document["counts"][side][name] for document in documents)

    def without_partner(code: str) -> list[str]:
        return [finding.document or "" for finding in summary.findings if finding.code == code]

    return {
        "documents": len(documents),
        "unmatched_gold": without_partner("document-without-system"),
        "unmatched_system": without_partner("document-without-gold"),
        **{side: added(side, "unique") for side in ("gold", "system")},
        **{f"{side}_triples": added(side, "triples") for side in ("gold", "system")},
        **lay_out(
            modes,
            *(
                Leaves("{average}/{measurement}", figures, {"average": name})
                for name, figures in averages.items()
            ),
        ),
        "per_relation": _relation_table(summary),
        **{
            name: sum(document[name]["count"] for document in documents)
            for name in ("missed", "wrong_relation")
        },
    }


def convert(case: Case) -> CaseResult:
    """``triples.convert``: the triples of each profile, in order by definition, as multisets for the reference."""
    kind = case.options["from"]
    (path,) = (path for path in case.folder.iterdir() if path.name.partition(".")[0] == "input")
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
        corpus = convert_file(choice, path)
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

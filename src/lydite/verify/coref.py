"""The coreference cases: how a summary is laid out as their ``expected.json`` has it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial

from lydite.errors import InputError, UsageError
from lydite.exact_sums import FractionSum
from lydite.facade.choosing import UserChoice
from lydite.model import ScoreRow, Summary
from lydite.model.cluster import ClusterTally, LinkTally
from lydite.report.official import conll
from lydite.tasks.coref.settings import METRICS, SAME
from lydite.verify import modern
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import FIGURES, values_of

_METRIC_NAMES = {
    "mentions": "mentions",
    "bcub": "b-cubed",
    "ceafm": "ceaf-m",
    "ceafe": "ceaf-e",
    "lea": "lea",
    "muc": "muc",
    "mor": "mor",
    "zero": "zero",
}
_CONLL_ORDER = ("muc", "bcub", "ceafe")
_KBP_ORDER = ("bcub", "ceafe", "muc", "blanc")
_CAI_STRUBE = {"bcub": "b-cubed-cs", "ceafm": "ceaf-m-cs", "ceafe": "ceaf-e-cs"}
_INPUT_KEYS = ("case", "format", "texts")
"""The keys for the name of the case, the format of its files, and the form of each of its texts."""

_OTHER_TOOLS = "other_tools"
_NOT_COMPARED = ("*.source", "*.note", "*.printed_unstable*", f"{_OTHER_TOOLS}*")
"""Where a figure comes from, the figures of other programs, and the names of figures that are not determined."""

_REPORT = "report.txt"
_FIRST_LINE = b"version: 8.01 "
"""The official text begins with this and the path of the program, which differs between installations."""


def score(case: Case) -> CaseResult:
    """``coref.score``: scores under every condition of the case, the official layouts, refusals."""
    if "suite" in case.options:
        return modern.score_suites(case)
    if modern.has_both_files(case):
        return modern.score(case)
    if "error" in case.expected:
        return _expect_refusal(case)
    blocks: dict[str, object] = {name: {} for name in case.other_blocks(*_INPUT_KEYS)}
    left_out = list(_NOT_COMPARED)
    for name in blocks.keys() & _BLOCKS.keys():
        blocks[name] = _BLOCKS[name](case, case.expected[name])
        left_out.extend(_unfixed_leaves(case.expected[name], name))
    return CaseResult(blocks, files=dict(_official_texts(case)), left_out=left_out, input_keys=_INPUT_KEYS)


def _official_texts(case: Case) -> Iterator[tuple[str, bytes]]:
    """The official texts of the case: those that it names, or the report of the profile's own layout."""
    forms: Mapping[str, str] = case.expected.get("texts", {})
    for name, form in forms.items():
        settings: dict[str, object] = {} if form == "none" else {"official-layout": "v8.01-documents"}
        if form not in {"none", "all"}:
            settings["only-document"] = form
        first = (case.folder / name).read_bytes().partition(b"\n")[0]
        ours, newline, rest = conll.report(_run(case, **settings)).encode().partition(b"\n")
        alike = first.startswith(_FIRST_LINE) and ours.startswith(_FIRST_LINE)
        yield name, (first if alike else ours) + newline + rest
    if not forms and (case.folder / _REPORT).is_file():
        yield _REPORT, conll.report(_run(case)).encode()


def _run(case: Case, **settings: object) -> Summary:
    gold, system = (_input(case, side) for side in ("key", "response"))
    options = {"reading": case.reading, **case.options, **settings}
    choice = UserChoice(task="coref", profile=case.expected["profile"], options=options)
    return summary_of(choice, gold, system, "doc", diagnosis=True)


def _input(case: Case, side: str) -> str:
    """The file of a side, whatever its format."""
    found = sorted(case.folder.glob(f"{side}.*"))
    if not found:
        raise UsageError(f"{case.folder}: no file {side}.*")
    return str(found[0])


def _expect_refusal(case: Case) -> CaseResult:
    """The official program stops on the case: lydite must refuse it, in its own words."""
    try:
        _run(case)
    except InputError:
        found = "refused"
    else:
        found = "scored"
    return CaseResult({"error": found}, expected={"error": "refused"}, input_keys=_INPUT_KEYS)


def _unfixed_leaves(expected: object, path: str) -> Iterator[str]:
    """The leaves that are not determined, as the case says: LEA that is null, printed figures that are unstable."""
    if not isinstance(expected, Mapping):
        return
    for key, value in expected.items():
        if key == "lea" and value is None:
            yield f"{path}.lea"
        elif key == "printed_unstable":
            yield from (f"{path}.printed.{figure}" for figure in value)
            if "f1" in value:
                # Means of printed figures, which stand beside the metric, are then not determined either.
                yield f"{path.rpartition('.')[0]}.*_percent_from_printed"
        else:
            yield from _unfixed_leaves(value, f"{path}.{key}")


# ------------------------------------------------------------------------------------------------------ blocks


Scores = Mapping[str, Mapping[str, Mapping[str, object]]]
"""A block of scores as a case has it: ``total`` by metric, and ``documents`` by name."""


def _scores(case: Case, expected: Scores, **settings: object) -> dict[str, object]:
    summary = _run(case, **settings)
    documents = conll.counts_by_document(summary)
    cut = summary.settings["match"] == SAME
    laid_out: dict[str, object] = {
        "total": _blocks_of(expected["total"], summary.corpus_rows(), conll.total_counts(summary), cut=cut)
    }
    if "documents" in expected:
        by_document = summary.rows_by("doc")
        laid_out["documents"] = {
            name: _blocks_of(
                expected["documents"].get(name, {}),
                [row for row in by_document if row.document == name],
                counts,
                cut=cut,
            )
            for name, counts in documents.items()
        }
    return laid_out


def _blocks_of(
    expected: Mapping[str, object],
    rows: Iterable[ScoreRow],
    counts: Mapping[str, conll.MetricCounts],
    *,
    cut: bool,
) -> dict[str, object]:
    """The figures of one document or of the corpus; ``cut`` percentages are those that the CoNLL scorer prints."""
    by_metric = {row.metric: row for row in rows}
    laid_out: dict[str, object] = {
        name: _figure_block(
            _tally_of(by_metric[metric]),
            _scores_of(by_metric[metric]),
            conll.figures_of(counts[metric]) if cut and counts.get(metric) else None,
        )
        for name, metric in _METRIC_NAMES.items()
        if metric in by_metric and expected.get(name, ...) is not None
    }
    links = counts["blanc"]
    assert isinstance(links, LinkTally)
    laid_out["blanc"] = _blanc_block(by_metric["blanc"], links, cut=cut)
    laid_out |= {f"{name}_f1": by_metric[name].score.f1 for name in ("conll", "kbp") if name in by_metric}
    printed = conll.printed_f1(counts)
    for name, order in (("conll", _CONLL_ORDER), ("kbp", _KBP_ORDER)):
        key = f"{name}_percent_from_printed"
        if key in expected:
            laid_out[key] = conll.mean_of_printed(printed, order)
    return laid_out


def _tally_of(row: ScoreRow) -> ClusterTally:
    return ClusterTally().from_counts(row.tally)


def _scores_of(row: ScoreRow) -> Sequence[float | None]:
    return row.score.recall, row.score.precision, row.score.f1


def _figure_block(
    tally: ClusterTally, scores: Sequence[float | None], printed: Sequence[float] | None
) -> dict[str, object]:
    """Recall, precision and F1 with their counts, and as the scorer prints them where it does."""
    return {
        **_both_sides(tally, scores, rounded=True, exact="num_exact"),
        "f1": scores[2],
        "f1_exact": str(_exact_f1(tally)),
        **({"printed": _printed(printed)} if printed else {}),
    }


def _both_sides(
    tally: ClusterTally, scores: Sequence[float | None], *, rounded: bool, exact: str = ""
) -> dict[str, object]:
    """Recall and precision with their credit as a number, as an exact fraction under the name ``exact``, or both."""

    def block(credit: FractionSum, total: int, value: float | None) -> dict[str, object]:
        number: dict[str, object] = {"num": credit.value} if rounded else {}
        if exact and not (rounded and isinstance(credit.value, int)):
            number[exact] = str(credit)
        return {**number, "den": total, "value": value}

    return {
        "recall": block(tally.gold_credit, tally.gold_total, scores[0]),
        "precision": block(tally.system_credit, tally.system_total, scores[1]),
    }


def _exact_f1(tally: ClusterTally) -> Fraction:
    sides = (tally.gold_credit, tally.gold_total), (tally.system_credit, tally.system_total)
    recall, precision = (credit.fraction / total if total else Fraction() for credit, total in sides)
    return 2 * recall * precision / (recall + precision) if recall + precision else Fraction()


def _printed(figures: Iterable[float]) -> dict[str, str]:
    return dict(zip(("recall", "precision", "f1"), map(conll.format_percentage, figures), strict=True))


def _blanc_block(row: ScoreRow, links: LinkTally, *, cut: bool) -> dict[str, object]:
    kinds = {"coref_links": links.coreference, "noncoref_links": links.other}
    # The CoNLL scorer leaves out a kind of link that gold lacks, the CorefUD scorer one that both sides lack.
    counted = [
        _exact_f1(kind) for kind in kinds.values() if kind.gold_total or (kind.system_total and not cut)
    ] or [Fraction()]
    return {
        **{
            name: _figure_block(kind, scores := conll.figures_of(kind), scores if cut else None)
            for name, kind in kinds.items()
        },
        **values_of(row, FIGURES),
        "f1_exact": str(sum(counted, Fraction()) / len(counted)),
        **({"printed": _printed(conll.figures_of(links))} if cut else {}),
    }


def _variants(case: Case, expected: Mapping[str, object]) -> dict[str, object]:
    rows = {row.metric: row for row in _run(case, metrics=METRICS_OF_VARIANTS).corpus_rows()}
    laid_out: dict[str, object] = {}
    for name in expected:
        if name != "source":
            row = rows[name.replace("b3", "b-cubed").replace("ceafm", "ceaf-m").replace("ceafe", "ceaf-e")]
            laid_out[name] = {
                **_both_sides(_tally_of(row), _scores_of(row), rounded=False, exact="num"),
                "f1": row.score.f1,
            }
    return laid_out


METRICS_OF_VARIANTS = tuple(name for name in METRICS if name.endswith(("-0", "-all", "-rn", "-cs")))


def _cai_strube(case: Case, _expected: object) -> dict[str, object]:
    rows = {row.metric: row for row in _run(case, metrics=tuple(_CAI_STRUBE.values())).corpus_rows()}
    chosen = {name: rows[metric] for name, metric in _CAI_STRUBE.items()}
    return {name: _both_sides(_tally_of(row), _scores_of(row), rounded=True) for name, row in chosen.items()}


def _table(case: Case, _expected: object, **settings: object) -> Sequence[Sequence[object]]:
    """The CSV of the official layout, read back."""
    head, *lines = [line.split(",") for line in conll.report(_run(case, **settings)).splitlines()]
    return [head, *([title, *(float(cell) if cell else None for cell in cells)] for title, *cells in lines)]


def _count(case: Case, name: str) -> int:
    """A count of the diagnosis, added up over documents."""
    return sum(entry["counts"][name] for entry in _run(case).diagnosis["documents"])


_CLASSES = {
    "key": "gold_clusters",
    "response": "system_clusters",
    "key_mentions": "gold_mentions",
    "response_mentions": "system_mentions",
}


def _all_targets(case: Case, expected: Mapping[str, object]) -> dict[str, object]:
    """The blocks of the case once more, with the targets that are not heads."""
    variant = replace(case, expected={**case.expected, "options": {**case.options, "targets": "all"}})
    return {name: _BLOCKS[name](variant, block) for name, block in expected.items() if name in _BLOCKS}


_BLOCKS: dict[str, Callable[..., object]] = {
    "scores": _scores,
    "scores_without_singletons": partial(_scores, singletons="drop"),
    "scores_with_singletons": partial(_scores, singletons="keep"),
    "scores_zeros_linear": partial(_scores, zeros="linear"),
    "scores_by_topic": partial(_scores, unit="topic"),
    "scores_variants": _variants,
    "scores_cai_strube_2010": _cai_strube,
    "table": _table,
    "deliverable_table": lambda case, _: {"rows": _table(case, None, ceafe_alignment="phi3")},
    "classes": lambda case, _: {name: _count(case, count) for name, count in _CLASSES.items()},
    "response_repeats_removed": lambda case, _: _count(case, "repeats_dropped"),
    "all_targets": _all_targets,
}

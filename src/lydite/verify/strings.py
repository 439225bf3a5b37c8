"""The cases of records, and of entities, relations and events as strings: one table says where each figure stands."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from lydite.errors import InputError
from lydite.facade.choosing import UserChoice
from lydite.facade.sides import read_sides
from lydite.model import Mention, ScoreRow, Summary
from lydite.tasks import TASKS
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import FIGURES, values_of

ANY = "*"


class At(NamedTuple):
    """The row of a block: its measurement, metric and breakdown; ``figure`` where the block is a single number."""

    measurement: str
    metric: str | None = None
    by: str | None = None
    figure: str | None = None
    prefix: str = ""


BLOCKS: Mapping[tuple[str, ...], tuple[At, ...]] = {
    ("field",): (At("field"),),
    ("paths", ANY): (At("field", by="path"),),
    ("path_mean",): (At("path_mean"),),
    ("elements", ANY): (At("elements", "paired", "path"),),
    ("elements", ANY, "paired"): (At("elements", "paired", "path"),),
    ("elements", ANY, "exact"): (At("elements", "exact", "path"),),
    ("record",): (At("record"),),
    ("causes",): (At("causes"),),
    ("json",): (At("json", "counts"),),
    **{(name, "micro"): (At(name),) for name in ("subset", "proportional")},
    **{(name, ANY): (At(name, by="role"),) for name in ("subset", "proportional")},
    ("micro",): (At("templates", "entity-credit"),),
    (ANY,): (At("templates", "entity-credit", "role"),),
    ("phi3",): (At("phi3"),),
    ("phi-subset",): (At("phi-subset"),),
    ("overall",): (At("overall"), At("cell", "errors"), At("cell", "mean-of-types", prefix="macro_")),
    ("by_type", ANY): (At("cell", "errors", "type"), At("cell", "mean-of-types", "type", prefix="macro_")),
    ("by_type", ANY, "roles", ANY): (At("cell", "errors", "role"),),
    ("anls_star",): (At("anls_star", figure="value"),),
    ("score",): (At("score", figure="value"),),
    ("aggregate",): (At("aggregate"),),
    ("cells",): (At("cells"),),
    ("ted_accuracy",): (At("ted_accuracy", figure="value"),),
    ("dropped",): (At("dropped", figure="items"),),
    **{
        (name,): (At(name),)
        for name in (
            "templates",
            "slots",
            "entities",
            "relations",
            "events",
            "arguments",
            "entity",
            "relation",
        )
    },
    ("detection",): (At("detection"),),
    ("pair",): (At("pair"),),
    **{
        (name, "by_type", ANY): (At(name, by="type"),)
        for name in ("templates", "entities", "relations", "events", "entity", "relation")
    },
    **{
        (block, item): (At(item, block),)
        for block in ("multiset", "set", "reuse")
        for item in ("entity", "strict", "boundaries", "trigger", "argument")
    },
    **{
        (block,): (At(block, "errors"), At(block, "mean-of-types", prefix="macro_"))
        for block in ("boundaries", "strict")
    },
    **{(block, "by_type", ANY): (At(block, by="type"),) for block in ("boundaries", "strict")},
}
"""Blocks of ``scores`` and the rows whose counts and figures they hold; ``*`` is a part of the breakdown."""

COMPLETE = frozenset({"documents", "paths", "elements", "by_type", "roles", "fields", "causes", "how"})
"""Blocks that list names: no other name may be in them."""


def score_records(case: Case) -> CaseResult:
    """``records.score``: every figure of ``scores``, the causes of leaves, and how often findings fire."""
    return _score(case, "records", all_findings=True)


def score_strings(case: Case, task: str) -> CaseResult:
    """``spans.score``, ``triples.score`` and ``arguments.score`` under a profile that compares strings, or with ``ground``."""
    return _score(case, task, all_findings=False)


def is_about_strings(case: Case, task: str) -> bool:
    """Whether a case compares strings, or places them in the text."""
    if case.options.get("ground"):
        return (case.folder / "gold.jsonl").exists()
    name = case.expected.get("profile")
    if not isinstance(name, str):
        return False
    settings = TASKS[task].profile(name).settings
    return getattr(settings, "compare_strings", "none") != "none"


def _score(case: Case, task: str, *, all_findings: bool) -> CaseResult:
    options = {name: case.resolve_path(value) for name, value in case.options.items()}
    if "reading" in TASKS[task].settings.declared:
        options["reading"] = case.reading
    choice = UserChoice(task=task, profile=case.expected["profile"], options=options)
    gold, system = (_path(case, side) for side in ("gold", "system"))
    information = ("order_dependent_in_program", "program")
    try:
        summary = summary_of(choice, gold, system, "path", "role", "type", diagnosis=True)
    except InputError as error:
        codes = {finding.code for finding in error.findings if finding.severity == "error"}
        wanted = case.expected.get("error")
        found_error = wanted if wanted in codes else ", ".join(sorted(codes))
        return CaseResult({"error": found_error}, input_keys=information)
    expected = case.expected
    found: dict[str, object] = {"scores": _pruned(_scores(summary), expected["scores"])}
    if "causes" in expected:
        found["causes"] = {one["document"]: one["causes"] for one in _documents(summary) if one["causes"]}
    if "placed" in expected:
        found["placed"] = _placed(choice, gold, system)
    if "findings" in expected:
        found["findings"] = _findings(summary, expected["findings"], all_findings=all_findings)
    return CaseResult(found, input_keys=information)


def _path(case: Case, side: str) -> str:
    """The file or folder of a side, whatever its extension."""
    (path,) = (path for path in case.folder.iterdir() if path.name.partition(".")[0] == side)
    return str(path)


def _documents(summary: Summary) -> list[Mapping[str, object]]:
    return list(summary.diagnosis["documents"])


def _placed(choice: UserChoice, gold: str, system: str) -> dict[str, dict[str, list[object]]]:
    """Where each entity was placed and by which method, in file order."""
    request, corpora = read_sides(choice, gold, [system])
    _, prepared, systems = request.task.prepare_sides(request.profile, corpora[0], corpora[1:])
    found: dict[str, dict[str, list[object]]] = {}
    for side, corpus in (("gold", prepared), ("system", systems[0])):
        found[side] = {}
        for doc_id, document in corpus.documents.items():
            methods = document.layers.get("grounding", {})
            places = [_place(one, methods.get(one.id, ("given", 0))[0]) for one in document.mentions]
            found[side][doc_id] = places
    return found


def _place(mention: Mention, method: str) -> object:
    begin, end = mention.span.ranges[0]
    return None if begin < 0 else [begin, end, method]


def _findings(summary: Summary, expected: Mapping[str, int], *, all_findings: bool) -> dict[str, int]:
    counts = Counter(
        finding.code
        for finding in summary.findings
        if finding.code in expected or (all_findings and finding.severity != "note")
    )
    return {**dict.fromkeys(expected, 0), **counts}


def _scores(summary: Summary) -> dict[str, object]:
    """All blocks that the summary can fill."""
    scores: dict[str, object] = {}
    for pattern, places in BLOCKS.items():
        if ANY in pattern[1:]:
            _put(scores, list(pattern[: pattern.index(ANY)]), {})
        for place in places:
            for names, row in _rows(summary, place):
                _put(scores, _filled(pattern, names), _figures(row, place))
    documents = {one["document"]: one["scores"] for one in _documents(summary) if "scores" in one}
    scores["documents"] = documents
    counts = scores.get("json")
    if isinstance(counts, dict):
        counts["how"] = {one["document"]: one["json"] for one in _documents(summary) if "json" in one}
    return scores


def _rows(summary: Summary, place: At) -> Iterator[tuple[str, ScoreRow]]:
    rows = summary.rows_by(place.by) if place.by else summary.corpus_rows()
    for row in rows:
        if row.measurement == place.measurement and place.metric in {None, row.metric}:
            yield (row.by[place.by] if place.by else ""), row


def _filled(pattern: tuple[str, ...], names: str) -> list[str]:
    """The path of a block: a part of a breakdown by roles is a type and a role."""
    parts = iter(names.rpartition(".")[::2] if pattern.count(ANY) > 1 else [names])
    return [next(parts) if name == ANY else name for name in pattern]


def _figures(row: ScoreRow, place: At) -> object:
    counts: Mapping[str, object] = row.counts
    if place.figure is not None:
        return row.score.value if place.figure == "value" else counts.get(place.figure, 0)
    named = values_of(row, FIGURES) if row.score.f1 is not None else {}
    if place.prefix:
        return {f"{place.prefix}{name}": value for name, value in named.items()}
    if "gold_total" in counts:
        # Spans are counted as credit out of totals.
        counts = {
            **counts,
            "correct": counts["gold_credit"],
            "gold": counts["gold_total"],
            "system": counts["system_total"],
        }
    return {**counts, **named}


def _put(scores: dict[str, object], path: list[str], value: object) -> None:
    *blocks, name = path
    inside = scores
    for block in blocks:
        following = inside.setdefault(block, {})
        assert isinstance(following, dict)
        inside = following
    known = inside.get(name)
    inside[name] = {**known, **value} if isinstance(known, dict) and isinstance(value, dict) else value


def _pruned(found: object, expected: object, *, complete: bool = False) -> object:
    """Only the leaves that the case lists; in a complete block all names."""
    if not isinstance(found, dict) or not isinstance(expected, dict):
        return found
    kept = {name: one for name, one in found.items() if complete or name in expected}
    return {
        name: _pruned(one, expected.get(name), complete=name in COMPLETE) if name in expected else one
        for name, one in kept.items()
    }

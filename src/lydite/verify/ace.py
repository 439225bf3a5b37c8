"""The ACE cases: how a summary is laid out as their ``expected.json`` has it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any, NamedTuple, TypedDict, cast

from lydite.adjudication.scores import DOWN, OPEN, UP, JudgedItem, adjudicated
from lydite.errors import InputError
from lydite.facade.choosing import UserChoice
from lydite.model import ScoreRow, Summary
from lydite.model.ace_settings import Inventories
from lydite.report.official import ace as official
from lydite.tasks.ace.measurements import TABLES
from lydite.verify.cases import RECORDED_DECIMALS, Case, CaseResult, summary_of
from lydite.verify.leaves import leaves
from lydite.verify.rows import Figure, values_of

_ALWAYS_WARNED = frozenset(
    {
        "reference-document-without-system-output",
        "file-without-evaluable-documents",
        "redundant-mentions",
        "argument-repeated",
    }
)
_NAME_WARNINGS = frozenset({"named-mention-without-name", "name-on-unnamed-mention"})
_SKIPPED_DOCUMENT = "system-document-not-in-reference"


class RunRecord(TypedDict, total=False):
    """What a case records about a run.

    Sections are ``unstable`` because the scorer does not reproduce them itself, or ``determined`` because it always
    chose the recorded mapping.
    """

    outcome: str
    fatal: list[str]
    warnings: list[str]
    unstable: list[str]
    determined: list[str]


class Section(TypedDict, total=False):
    """A section; its mapping is a list as it was recorded, and by pair where sections are compared."""

    tables: dict[str, dict[str, list[float]]]
    mapping: Any


class MappedPair(TypedDict, total=False):
    """What a pair of a mapping earns and could earn, in all and in each document."""

    value: float
    max: float
    documents: dict[str, list[float]]


class OfficialRun(NamedTuple):
    """The profile that reproduces a run, the findings it must warn about, and the scorer's own codes for some."""

    profile: str
    warned: frozenset[str]
    reports_as: Mapping[str, str] = MappingProxyType({})


_ACE05 = OfficialRun("ace05", _ALWAYS_WARNED | _NAME_WARNINGS, {_SKIPPED_DOCUMENT: "source-differs"})
_ACE08 = OfficialRun("ace08-local", _ALWAYS_WARNED | {"metonymic-mention-equals-name", _SKIPPED_DOCUMENT})
RUNS = {
    "05": _ACE05,
    "05T": _ACE05._replace(profile="ace05-timex"),
    "07": OfficialRun("ace07", _ALWAYS_WARNED | _NAME_WARNINGS | {_SKIPPED_DOCUMENT}),
    "08-2007": _ACE08._replace(profile="ace08-local2007"),
    "08-2008": _ACE08,
    "08-global": _ACE08._replace(profile="ace08-global"),
    "08-global-m": _ACE08._replace(profile="ace08-global-mentions"),
}
COLUMNS = {"05": official.LAYOUTS["ace05"].columns, "08": official.LAYOUTS["ace08"].columns}
"""The columns of tables, by the names that the cases give them."""

_OTHER_BREAKDOWNS = ("attribute", "argument-role", "mention-type", "mention-style", "mention-role")
BREAKDOWNS = tuple(dict.fromkeys(chain(("doc",), *TABLES.values(), _OTHER_BREAKDOWNS)))
_STYLES = {"LITERAL": "LITER", "METONYMIC": "METON"}
_ROLES = {
    "all": "argument ROLE for all types and all subtypes",
    "type": "argument ROLE for all types and all subtypes for matching TYPE",
    "type and subtype": "argument ROLE for all types and all subtypes for matching TYPE and SUBTYPE",
}


def score(case: Case) -> CaseResult:
    """``ace.score``: every run of the case, its scores or its refusal."""
    scores: dict[str, object] = {}
    source: dict[str, object] = {}
    expected_source: dict[str, object] = {}
    left_out: list[str] = []
    runs: Mapping[str, RunRecord] = case.expected["source"]
    recorded: Mapping[str, Mapping[str, Section]] = case.expected["scores"]
    expected_scores = {
        run: {name: _with_pairs_by_name(block) for name, block in sections.items()}
        for run, sections in recorded.items()
        if sections
    }
    for run, facts in runs.items():
        expected, by_pair = recorded.get(run) or {}, expected_scores.get(run, {})
        end = {key: value for key, value in facts.items() if key in {"outcome", "fatal"}}
        expected_source[run] = {**end, "warnings": sorted(facts.get("warnings", ()))}
        source[run], summary = _run(case, run, facts)
        if summary is not None:
            laid_out = _sections(summary, expected)
            # The mapping of a determined section is compared as it was found; elsewhere any best mapping is right.
            open_to_choice = {
                name: block for name, block in expected.items() if name not in facts.get("determined", ())
            }
            if any(
                _mappings_differ(by_pair.get(name, {}), found)
                for name, found in laid_out.items()
                if name in open_to_choice
            ):
                source[run], summary = _run_preferring(case, run, facts, open_to_choice)
                laid_out = _sections(summary, expected)
            scores[run] = laid_out
            left_out.extend(_leaves_left_out(run, facts, by_pair, laid_out, summary))
    columns = {layout: list(names) for layout, names in COLUMNS.items()}
    named = {"columns": columns} if "columns" in case.expected else {}
    return CaseResult(
        {"source": source, "scores": scores, **named},
        left_out=left_out,
        expected={"source": expected_source, "scores": expected_scores},
        input_keys=("primary",),
    )


def _sections(summary: Summary, expected: Mapping[str, Section]) -> dict[str, Section]:
    """The sections that the official scorer printed or the case has, with the blocks of the case."""
    names = [name for name in official.sections(summary) if name in {*_printed_sections(summary), *expected}]
    return {
        name: _section(summary, name, expected.get(name, {"tables": {}, "mapping": []})) for name in names
    }


def _run_preferring(
    case: Case, run: str, facts: RunRecord, expected: Mapping[str, Section]
) -> tuple[dict[str, object], Summary]:
    """The run once more, preferring the recorded mapping where several are best, since any of them is right.

    A recorded pair that is in no best mapping is not followed, and stays a difference.
    """
    pairs = [
        (entry["ref"], entry["sys"])
        for block in expected.values()
        for entry in block.get("mapping", ())
        if entry["ref"] is not None and entry["sys"] is not None
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "mapping.tsv"
        path.write_text("\n".join(map("\t".join, [("gold", "system"), *pairs])), encoding="utf-8")
        found, summary = _run(case, run, facts, prefer=str(path))
    assert summary is not None
    return found, summary


def _run(case: Case, run: str, facts: RunRecord, **more: object) -> tuple[dict[str, object], Summary | None]:
    """The outcome of a run with the codes that the case asks for, and the summary unless the input was refused."""
    given: dict[str, object] = {"mentions": True, "recognition": True, **case.options, **more}
    choice = UserChoice(task="ace", profile=RUNS[run].profile, options={"reading": case.reading, **given})
    try:
        summary = summary_of(choice, case.path("ref"), case.path("sys"), *BREAKDOWNS, diagnosis=True)
        findings, outcome = summary.findings, "scored"
    except InputError as error:
        summary, findings, outcome = None, error.findings, "fatal"
    codes = {finding.code for finding in findings}
    codes |= {other for code, other in RUNS[run].reports_as.items() if code in codes}
    found: dict[str, object] = {"outcome": outcome, "warnings": []}
    if summary is not None:
        # The scorers look at the names of mentions while they score entity mentions, lydite always.
        silent = _NAME_WARNINGS if "mention_entity" not in _printed_sections(summary) else frozenset()
        found["warnings"] = sorted(codes & RUNS[run].warned - silent)
    if "fatal" in facts:
        found["fatal"] = [code if code in codes else None for code in facts["fatal"]]
    return found, summary


def _printed_sections(summary: Summary) -> set[str]:
    """The sections of the official report: those of which both gold and the system have elements."""
    entries = summary.diagnosis["documents"]
    not_printed = {name for entry in entries for name in entry["not_scored_by_reference"]}
    return set(official.sections(summary)) - not_printed


def _leaves_left_out(
    run: str,
    facts: RunRecord,
    expected: Mapping[str, Section],
    found: Mapping[str, Section],
    summary: Summary,
) -> Iterator[str]:
    """Leaves that the official scorer itself does not reproduce, or that this project does not define.

    Sections that the case marks as changing with the scorer's hash seed follow the choice between equally good
    mappings: where ours is the recorded one all is compared, else the values of totals only.  The scorer gives an
    element whose documents have several languages an arbitrary one of them, so that elements by language are not
    compared where there is one.
    """
    value = f".total[{official.layout_of(summary).columns.index('value')}]"
    for name, block in expected.items():
        ours = found.get(name, {})
        path = f"scores.{run}.{name}"
        if summary.settings["use-name-similarity"] and name in {"mention_relation", "mention_event"}:
            yield f"{path}.*"
            continue
        for unstable in facts.get("unstable", ()) if _mappings_differ(block, ours) else ():
            below = f"scores.{run}{unstable.replace('/', '.')}"
            if below == path or below.startswith(f"{path}."):
                unstable_leaves = _leaves_below(path, block, ours, below)
                yield from (_pattern_of(leaf) for leaf in unstable_leaves if not leaf.endswith(value))
        if _has_several_languages(summary, name):
            yield from _elements_by_language(path, block, ours)


def _elements_by_language(path: str, expected: Section, found: Section) -> Iterator[str]:
    """Element counts by language, and our rows that hold nothing else (elements of mixed language)."""
    for leaf in _leaves_below(path, expected, found, f"{path}.tables.LANGUAGE"):
        if leaf.endswith(("[0]", "[1]", "[2]")) and ".total[" not in leaf:
            yield _pattern_of(leaf)
    recorded, ours = (block.get("tables", {}).get("LANGUAGE", {}) for block in (expected, found))
    for row in ours.keys() - recorded.keys():
        if not any(ours[row][3:]):
            yield f"{path}.tables.LANGUAGE.{_pattern_of(row)}[[]*"


def _leaves_below(path: str, expected: Section, found: Section, below: str) -> list[str]:
    """The paths of all leaves of a section, expected or found, at or below a path."""
    every = dict.fromkeys(leaf for block in (expected, found) for leaf, _ in leaves(block, path))
    return [leaf for leaf in every if leaf.startswith((f"{below}.", f"{below}[")) or leaf == below]


def _has_several_languages(summary: Summary, name: str) -> bool:
    languages: dict[tuple[str, str], set[str]] = {}
    for entry in summary.diagnosis["documents"]:
        for item in entry["mapping"].get(name, ()):
            for side, language in item["language"].items():
                languages.setdefault((side, item[side]), set()).add(language)
    return any(len(found) > 1 for found in languages.values())


def _pattern_of(path: str) -> str:
    """A pattern that matches this path alone."""
    return path.replace("[", "[[]")


def _mappings_differ(expected: Section, found: Section) -> bool:
    return set(expected.get("mapping", {})) != set(found.get("mapping", {}))


def _with_pairs_by_name(block: Section) -> Section:
    """A recorded section laid out as ours: with the pairs of its mapping by name."""
    if "mapping" not in block:
        return block
    pairs = {
        f"{entry['ref']} {entry['sys']}": {key: entry[key] for key in entry.keys() - {"ref", "sys"}}
        for entry in block["mapping"]
    }
    return {**block, "mapping": pairs}


def _section(summary: Summary, name: str, expected: Section) -> Section:
    """A section with those blocks that the case has."""
    entries = [
        (entry["document"], item)
        for entry in summary.diagnosis["documents"]
        for item in entry["mapping"].get(name, ())
    ]
    tables = official.Tables(summary)
    layouts: Mapping[str, Callable[[], object]] = {
        "columns": lambda: next(key for key, columns in COLUMNS.items() if columns == tables.layout.columns),
        "total": lambda: tables.total(name),
        "tables": lambda: tables.tables(name),
        "mapping": lambda: _mapping(entries, expected["mapping"]),
        "documents": lambda: _documents(entries),
        "ref_values": lambda: _values(entries, "gold", "maximum"),
        "sys_values": lambda: _values(entries, "system", "system_value"),
        "recognition": lambda: _recognition(summary, name),
        "detection": lambda: _detection(summary, name),
    }
    return cast("Section", {key: layouts[key]() for key in expected if key in layouts})


Entries = Sequence[tuple[str, Mapping[str, Any]]]
"""The entries of the mapping in the diagnosis, with their documents."""


def _mapping(entries: Entries, expected: Sequence[Container[str]]) -> dict[str, MappedPair]:
    partner: dict[str | None, str | None] = {
        item["gold"]: item["system"] for _, item in entries if item["gold"] and item["system"]
    }
    owner = {system: gold for gold, system in partner.items()}
    found: dict[str, MappedPair] = {}
    for doc_id, item in entries:
        gold = item["gold"] or owner.get(item["system"])
        system = item["system"] or partner.get(item["gold"])
        entry = found.setdefault(f"{gold} {system}", {"value": 0.0, "max": 0.0, "documents": {}})
        entry["value"] += item["value"]
        entry["max"] += item["maximum"]
        entry["documents"][doc_id] = [item["value"], item["maximum"]]
    if expected and "documents" not in expected[0]:
        for entry in found.values():
            del entry["documents"]
    return found


def _documents(entries: Entries) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    for doc_id, item in entries:
        value, maximum = found.get(doc_id, (0.0, 0.0))
        found[doc_id] = [value + item["earned"], maximum + item["maximum"]]
    return found


def _values(entries: Entries, side: str, figure: str) -> dict[str, float]:
    found: dict[str, float] = {}
    for _, item in entries:
        if (element := item[side]) is not None:
            found[element] = found.get(element, 0.0) + item[figure]
    return found


_ERRORS: Mapping[str, Figure] = {
    "ref": "gold",
    "fa": "spurious",
    "miss": "missed",
    "sub": "wrong",
    "err": lambda row: sum(row.counts[name] for name in ("spurious", "missed", "wrong")),
}


def _rows(summary: Summary, name: str, metric: str, attribute: str) -> Iterator[tuple[str, ScoreRow]]:
    for row in summary.rows_by(attribute):
        if row.measurement == name and row.metric == metric:
            yield row.by[attribute], row


def _recognition(summary: Summary, name: str) -> dict[str, object]:
    found: dict[str, object] = {}
    for attribute, row in _rows(summary, name, "ace-recognition", "attribute"):
        is_timex = name.removeprefix("mention_") == "timex2" and attribute == "TYPE"
        found[f"attribute {'SUBTYPE' if is_timex else attribute}"] = values_of(row, _ERRORS)
    for which, row in _rows(summary, name, "ace-recognition", "argument-role"):
        if official.layout_of(summary).roles_by_type:
            found[_ROLES[which]] = values_of(row, _ERRORS)
        elif which == "all":
            found["argument ROLE"] = values_of(row, _ERRORS)
    return found


def _detection(summary: Summary, name: str) -> dict[str, dict[str, list[float]]]:
    inventories = cast("Inventories", summary.settings["inventories"])  # as the profile declares it
    types, levels = list(inventories["entity"]["types"]), list(inventories["entity"]["mention-type"])
    table = [("name_type", "ace-names", "type", types)]
    if summary.settings["use-mentions"]:
        table += [
            ("mention_type", "ace-mention-detection", "mention-type", levels),
            ("mention_style", "ace-mention-detection", "mention-style", list(_STYLES)),
            ("mention_role", "ace-mention-detection", "mention-role", types),
        ]
    found: dict[str, dict[str, list[float]]] = {}
    for block, metric, attribute, values in table:
        rows = dict(_rows(summary, name, metric, attribute))
        counts = [rows[value].counts if value in rows else {} for value in values]
        lines = [
            [of.get(key, 0) for key in ("gold", "spurious", "missed", "wrong", "right")] for of in counts
        ]
        named = zip((_STYLES.get(value, value) for value in values), lines, strict=True)
        found[block] = {**dict(named), "total": [*map(sum, zip(*lines, strict=True))]}
    return found


def adjudicate(case: Case) -> CaseResult:
    """``ace.adjudicate``: the figures of every system from judged items."""
    items = []
    for entry in case.expected["items"]:
        verdict = entry["verdict"]
        if verdict not in {UP, DOWN, OPEN, None}:
            raise ValueError(f"expected the verdict {UP}, {DOWN}, {OPEN} or null, found {verdict!r}")
        names = (entry["target"], entry["doc"], entry["in_A"], entry["reference"], entry["found"])
        items.append(JudgedItem(*names, verdict=verdict, pi=entry["pi"]))
    false_alarm = case.expected["false_alarm"]
    figures = {
        system: {
            name: None if figure is None else round(figure, RECORDED_DECIMALS)
            for name, figure in adjudicated(items, system, false_alarm=false_alarm)._asdict().items()
        }
        for system in case.expected["expected"]
    }
    return CaseResult({"expected": figures}, input_keys=("items", "false_alarm"))

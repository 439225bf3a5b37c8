"""The log of judgements: append-only, several judges, the last line of a judge counts.

Columns ``item_id``, ``judge``, ``decision`` (up, down, unsure), ``time``, ``note``, as TSV with a header or as JSON
lines with the same keys.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations
from typing import NotRequired, TypedDict

from lydite.adjudication.scores import DOWN, OPEN, UP
from lydite.errors import Finding, FormatError, Location, refuse
from lydite.formats.json_values import NotJSONError, json_value
from lydite.formats.numbered_lines import filled_lines, parse_lines
from lydite.formats.text import refuse_many_columns
from lydite.model.agreement import contingency
from lydite.results.agreement import kappa

UNSURE = "unsure"
COLUMNS = ("item_id", "judge", "decision", "time", "note")
RESOLVED_COLUMNS = ("item_id", "verdict", "n_up", "n_down", "agreement")


@dataclass(frozen=True, slots=True)
class LoggedDecision:
    """One line of the log."""

    item_id: str
    judge: str
    decision: str
    time: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class JointVerdict:
    """The verdict of all judges on an item: the majority of up and down; a tie is open."""

    item_id: str
    verdict: str
    n_up: int
    n_down: int

    @property
    def agreement(self) -> float | None:
        """The share of the majority."""
        judged = self.n_up + self.n_down
        return max(self.n_up, self.n_down) / judged if judged else None


def read_table(path: str, required: Sequence[str]) -> list[tuple[int, dict[str, str]]]:
    """The rows of a TSV file with header, or of JSON lines, with their line numbers; broken ones are refused together."""
    lines = filled_lines(path)
    if lines and not lines[0][1].lstrip().startswith("{"):
        header = lines[0][1].rstrip("\r").split("\t")
        refuse_many_columns(Location(path, lines[0][0]), len(header))
        missing = [name for name in required if name not in header]
        if missing:
            columns, lacking = ", ".join(required), ", ".join(missing)
            message = f"expected a header with the columns {columns}; found no {lacking}"
            raise refuse(Location(path, lines[0][0]), "bad-table", message)
        rows, findings = parse_lines(lines[1:], path, "bad-table", partial(_tsv_row, header, required))
    else:
        rows, findings = parse_lines(lines, path, "bad-table", partial(_json_row, required))
    if findings:
        raise FormatError(findings)
    return rows


def _tsv_row(header: Sequence[str], required: Sequence[str], line: str) -> dict[str, str]:
    """The cells by column; of cells that are missing at the end only those that are ``required``, and empty."""
    cells = line.rstrip("\r").split("\t")
    if len(cells) > len(header):
        raise ValueError(f"expected {len(header)} columns, found {len(cells)}")
    return dict.fromkeys(required, "") | dict(zip(header, cells, strict=False))


def _json_row(required: Sequence[str], line: str) -> dict[str, str]:
    try:
        entry = json_value(line)
    except NotJSONError as error:
        raise ValueError(f"broken JSON: {error}") from None
    keys = entry if isinstance(entry, dict) else {}
    missing = [name for name in required if name not in keys]
    if missing:
        raise ValueError(f"expected the keys {', '.join(required)}; found no {', '.join(missing)}")
    return {key: "" if value is None else str(value) for key, value in keys.items()}


def read_decisions(path: str, queue: Container[str]) -> list[LoggedDecision]:
    """The log, in its order; decisions other than up, down or unsure, or on items that the queue lacks, are refused."""
    findings, decisions = [], []
    for number, row in read_table(path, COLUMNS[:3]):
        item, place = row["item_id"], Location(path, number)
        if item not in queue:
            message = f"expected the id of an item of the queue, found {item!r}"
            hint = "give the queue that the judges had; ids change with target, document and place"
            findings.append(Finding("unknown-item", "error", message, place, item=item, hint=hint))
        elif row["decision"] not in {UP, DOWN, UNSURE}:
            message = f"expected the decision up, down or unsure, found {row['decision']!r}"
            findings.append(Finding("bad-decision", "error", message, place, item=item))
        else:
            decisions.append(LoggedDecision(*(row.get(name, "") for name in COLUMNS)))
    if findings:
        raise FormatError(findings)
    return decisions


def latest_decisions(decisions: Iterable[LoggedDecision]) -> dict[str, dict[str, str]]:
    """By item and judge, the last decision."""
    judged: dict[str, dict[str, str]] = {}
    for decision in decisions:
        judged.setdefault(decision.item_id, {})[decision.judge] = decision.decision
    return judged


def resolve(decisions: Iterable[LoggedDecision]) -> dict[str, JointVerdict]:
    """The joint verdict on every item of the log."""
    verdicts: dict[str, JointVerdict] = {}
    for item_id, judges in latest_decisions(decisions).items():
        counts = Counter(judges.values())
        up, down = counts[UP], counts[DOWN]
        verdict = UP if up > down else DOWN if down > up else OPEN
        verdicts[item_id] = JointVerdict(item_id, verdict, up, down)
    return verdicts


class JudgesDocument(TypedDict):
    """How far judges agree."""

    judges: list[str]
    items: int
    judged_twice: int
    raw: float | None
    kappa: NotRequired[float | None]
    alpha: NotRequired[float | None]


def agreement(decisions: Iterable[LoggedDecision]) -> JudgesDocument:
    """How far judges agree on up and down, over items that at least two of them decided.

    Raw agreement is the share of equal pairs of decisions; Cohen's kappa for exactly two judges, Krippendorff's alpha
    (nominal) for more.  None where it is 0/0.
    """
    judged = [
        {judge: decision for judge, decision in judges.items() if decision in {UP, DOWN}}
        for judges in latest_decisions(decisions).values()
    ]
    shared = [judges for judges in judged if len(judges) >= 2]
    names = sorted({judge for judges in judged for judge in judges})
    pairs = [(one, other) for judges in shared for one, other in combinations(judges.values(), 2)]
    document: JudgesDocument = {
        "judges": names,
        "items": len(judged),
        "judged_twice": len(shared),
        "raw": sum(one == other for one, other in pairs) / len(pairs) if pairs else None,
    }
    if len(names) == 2:
        document["kappa"] = kappa(contingency((judges[names[0]], judges[names[1]]) for judges in shared))
    elif len(names) > 2:
        document["alpha"] = _alpha(shared)
    return document


def _alpha(shared: Sequence[Mapping[str, str]]) -> float | None:
    """1 − D_o / D_e over the coincidence matrix of nominal values."""
    totals: Counter[str] = Counter()
    disagreements = 0.0
    for judges in shared:
        counts = Counter(judges.values())
        totals.update(counts)
        size = len(judges)
        disagreements += counts[UP] * counts[DOWN] * 2 / (size - 1)
    n = sum(totals.values())
    expected = 2 * totals[UP] * totals[DOWN] / (n - 1) if n > 1 else 0.0
    return 1 - disagreements / expected if expected else None

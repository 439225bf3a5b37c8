"""A conformance case: a folder with inputs and ``expected.json``, which says itself how it is run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, TypedDict

from lydite.errors import LyditeError, UsageError
from lydite.escaping import counted
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_files
from lydite.formats.archives import archive_entries
from lydite.formats.json_values import NotJSONError, json_value
from lydite.model import Summary
from lydite.pipeline.task import KeptResults
from lydite.verify.leaves import MISSING, LeafDifference, Patterns, Tolerance, agrees, by_path, leaves

SCHEMA = "lydite.verify/1"
ARCHIVE = Path(__file__).parent.parent / "data" / "cases.tar.xz"
"""Made by ``make cases`` from the folder ``tests/shipped``."""

RECORDED_DECIMALS = 8
"""How many decimals some cases record, with a finer tolerance than that."""
_ABOUT = frozenset({"kind", "profile", "reading", "options", "tolerance", "description", "source", "scale"})
"""The keys that describe a case: how it is run and compared, the kind of its figures and where they come from."""

_OFFICIAL_TEXTS = ("report*.txt", "comparison*.txt")
"""The file names of texts of official programs in cases."""


@dataclass(frozen=True, slots=True)
class Case:
    """A folder and its ``expected.json``."""

    folder: Path
    expected: Mapping[str, Any]
    """Not checked when it is read: a case with values that do not fit cannot be run."""

    @property
    def kind(self) -> str:
        """The kind of case, by which its adapter is found."""
        return str(self.expected.get("kind", ""))

    @property
    def reading(self) -> str:
        """The setting ``reading``: ``refuse`` unless the case has another one."""
        return str(self.expected.get("reading", "refuse"))

    @property
    def options(self) -> Mapping[str, Any]:
        """The settings of the run."""
        options: Mapping[str, Any] = self.expected.get("options") or {}
        return options

    def resolve_path(self, value: object) -> object:
        """The value of an option; the name of a file or folder of the case becomes its path."""
        is_in_case = isinstance(value, str) and value and (self.folder / value).exists()
        return self.path(str(value)) if is_in_case else value

    def refuse_other_options(self, *known: str) -> None:
        """Refuse an option that this kind of case does not have, which would be ignored in silence."""
        for name in self.options:
            if name not in known:
                raise UsageError(f"no option {name!r} in cases of kind {self.kind!r}")

    def path(self, name: str) -> str:
        """The path of a file or folder of the case."""
        return str(self.folder / name)

    def other_blocks(self, *accounted_for: str) -> dict[str, object]:
        """The blocks beside these: information, or blocks that this kind of case does not compare."""
        return {key: self.expected[key] for key in self.expected if key not in {*_ABOUT, *accounted_for}}


@dataclass(frozen=True, slots=True)
class CaseResult:
    """The result of a run laid out like ``expected.json``, and which paths of the case are deliberately left out.

    ``blocks`` are the keys of ``expected.json`` that are compared, with the values found.  ``files`` are expected
    files and the bytes found for them.  ``left_out`` are patterns of expected leaves that are not compared; each
    such leaf is named and counted.  ``expected`` replaces expected blocks that have to be laid out before they can
    be compared.  ``input_keys`` are the keys of ``expected.json`` that are input of the run.  Whatever else a case holds
    is named as not compared.
    """

    blocks: Mapping[str, object]
    files: Mapping[str, bytes] = field(default_factory=dict)
    left_out: Sequence[str] = ()
    expected: Mapping[str, object] = field(default_factory=dict)
    input_keys: Sequence[str] = ()


Adapter = Callable[[Case], CaseResult]


def summary_of(choice: UserChoice, gold: str, system: str, *by: str, diagnosis: bool = False) -> Summary:
    """The scores of one system, broken down by these attributes."""
    return score_files(choice, gold, [system], detail=KeptResults(by=by, diagnosis=diagnosis))[0]


@dataclass(frozen=True, slots=True)
class CaseOutcome:
    """The outcome of one case: agreement, differences, or why it could not be run."""

    path: str
    kind: str
    status: str
    compared: int = 0
    not_compared: tuple[str, ...] = ()
    differences: tuple[LeafDifference, ...] = ()
    error: str | None = None

    def to_dict(self) -> dict[str, object]:
        """The case in the document that ``verify --format json`` prints."""
        values = {name: getattr(self, name) for name in self.__slots__}
        return {**values, "differences": [difference._asdict() for difference in self.differences]}


def count_outcomes(outcomes: Sequence[CaseOutcome]) -> dict[str, int]:
    """How many cases ended in which way, and how many leaves were compared."""
    ended = Counter(outcome.status for outcome in outcomes)
    return {
        "cases": len(outcomes),
        "agree": ended["agrees"],
        "differ": ended["differs"],
        "error": ended["error"],
        "compared": sum(outcome.compared for outcome in outcomes),
        "not_compared": sum(len(outcome.not_compared) for outcome in outcomes),
    }


def find_cases(folders: Iterable[Path]) -> Iterator[Path]:
    """Every folder below these that holds an ``expected.json``, in sorted order."""
    for folder in folders:
        if not folder.is_dir():
            raise UsageError(f"no such folder: {folder}")
        found = sorted(folder.rglob("expected.json"))
        if not found:
            raise UsageError(
                f"{folder}: no expected.json below this folder", hint="a case is a folder with one"
            )
        yield from (path.parent for path in found)


@contextmanager
def unpacked_cases() -> Iterator[Path]:
    """A folder with the cases that ship with lydite, for as long as it is needed."""
    with TemporaryDirectory(prefix="lydite-") as folder:
        for entry in archive_entries(str(ARCHIVE)):
            if not entry.is_folder:
                path = Path(folder, entry.name)
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(b"".join(entry.chunks()))
        yield Path(folder)


def run_case(folder: Path, adapter_of: Callable[[str], Adapter]) -> CaseOutcome:
    """Run one case through the public path and compare every leaf."""
    kind = ""
    try:
        case = Case(folder, _expected_in(folder))
        kind = case.kind
        return _compare(case, adapter_of(kind)(case))
    except (
        LyditeError,
        OSError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        ArithmeticError,
        RecursionError,
    ) as error:
        # A broken case (a key missing, a list for a table, a division by 0) must not keep the others from being run.
        hint = f"; {error.hint}" if isinstance(error, UsageError) and error.hint else ""
        return CaseOutcome(str(folder), kind, "error", error=f"{type(error).__name__}: {error}{hint}")


def _expected_in(folder: Path) -> dict[str, object]:
    try:
        expected = json_value((folder / "expected.json").read_bytes())
    except NotJSONError as error:
        raise ValueError(f"expected.json: expected JSON, found {error}") from None
    if not isinstance(expected, dict):
        raise ValueError("expected.json: expected an object")  # noqa: TRY004 - it is about the file, not the code
    return expected


def _compare(case: Case, found: CaseResult) -> CaseOutcome:
    tolerance = Tolerance(case.expected.get("tolerance") or {})
    expected = {**{key: case.expected[key] for key in found.blocks if key in case.expected}, **found.expected}
    expected_leaves, found_leaves = by_path(expected), by_path(found.blocks)
    differences: list[LeafDifference] = []
    others = case.other_blocks(*expected, *found.blocks, *found.input_keys)
    left_out = [path for name, block in others.items() for path, _ in leaves(block, name)]
    texts = sorted(path.name for pattern in _OFFICIAL_TEXTS for path in case.folder.glob(pattern))
    left_out += [name for name in texts if name not in found.files]
    patterns_left_out = Patterns(found.left_out)
    compared = 0
    for path, value in expected_leaves.items():
        if path in patterns_left_out:
            left_out.append(path)
            continue
        compared += 1
        got = found_leaves.get(path, MISSING)
        if got is MISSING or not agrees(value, got, tolerance(path)):
            differences.append(LeafDifference(path, value, got))
    differences.extend(
        LeafDifference(path, MISSING, value)
        for path, value in found_leaves.items()
        if path not in expected_leaves and value not in ([], {}, ()) and path not in patterns_left_out
    )
    for name, data in found.files.items():
        if name in patterns_left_out:
            left_out.append(name)
            continue
        compared += 1
        official = (case.folder / name).read_bytes()
        if data != official:
            differences.append(LeafDifference(name, *_first_difference(official, data)))
    status = "differs" if differences else "agrees"
    return CaseOutcome(str(case.folder), case.kind, status, compared, tuple(left_out), tuple(differences))


def _first_difference(expected: bytes, found: bytes) -> tuple[str, str]:
    """The first line that differs, on both sides, with its number."""
    ours, theirs = found.split(b"\n"), expected.split(b"\n")
    for number, (left, right) in enumerate(zip(theirs, ours, strict=False), 1):
        if left != right:
            return f"line {number}: {_text(left)}", f"line {number}: {_text(right)}"
    return counted(len(theirs), "line"), counted(len(ours), "line")


def _text(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")


class VerifyDocument(TypedDict):
    """The document that ``verify --format json`` prints."""

    schema: str
    summary: dict[str, int]
    cases: list[dict[str, object]]


def report(outcomes: Sequence[CaseOutcome]) -> VerifyDocument:
    """The document that ``verify --format json`` prints."""
    cases = [outcome.to_dict() for outcome in outcomes]
    return {"schema": SCHEMA, "summary": count_outcomes(outcomes), "cases": cases}

"""The walls of the house: who may import whom."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "lydite"

FLOORS = {
    "errors": 0, "registry": 0, "exact_sums": 0, "version": 0, "assignment": 0, "profile": 0, "memory": 0, "spool": 0,
    "python2_sets": 0, "java_maps": 0, "writing": 0, "citations": 0, "escaping": 0, "parallel": 0, "dask_cluster": 0, "resource_limits": 0,
    "optional_libraries": 0, "toml_files": 0, "id_table": 0, "grouping": 0, "numerals": 0, "keyword_arguments": 0, "frozen": 0,
    "model": 1,
    "formats": 2, "checks": 2, "align": 2, "metrics": 2, "results": 2, "report": 2, "tokenizer": 2,
    "pipeline": 3, "tables": 3,
    "tasks": 4, "assess": 4, "objects": 4,
    "facade": 5, "adjudication": 5, "token_tables": 5,
    "verify": 6, "coref": 6, "comparison": 6, "explanation": 6, "annotators": 6,
    "streaming": 7, "pages": 7,
    "integrations": 8,
    "cli": 9, "__init__": 9, "__main__": 10,
}  # fmt: skip
"""A module imports only from floors below its own, from its own room, or along ALLOWED."""

ALLOWED = {
    ("registry", "errors"), ("profile", "errors"), ("profile", "frozen"), ("profile", "registry"), ("assignment", "errors"),
    ("writing", "errors"), ("parallel", "errors"), ("dask_cluster", "errors"), ("dask_cluster", "parallel"),
    ("dask_cluster", "version"), ("errors", "escaping"), ("resource_limits", "errors"), ("toml_files", "errors"), ("profile", "toml_files"), ("citations", "toml_files"), ("resource_limits", "numerals"), ("profile", "numerals"), ("keyword_arguments", "errors"), ("python2_sets", "escaping"), ("optional_libraries", "errors"), ("__main__", "cli"),
}  # fmt: skip
"""Neighbours on the ground that may be imported, one way."""

MODULES = sorted(PACKAGE.rglob("*.py"))
EXTENSIONS_FOLDER = PACKAGE.parent.parent / "extensions"
PARTS = {
    "lydite": set(),
    "lydite_corpus": {"lydite"},
    "lydite_workbench": {"lydite", "lydite_corpus"},
}
"""The three parts, and which of them each may import."""


@pytest.mark.parametrize("part", PARTS)
def test_a_part_imports_only_the_parts_that_it_stands_on(part: str) -> None:
    folder = PACKAGE if part == "lydite" else next(EXTENSIONS_FOLDER.glob(f"*/src/{part}"))
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        imported = set(re.findall(r"^\s*(?:from|import) (lydite\w*)", text, flags=re.MULTILINE))
        assert imported <= PARTS[part] | {part}, path


def test_the_core_knows_nothing_of_django() -> None:
    for path in MODULES:
        assert not re.search(r"^\s*(?:from|import) django", path.read_text("utf-8"), re.MULTILINE), path


def test_the_parts_have_one_version() -> None:
    from lydite.version import __version__

    for path in EXTENSIONS_FOLDER.glob("*/pyproject.toml"):
        assert tomllib.loads(path.read_text("utf-8"))["project"]["version"] == __version__


def _room(module: str) -> str:
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def _own_room(path: Path) -> str:
    relative = path.relative_to(PACKAGE).with_suffix("")
    return relative.parts[0]


def _imports(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.module.split(".")[0] == "lydite":
            found.add(node.module)
            if node.module == "lydite":
                found |= {f"lydite.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name.split(".")[0] == "lydite"}
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_imports_only_from_floors_below(path: Path) -> None:
    own = _own_room(path)
    for module in _imports(path):
        other = _room(module)
        if own == "__init__":
            continue
        assert module != "lydite", f"{path.name} imports lydite itself"
        if other == own or (own, other) in ALLOWED:
            continue
        assert FLOORS[other] < FLOORS[own], f"{own} may not import {module}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_only_the_command_prints(path: Path) -> None:
    if _own_room(path) == "cli":
        return
    calls = [
        node for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) if isinstance(node, ast.Call)
    ]
    names = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
    assert not names & {"print", "exit", "quit", "input"}


def test_no_code_compares_the_name_of_a_profile() -> None:
    names = {path.stem for path in (PACKAGE / "profiles").rglob("*.toml")} - {
        "base",
        "default",
        "exact",
        "reference",
    }
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                constants = {part.value for part in ast.walk(node) if isinstance(part, ast.Constant)}
                assert not constants & names, f"{path.name}:{node.lineno} compares a profile's name"


def test_every_room_stands_on_a_floor() -> None:
    rooms = {_own_room(path) for path in MODULES}
    assert rooms <= set(FLOORS)


def test_the_guide_lists_every_room_on_its_floor() -> None:
    guide = (PACKAGE.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (-?\d+) \| (.+) \|$", guide, re.MULTILINE)
    listed = {(room, int(floor)) for floor, rooms in rows for room in re.findall(r"`(\w+)`", rooms)}
    assert listed == set(FLOORS.items())


def test_decisions_are_numbered_without_gaps() -> None:
    pages = sorted((PACKAGE.parent.parent / "docs" / "decisions").glob("*.md"))
    for number, page in enumerate(pages, 1):
        assert page.name.startswith(f"{number:04}-")
        assert page.read_text(encoding="utf-8").startswith(f"# {number}. ")


def test_what_formats_say_of_themselves_is_what_the_tables_of_formats_and_tasks_say() -> None:
    from lydite.formats import EXTENSIONS, FORMATS
    from lydite.tasks import TASKS

    for extension, names in EXTENSIONS.items():
        for name in names:
            assert extension in FORMATS[name].extensions, name
    for chosen in FORMATS.values():
        assert set(chosen.tasks) <= set(TASKS), chosen.name
        assert all(chosen.name in TASKS[name].formats for name in chosen.tasks)


def test_no_code_asks_for_a_year() -> None:
    for path in MODULES:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Compare):
                values = [
                    part.value for part in (node.left, *node.comparators) if isinstance(part, ast.Constant)
                ]
                assert not [
                    value for value in values if str(value) in {"2005", "2007", "2008", "2014", "2015"}
                ], path


def test_few_lines_say_any() -> None:
    # Where it stands a value is passed through unread, or is of a library without types, or data of others.
    lines = [
        f"{path.relative_to(PACKAGE)}:{number}"
        for path in MODULES
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if re.search(r"\bAny\b", line)
    ]
    assert len(lines) < 150, lines


def _definitions() -> Iterator[tuple[Path, ast.ClassDef | ast.FunctionDef]]:
    for path in [*MODULES, *EXTENSIONS_FOLDER.glob("*/src/**/*.py")]:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                yield path, node


def test_no_two_classes_share_a_name() -> None:
    homes: dict[str, list[str]] = {}
    for path, node in _definitions():
        # The names of models and migrations are those of tables of the database.
        is_model = "lydite_workbench" in path.parts and (
            path.name == "models.py" or "migrations" in path.parts
        )
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and not is_model:
            homes.setdefault(node.name, []).append(str(path))
    assert {name: where for name, where in homes.items() if len(where) > 1} == {}


RIDDLES = {
    "bind", "between", "conclude", "each", "excuse", "fates", "held", "nobody", "others", "relate", "remark",
    "rest", "said", "say_of", "settle", "settled", "somebody", "taken", "told", "uncollected", "wanted", "what", "who",
}  # fmt: skip
"""Names that tell a reader nothing: a function says what it does, a class what it holds."""


def test_names_are_no_riddles() -> None:
    found = {
        f"{path}:{node.lineno} {node.name}"
        for path, node in _definitions()
        if node.name.strip("_").lower() in RIDDLES
    }
    assert found == set()


def test_no_name_is_another_word_for_any() -> None:
    alias = re.compile(r"^\w+(?:: TypeAlias)? = \"?(?:\w+\[(?:\w+, )?)?Any\]?\"?$", re.MULTILINE)
    found = {match[0] for path in MODULES for match in alias.finditer(path.read_text(encoding="utf-8"))}
    # Generic records of whatever parameters are called so.
    assert {line for line in found if not line.startswith("Any")} == set()


def test_a_task_is_typed_throughout() -> None:
    tree = ast.parse((PACKAGE / "pipeline" / "__init__.py").read_text(encoding="utf-8"))
    (task,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Task")
    assert "Any" not in {part.id for part in ast.walk(task) if isinstance(part, ast.Name)}


def test_every_layer_has_a_type() -> None:
    from lydite.formats.layers import LAYERS
    from lydite.model.document import Layers

    assert set(LAYERS) <= Layers.__optional_keys__

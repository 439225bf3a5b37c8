"""The walls of the house: who may import whom."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent / "src" / "lydite"

FLOORS = {
    "ground": (
        "errors", "registry", "profile", "model", "assignment", "citations", "dask_cluster", "escaping", "exact_sums",
        "frozen", "grouping", "java_maps", "keyword_arguments", "memory", "numerals", "optional_libraries",
        "id_table", "parallel", "python2_sets", "resource_limits", "spool", "toml_files", "version", "writing",
    ),
    "formats": ("formats", "objects"),
    "compute": ("align", "metrics", "results", "checks", "tokenizer", "tables"),
    "tasks": ("pipeline", "tasks", "assess"),
    "use": (
        "facade", "comparison", "explanation", "report", "verify", "adjudication", "annotators", "coref", "pages",
        "streaming", "token_tables",
    ),
    "surfaces": ("cli", "integrations", "__init__", "__main__"),
}  # fmt: skip
"""The floors, lowest first: a room imports rooms of its own floor and of floors below, and no rooms import in a circle."""

SHOWN_BY = {("model", "report")}
"""A summary and a comparison show themselves: their methods import ``report`` when they are called (decision 6)."""

FLOOR_OF = {room: number for number, rooms in enumerate(FLOORS.values()) for room in rooms}

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


def _imports_between_rooms() -> dict[str, set[str]]:
    """The rooms that each room imports, without the package itself, which names all of them."""
    imported: dict[str, set[str]] = {}
    for path in MODULES:
        own = _own_room(path)
        if own != "__init__":
            rooms = set(map(_room, _imports(path))) - {own}
            imported.setdefault(own, set()).update(room for room in rooms if (own, room) not in SHOWN_BY)
    return imported


def test_a_room_imports_only_from_its_own_floor_and_floors_below() -> None:
    for own, rooms in _imports_between_rooms().items():
        above = {room for room in rooms if FLOOR_OF[room] > FLOOR_OF[own]}
        assert not above, f"{own} may not import {above}"


def test_no_rooms_import_each_other_in_a_circle() -> None:
    TopologicalSorter(_imports_between_rooms()).prepare()


def test_only_the_command_prints() -> None:
    for path in MODULES:
        calls = [node for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        names = {node.func.id for node in calls if isinstance(node.func, ast.Name)}
        assert _own_room(path) == "cli" or not names & {"print", "exit", "quit", "input"}, path


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
    assert {_own_room(path) for path in MODULES} == set(FLOOR_OF)


def test_the_guide_lists_every_room_on_its_floor() -> None:
    guide = (PACKAGE.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\w+) \| (.+) \|$", guide, re.MULTILINE)
    listed = {floor: set(re.findall(r"`(\w+)`", rooms)) for floor, rooms in rows}
    assert {floor: set(rooms) for floor, rooms in FLOORS.items()}.items() <= listed.items()


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
        # The names of models and migrations are those of tables of the database; Meta is Django's word.
        is_model = "lydite_workbench" in path.parts and (
            path.name in {"models.py", "forms.py"} or "migrations" in path.parts
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
    tree = ast.parse((PACKAGE / "pipeline" / "task.py").read_text(encoding="utf-8"))
    (task,) = (node for node in tree.body if isinstance(node, ast.ClassDef) and node.name == "Task")
    assert "Any" not in {part.id for part in ast.walk(task) if isinstance(part, ast.Name)}


def test_every_layer_has_a_type() -> None:
    from lydite.formats.layers import LAYERS
    from lydite.model.document import Layers

    assert set(LAYERS) <= Layers.__optional_keys__

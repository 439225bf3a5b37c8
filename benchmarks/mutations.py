"""How many small mistakes would the tests notice?  One operator, comparison or constant of a room is changed at a time.

    python benchmarks/mutations.py results assess --sample 60 --seed 13

Nothing is changed in place: source and tests are copied to a temporary folder.  A change is noticed if the tests that
concern its module fail or never end, or (with ``--cases``) if a recorded case differs.
"""

from __future__ import annotations

import argparse
import ast
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from copy import deepcopy
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent
ROOMS = ("metrics", "align", "results", "assess", "adjudication")
LIMIT = 100
"""Seconds of computing that the tests of a change may take: a loop without end is noticed, a busy machine is not."""

ACE = (
    "unit/align/test_ace_regions.py unit/tasks/test_ace_task.py properties/test_ace_formulas.py "
    "properties/test_ace_laws.py properties/test_every_law.py"
)
ARGUMENTS = (
    "unit/align/test_argument_rules.py unit/metrics/test_linking_metric.py unit/tasks/test_arguments_documents.py "
    "properties/test_argument_definitions.py properties/test_argument_laws.py"
)
TRIPLES = (
    "unit/align/test_triple_alignment.py unit/align/test_first_come.py unit/tasks/test_triples_task.py "
    "properties/test_triple_laws.py properties/test_triple_oracle.py"
)
SPANS = "unit/tasks/test_spans.py unit/metrics properties/test_every_law.py"
COREF = (
    "unit/metrics/test_coreference.py unit/align/test_clusters.py unit/coref unit/tasks/test_coref.py "
    "unit/tasks/test_corefud_profiles.py properties/test_cluster_laws.py properties/test_coref_by_definition.py "
    "properties/test_corefud_by_definition.py"
)
NUGGET = (
    "unit/metrics/test_detection.py unit/metrics/test_sequencing.py unit/align/test_alignment.py "
    "unit/align/test_links.py unit/align/test_chains.py unit/tasks/test_nugget_rules.py "
    "unit/tasks/test_nugget_clusters.py properties/test_laws.py properties/test_nugget_oracle.py"
)
ADJUDICATED = " ".join(
    f"properties/test_ace_laws.py::test_{name}"
    for name in (
        "up_never_lowers_and_down_never_raises_the_score_of_who_has_the_item",
        "the_order_of_items_does_not_matter",
        "adjudicated_figures_are_those_of_the_formulas",
    )
)
CONCERNS = (
    ("adjudication/*", f"unit/adjudication {ADJUDICATED}", "ace-adjudicate"),
    (
        "assess/*",
        "unit/assess cli/test_assess.py properties/test_assessment_definitions.py",
        "arguments-pool arguments-merge arguments-quote",
    ),
    (
        "results/*",
        "unit/results unit/tasks/test_nugget_rules.py cli/test_breakdowns.py",
        "nugget coref triples",
    ),
    ("*/ace*", ACE, "ace"),
    ("align/arguments.py", ARGUMENTS, "arguments arguments-linking"),
    ("align/frames.py", ARGUMENTS, "arguments arguments-linking"),
    ("metrics/assessed.py", ARGUMENTS, "arguments arguments-linking"),
    ("metrics/linking.py", ARGUMENTS, "arguments arguments-linking"),
    ("*/triple*", TRIPLES, "triples"),
    ("*/spans.py", SPANS, ""),
    ("align/first_come.py", TRIPLES, "triples"),
    ("metrics/*_counts.py", f"unit/tables/test_engines.py {COREF}", "coref"),
    ("*/co*ref*", COREF, "coref coref-corefud"),
    ("*/clusters.py", COREF, "coref coref-corefud"),
    ("align/nodes.py", COREF, "coref coref-corefud"),
    ("*", NUGGET, "nugget"),
)
"""Modules, the tests and the recorded cases that concern them; the first line that fits counts."""

OTHER_OPERATOR: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Div,
    ast.Div: ast.Mult,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
GUARDS = frozenset({"frozen", "slots", "strict"})
"""Arguments that refuse what must not happen: without them everything that does happen stays as it is."""
OTHER_NAME = {"min": "max", "max": "min", "any": "all", "all": "any"}


class Site(NamedTuple):
    """A place that can be changed: the number of its node in the module, and what the change does."""

    module: Path
    node: int
    line: int
    said: str


def changed(node: ast.AST) -> str | None:
    """Change a node in place; what was done, or None where nothing can be."""
    if isinstance(node, ast.Compare) and type(node.ops[0]) in OTHER_OPERATOR:
        before = type(node.ops[0])
        node.ops[0] = OTHER_OPERATOR[before]()  # type: ignore[call-overload] - an operator of the same kind
        return f"{before.__name__} → {OTHER_OPERATOR[before].__name__}"
    if isinstance(node, ast.BinOp | ast.BoolOp | ast.AugAssign) and type(node.op) in OTHER_OPERATOR:
        before = type(node.op)
        node.op = OTHER_OPERATOR[before]()  # type: ignore[assignment] - as above
        return f"{before.__name__} → {OTHER_OPERATOR[before].__name__}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        node.op = ast.UAdd()
        node.operand = ast.Call(ast.Name("bool", ast.Load()), [node.operand], [])
        return "Not → nothing"
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        before_value = node.value
        node.value = not before_value if isinstance(before_value, bool) else before_value + 1
        return f"{before_value} → {node.value}"
    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in OTHER_NAME:
        before_name, node.id = node.id, OTHER_NAME[node.id]
        return f"{before_name} → {node.id}"
    return None


def walked(tree: ast.AST) -> Iterator[ast.AST]:
    """All nodes that run, in a fixed order: no annotations, which nothing looks at, and no guards of the language."""
    for name, value in ast.iter_fields(tree):
        if name in {"annotation", "returns"} or (name == "bases" and isinstance(tree, ast.ClassDef)):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not (isinstance(child, ast.keyword) and child.arg in GUARDS):
                yield child
                yield from walked(child)


def sites(module: Path) -> Iterator[Site]:
    """Every place of a module that can be changed."""
    for number, node in enumerate(walked(ast.parse(module.read_text("utf-8")))):
        said = changed(deepcopy(node))
        if said is not None:
            yield Site(module, number, getattr(node, "lineno", 0), said)


def mutant(site: Site) -> str:
    """The source of the module with the site changed."""
    tree = ast.parse(site.module.read_text("utf-8"))
    for number, node in enumerate(walked(tree)):
        if number == site.node:
            changed(node)
    return ast.unparse(ast.fix_missing_locations(tree))


def concerned(name: str) -> tuple[list[str], list[str]]:
    """The tests and the recorded cases of a module."""
    for pattern, tests, cases in CONCERNS:
        if fnmatch(name, pattern):
            return [f"tests/{test}" for test in tests.split()], [
                f"tests/conformance/{c}" for c in cases.split()
            ]
    raise AssertionError(name)


def limited() -> None:
    """Let the process that begins here compute no longer than the limit."""
    resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))


def noticed(copy: Path, name: str, *, with_cases: bool) -> str:
    """Who notices what the copy of a module now says: ``tests``, ``time``, ``cases``, or nobody."""
    tests, cases = concerned(name)
    environment = {**os.environ, "PYTHONPATH": str(copy / "src"), "PYTHONDONTWRITEBYTECODE": "1"}
    pytest = [sys.executable, "-m", "pytest", *tests, "-x", "-q", "-p", "no:cacheprovider"]
    verify = [sys.executable, "-m", "lydite", "verify", *cases, "--quiet"]
    for who, command in (("tests", pytest), ("cases", verify))[: 2 if with_cases and cases else 1]:
        ran = subprocess.run(
            command, cwd=copy, env=environment, capture_output=True, check=False, preexec_fn=limited
        )
        if ran.returncode:
            return who if ran.returncode > 0 else "time"
    return ""


def refuse_red_tests(copy: Path, chosen: list[Site], *, with_cases: bool) -> None:
    """Where tests fail without any change, they notice nothing."""
    names = {str(site.module.relative_to(copy / "src/lydite")) for site in chosen}
    for name in sorted({concerned(name)[0][0]: name for name in names}.values()):
        who = noticed(copy, name, with_cases=with_cases)
        if who:
            sys.exit(f"the {who} of {name} are red, or too slow, without any change")


def main() -> None:
    """Change what was asked for, one at a time, and say who noticed."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rooms", nargs="*", default=ROOMS)
    parser.add_argument("--sample", type=int, default=60, help="changes per room")
    parser.add_argument("--seed", type=int, default=13)
    parser.add_argument("--examples", type=int, default=60, help="random examples per property")
    parser.add_argument(
        "--cases", action="store_true", help="ask the recorded cases too, where no test notices"
    )
    parser.add_argument(
        "--seen-green", action="store_true", help="do not run the tests without any change first"
    )
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for part in ("src", "tests", "examples", "docs"):
            shutil.copytree(ROOT / part, copy / part, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "pyproject.toml", copy)
        settings = copy / "tests/conftest.py"
        fewer = settings.read_text("utf-8").replace("max_examples=60", f"max_examples={asked.examples}")
        settings.write_text(fewer, "utf-8")
        for room in asked.rooms:
            found = [
                site for module in sorted((copy / "src/lydite" / room).glob("*.py")) for site in sites(module)
            ]
            chosen = random.Random(asked.seed).sample(found, min(asked.sample, len(found)))
            if not asked.seen_green:
                refuse_red_tests(copy, chosen, with_cases=asked.cases)
            survived = 0
            for site in chosen:
                original = site.module.read_text("utf-8")
                name = str(site.module.relative_to(copy / "src/lydite"))
                site.module.write_text(mutant(site), "utf-8")
                try:
                    who = noticed(copy, name, with_cases=asked.cases)
                finally:
                    site.module.write_text(original, "utf-8")
                survived += not who
                print(f"{who or 'SURVIVED':9}{name}:{site.line} {site.said}", flush=True)
            print(f"{room}: {len(chosen)} of {len(found)} changes, {survived} survived", flush=True)


if __name__ == "__main__":
    main()

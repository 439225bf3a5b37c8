"""The house in figures: how much code there is, and how far a reader has to walk: ``python tools/house.py``."""

from __future__ import annotations

import ast
import inspect
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
PARTS = {
    "core": ROOT / "src",
    "corpus": ROOT / "extensions" / "corpus" / "src",
    "workbench": ROOT / "extensions" / "workbench" / "src",
}
SMALL = 6
"""How many lines of code a small function has at the most, with its signature and without its docstring."""

WALKS = {
    "nugget": ("examples/gold.tbf", "examples/systems/alder.tbf", {}),
    "ace": ("examples/ace/gold", "examples/ace/systems/alder", {"profile": "ace08-local"}),
}
RIDDLES = ("eval(", "exec(", "sys.modules", "Any")


def main() -> int:
    """Print the figures, one on each line."""
    sources = {name: sorted(folder.rglob("*.py")) for name, folder in PARTS.items() if folder.is_dir()}
    for name, paths in sources.items():
        print(f"lines, {name:<28}{sum(len(path.read_text().splitlines()) for path in paths):>8}")
    texts = [path.read_text() for paths in sources.values() for path in paths]
    trees = [ast.parse(text) for text in texts]
    functions = [node for tree in trees for node in ast.walk(tree) if isinstance(node, FUNCTION)]
    print(f"files{len(texts):>37}")
    print(f"lines, all{sum(len(text.splitlines()) for text in texts):>32}")
    print(f"functions{len(functions):>33}")
    print(f"classes{sum(isinstance(node, ast.ClassDef) for tree in trees for node in ast.walk(tree)):>35}")
    print(f"small functions used once{len(small_and_used_once(functions, texts)):>17}")
    code = [without_comments(text) for text in texts]
    for word in RIDDLES:
        pattern = re.compile(r"(?<![\w.])" + re.escape(word) + (r"\b" if word[-1].isalpha() else ""))
        print(f"{word:<30}{sum(len(pattern.findall(text)) for text in code):>12}")
    codes = (ROOT / "src/lydite/data/finding-codes.txt").read_text().split()
    print(f"finding codes{len(codes):>29}")
    print(f"options{options():>35}")
    for task in WALKS:
        done = subprocess.run(
            [sys.executable, __file__, "walk", task], capture_output=True, text=True, check=True
        )
        walk = json.loads(done.stdout)
        print(f"walk {task:<12} modules{walk['modules']:>18}")
        print(f"walk {task:<12} functions{walk['functions']:>16}")
        print(f"walk {task:<12} opens of a file{walk['opens']:>10}")
    return 0


FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)


def without_comments(text: str) -> str:
    """The text of a module as code alone: neither comments nor docstrings."""
    return ast.unparse(Bare().visit(ast.parse(text)))


class Bare(ast.NodeTransformer):
    """Empties texts, docstrings among them."""

    def visit_Constant(self, node: ast.Constant) -> ast.Constant:
        """An empty text for every text."""
        return ast.Constant("") if isinstance(node.value, str) else node


def small_and_used_once(
    functions: Sequence[ast.FunctionDef | ast.AsyncFunctionDef],
    texts: Sequence[str],
) -> list[str]:
    """Functions of at most six lines whose name is theirs alone, undecorated, and named at one place."""
    defined = Counter(node.name for node in functions)
    words = Counter(word for text in map(without_comments, texts) for word in re.findall(r"\w+", text))
    return [
        node.name
        for node in functions
        if defined[node.name] == 1
        and not node.decorator_list
        and not node.name.startswith("__")
        and words[node.name] == 2
        and code_lines(node) <= SMALL
    ]


def code_lines(node: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """How many lines the function has without its docstring."""
    docstring = node.body[0] if ast.get_docstring(node) is not None else None
    lines = (node.end_lineno or 0) - node.lineno + 1
    return lines - ((docstring.end_lineno or 0) - docstring.lineno + 1) if docstring else lines


def options() -> int:
    """How many options all commands have together, each option of a command counted once."""
    import click

    from lydite.cli import lydite as group

    def parameters(command: click.Command) -> Iterator[click.Parameter]:
        context = click.Context(command)
        yield from (one for one in command.params if isinstance(one, click.Option))
        if isinstance(command, click.Group):
            for name in command.list_commands(context):
                inner = command.get_command(context, name)
                if inner is not None:
                    yield from parameters(inner)

    return sum(1 for _ in parameters(group))


def walk(task: str) -> dict[str, int]:
    """The modules and functions of lydite that one run calls, and how often it opens one file at the most."""
    import lydite

    gold, system, settings = WALKS[task]
    called: set[tuple[str, int]] = set()
    opened: Counter[str] = Counter()
    prefixes = tuple(f"{folder}/" for folder in PARTS.values())

    def note_call(frame: object, event: str, _argument: object) -> None:
        if event == "call":
            code = frame.f_code  # type: ignore[attr-defined]
            is_function = bool(code.co_flags & inspect.CO_OPTIMIZED)  # not the body of a class or a module
            if is_function and code.co_filename.startswith(prefixes) and not code.co_name.startswith("<"):
                called.add((code.co_filename, code.co_firstlineno))

    def note_open(event: str, arguments: tuple[object, ...]) -> None:
        if event == "open" and isinstance(arguments[0], str | Path) and "examples" in str(arguments[0]):
            opened[str(arguments[0])] += 1

    sys.addaudithook(note_open)
    sys.setprofile(note_call)  # type: ignore[arg-type]
    str(lydite.score(str(ROOT / gold), str(ROOT / system), task=task, **settings))
    sys.setprofile(None)
    files = {path: count for path, count in opened.items() if Path(path).is_file()}
    return {
        "modules": len({path for path, _ in called}),
        "functions": len(called),
        "opens": max(files.values()),
    }


if __name__ == "__main__":
    if sys.argv[1:2] == ["walk"]:
        print(json.dumps(walk(sys.argv[2])))
        sys.exit(0)
    sys.exit(main())

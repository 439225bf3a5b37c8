"""Start-up is a feature: what small commands must not load."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
HEAVY = (
    "numpy",
    "scipy",
    "lxml",
    "rich",
    "pandas",
    "jinja2",
    "tantivy",
    "sqlite3",
    "pyarrow",
    "duckdb",
    "dask",
    "django",
)
SAMPLE = ROOT / "tests" / "conformance" / "nugget" / "exact-match"

PROBE = """
import sys
from lydite.cli import run
status = run(sys.argv[1:])
print("loaded:", *(name for name in {heavy!r} if name in sys.modules), file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.parametrize(
    "arguments",
    [
        ["--help"],
        ["corpus", "--help"],
        ["corpus", "profile", str(ROOT / "examples" / "ace" / "targets.jsonl")],
        ["serve", "--help"],
        ["--version"],
        ["list", "profiles"],
        ["show", "profile", "nugget/kbp2015"],
        ["validate", str(SAMPLE / "system.tbf")],
        ["score", str(SAMPLE / "gold.tbf"), str(SAMPLE / "system.tbf")],
    ],
    ids=lambda arguments: " ".join(arguments[:2]),
)
def test_a_small_command_loads_no_heavy_library(arguments: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(heavy=HEAVY), *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.splitlines()[-1].split()[1:] == []


FOR_OTHERS_ALONE = {"ast", "difflib", "gettext", "locale", "platform", "tokenize", "uuid"}
"""What click loads to trim, to translate and to correct what people say, and for types that no option of ours has."""


@pytest.mark.parametrize(
    "words",
    [["score", str(SAMPLE / "gold.tbf"), str(SAMPLE / "system.tbf"), "--quiet"], ["--version"]],
    ids=lambda words: words[0],
)
def test_a_run_that_shows_no_help_loads_nothing_that_it_does_not_need(words: list[str]) -> None:
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "lydite", *words],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}
    assert "click.core" in loaded
    assert FOR_OTHERS_ALONE.isdisjoint(loaded)


@pytest.mark.parametrize("said", [["--coref", "off"], ["--ground", "nugget"]], ids=" ".join)
def test_what_follows_the_flag_of_a_setting_is_its_value_or_a_task_of_ours(said: list[str]) -> None:
    words = ["score", *said, str(SAMPLE / "gold.tbf"), str(SAMPLE / "system.tbf"), "--quiet"]
    done = subprocess.run(
        [sys.executable, "-c", PROBE.format(heavy=("importlib.metadata",)), *words],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    # No other package is asked for a task.
    assert done.stderr.splitlines()[-1] == "loaded:"


def test_what_click_was_loaded_without_is_there_for_who_asks() -> None:
    code = (
        "import sys; from lydite.__main__ import _load_click; _load_click();"
        "import click, inspect, gettext, threading, datetime, uuid;"
        "assert inspect.cleandoc(' a') == click.core.inspect.cleandoc(' a') == 'a';"
        "assert click.core.inspect.cleandoc is inspect.cleandoc and gettext.find and threading.Thread;"
        "assert click.types.datetime is datetime.datetime and click.globals.local is threading.local;"
        "said = str(uuid.uuid4()); assert click.UUID.convert(said, None, None) == uuid.UUID(said)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_module_that_is_loaded_already_is_what_click_gets() -> None:
    code = (
        "import sys, uuid; from lydite.__main__ import _load_click; _load_click();"
        "import click; assert click.types.uuid is uuid is sys.modules['uuid'] and uuid.UUID"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_help_loads_no_verb() -> None:
    code = (
        "import sys; from lydite.cli import run; run(['--help']); assert 'lydite.facade' not in sys.modules"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_output_does_not_depend_on_hash_order() -> None:
    outputs = set()
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [
                sys.executable, "-m", "lydite", "score", "examples/gold.tbf", "examples/systems/alder.tbf",
                "examples/systems/birch.tbf", "--format", "json",
            ],
            capture_output=True, check=True, cwd=ROOT, env={"PYTHONHASHSEED": seed, "PATH": ""},
        )  # fmt: skip
        outputs.add(done.stdout + done.stderr)
    assert len(outputs) == 1

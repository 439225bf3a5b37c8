"""What small commands must not load."""

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

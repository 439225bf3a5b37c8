"""What ``make demo`` shows: three systems against gold, from the table to the single error."""

from __future__ import annotations

import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

EXAMPLES = Path(__file__).parent
SYSTEMS = [f"examples/systems/{name}.tbf" for name in ("alder", "birch", "cedar")]

STEPS = (
    ("Three systems in one table, best first", ["score", "examples/gold.tbf", *SYSTEMS, "-q"]),
    ("The best one, broken down by type", ["score", "examples/gold.tbf", SYSTEMS[0], "--by", "type", "-q"]),
    ("A row for the paper", ["score", "examples/gold.tbf", *SYSTEMS, "-q", "--format", "latex"]),
    (
        "The same world as event arguments, against an assessed store",
        ["score", "arguments", "examples/arguments/annotation", "--runs", "examples/arguments/systems", "-q"],
    ),
    ("… and as ACE entities", ["score", "ace", "examples/ace/gold", "--runs", "examples/ace/systems", "-q"]),
    (
        "A collection to explore: 200 documents with planted names",
        ["corpus", "index", "@/documents.jsonl", "@/threads", "-o", "@/index"],
    ),
    ("Who is the Envoy?", ["corpus", "search", "@/index", '"the Envoy" NOT genre:wl', "--limit", "2"]),
    (
        "30 documents in which every target occurs, and how good the choice is",
        ["corpus", "select-documents", "@/index", "@/targets.jsonl", "--count", "30"],
    ),
    ("Is a submission sound?", ["validate", SYSTEMS[0], "--documents", "examples/text"]),
    ("Are these the official numbers?", ["verify", "-q"]),
    (
        "Everything on one page",
        ["report", "examples/gold.tbf", *SYSTEMS, "--documents", "examples/text", "-o", "demo.html", "-q"],
    ),
)


def main() -> int:
    """Run the steps one after the other, each as a user would type it; ``@`` is the folder of the made collection."""
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        make = [sys.executable, str(EXAMPLES / "build_collection.py"), folder, "--documents", "200"]
        subprocess.run(make, check=True, capture_output=True)
        for title, words in STEPS:
            arguments = [word.replace("@", folder) for word in words]
            print(f"\n── {title}\n$ lydite {shlex.join(arguments)}\n", flush=True)
            done = subprocess.run(
                [sys.executable, "-m", "lydite", *arguments], cwd=EXAMPLES.parent, check=False
            )
            if done.returncode:
                return done.returncode
    print(f"Open it in a browser: {(EXAMPLES.parent / 'demo.html').as_uri()}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""``make bench``: every benchmark, one after the other; name some to run only those."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SUPPORT = {
    "run",
    "measuring",
    "corpora",
    "coref_corpora",
    "coverage",
    "mention_tables",
    "mutations",
    "shares",
}


def main(names: list[str]) -> int:
    known = sorted(path.stem for path in HERE.glob("*.py") if path.stem not in SUPPORT)
    unknown = [name for name in names if name not in known]
    if unknown:
        print(f"no benchmark {', '.join(unknown)}; known: {', '.join(known)}")
        return 2
    statuses = [
        subprocess.run([sys.executable, str(HERE / f"{name}.py")], check=False).returncode
        for name in names or known
    ]
    return max(statuses, default=0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""The conversion cases of the nugget task: mention lines in order, relation lines as a set, members as sets."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.errors import UsageError
from lydite.facade import Choice, convert_file
from lydite.formats import FORMATS
from lydite.formats.tbf import TBF
from lydite.verify.cases import Case, Found

_FORMATS = {"brat-to-tbf": "brat", "rich-ere-to-tbf": "ere"}
_WORDS = {"mode": "ere-mentions", "system": "system-name", "system_id": "system-name"}
"""Options of cases that go by another name."""


def convert(case: Case) -> Found:
    """``nugget.convert``: the TBF that the conversion writes, beside ``expected.tbf``."""
    name = _FORMATS.get(str(case.expected.get("conversion")))
    if name is None:
        raise UsageError(f"no conversion {case.expected.get('conversion')!r}; known: {', '.join(_FORMATS)}")
    options: dict[str, object] = {"reading": case.expected.get("reading", "refuse")}
    options.update({_WORDS.get(key, key.replace("_", "-")): value for key, value in case.options.items()})
    if options.get("unit") == "token":
        tokens = str(options.get("tokens", "tokens"))
        options["tokens"] = case.path(tokens if (case.folder / tokens).is_dir() else f"input/{tokens}")
    choice = Choice(task="nugget", format=FORMATS[name].name, options=options)
    corpus = convert_file(choice, case.path("input"))
    assert TBF.write is not None
    found = laid_out(TBF.write(corpus).decode("utf-8"))
    wanted = laid_out((case.folder / "expected.tbf").read_text(encoding="utf-8"))
    return Found({"tbf": found}, expected={"tbf": wanted}, read=("conversion",))


def laid_out(text: str) -> Mapping[str, object]:
    """Every line of a TBF: mentions in order; relations sorted, ids of clusters and the order in them left out."""
    mentions, relations = [], []
    for line in text.removesuffix("\n").split("\n"):
        if not line.startswith("@"):
            mentions.append(line)
            continue
        name, relation_id, members = line.split("\t")
        if name == "@Coreference":
            relations.append(f"{name} {','.join(sorted(members.split(',')))}")
        else:
            relations.append(f"{name} {relation_id} {members}")
    return {"mentions": mentions, "relations": sorted(relations)}

"""Small argument files for tests: lines by hand, stores on disk, random documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from lydite.model.argument import Argument, ArgumentRow, Assessment

PERFECT = ("C", "C", "C", "C")


def argument(
    text: str = "Ask",
    role: str = "Entity",
    *,
    event_type: str = "Contact.Meet",
    realis: str = "Actual",
    doc_id: str = "D",
    **more: Any,
) -> Any:
    begin = more.pop("begin", 10)
    span = (begin, begin + len(text))
    values = {"justification": ((0, 900),), "filler": span, "additional": (), **more}
    return Argument(doc_id, event_type, role, text, span, realis=realis, **values)


def judged(
    claim: Argument,
    letters: str = "CCCC",
    *,
    cluster: int | None = None,
    realis: str | None = None,
    line: int = 0,
) -> Any:
    """A gold row: ``letters`` are the four judgements, with ``-`` for NIL; an empty text is unassessed."""
    if not letters:
        return ArgumentRow(claim, line, cluster=cluster, width=18)
    values = [None if letter == "-" else letter for letter in letters]
    full = "-" not in letters
    assessment = Assessment(*values, (realis or claim.realis) if full else None, "NAME" if full else None)
    return ArgumentRow(claim, line, assessment=assessment, cluster=cluster, width=18)


def answer(claim: Argument, confidence: float = 0.5, line: int = 0) -> Any:
    return ArgumentRow(claim, line, confidence=confidence)


def store(folder: Path, files: Any) -> Any:
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return str(folder)


@st.composite
def arguments(draw: st.DrawFn, doc_id: str = "D") -> Any:
    event_type, role = draw(
        st.sampled_from(
            [
                ("Life.Die", "Victim"),
                ("Life.Injure", "Victim"),
                ("Life.Die", "Time"),
                ("Life.Injure", "Time"),
                ("Contact.Meet", "Entity"),
            ]
        )
    )
    dates = ["1982-12-31", "1982-12-3X", "1982-XX-XX", "198X-XX-XX"]
    text = draw(st.sampled_from(dates if role == "Time" else ["Ask", "Bo", "Runa"]))
    begin = draw(st.integers(0, 3)) * 20
    return Argument(
        doc_id,
        event_type,
        role,
        text,
        (begin, begin + len(text)),
        ((draw(st.integers(0, 1)), 900),),
        (begin, begin + 3),
        draw(st.sampled_from([(), ((5, 9),)])),
        draw(st.sampled_from(["Actual", "Generic", "Other"])),
    )


@st.composite
def assessments(draw: st.DrawFn) -> Any:
    event_type = draw(st.sampled_from(["C", "C", "I", "W", None]))
    if event_type not in {"C", "I"}:
        return Assessment(event_type, None, None, None, None, None)
    role = draw(st.sampled_from(["C", "C", "I", "W"]))
    if role == "W":
        return Assessment(event_type, role, None, None, None, None)
    letters = draw(st.lists(st.sampled_from(["C", "C", "I", "W"]), min_size=2, max_size=2))
    return Assessment(
        event_type, role, *letters, draw(st.sampled_from(["Actual", "Generic", "Other"])), "NAME"
    )


@st.composite
def gold_documents(draw: st.DrawFn, doc_id: str = "D") -> Any:
    """Consistent annotation rows: one id per string, and an id for every string."""
    claims = draw(st.lists(arguments(doc_id), unique=True, max_size=14))
    ids = {claim.canonical: draw(st.integers(1, 3)) for claim in claims}
    return tuple(
        ArgumentRow(
            claim,
            line,
            assessment=draw(st.one_of(assessments(), assessments(), st.none())),
            cluster=ids[claim.canonical],
            width=18,
        )
        for line, claim in enumerate(claims, start=1)
    )


@st.composite
def documents(draw: st.DrawFn, doc_id: str = "D") -> Any:
    """Gold rows and system rows; most system arguments are in the pool."""
    gold = draw(gold_documents(doc_id))
    pooled = [row.argument for row in gold]
    own = draw(st.lists(arguments(doc_id), max_size=3))
    chosen = [claim for claim in pooled if draw(st.booleans())]
    system = tuple(
        ArgumentRow(claim, line, confidence=draw(st.sampled_from([0.2, 0.5, 0.5, 0.9])))
        for line, claim in enumerate([*chosen, *own], start=1)
    )
    return gold, system

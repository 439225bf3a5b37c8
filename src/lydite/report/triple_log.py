"""The log of a triple comparison: missed and correct triples, wrong relations, confusions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from lydite.model import Summary
from lydite.model.diagnosis import TriplesOfDocument
from lydite.model.triple import Triple, TripleDocument, xml_lines
from lydite.model.verdict import MISSED, SPURIOUS, confused_value


def log(summary: Summary) -> str:
    """The log of all documents, each under its name if there are several."""
    documents: Sequence[TriplesOfDocument] = summary.diagnosis.get("documents", ())
    backwards = summary.settings["matching"] == "first-come"
    lines: list[str] = []
    for document in documents:
        if len(documents) > 1:
            lines += [f"# document {document['document']}", ""]
        lines.extend(_document(document, backwards=backwards))
    return "\n".join(lines) + "\n"


def _sort_by_relation(listed: Iterable[TripleDocument], *, backwards: bool) -> list[Triple]:
    """Triples by relation, then in file order; the reference program has both backwards."""
    ordered = sorted([Triple.from_dict(entry) for entry in listed], key=lambda triple: triple.relation)
    return ordered[::-1] if backwards else ordered


def _document(document: TriplesOfDocument, *, backwards: bool) -> Iterator[str]:
    missed = _sort_by_relation(document["missed"]["triples"], backwards=backwards)
    correct = _sort_by_relation((pair["gold"] for pair in document["correct"]["pairs"]), backwards=backwards)
    wrong = _sort_by_relation(document["wrong_relation"]["triples"], backwards=backwards)
    yield f"## missed triples: {len(missed)}"
    yield from _xml(missed)
    yield from ("", "## missed triples per relation")
    yield from (f"{name}\t{count}" for name, count in document["missed"]["by_relation"].items())
    yield from ("", "## missed triples, one per line")
    yield from (f"{item.first.comment}:{item.relation}:{item.second.comment}" for item in missed)
    yield from ("", f"## correct triples: {len(correct)}")
    yield from _xml(correct)
    yield from ("", f"## triples with overlapping ids but wrong relation: {len(wrong)}")
    yield from _xml(wrong)
    yield from ("", "## wrong relations per relation")
    yield from (f"{name}\t{count}" for name, count in document["wrong_relation"]["by_relation"].items())
    yield from ("", "## profile confusion")
    for name, row in document["profile_confusion"].items():
        yield name
        yield from (f"\t{relation}\t{count}" for relation, count in row.items())
    yield from ("", "## overlapping pairs: system relations in rows, gold relations in columns")
    columns, rows = contingency([document])
    yield "\t".join(("", *columns))
    yield from ("\t".join((name, *map(str, counts))) for name, counts in rows)
    yield ""


def _xml(triples: Iterable[Triple]) -> Iterator[str]:
    for triple in triples:
        yield from xml_lines(triple)


def contingency(documents: Iterable[TriplesOfDocument]) -> tuple[list[str], list[tuple[str, list[int]]]]:
    """System relations in rows, gold relations in columns, with a column for spurious and a row for missed triples.

    Cells count overlapping pairs, so that a triple that overlaps several others is in several cells.
    """
    cells: Counter[tuple[str, str]] = Counter()
    for document in documents:
        for row, counts in document["confusion"].items():
            value = confused_value(row)
            cells.update({(value, confused_value(column)): count for column, count in counts.items()})
        spurious = document["spurious"]["by_relation"] if "spurious" in document else {}
        cells.update({(confused_value(name), SPURIOUS): count for name, count in spurious.items()})
        missed = document["missed"]["by_relation"]
        cells.update({(MISSED, confused_value(name)): count for name, count in missed.items()})
    rows = [*sorted({row for row, _ in cells} - {MISSED}), MISSED]
    columns = [*sorted({column for _, column in cells} - {SPURIOUS}), SPURIOUS]
    return columns, [(row, [cells[row, column] for column in columns]) for row in rows]

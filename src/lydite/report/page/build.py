"""A page from its material: sections, data, one file; or a folder with one page per document."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from lydite.errors import Finding
from lydite.escaping import short
from lydite.grouping import grouped
from lydite.model import Summary
from lydite.model.verdict import VerdictDocument
from lydite.profile import show_value
from lydite.report.charts.axes import ROW
from lydite.report.charts.palette import DARK, LIGHT, css_variables, series_class
from lydite.report.charts.svg import shortened
from lydite.report.page import sections
from lydite.report.page.data import DataBlock, blocks, choose_fitting, inert
from lydite.report.page.errors import ErrorColumns, Verdicts, lost_credit
from lydite.report.page.grids import ROWS, Chart, Kind, PageSection, Value, cell
from lydite.report.page.material import PageMaterial, ShownDocument
from lydite.report.page.sides import Json
from lydite.report.tables import figure_name
from lydite.report.visible import visible

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

HERE = Path(__file__).parent
SCHEMA = "lydite.page/1"
MAX_SIZE = 25_000_000
"""Bytes of a page above which documents are left out."""
SCRIPTS = ("core.js", "tables.js", "viewer.js", "lists.js", "main.js")
MOST_NEIGHBOURS = 51
"""In a folder, the page of a document knows at most so many documents of each of its chains."""


@dataclass(frozen=True, slots=True)
class _PageParts:
    """Everything that the templates need, before documents are left out for size."""

    material: PageMaterial
    systems: Sequence[str]
    doc_ids: Sequence[str]
    sections: Sequence[PageSection]
    data: Json
    chains: Mapping[str, list[int]]
    blocks: Mapping[int, DataBlock]
    lost: Mapping[int, float]


def page(material: PageMaterial, *, max_size: int = MAX_SIZE) -> bytes:
    """One file with everything inside; the same material gives the same bytes."""
    made = _page_parts(material)
    room = max_size - len(_render(made, {}).encode("utf-8"))
    kept = choose_fitting(((made.lost[number], number, block) for number, block in made.blocks.items()), room)
    return _render(made, {number: made.blocks[number] for number in sorted(kept)}).encode("utf-8")


def site(material: PageMaterial) -> Iterator[tuple[str, bytes]]:
    """The files of a folder: ``index.html``, and one page for each document."""
    made = _page_parts(material)
    places = {number: document_file(number) for number in made.blocks}
    yield "index.html", _render(made, {}, places=places).encode("utf-8")
    chains = grouped((number, chain) for chain, numbers in made.chains.items() for number in numbers)
    for number, block in made.blocks.items():
        data = _data_of_document(made, number, chains.get(number, ()))
        page_of_one = _fill_template("document.html", made, data, {number: block}, only=made.doc_ids[number])
        yield places[number], page_of_one.encode("utf-8")


def document_file(number: int) -> str:
    """The path of the page of a document in the folder, by number, since ids need not be possible file names."""
    return f"documents/{number + 1:06d}.html"


def _page_parts(material: PageMaterial) -> _PageParts:
    systems = sections.ranked(material)
    verdicts = Verdicts(material)
    _, found = sections.document_rows(material.summary)
    doc_ids = list(dict.fromkeys([*found, *verdicts]))
    number_of = {doc_id: number for number, doc_id in enumerate(doc_ids)}
    errors = ErrorColumns(systems, _faults(material))
    lost: dict[int, float] = {}
    crossing: dict[str, list[int]] = {}

    def shown() -> Iterator[tuple[str, Json]]:
        """One document at a time, so that not all of them are held at once."""
        for document in material.documents():
            number = number_of.setdefault(document.doc_id, len(number_of))
            if number == len(doc_ids):
                doc_ids.append(document.doc_id)
            of_document = verdicts.of(document.doc_id)
            errors.add(number, document, of_document)
            lost[number] = lost_credit(of_document)
            for chain in document.gold.chains:
                if chain.crosses:
                    crossing.setdefault(chain.id, []).append(number)
            yield str(number), _document(document, systems, of_document)

    held = {int(block.name): block for block in blocks(shown())}
    made = [
        sections.ranking(material, systems),
        sections.figures(material, systems),
        sections.budget(material, systems),
        sections.parts(material, systems),
        sections.confusion(material, systems),
        sections.documents(material, systems, doc_ids),
        sections.curves(material, systems),
        sections.differences(material, systems),
    ]
    data = _data(material, systems, doc_ids, made)
    data["errors"] = errors.to_dict()
    data["chains"] = chains = {name: places for name, places in crossing.items() if len(places) > 1}
    return _PageParts(material, systems, doc_ids, made, data, chains, held, lost)


def _faults(material: PageMaterial) -> list[str]:
    budgets = (explanation.budget for explanation in material.explanations.values())
    return list(dict.fromkeys(row.fault for budget in budgets if budget for row in budget.faults))


def _document(
    document: ShownDocument, systems: Sequence[str], verdicts: Mapping[str, Sequence[VerdictDocument]]
) -> Json:
    return {
        "id": document.doc_id,
        "text": document.text,
        "gold": document.gold.to_dict(),
        "systems": [document.systems[one].to_dict() if one in document.systems else None for one in systems],
        "verdicts": [
            [{key: value for key, value in one.items() if key != "document"} for one in verdicts[system]]
            if system in verdicts
            else []
            for system in systems
        ],
    }


def _data(
    material: PageMaterial, systems: Sequence[str], doc_ids: Sequence[str], made: Sequence[PageSection]
) -> Json:
    head = material.summary.head()
    explained = {name: material.explanations[name] for name in systems if name in material.explanations}
    return {
        "schema": SCHEMA,
        **{key: head[key] for key in ("version", "task", "profile", "signature", "headline")},
        "inputs": [
            {"role": item.role, "name": item.name, "documents": item.documents}
            for item in material.summary.inputs
        ],
        "findings": {severity: len(found) for severity, found in _by_severity(material.summary).items()},
        "judged": bool(material.explanations),
        "texts": "documents" in material.summary.settings,
        "systems": list(systems),
        "documents": list(doc_ids),
        "tables": {grid.key: grid.to_dict() for section in made for grid in section.all_grids},
        "comparison": None
        if material.comparison is None
        else {key: value for key, value in material.comparison.to_dict().items() if key != "golds"},
        "budgets": {name: one.budget and one.budget.to_dict() for name, one in explained.items()},
        "confusions": {
            name: {attribute: matrix.to_dict() for attribute, matrix in one.confusions.items()}
            for name, one in explained.items()
        },
    }


# --------------------------------------------------------------------------------------------------- templates


def _render(
    made: _PageParts, kept: Mapping[int, DataBlock], *, places: Mapping[int, str] | None = None
) -> str:
    summary = made.material.summary
    left_out = 0 if places is not None else len(made.blocks) - len(kept)
    data = {**made.data, "kept": sorted(kept), "left_out": left_out}
    if places is not None:
        data["pages"] = {str(number): place for number, place in places.items()}
    # The document with the largest loss, if documents have verdicts.
    worst = max(made.lost, key=lambda number: (made.lost[number], -number), default=None)
    return _fill_template(
        "page.html",
        made,
        data,
        kept,
        sections={section.id: section for section in made.sections},
        findings=_by_severity(summary),
        figure=figure_name(summary.headline),
        answer=sections.answer(made.material, made.systems),
        definitions=made.material.definitions,
        cite=made.material.cite,
        **_departures(summary),
        # Switches that are on; quirks are among them.
        quirks=sorted(name for name, value in summary.settings.items() if value is True),
        documents=len(made.doc_ids),
        shown=len(made.blocks),
        left_out=left_out,
        worst=None if worst is None or not made.lost[worst] else made.doc_ids[worst],
        rows=ROWS,
    )


def _departures(summary: Summary) -> dict[str, list[str]]:
    """The settings that change the profile, which the signature has, and others, such as the folder of texts."""
    head, _, _ = summary.signature.partition("|gold:")
    # A signature may shorten the name of a setting to its last word.
    signed = tuple("-" + part.partition(":")[0] for part in head.split("|")[3:])
    departures: dict[str, list[str]] = {"changes": [], "beside": []}
    for departure in summary.departures:
        is_change = f"-{departure}".partition("=")[0].endswith(signed)
        departures["changes" if is_change else "beside"].append(departure)
    return departures


def _fill_template(
    template: str, made: _PageParts, data: Json, kept: Mapping[int, DataBlock], **values: object
) -> str:
    """Render a template with the values that every page has."""
    style, script, policy = _style_and_script()
    return (
        environment()
        .get_template(template)
        .render(
            summary=made.material.summary,
            title=_title(made),
            systems=made.systems,
            style=style,
            script=script,
            policy=policy,
            data=inert(data),
            blocks=kept,
            **values,
        )
    )


@cache
def _style_and_script() -> tuple[str, str, str]:
    script = "".join(map(static, SCRIPTS))
    digest = base64.b64encode(sha256(script.encode("utf-8")).digest()).decode("ascii")
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'; img-src data:"
    return _style(), script, policy


def _data_of_document(made: _PageParts, only: int, chains: Iterable[str]) -> Json:
    """The data for the page of one document: names, and the paths of its neighbours.

    Neighbours are the documents before and after it, and those in which its chains continue; with all documents in
    every page, the size of a folder would grow with their square.
    """
    data = made.data
    crossing = {chain: made.chains[chain][:MOST_NEIGHBOURS] for chain in chains}
    near = {only - 1, only, only + 1, *(number for places in crossing.values() for number in places)}
    near &= made.blocks.keys()
    kept = ("schema", "version", "task", "profile", "signature", "headline", "judged", "texts", "systems")
    return {
        **{key: data[key] for key in kept},
        "documents": {str(number): made.doc_ids[number] for number in sorted(near)},
        "pages": {str(number): document_file(number) for number in sorted(near)},
        "tables": {},
        "errors": ErrorColumns(made.systems).to_dict(),
        "chains": crossing,
        "kept": [only],
        "left_out": 0,
        "only": only,
    }


def _title(made: _PageParts) -> str:
    names = ", ".join(shortened(visible(name), 40) for name in made.systems[:4])
    more = f" and {len(made.systems) - 4} more" if len(made.systems) > 4 else ""
    return f"{made.material.summary.task}: {names}{more}"


def _by_severity(summary: Summary) -> dict[str, list[Finding]]:
    findings: dict[str, list[Finding]] = {"error": [], "warning": [], "note": []}
    for finding in summary.findings:
        findings[finding.severity].append(finding)
    return {severity: listed for severity, listed in findings.items() if listed}


def _style() -> str:
    """Both palettes and the styles of the page; print is light, so its rule must win over the others."""
    light, dark = css_variables(LIGHT), css_variables(DARK)
    marks = "".join(f".{name}{{--c:var(--{name})}}" for name in (series_class(place) for place in range(8)))
    return (
        f":root{{color-scheme:light;{light}}}"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{color-scheme:dark;{dark}}}}}"
        f":root[data-theme=dark]{{color-scheme:dark;{dark}}}"
        f"@media print{{:root:root:root{{color-scheme:light;{light}}}}}{marks}\n{static('page.css')}"
    )


def static(name: str) -> str:
    """The text of a file of the package."""
    return (HERE / "static" / name).read_text(encoding="utf-8")


@cache
def environment() -> Environment:
    """The environment of the templates, which escapes everything and makes control characters visible."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
        finalize=_make_visible,
    )
    made.globals["row_height"] = ROW
    made.filters["cell"] = _cell
    made.filters["short"] = short
    made.filters["setting"] = show_value
    made.filters["breakable"] = _breakable
    made.filters["order"] = _order
    made.filters["address"] = _address
    return made


def _make_visible(value: object) -> object:
    return visible(value) if isinstance(value, str) and not hasattr(value, "__html__") else value


def _breakable(name: str) -> Markup:
    """A heading that can be broken after signs that join words."""
    from markupsafe import Markup, escape

    return Markup(re.sub(r"(?<=[_./:])(?=\w)", "<wbr>", escape(visible(name))))  # noqa: S704 - it is escaped


def _cell(value: Value, kind: Kind) -> str:
    return short(cell(value, kind), 200)


def _address(doc_id: str) -> str:
    """An id for the address of a page; lone surrogates become replacement characters."""
    from urllib.parse import quote

    return quote(doc_id.encode("utf-16", "surrogatepass").decode("utf-16", "replace"), safe="")


def _order(chart: Chart) -> dict[str, str]:
    """The ranks of the systems that are the series or rows of a chart, for its attributes."""
    ranks_by_name = {"series": chart.series, "rows": chart.rows}
    return {name: " ".join(map(str, ranks)) for name, ranks in ranks_by_name.items() if ranks}

"""The nugget cases: how a summary, or a converted file, is laid out as the case has it."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

from lydite.errors import Finding, InvalidInput, UsageError
from lydite.facade.choosing import UserChoice
from lydite.facade.converting import convert_file
from lydite.facade.validating import validate_file
from lydite.formats import FORMATS
from lydite.formats.tbf import TBF
from lydite.model import ScoreRow, Summary
from lydite.report.official import conll, evmeval
from lydite.token_tables import make_tables
from lydite.verify.cases import Case, CaseResult, summary_of
from lydite.verify.rows import PERCENT, Figure, Leaves, lay_out, value_of, values_of

_MAPPING_NAMES = {"span_only": "span", "mention_type": "type", "realis_status": "realis"}
_NOT_COMPARED = ("scores.*.source", "variants.*.source", "sequencing_without_quirks.source")
"""Where a figure comes from, which is information."""

_LINK_QUIRKS = (
    "time-chain-closure",
    "hash-link-order",
    "last-copy-takes-links",
    "unknown-id-stands-for-chain",
)
_TEXTS = {
    "report.txt": (evmeval.report, "evmeval-1.1"),
    "report-v1.2.txt": (evmeval.report, "evmeval-1.2"),
    "comparison.txt": (evmeval.comparison, "evmeval-1.2"),
    "comparison-v1.1.txt": (evmeval.comparison, "evmeval-1.1"),
}
"""The official texts of a case, and the layout of each where the profile is that of the pilot."""

_FORMATS = {"brat-to-tbf": "brat", "rich-ere-to-tbf": "ere"}
_OPTION_NAMES = {"mode": "ere-mentions", "system": "system-name", "system_id": "system-name"}
"""The names of the settings for options that cases name otherwise."""

COREF_NAMES = {"muc": "muc", "bcub": "b-cubed", "ceafe": "ceaf-e", "ceafm": "ceaf-m"}


def _choice(case: Case, profile: str | None = None) -> UserChoice:
    given = {"unit": case.expected.get("unit", "auto"), **case.options}
    options: dict[str, object] = {"reading": case.reading, "coref": "off", "sequencing": "off"}
    for name, given_value in given.items():
        key, value = name.replace("_", "-"), case.resolve_path(given_value)
        if key in {"coref", "sequencing"} and isinstance(value, bool | None):
            value = "on" if value else "off"
        elif key == "coref-mapping":
            value = "+".join(_MAPPING_NAMES.get(part, part) for part in str(value).split("+"))
        options[key] = value
    return UserChoice(task="nugget", profile=profile or case.expected.get("profile"), options=options)


def score(case: Case) -> CaseResult:
    """``nugget.score``: scores, notices, the order of links, and the official reports and comparison files."""
    choice = _choice(case)
    summary = _run(case, choice)
    scores = _pilot_scores(summary) if "original" in case.expected["scores"] else _scores(summary)
    blocks: dict[str, object] = {"scores": scores}
    codes = {finding.code for finding in summary.findings}
    if "notices" in case.expected:
        blocks["notices"] = [code if code in codes else None for code in case.expected["notices"]]
    if evmeval.has_coreference(summary):
        scores["coref"] = _coreference(summary)
    if summary.settings["sequencing"] == "on":
        scores["sequencing"] = _sequencing(summary)
    if "sequencing_all_is_order_dependent" in case.expected:
        blocks["sequencing_all_is_order_dependent"] = "link-order-counts" in codes
    if "sequencing_all_link_order" in case.expected:
        documents = summary.diagnosis["documents"]
        blocks["sequencing_all_link_order"] = {entry["document"]: entry["links"] for entry in documents}
    if "sequencing_without_quirks" in case.expected:
        without = choice._replace(quirks=dict.fromkeys(_LINK_QUIRKS, False))
        blocks["sequencing_without_quirks"] = {"source": None, **_sequencing(_run(case, without))}
    if "variants" in case.expected:
        blocks["variants"] = {"v1.6.2": _older_release(case, summary)}
    return CaseResult(blocks, _files(case, summary), _NOT_COMPARED, input_keys=("unit",))


def _run(case: Case, choice: UserChoice) -> Summary:
    return summary_of(choice, case.path("gold.tbf"), case.path("system.tbf"), "doc", diagnosis=True)


def _coreference(summary: Summary) -> dict[str, object]:
    rows = {row.metric: row for row in summary.corpus_rows() if row.measurement == "coref"}
    printed = evmeval.printed_coreference(summary)
    laid_out: dict[str, object] = {"mention_identification": _counts(rows["mentions"])}
    for name, metric in COREF_NAMES.items():
        row = rows[metric]
        laid_out[name] = {**values_of(row, PERCENT), "printed_f1": printed[name], "num_den": _counts(row)}
    links = {
        f"{name}_links": [
            rows["blanc"].counts[f"{side}_{kind}"] for side in ("common", "gold", "common", "system")
        ]
        for name, kind in (("coref", "coreference"), ("noncoref", "other"))
    }
    laid_out["blanc"] = {**values_of(rows["blanc"], PERCENT), "printed_f1": printed["blanc"], **links}
    laid_out["average"] = value_of(rows["kbp"], PERCENT["f1"])
    laid_out["printed_average"] = conll.mean_of_printed(printed, ("bcub", "ceafe", "muc", "blanc"))
    if summary.settings["average-with-ceafm"]:
        five = ("bcub", "ceafe", "ceafm", "muc", "blanc")
        laid_out["printed_average_with_ceafm"] = conll.mean_of_printed(printed, five)
    return laid_out


def _counts(row: ScoreRow) -> list[float]:
    return [row.counts[name] for name in ("gold_credit", "gold_total", "system_credit", "system_total")]


def _sequencing(summary: Summary) -> dict[str, object]:
    laid_out: dict[str, object] = {}
    for name, measurement in evmeval.LINK_SETS.items():
        figures = evmeval.sequencing_figures(summary, measurement)
        f1, precision, recall = (100 * evmeval.six_places(figure) for figure in figures)
        laid_out[name] = {"p": precision, "r": recall, "f1": f1}
    return laid_out


def _older_release(case: Case, summary: Summary) -> dict[str, object]:
    """The scores of the release used in the 2015 evaluation: same detection, coreference without documents at zero."""
    try:
        older = _run(case, _choice(case, "kbp2015-v1.6.2"))
    except InvalidInput:
        return {"exit": 1}
    laid_out: dict[str, object] = {"exit": 0, "detection_equal": _scores(older) == _scores(summary)}
    if evmeval.has_coreference(older):
        laid_out["coref"] = _coreference(older)
        laid_out["document_coref_average"] = evmeval.document_averages(older)
    return laid_out


def _files(case: Case, summary: Summary) -> dict[str, bytes]:
    """The official texts that the case has, as lydite prints them; the pilot has two layouts."""
    texts: dict[str, bytes] = {}
    for name, (layout, version) in _TEXTS.items():
        if (case.folder / name).is_file():
            shown = summary
            if summary.settings["official-layout"] in {"evmeval-1.1", "evmeval-1.2"}:
                shown = replace(summary, settings={**summary.settings, "official-layout": version})
            texts[name] = layout(shown).encode("utf-8", "surrogateescape")
    return texts


def _scores(summary: Summary, metric: str = "detection") -> dict[str, object]:
    corpus, document = {"metric": metric, "scope": "corpus"}, {"metric": metric, "scope": "document"}
    laid_out = lay_out(
        summary.rows,
        Leaves("{average}/{measurement}", PERCENT, corpus),
        Leaves("documents/{document}", {"gold": "gold_total", "system": "system_total"}, document),
        Leaves("documents/{document}/{measurement}", {"tp": "gold_credit", **PERCENT}, document),
        names=evmeval.NAMES,
        blocks=("micro", "macro", "documents"),
    )
    if summary.settings["type-table-from-type-and-realis"]:
        names = {"gold": "gold", "system": "system", "p": "precision", "r": "recall", "f1": "f1"}
        laid_out["per_type"] = {
            row.name: {leaf: getattr(row, figure) for leaf, figure in names.items()}
            for row in evmeval.type_rows(summary)
        }
    return laid_out


_FRACTIONS: Mapping[str, Figure] = {"p": "precision", "r": "recall", "f1": "f1"}


def _pilot_scores(summary: Summary) -> dict[str, object]:
    laid_out: dict[str, object] = {"augmented": _scores(summary, "augmented")}
    for name, version in (("original", ""), ("original_v1.0", "-v1.0")):
        figures, accuracy = {"metric": f"original{version}"}, {"metric": f"accuracy{version}"}
        counts: dict[str, Figure] = {
            "gold": "gold_total",
            "tp": "gold_credit",
            "fp": lambda row: row.counts["system_total"] - row.counts["system_credit"],
        }
        laid_out[name] = lay_out(
            summary.rows,
            Leaves("{average}", _FRACTIONS, {**figures, "scope": "corpus"}),
            Leaves("{average}", {"{measurement}_accuracy": "value"}, {**accuracy, "scope": "corpus"}),
            Leaves("documents/{document}", {**_FRACTIONS, **counts}, {**figures, "scope": "document"}),
            Leaves(
                "documents/{document}", {"{measurement}_accuracy": "value"}, {**accuracy, "scope": "document"}
            ),
            blocks=("micro", "macro", "documents"),
        )
    return laid_out | lay_out(
        summary.corpus_rows(),
        Leaves("multiplicative", {"{measurement}": "value"}, {"metric": "multiplicative"}),
        Leaves(
            "muc_partial",
            {**_FRACTIONS, "cor": "correct", "par": "partial", "pos": "possible", "act": "actual"},
            {"metric": "muc-partial"},
        ),
        blocks=("multiplicative",),
    )


def validate(case: Case) -> CaseResult:
    """``nugget.validate``: whether the file is valid, and the findings that must be among those reported."""
    findings, _ = validate_file(_choice(case), case.path("input.tbf"))
    blocks: dict[str, object] = {"valid": not any(finding.severity == "error" for finding in findings)}
    blocks["must_fire"] = fired = []
    for entry in case.expected.get("must_fire", []):
        reported = findings
        if "profile" in entry:
            reported, _ = validate_file(_choice(case, str(entry["profile"])), case.path("input.tbf"))
        same_code = [_finding(finding, entry) for finding in reported if finding.code == entry["check"]]
        fired.append(entry if entry in same_code else next(iter(same_code), {}))
    return CaseResult(blocks, input_keys=("unit",))


def _finding(finding: Finding, entry: Mapping[str, object]) -> dict[str, object]:
    """A finding laid out like the entry of a case."""
    values = {
        "check": finding.code,
        "severity": finding.severity,
        "line": finding.location.line if finding.location else None,
        "document": finding.document,
        "mention": finding.item,
        "token": finding.item,
        "profile": entry.get("profile"),
    }
    return {key: values.get(key) for key in entry}


def convert(case: Case) -> CaseResult:
    """``nugget.convert``: the TBF that the conversion writes, beside ``expected.tbf``."""
    name = _FORMATS.get(str(case.expected.get("conversion")))
    if name is None:
        raise UsageError(f"no conversion {case.expected.get('conversion')!r}; known: {', '.join(_FORMATS)}")
    options: dict[str, object] = {"reading": case.reading}
    options |= {_OPTION_NAMES.get(key, key): value for key, value in case.options.items()}
    if options.get("unit") == "token":
        tokens = str(options.get("tokens", "tokens"))
        options["tokens"] = case.path(tokens if (case.folder / tokens).is_dir() else f"input/{tokens}")
    choice = UserChoice(task="nugget", format=FORMATS[name].name, options=options)
    corpus = convert_file(choice, case.path("input"))
    assert TBF.write is not None
    found = _tbf_lines(TBF.write(corpus).decode("utf-8"))
    expected = _tbf_lines((case.folder / "expected.tbf").read_text(encoding="utf-8"))
    return CaseResult({"tbf": found}, expected={"tbf": expected}, input_keys=("conversion",))


def _tbf_lines(text: str) -> Mapping[str, object]:
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


TEXT, ANNOTATION, TABLE = "text.txt", "annotation.ann", "expected.tab"
"""The file names of a text, its annotation (optional), and the table of the official maker."""


def tokenize(case: Case) -> CaseResult:
    """``nugget.tokenize``: tokens with offsets, warnings, and the table byte for byte.

    Other blocks are information: what the maker gives where it breaks its own rule, its UTF-16 offsets, what other
    versions of the tokeniser do.
    """
    case.refuse_other_options("doc_id", "separators")
    doc_id = str(case.options.get("doc_id", case.folder.name))
    if Path(doc_id).name != doc_id:
        raise UsageError(f"doc_id: expected the name of a document, found {doc_id!r}")
    with TemporaryDirectory() as name:
        folder = Path(name)
        annotated = (case.folder / ANNOTATION).exists()
        shutil.copy(case.path(TEXT), folder / f"{doc_id}.txt")
        if annotated:
            shutil.copy(case.path(ANNOTATION), folder / f"{doc_id}.ann")
        chosen = {"separators": case.options["separators"]} if "separators" in case.options else {}
        outcome = make_tables([folder], folder, annotation=folder if annotated else None, **chosen)
        if not outcome.written:
            raise InvalidInput(
                finding
                if (location := finding.location) is None
                else finding._replace(
                    location=location._replace(
                        path=case.path(ANNOTATION if location.path.endswith(".ann") else TEXT)
                    )
                )
                for finding in outcome.findings
            )
        text = (folder / f"{doc_id}.txt").read_bytes().decode("utf-8")
        table = (folder / f"{doc_id}.tab").read_bytes()
    rows = [row.split("\t") for row in table.decode("utf-8").split("\n")[:-1]]
    spans = [(int(begin), int(end)) for *_, begin, end in rows]
    blocks: dict[str, object] = {
        # The text as it stands in the document, which a table may not show.
        "tokens": [[begin, end, text[begin:end]] for begin, end in spans],
        "warnings": [finding.message for finding in outcome.findings if finding.code == "boundary-mismatch"],
    }
    return CaseResult(blocks, files={TABLE: table} if (case.folder / TABLE).exists() else {})

"""ACE: entities, values, times, relations and events, within and across documents (NIST 2005, 2007, 2008)."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Sequence

from lydite.checks import ace as checks
from lydite.errors import Finding, Location, Severity
from lydite.escaping import counted, first_of
from lydite.formats.lists import read_mapping
from lydite.formats.source import walk
from lydite.model import Corpus, Document
from lydite.model.ace import ENTITY, KINDS
from lydite.model.ace_settings import AceSettings
from lydite.pipeline.task import Checks, Diagnosis, Reading, Task, WholeCorpora
from lydite.profile import Profile
from lydite.tasks.ace.blocks import IN_BLOCKS
from lydite.tasks.ace.diagnosis import diagnose
from lydite.tasks.ace.elements import sampling_unit
from lydite.tasks.ace.measurements import (
    DocumentView,
    compare_corpora,
    headline,
    measurements,
    outcomes,
)
from lydite.tasks.ace.selection import elements_of, report_selection
from lydite.tasks.ace.weights import refuse_costly_excess_arguments, refuse_unknown_weights


def decide(profile: Profile[AceSettings], corpora: Sequence[Corpus]) -> dict[str, object]:
    """The kinds that gold has, where none were chosen; with targets, or where gold has nothing at all, entities only."""
    settings = profile.settings
    refuse_unknown_weights(settings)
    refuse_costly_excess_arguments(settings)
    if settings.kinds or not corpora:
        return {}
    if settings.targets:
        return {"kinds": (ENTITY,)}
    found: Collection[str] | None = corpora[0].facts.get("kinds")
    if found is None:
        found = {element.kind for element in elements_of(corpora[0].documents.values())}
    return {"kinds": tuple(kind for kind in KINDS if kind in found) or (ENTITY,)}


def check(document: Document, _side: str, settings: AceSettings) -> Iterable[Finding]:
    """Findings of one document."""
    return checks.check_document(document, settings, settings.inventories)


def check_submission(corpus: Corpus, _side: str, settings: AceSettings) -> Iterable[Finding]:
    """Findings only of validation: words that differ from the source text, if there is one."""
    from lydite.tasks.placing import check_corpus_words

    return check_corpus_words(corpus, settings, source_text)


def check_sound(corpus: Corpus, _side: str, settings: AceSettings) -> Iterable[Finding]:
    """Findings only of validation, on a side without errors: elements that a score cannot tell apart."""
    from lydite.align.ace_equivalents import equivalents

    return checks.report_equivalents(corpus, equivalents(corpus.documents.values(), settings))


def source_text(folder: str, doc_id: str, _settings: AceSettings) -> str | None:
    """The source text of a document as APF counts it: without markup, and with line ends of one character."""
    from lydite.formats.texts import kept_texts

    return kept_texts(folder, without_markup=True).text(doc_id)


def convert(corpus: Corpus, settings: AceSettings) -> Corpus:
    """The corpus as it is written in another format, with its words at their places in the text."""
    from lydite.tasks.placing import place_corpus

    return place_corpus(corpus, settings, source_text)


def check_corpus(corpus: Corpus, _side: str, settings: AceSettings) -> Iterable[Finding]:
    """Findings of one side."""
    return checks.check_corpus(corpus, settings)


def check_corpora(gold: Corpus, system: Corpus, settings: AceSettings) -> Iterable[Finding]:
    """Findings between the sides, and what is not scored."""
    yield from checks.check_corpora(gold, system)
    yield from report_selection(gold, settings)
    if settings.mentions and settings.use_name_similarity:
        message = "relation and event mentions are not defined with name similarity; they are not scored"
        hint = "the official scorer gives them wrong figures even for perfect output; leave --mentions out"
        yield Finding("not-defined", "note", message, hint=hint)
    if settings.mapping == "external-ids":
        for side in (gold, system):
            entities = [one for one in elements_of(side.documents.values()) if one.kind == ENTITY]
            if entities and not any(one.links for one in entities):
                message = "expected entities with an external_link, by which they are mapped; none has one"
                hint = "leave --mapping out: entities are then mapped by their value"
                yield Finding("no-external-ids", "warning", message, Location(side.path), hint=hint)
    if settings.prefer:
        yield from _unknown_preferences(gold, system, settings.prefer)


def _unknown_preferences(gold: Corpus, system: Corpus, path: str) -> Iterable[Finding]:
    """A finding for each side that lacks ids of the mapping to prefer, whose pairs can then decide nothing."""
    pairs = read_mapping(path)
    for position, (side, corpus) in enumerate((("gold", gold), ("system", system))):
        elements = list(elements_of(corpus.documents.values()))
        known = {element.id for element in elements}
        known |= {mention.id for element in elements for mention in element.mentions}
        unknown = sorted({pair[position] for pair in pairs} - known)
        if unknown:
            message = (
                f"expected ids of elements or mentions of {side} {corpus.path!r}, "
                f"found {counted(len(unknown), 'unknown id')}: {first_of(unknown)}"
            )
            hint = "pairs with an unknown id decide nothing; check that the mapping is of these two sides"
            yield Finding("unknown-preferred-id", "warning", message, Location(path), hint=hint)


def check_comparison(view: DocumentView, _settings: AceSettings) -> Iterable[Finding]:
    """Findings about a comparison, told with its first document: values that hang on a tie."""
    if view.doc_id != view.whole.doc_ids[0]:
        return
    for name, section in view.scored_sections().items():
        if (ties := section.ties) is not None:
            message = (
                f"{name}: several mappings have the largest total of gains, and they are not worth the same: "
                f"{'' if ties.exact else 'at least '}{100 * ties.lowest:.2f} to {100 * ties.highest:.2f}; "
                f"the one that is reported is worth {100 * ties.own:.2f}"
            )
            hint = (
                "the official scorer takes one of them in the order of a hash, so its value can be any of these; "
                "--prefer FILE decides between them"
            )
            yield Finding("mapping-tie", "warning", message, Location(view.system_path), hint=hint)


def severity(finding: Finding, settings: AceSettings) -> Severity:
    """The severity of a finding: that of the profile, or a warning for what its program overlooks, read as-official."""
    if finding.code in settings.errors:
        return "error"
    if settings.reading == "as-official" and finding.code in settings.official_warnings:
        return "warning"
    return finding.severity


def choose_format(_settings: AceSettings, path: str) -> str | None:
    """APF for every file, since lists of files can have any name, and for folders with such files."""
    if not os.path.isdir(path) or any(  # noqa: PTH112 - text in, text out
        name.lower().removesuffix(".gz").endswith((".xml", ".apf"))
        for _, _, names in walk(path)
        for name in names
    ):
        return "apf"
    return None


ACE = Task(
    name="ace",
    title="ACE: entities, values, times, relations, events",
    layers=("ace",),
    default_profile="ace08-local",
    settings=AceSettings,
    headline=headline,
    measurements=measurements,
    compare=WholeCorpora(compare_corpora, IN_BLOCKS),
    checks=Checks(
        document=(check,),
        submission=(check_submission,),
        sound=(check_sound,),
        corpus=(check_corpus,),
        corpora=(check_corpora,),
        comparison=(check_comparison,),
        severity=severity,
    ),
    reading=Reading(choose_format=choose_format, decide=decide, source_text=source_text, convert=convert),
    outcomes=outcomes,
    diagnosis=Diagnosis(diagnose),
    sampling_unit=sampling_unit,
    judging="queue",
    settings_for_all_measurements=(("kinds", KINDS), ("recognition", True)),
    examples=(
        ("ace gold/ system/", "the value of ACE 2008"),
        ("ace gold/ --runs runs/", "one table, best first"),
        ("ace gold/ system/ --profile ace05 --kinds entity,relation", "rules and kinds of 2005"),
        ("ace gold/ system/ --by type", "broken down by type"),
        ("ace gold/ system/ --profile ace08-global", "entities across documents"),
    ),
    cite=("doddington2004ace",),
    explained_at="lydite.tasks.ace.verdicts:EXPLAINER",
)

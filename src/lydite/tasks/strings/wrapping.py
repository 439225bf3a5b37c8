"""Tasks whose items may also be compared by their words alone: a profile decides, and the rest of the task stays as it is."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import ParamSpec, TypeVar, cast

from lydite.errors import Finding, Location, UsageError
from lydite.model import Corpus, Document, DocumentPair
from lydite.model.outcome import Outcome
from lydite.model.string_items import STRINGS_LAYER
from lydite.pipeline.sides import content_of, documents_of
from lydite.pipeline.task import AnyTask, Checks, Diagnosis, Headline, PerDocument
from lydite.profile import AnyProfile
from lydite.tasks.outcomes import Compared, diagnose_outcomes, gold_outcomes
from lydite.tasks.strings import rules
from lydite.tasks.strings.settings import StringSettings

P = ParamSpec("P")
T = TypeVar("T")

FORMATS = {"entities": "entities", "relations": "relations", "events": "event-strings"}
"""The format of the files of a layer."""


def by_words(settings: StringSettings) -> bool:
    """Whether items are compared by their words alone."""
    return settings.compare_strings != "none"


def with_strings(task: AnyTask, layer: str, explained_at: str) -> AnyTask:
    """The task, with the rules for strings under the profiles that ask for them."""
    stage, checks, reading = task.compare, task.checks, task.reading
    assert isinstance(stage, PerDocument)

    def compare(pair: DocumentPair, settings: StringSettings) -> object:
        return rules.compare(pair, layer, settings) if by_words(settings) else stage.compare(pair, settings)

    def prepare(document: Document, settings: StringSettings) -> Document:
        return document if by_words(settings) else stage.prepare(document, settings)

    def pair_documents(gold: Corpus, system: Corpus, settings: StringSettings) -> Collection[str]:
        if by_words(settings):
            return documents_of(gold, system, either_side=True)
        return stage.pair_documents(gold, system, settings)

    def decide(profile: AnyProfile, corpora: Sequence[Corpus]) -> Mapping[str, object]:
        if not by_words(profile.settings):
            if not profile.settings.ground:
                _refuse_words_alone(profile, corpora)
            return reading.decide(profile, corpora)
        _refuse(profile, layer)
        return rules.decide(layer, profile, corpora)

    def choose_format(settings: StringSettings, path: str) -> str | None:
        is_lines = not path.lower().removesuffix(".gz").endswith(".lydite.jsonl")
        if by_words(settings):
            return FORMATS[layer] if is_lines else None
        return reading.choose_format(settings, path)

    def content(document: Document, settings: StringSettings) -> Iterable[str]:
        return content_of(document, settings) if by_words(settings) else reading.content(document, settings)

    def match_documents(
        gold: Corpus, systems: Sequence[Corpus], settings: StringSettings
    ) -> tuple[Corpus, Sequence[Corpus]]:
        return (gold, systems) if by_words(settings) else reading.match_documents(gold, systems, settings)

    def outcomes(compared: object, settings: StringSettings, figure: Headline) -> Iterable[Outcome] | None:
        if not isinstance(compared, Compared):
            return task.outcomes(compared, settings, figure)
        counts_items = figure.measurement == rules.headline(layer, settings).measurement
        return gold_outcomes(compared) if counts_items else None

    def diagnose(compared: object) -> Mapping[str, object]:
        if isinstance(compared, Compared):
            return diagnose_outcomes(compared)
        return task.diagnosis.of_document(compared)

    def corpora(gold: Corpus, system: Corpus, settings: StringSettings) -> Iterator[Finding]:
        if by_words(settings):
            yield from _on_one_side(gold, system, settings)
        else:
            for check in checks.corpora:
                yield from check(gold, system, settings)

    return task._replace(
        layers=(*task.layers, STRINGS_LAYER),
        headline=lambda settings: (
            rules.headline(layer, settings) if by_words(settings) else task.headline(settings)
        ),
        measurements=lambda settings: (
            rules.measurements(layer, settings) if by_words(settings) else task.measurements(settings)
        ),
        derive=lambda settings: () if by_words(settings) else task.derive(settings),
        compare=PerDocument(compare, prepare=prepare, pair_documents=pair_documents),
        checks=Checks(
            document=_unless_by_words(checks.document),
            submission=_unless_by_words(checks.submission),
            sound=_unless_by_words(checks.sound),
            corpus=_unless_by_words(checks.corpus),
            corpora=(corpora,),
            pair=_unless_by_words(checks.pair),
            comparison=_unless_by_words(checks.comparison),
            findings=_unless_by_words(checks.findings),
            severity=checks.severity,
            severity_unscored=checks.severity_unscored,
        ),
        reading=reading._replace(
            choose_format=choose_format, decide=decide, content=content, match_documents=match_documents
        ),
        outcomes=outcomes,
        diagnosis=Diagnosis(diagnose, task.diagnosis.for_layout, task.diagnosis.join),
        explained_at=explained_at,
    )


def _unless_by_words(
    checks: Iterable[Callable[P, Iterable[Finding]]],
) -> tuple[Callable[P, Iterable[Finding]], ...]:
    """The checks, which look at offsets; they find nothing where these do not count."""

    def unless(check: Callable[P, Iterable[Finding]]) -> Callable[P, Iterable[Finding]]:
        def guarded(*args: P.args, **kwargs: P.kwargs) -> Iterable[Finding]:
            settings = cast("StringSettings", args[-1])
            return () if by_words(settings) else check(*args, **kwargs)

        return guarded

    return tuple(map(unless, checks))


def _refuse(profile: AnyProfile, layer: str) -> None:
    """Refuse a rule that the layer does not have, and words that are placed and compared without places."""
    settings: StringSettings = profile.settings
    if layer not in rules.RULES[settings.compare_strings]:
        have = ", ".join(name for name, layers in rules.RULES.items() if layer in layers)
        message = f"setting 'compare-strings': {settings.compare_strings!r} has no rules for {layer}"
        raise UsageError(message, hint=f"choose from: {have}")
    if settings.ground:
        message = f"profile {profile.name!r} compares words alone, and --ground places them"
        raise UsageError(message, hint="leave --ground out, or choose a profile of offsets (--profile exact)")


def _refuse_words_alone(profile: AnyProfile, corpora: Sequence[Corpus]) -> None:
    """Refuse files without offsets under a profile that compares these, which would score nothing."""
    for corpus in corpora:
        if corpus.format in FORMATS.values() and len(corpus):
            have_texts = any(document.text is not None for document in corpus.documents.values())
            texts = "the texts are in the file" if have_texts else "name the folder of texts with --documents"
            places = f"; --ground places them in the text ({texts})" if "ground" in profile.declared else ""
            message = f"{corpus.path}: words without offsets, and profile {profile.name!r} compares places"
            raise UsageError(message, hint=f"--profile strings compares words alone{places}")


def _on_one_side(gold: Corpus, system: Corpus, settings: StringSettings) -> Iterator[Finding]:
    """Documents that one of the sides lacks."""
    for doc_id in gold.documents:
        if doc_id not in system.documents:
            message = f"document {doc_id!r} is missing in {system.name}; it counts as empty"
            yield Finding("document-missing-in-system", "warning", message, Location(system.path), doc_id)
    counts = settings.compare_strings == "forms"
    for doc_id in system.documents:
        if doc_id not in gold.documents:
            consequence = "all its items are spurious" if counts else "it is not scored"
            message = f"document {doc_id!r} of {system.name} is not in gold; {consequence}"
            yield Finding("document-missing-in-gold", "warning", message, Location(system.path), doc_id)

"""Queues, decisions, and the scores and gold that follow from them; only this module of the app calls the library."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from django.db import transaction
from django.db.models import Max

from lydite.adjudication.apply import SystemReport
from lydite.adjudication.decisions import COLUMNS, UNSURE, LoggedDecision, resolve
from lydite.adjudication.files import (
    AdjudicationChoice,
    AdjudicationDocument,
    adjudication_report,
    choose_adjudication,
    read_corpora,
)
from lydite.adjudication.pool import PoolItem, draw_sample, map_targets, pool, queue_row
from lydite.adjudication.scores import DOWN, OPEN, UP
from lydite.annotators import Adjudication, adjudicate_files
from lydite.annotators.adjudicating import SheetItem
from lydite.errors import InputError
from lydite.escaping import counted
from lydite.facade.choosing import UserChoice
from lydite.formats import FORMATS
from lydite.formats.archives import ARCHIVES
from lydite.formats.numbered_lines import filled_lines
from lydite.formats.rewriting import file_name, refuse_shared_names, rewrite_documents
from lydite.formats.texts import kept_texts
from lydite.grouping import grouped
from lydite.model import Corpus
from lydite.writing import archive_bytes
from lydite_workbench.accounts.models import User
from lydite_workbench.accounts.services import record
from lydite_workbench.adjudication.models import Decision, Queue, QueueFile, QueueItem, QueueKind
from lydite_workbench.campaigns.models import Campaign, GoldVersion, Run
from lydite_workbench.campaigns.setup import file_of, profile_of
from lydite_workbench.problems import LONGEST_NOTE, BadInput, Refused, refuse_long, refuse_unstorable
from lydite_workbench.records import csv_text, sheet_lines
from lydite_workbench.rights import ADJUDICATE, Caller, may
from lydite_workbench.store import Upload, path_under_name

LONGEST_ID = 300
SEED = 1
"""The seed for drawing items, which is stored in the rules of a queue."""
TEXTS = ("documents", "text")
"""The settings of a campaign whose files have its texts."""


class DecisionChoice(NamedTuple):
    """A possible decision: the stored value, its key on the keyboard, and its label."""

    value: str
    key: str
    label: str


THUMBS = (
    DecisionChoice(UP, "y", "yes, it is"),
    DecisionChoice(DOWN, "n", "no, it is not"),
    DecisionChoice(UNSURE, "s", "unsure"),
)


# --------------------------------------------------------------------------------------------------- ACE targets


def make_target_queue(
    campaign: Campaign, runs: Sequence[Run], targets: Upload, *, max_items: int | None = None, caller: Caller
) -> Queue:
    """Make a queue of what the runs found for the targets and gold does not have."""
    if campaign.judging != "queue" or campaign.gold is None:
        raise Refused("no-queue", "a queue of targets needs a campaign of ACE with gold")
    if not runs:
        raise Refused("no-runs", "choose at least one valid run")
    # The runs are read before the database is locked.
    asked, corpora = _read_corpora(campaign, campaign.gold, targets.path, runs)
    found = _sampled_items(asked, corpora, max_items, SEED)
    rows = [queue_row(item, with_systems=False, text=None) for item in found]
    text_of, profiles = _text_lookup(campaign), _target_profiles(targets.path)
    items = [(row["item_id"], _target_item(row, profiles, text_of(row["docid"]))) for row in rows]
    with transaction.atomic():
        queue = Queue.objects.create(
            campaign=campaign,
            kind=QueueKind.TARGETS,
            title="What was found for targets",
            rules={"max_items": max_items, "seed": SEED, "gold": campaign.gold.number},
        )
        queue.runs.set(runs)
        _add_files(queue, [targets])
        _add_items(queue, items)
        record(caller, "queue.make", queue.public_id, campaign=campaign, items=len(items))
    return queue


def _add_files(queue: Queue, uploads: Sequence[Upload], texts: Upload | None = None) -> None:
    for position, upload in enumerate((*uploads, *([texts] if texts else ()))):
        QueueFile.objects.create(
            queue=queue, name=upload.safe_name, position=position, has_texts=upload is texts, file=upload.row
        )


def _paths(queue: Queue, *, has_texts: bool = False) -> list[Path]:
    return [path_under_name(kept.file_id, kept.name) for kept in queue.files.filter(has_texts=has_texts)]


def _add_items(queue: Queue, items: Iterable[tuple[str, Mapping[str, object]]]) -> None:
    made = [
        QueueItem(queue=queue, name=name, position=position, data=dict(data))
        for position, (name, data) in enumerate(items)
    ]
    for item in made:
        refuse_long("id of an item", item.name, LONGEST_ID)
        refuse_unstorable(item.name, [item.name, item.data])
    QueueItem.objects.bulk_create(made)


def _target_corpora(queue: Queue) -> tuple[AdjudicationChoice, list[Corpus]]:
    paths = _paths(queue)
    # The gold that the items were made with; it may have been replaced since.
    version = queue.campaign.golds.filter(number=queue.rules.get("gold")).first()
    if version is None or not paths:
        raise Refused("no-targets", "the queue has no targets, or its campaign no gold")
    return _read_corpora(queue.campaign, version, paths[0], list(queue.runs.all()))


def _read_corpora(
    campaign: Campaign, gold: GoldVersion, targets: Path, runs: Sequence[Run]
) -> tuple[AdjudicationChoice, list[Corpus]]:
    """What is asked about the targets, and the corpora: gold, then the runs."""
    asked = choose_adjudication(profile_of(campaign), str(targets), settings=_settings(campaign))
    paths = [str(path_under_name(run.file_id, run.file_name)) for run in runs]
    return asked, read_corpora(asked, str(path_under_name(gold.file_id, gold.name)), paths)


def _settings(campaign: Campaign) -> dict[str, object]:
    """The settings of a campaign with the paths of its files, except archives, which pages do not unpack."""
    files = {
        setting: str(path_under_name(held.file_id, held.name))
        for setting, held in campaign.files_by_setting.items()
        if setting != "profile" and not held.name.endswith(ARCHIVES)
    }
    return {**campaign.settings, **files}


def _target_profiles(targets: Path) -> dict[str, Mapping[str, object]]:
    """The profile of each target (names, aliases, facts) by its id, from a file of JSON lines."""
    found: dict[str, Mapping[str, object]] = {}
    for _, line in filled_lines(str(targets)):
        if line.lstrip().startswith("{"):
            entry = json.loads(line)
            found[str(entry.get("id"))] = entry
    return found


def _target_item(
    row: Mapping[str, str], profiles: Mapping[str, Mapping[str, object]], text: str | None
) -> dict[str, object]:
    profile = profiles.get(row["target_id"], {})
    kinds = ("aliases", "variants")
    names = [{"kind": kind, "text": name} for kind in kinds for name in _as_texts(profile.get(kind))]
    # Heads in audio and images have no place in the text.
    ends = row["head_start"], row["head_end"]
    mark = [int(ends[0]), int(ends[1]) + 1] if all(map(str.isdecimal, ends)) else None
    return {
        "title": f"Is this {row['handle']}?",
        "document": row["docid"],
        "target": {"handle": row["handle"], "names": names, "facts": list(_as_texts(profile.get("facts")))},
        "said": [],
        "mark": mark,
        "words": row["head_text"],
        "has_text": text is not None,
    }


def _as_texts(values: object) -> Iterator[str]:
    """Names or facts of a profile as texts, with the ``source`` of those that are objects."""
    for one in values if isinstance(values, list) else ():
        entry = one if isinstance(one, dict) else {"text": one}
        source = f" ({entry['source']})" if entry.get("source") else ""
        yield f"{entry.get('text') or ''}{source}"


def text_lookup(queue: Queue) -> Callable[[str], str | None]:
    """A function from a document to its text, of the queue or else of its campaign; None if there is none."""
    return _text_lookup(queue.campaign, *_paths(queue, has_texts=True))


def _text_lookup(campaign: Campaign, *given: Path) -> Callable[[str], str | None]:
    found = next(filter(None, [*map(str, given), *(file_of(campaign, name) for name in TEXTS)]), None)
    return (lambda _doc_id: None) if found is None else kept_texts(found, without_markup=True).text


class TargetScores(AdjudicationDocument):
    """The document of ``assess apply``, and ``before``: its systems without any decision."""

    before: dict[str, SystemReport]


def target_scores(queue: Queue) -> TargetScores:
    """The scores of every run with the decisions, as ``assess apply`` gives them, and without any decision."""
    asked, corpora = _target_corpora(queue)
    text_of = text_lookup(queue)
    items = _sampled_items(asked, corpora, queue.rules["max_items"], queue.rules["seed"])
    by_id = {item.item_id: item for item in items}
    before, after = (
        adjudication_report(asked, corpora, by_id, decisions, text_of=text_of, resamples=0, seed=SEED)
        for decisions in ([], _logged_decisions(queue))
    )
    return {**after, "systems": _reports_by_run(queue, after), "before": _reports_by_run(queue, before)}


def _reports_by_run(queue: Queue, report: AdjudicationDocument) -> dict[str, SystemReport]:
    labels = [run.label for run in queue.runs.select_related("team")]
    return dict(zip(labels, report["systems"].values(), strict=True))


def _sampled_items(
    asked: AdjudicationChoice, corpora: Sequence[Corpus], max_items: int | None, seed: int
) -> list[PoolItem]:
    """The items that the runs found and gold does not have, or a sample of them; the same every time."""
    items = pool(map_targets(corpora[0], corpora[1:], asked.profile), asked.granularity)
    return draw_sample(items, max_items, seed)


def _logged_decisions(queue: Queue, name_of: Callable[[int], str] | None = None) -> list[LoggedDecision]:
    """The current decisions as the command reads them."""
    return [
        LoggedDecision(
            decision.item.name,
            decision.judge.name if name_of is None else name_of(decision.judge_id),
            decision.decision,
            decision.at.isoformat(),
            decision.note,
        )
        for decision in current_decisions(queue)
    ]


class DecisionDialect(csv.excel_tab):
    """Tab-separated columns without quoting."""

    lineterminator = "\n"
    quoting = csv.QUOTE_NONE
    quotechar = None


def decisions_file(queue: Queue, *, name_of: Callable[[int], str] | None = None) -> str:
    """The decisions in the format of ``assess apply``; ``name_of`` gives another name for the key of a judge."""
    rows = [
        (line.item_id, line.judge, line.decision, line.time, " ".join(line.note.split()))
        for line in _logged_decisions(queue, name_of)
    ]
    return csv_text([COLUMNS, *rows], DecisionDialect)


# ---------------------------------------------------------------------------------------------------- annotators


def make_annotator_queue(
    campaign: Campaign, annotators: Sequence[Upload], *, texts: Upload | None = None, caller: Caller
) -> Queue:
    """Make a queue of the items on which annotators differ, to be shown in these texts or those of the campaign."""
    if len(annotators) < 2:
        raise BadInput("one-annotator", "send the files of at least two annotators")
    # The files are compared before the database is locked.
    found = _adjudication(campaign, [upload.path for upload in annotators])
    differences = list(found.differences())
    text_of = _text_lookup(campaign, *([texts.path] if texts else ()))
    if texts is not None and all(text_of(item.document) is None for item in differences):
        sentence = f"{texts.name} has no text of a document on which the annotators differ"
        raise BadInput("other-texts", sentence)
    title = f"Where {', '.join(upload.safe_name for upload in annotators)} differ"[:200]
    with transaction.atomic():
        queue = Queue.objects.create(campaign=campaign, kind=QueueKind.ANNOTATORS, title=title)
        _add_files(queue, annotators, texts)
        _add_items(queue, [(item.name, _annotator_item(item, found)) for item in differences])
        record(caller, "queue.make", queue.public_id, campaign=campaign, items=len(differences))
    return queue


def _adjudication(campaign: Campaign, annotators: Sequence[Path]) -> Adjudication:
    choice = UserChoice(campaign.task, profile_of(campaign), campaign.format or None, _settings(campaign))
    return adjudicate_files(choice, [str(path) for path in annotators])


def _adjudication_of(queue: Queue) -> Adjudication:
    return _adjudication(queue.campaign, _paths(queue))


def _annotator_item(item: SheetItem, found: Adjudication) -> dict[str, object]:
    question = item.question
    return {
        "title": f"Which {question.kind} is right?",
        "document": item.document,
        "target": None,
        "said": [
            {"letter": letter, "shown": "" if one is None else one.text}
            for letter, one in zip(found.letters, question.statements, strict=True)
        ],
        "suggestion": item.suggestion(found.letters),
        "expects": found.expects(item),
        "mark": list(question.place) if question.place else None,
        "words": "",
        "has_text": question.place is not None,
    }


def gold_from(queue: Queue, *, undecided: str | None = None) -> Corpus:
    """The gold of the decisions as a corpus; ``undecided`` says what to do with items that are not decided (None: refuse)."""
    found = _adjudication_of(queue)
    with TemporaryDirectory(prefix="lydite-decisions-") as folder:
        sheet = Path(folder) / "decisions.csv"
        sheet.write_text(_filled_sheet(queue, found), encoding="utf-8", newline="")
        try:
            gold, _ = found.gold(sheet, undecided=undecided)
        except InputError as error:
            waiting = [finding for finding in error.findings if finding.code == "undecided-item"]
            if waiting:
                raise Refused("undecided", f"{counted(len(waiting), 'item')} not decided yet") from None
            raise
    return gold


def gold_formats(campaign: Campaign) -> list[str]:
    """The formats in which gold of a campaign can be written."""
    return [name for name in FORMATS if FORMATS[name].write and campaign.task in FORMATS[name].tasks]


def gold_file(queue: Queue, format_name: str, *, undecided: str | None = None) -> tuple[str, bytes]:
    """The name and the bytes of the gold of the decisions in a format, an archive if documents have files of their own."""
    if format_name not in gold_formats(queue.campaign):
        known = ", ".join(gold_formats(queue.campaign))
        raise BadInput("no-format", f"gold can be written as {known}, not as {format_name!r}")
    target, gold = FORMATS[format_name], gold_from(queue, undecided=undecided)
    documents = rewrite_documents(gold, target)
    if target.holds_many:
        return f"gold{target.extensions[0]}", b"".join(written.data for written in documents)
    refuse_shared_names(gold, target)
    files = (
        (f"{folder}{file_name(written.document.doc_id, target)}", data)
        for written in documents
        for folder, data in written.by_folder()
    )
    return "gold.zip", archive_bytes(files)


def _filled_sheet(queue: Queue, found: Adjudication) -> str:
    """The sheet of ``lydite adjudicate``, filled with the decisions of the queue."""
    decisions = majority_decisions(queue)
    head, *rows = found.sheet()
    for row in rows:
        one = decisions.get(row[0])
        row[-3:] = (one.decision, one.edited, one.note) if one else ("", "", "")
    return csv_text([head, *rows])


def decision_log(queue: Queue) -> Iterator[str]:
    """The log of all decisions, as lines of CSV."""
    decisions = Decision.objects.filter(item__queue=queue).select_related("item", "judge").order_by("id")
    rows = (
        (
            one.item.name,
            one.judge.name,
            one.decision or "taken back",
            one.edited,
            one.at.isoformat(),
            one.note,
        )
        for one in decisions.iterator()
    )
    return sheet_lines(chain([["item", "judge", "decision", "edited", "at", "note"]], rows))


# ----------------------------------------------------------------------------------------------------- decisions


def choices_of(item: QueueItem) -> tuple[DecisionChoice, ...]:
    """The possible decisions on an item."""
    if item.queue.kind == QueueKind.TARGETS:
        return THUMBS
    said = ((one["letter"], one["shown"] or "nothing here") for one in item.data["said"])
    letters = (DecisionChoice(letter, letter, shown) for letter, shown in said)
    return (*letters, DecisionChoice("both", "m", "both"), DecisionChoice("neither", "x", "neither"))


@transaction.atomic
def decide(item: QueueItem, judge: User, decision: str, *, edited: str = "", note: str = "") -> Decision:
    """Add a decision, or an edited value instead of one; without either the decision before is taken back."""
    known = {choice.value for choice in choices_of(item)}
    if decision and decision not in known and not (edited and item.queue.kind == QueueKind.ANNOTATORS):
        raise BadInput("bad-decision", f"expected one of {', '.join(sorted(known))}, found {decision!r}")
    refuse_long("edited", edited, 500)
    refuse_long("note", note, LONGEST_NOTE)
    if edited and item.queue.kind != QueueKind.ANNOTATORS:
        raise BadInput("bad-edit", "only items of annotators can be edited")
    if edited:
        expected = _adjudication_of(item.queue).expected_instead(item.data["document"], item.name, edited)
        if expected is not None:
            raise BadInput("bad-edit", f"expected {expected}, found {edited!r}")
    fields = {"decision": "edit" if edited else decision, "edited": edited, "note": note}
    before = Decision.objects.filter(item=item, judge=judge).order_by("-id").first()
    if before and all(getattr(before, field) == value for field, value in fields.items()):
        # Sent twice, because the response got lost.
        return before
    return Decision.objects.create(item=item, judge=judge, **fields)


def current_decisions(queue: Queue, **filters: User) -> list[Decision]:
    """The last decision of every person, or of ``judge``, on every item, in their order, without those taken back."""
    by_item_and_judge = Decision.objects.filter(item__queue=queue, **filters).values("item", "judge")
    newest = by_item_and_judge.annotate(newest=Max("id")).values("newest")
    found = Decision.objects.filter(pk__in=newest).exclude(decision="").select_related("item", "judge")
    return list(found.order_by("id"))


def majority_decisions(queue: Queue) -> dict[str, Decision]:
    """By item the decision of more than half of those who decided; without such a majority the item is not decided."""
    by_item = grouped((decision.item.name, decision) for decision in current_decisions(queue))
    by_majority = {}
    for name, decisions in by_item.items():
        votes = [(one.decision, one.edited) for one in decisions]
        best = max(votes, key=votes.count)
        if 2 * votes.count(best) > len(votes):
            by_majority[name] = decisions[votes.index(best)]
    return by_majority


def decisions_by(queue: Queue, judge: User) -> dict[str, Decision]:
    """The current decisions of one person, by the id of the item."""
    return {one.item.public_id: one for one in current_decisions(queue, judge=judge)}


class QueueProgress(NamedTuple):
    """How many items of a queue are decided, and by how many people."""

    queue: Queue
    items: int
    decided: int
    judges: int


def queues_of(campaign: Campaign) -> list[QueueProgress]:
    """The queues of a campaign with their progress."""
    judges = Decision.objects.values("judge").distinct()
    return [
        QueueProgress(queue, queue.items.count(), _decided(queue), judges.filter(item__queue=queue).count())
        for queue in Queue.objects.filter(campaign=campaign)
    ]


def _decided(queue: Queue) -> int:
    """How many items are decided: those of targets by the rule of the command, for which ``unsure`` does not count."""
    if queue.kind == QueueKind.TARGETS:
        return sum(one.verdict != OPEN for one in resolve(_logged_decisions(queue)).values())
    return len(majority_decisions(queue))


def open_queues(judge: User) -> list[Queue]:
    """The queues that a person may decide on."""
    found, caller = Queue.objects.select_related("campaign").order_by("created"), Caller(judge)
    return [queue for queue in found if may(caller, ADJUDICATE, queue.campaign)]

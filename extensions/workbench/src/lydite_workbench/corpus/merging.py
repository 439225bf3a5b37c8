"""Merging entities across documents: the merge log, its state, proposals and export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from django.db import transaction
from django.utils import timezone

from lydite.errors import Finding, FormatError, InvalidInput, LyditeError, errors_among
from lydite.escaping import counted
from lydite.formats import FORMATS
from lydite.formats.source import Source, open_source
from lydite.grouping import grouped
from lydite.model import Corpus
from lydite.model.ace_names import normalise
from lydite.writing import archive_bytes, json_lines
from lydite_corpus.index import Index
from lydite_corpus.merge import (
    KEYS,
    DocumentEntity,
    Operation,
    State,
    check_operation,
    effective_operations,
    entities_of,
    replay,
)
from lydite_corpus.merge_export import find_conflicts, merged_files, read_corpus
from lydite_corpus.proposals import Proposer, names_of
from lydite_workbench.accounts.models import User
from lydite_workbench.corpus.models import Collection, MergeOperation, Part
from lydite_workbench.corpus.services import file_of, open_collection_index, profiles_of
from lydite_workbench.problems import BadInput, Refused

MOST_PROPOSED = 10
MOST_FOUND = 30
"""The most entities that a search lists."""
AROUND = 200
"""Characters of the text on either side of a mention that is inspected."""


class AnnotatedDocuments(NamedTuple):
    """The annotated documents of a collection, read once."""

    source: Source
    corpus: Corpus
    entities: Mapping[str, DocumentEntity]
    holders: Mapping[tuple[str, str], Sequence[str]]
    """TYPE and name → the members with that name."""


@lru_cache(maxsize=4)
def _read_annotated(path: str) -> AnnotatedDocuments:
    """Annotated documents by the path of a stored file, which never changes."""
    source = open_source(path, extensions=FORMATS["apf"].extensions)
    corpus = read_corpus(source)
    entities = entities_of(corpus)
    holders = grouped(
        ((_entity_type(entity), name), member)
        for member, entity in entities.items()
        for name in names_of(entity)
    )
    return AnnotatedDocuments(source, corpus, entities, holders)


def _entity_type(entity: DocumentEntity) -> str:
    return str(entity.element.attributes.get("TYPE", ""))


def _existing_member(gold: AnnotatedDocuments, member: str) -> str:
    if member not in gold.entities:
        raise BadInput("no-member", f"expected a member DOCUMENT#ENTITY, found {member!r}")
    return member


def gold_of(collection: Collection) -> AnnotatedDocuments:
    """The annotated documents of a collection."""
    path = file_of(collection, Part.GOLD)
    if path is None:
        raise Refused("no-gold", "the collection has no annotated documents whose entities could be merged")
    return _read_annotated(str(path))


@lru_cache(maxsize=4)
def _cached_proposer(path: str, collection: Collection) -> Proposer:
    with open_collection_index(collection) as index:
        return Proposer(_read_annotated(path).entities, lambda doc_id: _text(index, doc_id))


def proposer_of(collection: Collection) -> Proposer:
    """The ranking of entities that may be the same, with the texts of the collection as contexts."""
    gold_of(collection)
    return _cached_proposer(str(file_of(collection, Part.GOLD)), collection)


def _text(index: Index, doc_id: str) -> str | None:
    """The text of a document; None if there is none, or if it has tags, which offsets of APF do not count."""
    try:
        return None if index.record(doc_id).markup else index.text(doc_id)
    except LyditeError:
        return None


# ------------------------------------------------------------------------------------------------------ the log


def log_of(collection: Collection) -> list[tuple[int, Operation]]:
    """The lines of the merge log, numbered as in its file."""
    return list(enumerate(collection.operations.values_list("data", flat=True), 1))


def log_lines(collection: Collection) -> str:
    """The merge log as ``corpus merge`` reads it."""
    return json_lines(data for _, data in log_of(collection))


def state_of(collection: Collection) -> State:
    """The state after all lines of the merge log."""
    return replay(gold_of(collection).entities, log_of(collection), "log")


@transaction.atomic
def operate(collection: Collection, asked: Mapping[str, object], person: User) -> list[Operation]:
    """Add an operation to the merge log, if it is still possible; ``equal`` becomes a merge with each entity of equal name."""
    Collection.objects.select_for_update().get(pk=collection.pk)
    operations: list[dict[str, object]]
    if asked.get("op") == "equal":
        member = _existing_member(gold_of(collection), str(asked.get("a")))
        equal = members_of_equal_name(collection, state_of(collection), member)
        operations = [{"op": "merge", "a": member, "b": other} for other in equal]
    else:
        op = str(asked.get("op"))
        operations = [{"op": op, **{key: asked.get(key) for key in KEYS.get(op, ())}}]
    log = log_of(collection)
    entities = gold_of(collection).entities
    made = []
    for one in operations:
        operation = _checked_operation(one, person)
        if operation["op"] == "undo":
            _refuse_undo_of_others(log, operation, person)
        log.append((len(log) + 1, operation))
        made.append(operation)
    try:
        replay(entities, log, "log")
    except FormatError as error:
        raise Refused("cannot-be-done", error.findings[-1].message) from None
    MergeOperation.objects.bulk_create(MergeOperation(collection=collection, data=one) for one in made)
    return made


def _checked_operation(fields: Mapping[str, object], person: User) -> Operation:
    now = timezone.now().isoformat(timespec="seconds")
    try:
        return check_operation({**fields, "time": now, "user": person.name})
    except ValueError as error:
        raise BadInput("bad-operation", str(error)) from None


def _refuse_undo_of_others(log: Sequence[tuple[int, Operation]], undo: Operation, person: User) -> None:
    """Refuse an undo of operations of other people, which may have come meanwhile."""
    last = effective_operations(log)[-undo["n"] :]
    if not last:
        raise Refused("nothing-to-undo", "there is nothing to undo")
    other = next((one["user"] for _, one in last if one["user"] != person.name), None)
    if other is not None:
        sentence = f"the last operation is by {other}; only {other} can undo it, but you can split the entity"
        raise Refused("not-yours", sentence)


def members_of_equal_name(collection: Collection, state: State, member: str) -> list[str]:
    """One member of every other global entity of the same TYPE that shares a name with that of ``member``.

    Names that several targets share, or that profiles call confusable, do not count.
    """
    gold = gold_of(collection)
    type_ = _entity_type(gold.entities[member])
    names = {name for one in state.members_with(member) for name in names_of(gold.entities[one])}
    excluded = state.rejected_groups(member) | {state.group[member]}
    found: dict[int, str] = {}
    for name in sorted(names - _confusable(collection)):
        for other in gold.holders.get((type_, name), ()):
            if state.group[other] not in excluded:
                found.setdefault(state.group[other], other)
    return list(found.values())


def _confusable(collection: Collection) -> set[str]:
    owners: dict[str, set[str]] = {}
    for profile in profiles_of(collection):
        for name in profile.names:
            owners.setdefault(normalise(name), set()).add(profile.id)
            if profile.confusable_with:
                owners[normalise(name)].update(profile.confusable_with)
    return {name for name, held in owners.items() if len(held) > 1}


# -------------------------------------------------------------------------------------------------- the screen


def work_data(collection: Collection, member: str, query: str) -> dict[str, object]:
    """The entity that is worked on, and beside it the entities that are proposed or found by a search."""
    gold, state = gold_of(collection), state_of(collection)
    partition = state.partition()
    if not partition:
        raise Refused("no-entities", "the annotated documents have no entities")
    member = _existing_member(gold, member or partition[0][0])
    own = state.members_with(member)
    place = partition.index(own)
    return {
        "member": member,
        "members": [_entity_line(gold, one) for one in own],
        "others": (
            _search_entities(gold, state, member, query)
            if query.strip()
            else _proposed(collection, state, member)
        ),
        "next": partition[(place + 1) % len(partition)][0],
        "previous": partition[place - 1][0],
        "place": place + 1,
        "entities": len(partition),
        "equal": len(members_of_equal_name(collection, state, member)),
        "operations": collection.operations.count(),
    }


def _entity_line(gold: AnnotatedDocuments, member: str) -> dict[str, object]:
    """An entity of a document as a line of the screen."""
    element = gold.entities[member].element
    return {
        "member": member,
        "names": "; ".join(dict.fromkeys(name.text for name in element.names))
        or "; ".join(names_of(gold.entities[member])),
        "about": " ".join(element.attributes.get(name, "") for name in ("TYPE", "SUBTYPE", "CLASS")).strip(),
        "mentions": len(element.mentions),
    }


def _proposed(collection: Collection, state: State, member: str) -> list[dict[str, object]]:
    gold = gold_of(collection)
    return [
        {
            **_entity_line(gold, one.member),
            "evidence": f"{one.score:.2f} = names {one.names:.2f}, {'same' if one.subtype else 'other'} subtype, context {one.context:.2f}",
        }
        for one in proposer_of(collection).propose(member, state, MOST_PROPOSED)
    ]


def _search_entities(
    gold: AnnotatedDocuments, state: State, member: str, query: str
) -> list[dict[str, object]]:
    """Entities of documents whose names and id contain all words of a query."""
    query_words = normalise(query).split()

    def fits(other: str) -> bool:
        words = " ".join((*names_of(gold.entities[other]), normalise(other)))
        return state.group[other] != state.group[member] and all(word in words for word in query_words)

    return [
        {
            **_entity_line(gold, other),
            "evidence": f"together with {counted(len(state.members_with(other)) - 1, 'other')}",
        }
        for other in islice(filter(fits, gold.entities), MOST_FOUND)
    ]


def inspect(collection: Collection, member: str) -> dict[str, object]:
    """The passages of a document with the mentions of an entity marked."""
    gold = gold_of(collection)
    entity = gold.entities[_existing_member(gold, member)]
    with open_collection_index(collection) as index:
        text = _text(index, entity.document)
    passages = []
    for mention in entity.element.mentions:
        region = mention.head or mention.extent
        if region is None or text is None or not region.characters:
            continue
        ((first, last),) = region.characters
        start, end = max(0, first - AROUND), min(len(text), last + AROUND)
        passages.append({"text": text[start:end], "marks": [[first - start, last - start, "handle"]]})
    found = {"document": entity.document, "has_text": text is not None, "passages": passages}
    return {**_entity_line(gold, member), **found}


# ------------------------------------------------------------------------------------------------------- export


def conflicts_of(collection: Collection, *, by_majority: bool = False) -> list[Finding]:
    """The conflicts between members of global entities."""
    gold, state = gold_of(collection), state_of(collection)
    hint = "take what most members say when you download the merged documents"
    return find_conflicts(gold.corpus, state, gold.entities, "", by_majority=by_majority, majority_hint=hint)


def merged_archive(collection: Collection, *, by_majority: bool = False) -> bytes:
    """An archive of the merged documents as ``corpus merge -o`` writes them; refused while there are conflicts."""
    findings = conflicts_of(collection, by_majority=by_majority)
    if errors_among(findings):
        raise InvalidInput(errors_among(findings))
    gold, state = gold_of(collection), state_of(collection)
    return archive_bytes(merged_files(gold.source, state, gold.entities, by_majority=by_majority))

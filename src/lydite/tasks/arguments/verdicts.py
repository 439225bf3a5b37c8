"""Why each response counts or not, and which classes of right answers were found."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from functools import cached_property, partial
from itertools import zip_longest

from lydite.errors import UsageError
from lydite.grouping import grouped
from lydite.model import Document
from lydite.model.argument import identifier_2014
from lydite.model.argument_alignment import ArgumentCluster, Identity
from lydite.model.argument_lines import lines_of
from lydite.model.outcome import COPY, FILTERED, NO_ATTRIBUTES, PAIRED, UNPAIRED, Outcome, Status
from lydite.model.outcome import left_out as left_out_item
from lydite.model.verdict import (
    GOLD,
    LEFT_OUT,
    SYSTEM,
    Confusion,
    Explained,
    Explainer,
    Judge,
    Rival,
    Side,
    name_left_out,
)
from lydite.tasks.arguments import corrections, exact_outcomes, item_verdicts
from lydite.tasks.arguments.documents import ArgumentComparison
from lydite.tasks.arguments.exact import EventComparison
from lydite.tasks.arguments.items import ItemComparison
from lydite.tasks.arguments.measurements import COMPARISONS
from lydite.tasks.arguments.outcomes import (
    MISSED,
    REALIS,
    STANDARD,
    STRICT,
    UNASSESSED,
    Response,
    ResponseOutcomes,
    judgement,
    name_of,
)
from lydite.tasks.arguments.settings import ArgumentSettings
from lydite.tasks.strings.verdicts import with_strings

CAUSES = {
    "found": "a class of gold with a right answer, which the system gave",
    "found-with-other-realis": "the system has the same filler for this role of this event, with another realis",
    "missed": "a class of gold with a right answer, which the system did not give",
    "right": "the response that counts in its class, and it was judged right",
    "wrong-type": "its event type was judged wrong, or gold has what it says of another type",
    "wrong-role": "its role was judged wrong, or gold has what it says in another role",
    "wrong-filler": "its base filler was judged wrong, or gold has no argument there",
    "inexact-filler": "its base filler was judged inexact, which the profile does not accept",
    "wrong-string": "its canonical argument string was judged wrong",
    "inexact-string": "its canonical argument string was judged inexact, which the profile does not accept",
    "wrong-realis": "everything was accepted but its realis",
    "unassessed": "nobody assessed it; it counts as wrong",
    "redundant": "says the same as another response with the same confidence or more",
    "outranked": "another response of its class has a higher confidence, and that one counts",
    "left-out": "not counted: a rule removes it, or its document is not scored",
}
"""Every cause that a class or a response can have."""


def outcomes(
    explained: Explained[EventComparison], settings: ArgumentSettings, *, measure: str = STANDARD
) -> list[Outcome]:
    """The outcomes of the classes of gold, then of the responses; under the strict measure inexact is not right."""
    comparison = explained.comparison
    if isinstance(comparison, ItemComparison):
        return item_verdicts.outcomes_of(comparison)
    if isinstance(comparison, ArgumentComparison):
        judge = _Judge(ResponseOutcomes(comparison, measure))
        return [*judge.classes(), *judge.responses()]
    if measure == STRICT:
        hint = "profiles of assessed arguments measure it"
        raise UsageError(
            f"--measurement strict: it is not measured under match = {settings.match}", hint=hint
        )
    return exact_outcomes.outcomes(comparison)


def _without_realis(identity: Identity) -> tuple[Hashable, ...]:
    type_, role, _, filler = identity
    return type_, role, filler


class _Judge:
    """Judges the classes and responses of one document."""

    def __init__(self, outcomes: ResponseOutcomes) -> None:
        self.outcomes = outcomes

    def classes(self) -> Iterator[Outcome]:
        """The outcomes of the classes of gold that hold a right answer."""
        leaders = self.outcomes.leaders
        for at, (cluster, is_found) in enumerate(self.outcomes.gold_classes()):
            leader = leaders.get(cluster.identity)
            partner = leader.name if leader is not None else None
            answer = cluster.selected if is_found else self.outcomes.right_answer(cluster)
            example = answer or min(cluster.gold)
            row = self.outcomes.gold.row(example)
            name = name_of(row, example)
            type_, role, realis, _ = cluster.identity
            if is_found:
                cause, why = "found", f"{partner or 'a response'} of the system was judged right"
            else:
                cause, why, partner = self._explain_miss(cluster, partner)
            yield Outcome(
                GOLD,
                at,
                UNPAIRED if cause == MISSED else PAIRED,
                agrees={REALIS: False} if cause == "found-with-other-realis" else NO_ATTRIBUTES,
                credit=int(is_found),
                lost=int(not is_found),
                cause=cause,
                why=f"class {type_}.{role} {realis} of {example.text!r} (gold {name}): {why}",
                name=name,
                partner_name=partner,
                line=row.line,
                type=type_,
                text=example.text,
                traits={"role": f"{type_}.{role}"},
                place=(example.filler,),
            )

    @cached_property
    def _by_all_but_realis(self) -> dict[tuple[Hashable, ...], list[Identity]]:
        """The classes of the system, those that differ in realis alone together."""
        return grouped((_without_realis(identity), identity) for identity in self.outcomes.leaders)

    def _explain_miss(self, cluster: ArgumentCluster, other: str | None) -> tuple[str, str, str | None]:
        for identity in self._by_all_but_realis.get(_without_realis(cluster.identity), ()):
            if identity != cluster.identity:
                name = self.outcomes.leaders[identity].name
                why = f"{name} says the same with realis {identity[2]}, not {cluster.identity[2]}"
                return "found-with-other-realis", why, name
        if other is not None:
            failed = self.outcomes.first_failure(self.outcomes.leaders[cluster.identity].form)
            why = f"{other}, the system's response that counts in this class, fails in {failed}"
            return "missed", why, other
        for response in self.outcomes.responses:
            if response.cluster is None and response.form in cluster.gold:
                why = f"{response.name} of the system is left out: {self._removing_rule(response)}"
                return "missed", why, response.name
        return "missed", "no response of the system is in this class", None

    def responses(self) -> Iterator[Outcome]:
        """The outcomes of the lines of the system, then of classes that no line decides."""
        deciding = set()
        for response in self.outcomes.responses:
            if response.is_deciding:
                deciding.add(response.form)
                yield self._deciding(response)
            elif response.cluster is not None:
                yield self._redundant(response)
            else:
                why = name_left_out(response.name, self._removing_rule(response))
                row = self._row(response, FILTERED, LEFT_OUT, why)
                # A response that no frame keeps fails as well: once the better response is gone it would be kept.
                yield row._replace(differs=frozenset()) if self._is_removed(response) else row
        for cluster in self.outcomes.alignment.clusters:
            if cluster.selected is not None and cluster.selected not in deciding:
                yield self._stand_in(cluster)

    def _deciding(self, response: Response) -> Outcome:
        failed = self.outcomes.first_failure(response.form)
        assessment = self.outcomes.gold.assessments.get(response.form)
        judged = judgement(assessment, failed) if assessment is not None and failed is not None else None
        name, confidence = f"response {response.name}", f"confidence {response.row.confidence:g}"
        if failed is None:
            why = f"{name} was judged right ({confidence} counts in its class)"
        elif failed == UNASSESSED:
            why = f"nobody assessed {name} ({confidence}); unassessed counts as wrong"
        elif failed == REALIS:
            why = f"realis of {name} is {response.form.realis}, judged {judged or 'NIL'} ({confidence})"
        elif judged is None:
            why = f"the assessor ignored {name}: no judgement of its {failed} ({confidence})"
        else:
            why = f"the {failed} of {name} was judged {judged} ({confidence})"
        row = self._row(response, UNPAIRED if failed else PAIRED, self.outcomes.cause(response.form), why)
        cluster = response.cluster
        rivals: tuple[Rival, ...] = ()
        if cluster is not None and len(cluster.system) > 1:
            lines = (one for one in self.outcomes.responses if one.cluster is cluster)
            rivals = tuple(Rival(one.name, one.row.confidence) for one in lines if one is not response)
        return row._replace(credit=int(not failed), lost=int(bool(failed)), rivals=rivals)

    def _redundant(self, response: Response) -> Outcome:
        name, cause = None, "redundant"
        if response.leader is None:
            why = f"another argument stands for the class of {response.name} (neutralize-coref)"
        else:
            leader = self.outcomes.responses[response.leader]
            name = leader.name
            ours, theirs = response.row.confidence, leader.row.confidence
            if response.form == leader.form:
                why = f"says the same as {name}, whose confidence {theirs:g} counts (here {ours:g})"
            elif ours == theirs:
                why = f"same class and confidence {ours:g} as {name}, which has the larger identifier"
            else:
                cause = "outranked"
                why = f"confidence {ours:g} is below {theirs:g} of {name}, which counts in its class"
        row = self._row(response, COPY, cause, why)
        return row._replace(partner=response.leader, partner_name=name)

    def _is_removed(self, response: Response) -> bool:
        """Whether a rule removes a response, however good it is."""
        gold, form = self.outcomes.gold, response.form
        is_quoted = response.row.argument in self.outcomes.comparison.quoted
        return is_quoted or gold.is_banned(form) or gold.falls_under_death(form)

    def _removing_rule(self, response: Response) -> str:
        gold = self.outcomes.gold
        if response.row.argument in self.outcomes.comparison.quoted:
            return "it is in a quoted passage (quote-filter)"
        if gold.is_banned(response.form):
            return f"{response.form.text} is a coarser form of an accepted date (coarse-dates)"
        if gold.falls_under_death(response.form):
            return "Life.Injure under a right Life.Die with the same role and filler"
        return "no frame of the system's linking keeps it (keep best)"

    def _stand_in(self, cluster: ArgumentCluster) -> Outcome:
        """The outcome of a class that is decided by an argument which is no line of the system."""
        assert cluster.selected is not None
        cause = self.outcomes.cause(cluster.selected)
        name = str(identifier_2014(cluster.selected))
        why = f"{name} stands for a response with a right base filler and a wrong string (neutralize-coref)"
        is_right = cause == "right"
        return Outcome(
            SYSTEM,
            None,
            PAIRED if is_right else UNPAIRED,
            credit=int(is_right),
            lost=int(not is_right),
            cause=cause,
            why=why,
            name=name,
            type=cluster.identity[0],
        )

    def _row(self, response: Response, status: Status, cause: str, why: str) -> Outcome:
        """The outcome of a response; where it fails the assessment, it differs in the first part that fails."""
        form = response.form
        failed = self.outcomes.first_failure(form)
        return Outcome(
            SYSTEM,
            response.place,
            status,
            differs=frozenset({failed} if failed else ()),
            cause=cause,
            why=why,
            name=response.name,
            line=response.row.line,
            type=form.event_type,
            text=form.text,
            traits={"role": f"{form.event_type}.{form.role}"},
            place=(form.filler,),
        )


def left_out(document: Document, side: Side, settings: ArgumentSettings) -> Iterator[Outcome]:
    """The responses of a document that is not scored."""
    why = f"document {document.doc_id} is not among those that are scored (document-list)"
    if settings.match in COMPARISONS:
        yield from item_verdicts.left_out(document, side, why)
        return
    if settings.match != "assessment":
        yield from exact_outcomes.left_out(document, side, settings.match, why)
        return
    for row in lines_of(document).rows:
        argument = row.argument
        name = name_of(row, argument)
        yield left_out_item(side, name, why, line=row.line, type=argument.event_type, text=argument.text)


def find_faults(
    explained: Explained[EventComparison], settings: ArgumentSettings
) -> corrections.ResponseCorrections | exact_outcomes.SetCorrections | item_verdicts.ItemCorrections:
    """The faults of a compared document."""
    comparison = explained.comparison
    if isinstance(comparison, ItemComparison):
        return item_verdicts.ItemCorrections(explained.system, comparison)
    if isinstance(comparison, ArgumentComparison):
        return corrections.ResponseCorrections(explained.system, comparison, outcomes(explained, settings))
    return exact_outcomes.SetCorrections(explained.system, comparison)


# -------------------------------------------------------------------------------------------------- confusions


def _confusion(place: int, comparison: EventComparison, _settings: ArgumentSettings) -> Iterator[Confusion]:
    """That part of the identities of gold and system classes, by pairs of classes that differ at most in it."""
    if isinstance(comparison, ItemComparison):
        return item_verdicts.confusions(place, comparison)
    if not isinstance(comparison, ArgumentComparison):
        gold, system = (sorted(side) for side in comparison.members("ac"))
        if place == 2:
            return iter(())
    else:
        outcomes = ResponseOutcomes(comparison)
        gold = [cluster.identity for cluster, _ in outcomes.gold_classes()]
        clusters = comparison.alignment.clusters
        system = [cluster.identity for cluster in clusters if cluster.selected is not None]
    return _pair_values(place, gold, system)


def _pair_values(
    place: int, gold: Sequence[tuple[object, ...]], system: Sequence[tuple[object, ...]]
) -> Iterator[Confusion]:
    ours, theirs = (
        grouped(((*one[:place], *one[place + 1 :]), str(one[place])) for one in side)
        for side in (gold, system)
    )
    for rest in dict.fromkeys((*ours, *theirs)):
        of_gold, of_system = list(ours.get(rest, ())), list(theirs.get(rest, ()))
        for value in [value for value in of_gold if value in of_system]:
            of_gold.remove(value)
            of_system.remove(value)
            yield value, value
        yield from zip_longest(of_gold, of_system)


OF_PLACES = Explainer(
    causes=CAUSES,
    headline=Judge(outcomes, left_out),
    faults=lambda _settings: corrections.FAULTS,
    find_faults=find_faults,
    measurements={STRICT: Judge(partial(outcomes, measure=STRICT), left_out)},
    confusions={name: partial(_confusion, place) for place, name in enumerate(("type", "role", "realis"))},
)
EXPLAINER = with_strings(OF_PLACES)

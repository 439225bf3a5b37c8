"""Clusters of the arguments of a document under a profile: preparation, clustering, selection.

A *cluster* here is a class of arguments of one document: same event type, role and realis, coreferent canonical
argument strings.  Gold decides everything (coreference, bans, which Life.Injure arguments fall), so a gold document
is prepared once (:class:`GoldSide`) and any number of systems are held against it (:func:`align_arguments`).

The order of the steps is that of the official programs, and it matters: where dates are banned before or after the
Life.Injure rule, for instance, different arguments remain.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Literal, NamedTuple, TypeVar

from lydite.grouping import grouped
from lydite.model.argument import (
    ACTUAL,
    TIME_ROLES,
    Argument,
    ArgumentRow,
    Assessment,
    Filler,
    best,
    highest,
    without_additional,
)
from lydite.model.argument_alignment import (
    ArgumentAlignment,
    ArgumentCluster,
    ClusterCase,
    Identity,
    Refusal,
    RuleCounts,
)
from lydite.model.partial_date import coarser_dates, is_date

T = TypeVar("T")

_new = tuple.__new__
"""Makes a named tuple without the detour over its names: there is one for every line and for every cluster."""

DIE, INJURE = "Life.Die", "Life.Injure"

WITHOUT_ID = "cas-without-id"
"""The code of a string without coreference id under a profile whose official program needs one; it is its own class."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What a profile says about arguments, under the names of its settings."""

    additional_justification_identifies: bool = True
    cluster_ids: Literal["accepted", "all"] = "accepted"
    ids_needed: Literal["none", "assessed", "all"] = "none"
    unassessed: Literal["wrong", "refuse"] = "wrong"
    coarse_dates: Literal["system", "both", "keep"] = "system"
    non_dates: Literal["refuse", "stand", "wrong"] = "refuse"
    small_x_is_unknown: bool = False
    capitalise_unknown_pairs: bool = False
    ban_dates_after_deaths: bool = False
    rewritten_judgement_counts: bool = False
    expand_realis: bool = False
    neutralize_realis: bool = False
    require_complete: bool = False

    def identified(self, argument: Argument) -> Argument:
        """The argument by what identifies it: all of it, or all but its additional justification."""
        return argument if self.additional_justification_identifies else without_additional(argument)

    def with_realis(self, argument: Argument) -> Argument:
        """The argument with the realis that counts: its own, or Actual for all."""
        return _with_actual_realis(argument) if self.neutralize_realis else argument


class ArgumentsWithProperty(NamedTuple):
    """The assessed arguments that are good (or perfect), and the clusters that hold such an argument of gold."""

    arguments: frozenset[Argument]
    clusters: frozenset[Identity]


class GoldJudgement(NamedTuple):
    """One gold argument: its assessment (None: unassessed) and the row that it came from, by its place in the file."""

    assessment: Assessment | None
    place: int


@dataclass(frozen=True, slots=True)
class GoldSide:
    """The assessed document under a profile: what the rules leave of it, and what is asked about a system's arguments.

    ``given`` are all arguments before any was rewritten, ``judgements`` all as the rules rewrote them, also those that a
    rule removed; ``renamed`` gives the rewritten form of each argument that has one.  ``assessments`` are the judgements
    that exist; ``judged`` those of arguments that no rule removed, and ``members`` these arguments by cluster.
    """

    rules: Rules
    rows: Sequence[ArgumentRow]
    given: Mapping[Argument, GoldJudgement]
    judgements: Mapping[Argument, GoldJudgement]
    assessments: Mapping[Argument, Assessment]
    judged: Mapping[Argument, Assessment]
    members: Mapping[Identity, tuple[Argument, ...]]
    clusters: Mapping[Filler, int]
    renamed: Mapping[Argument, Argument]
    deaths: frozenset[Death]
    bans: frozenset[Ban]
    counts: Counter[str]
    refusals: tuple[Refusal, ...]
    good: ArgumentsWithProperty
    perfect: ArgumentsWithProperty
    """Of ``assessments`` the good and the perfect ones, with the clusters of ``members`` that hold one."""
    clusters_of: dict[Argument, ArgumentCluster] = field(default_factory=dict)
    _unanswered: dict[Identity, ArgumentCluster] = field(default_factory=dict)
    """Clusters that were made for one system and serve others too: of a single system argument, and of none."""

    def identity(self, argument: Argument) -> Identity:
        """The cluster of an argument."""
        return _identity(argument, self.clusters)

    def row(self, argument: Argument) -> ArgumentRow:
        """The row whose judgement of an argument counts."""
        return self.rows[self.judgements[argument].place]

    def cluster_of_answer(self, argument: Argument) -> ArgumentCluster:
        """The cluster that holds this argument of a system alone, kept for the next system."""
        identity = _identity(argument, self.clusters)
        members, case = self.members.get(identity, ()), self._case(identity, argument)
        made = self.clusters_of[argument] = ArgumentCluster(identity, members, (argument,), argument, case)
        return made

    def unanswered_cluster(self, identity: Identity) -> ArgumentCluster:
        """The cluster of gold without an argument of the system."""
        known = self._unanswered.get(identity)
        if known is None:
            members, case = self.members[identity], self._case(identity, None)
            known = self._unanswered[identity] = ArgumentCluster(identity, members, (), None, case)
        return known

    def _case(self, identity: Identity, selected: Argument | None) -> ClusterCase:
        good = selected in self.good.arguments
        values = (
            selected is not None,
            good or selected in self.assessments,
            good,
            good and selected in self.perfect.arguments,
            identity in self.good.clusters,
            identity in self.perfect.clusters,
        )
        return _new(ClusterCase, values)

    def falls_under_death(self, argument: Argument) -> bool:
        """Whether a right Life.Die removes the argument, which is then a Life.Injure."""
        return _falls_under_death(argument, self.clusters, self.deaths)

    def is_banned(self, argument: Argument) -> bool:
        """Whether the argument is a coarser form of an accepted date."""
        return _is_banned(argument, self.bans)


Death = tuple[str, str, int | Filler]
"""Role, realis and filler of a right Life.Die."""

Ban = tuple[str, str, str, str]
"""Event type, role, realis, and a date that is banned because it is coarser than an accepted one."""


def _identity(argument: Argument, clusters: Mapping[Filler, int]) -> Identity:
    filler = argument.canonical
    return argument.event_type, argument.role, argument.realis, clusters.get(filler, filler)


def _death(argument: Argument, clusters: Mapping[Filler, int]) -> Death:
    return _identity(argument, clusters)[1:]


def _falls_under_death(argument: Argument, clusters: Mapping[Filler, int], deaths: frozenset[Death]) -> bool:
    return argument.event_type == INJURE and _death(argument, clusters) in deaths


def _is_banned(argument: Argument, bans: frozenset[Ban]) -> bool:
    date = argument.event_type, argument.role, argument.realis, argument.text
    return argument.role in TIME_ROLES and date in bans


def prepare_gold(rows: Iterable[ArgumentRow], rules: Rules) -> GoldSide:
    """The gold side of a document, prepared in the order that the rules ask for."""
    preparation = _Preparation(rows, rules)
    preparation.require_complete()
    preparation.expand_realis()
    given = dict(preparation.arguments)
    preparation.neutralize_realis()
    preparation.capitalise_dates()
    preparation.check_dates()
    return preparation.gold_side(given)


class _Preparation:
    """The steps on gold, each of which changes the set of arguments."""

    def __init__(self, rows: Iterable[ArgumentRow], rules: Rules) -> None:
        self.rules = rules
        self.rows = list(rows)
        self.arguments: dict[Argument, GoldJudgement] = {}
        self.clusters: dict[Filler, int] = {}
        self.renamed: dict[Argument, Argument] = {}
        self.refusals: list[Refusal] = []
        self.counts: Counter[str] = Counter()
        for place, row in enumerate(self.rows):
            self._add_row(place, row)

    def _add_row(self, place: int, row: ArgumentRow) -> None:
        argument, _, _, _, assessment, cluster, _, _ = row
        argument = self.rules.identified(argument)
        if cluster is not None:
            self.clusters.setdefault(argument.canonical, cluster)
        known = self.arguments.get(argument)
        if known is None or (known.assessment is None and assessment is not None):
            # The place of an argument in file order is that of the line that counts.
            if known is not None:
                del self.arguments[argument]
            self.arguments[argument] = _new(GoldJudgement, (assessment, place))
        elif (
            assessment not in {None, known.assessment} and not self.rules.additional_justification_identifies
        ):
            message = (
                f"judged differently on {self._row_name(known.place)} and {self._row_name(place)}; "
                "additional justification does not tell arguments apart under this profile"
            )
            self._refuse("assessment-conflict", message, argument, place)

    def _row_name(self, place: int) -> str:
        """The name of a row in messages; rows that do not come from lines of files are numbered by place."""
        return f"line {self.rows[place].line}" if self.rows[place].line else f"row {place + 1}"

    def _refuse(
        self,
        code: str,
        message: str,
        argument: Argument,
        place: int,
        *,
        severity: Literal["error", "warning"] = "error",
        hint: str | None = None,
    ) -> None:
        line = self.rows[place].line or None
        self.refusals.append(Refusal(code, message, argument, line, severity=severity, hint=hint))

    def require_complete(self) -> None:
        if not self.rules.require_complete:
            return
        for argument, judged in self.arguments.items():
            if judged.assessment is None:
                message = "the annotation is not complete: this argument was not assessed"
                hint = "assess it, or score with require-complete off (it then counts as not assessed)"
                self._refuse("incomplete-annotation", message, argument, judged.place, hint=hint)

    def expand_realis(self) -> None:
        if not self.rules.expand_realis:
            return
        for argument, (assessment, place) in list(self.arguments.items()):
            if assessment is None or assessment.realis in {None, argument.realis}:
                continue
            assert assessment.realis is not None
            twin = argument._replace(realis=assessment.realis)
            if twin not in self.arguments:
                self.arguments[twin] = GoldJudgement(assessment, place)
                self.counts["realis_expanded"] += 1

    def neutralize_realis(self) -> None:
        if not self.rules.neutralize_realis:
            return
        self.counts["realis_neutralized"] = sum(argument.realis != ACTUAL for argument in self.arguments)
        for argument, (assessment, place) in self.arguments.items():
            if assessment is not None and assessment.realis is not None:
                self.arguments[argument] = GoldJudgement(assessment._replace(realis=ACTUAL), place)
        self._rewrite(_with_actual_realis, "realis was neutralised")

    def capitalise_dates(self) -> None:
        if not self.rules.capitalise_unknown_pairs:
            return
        last_id = max(self.clusters.values(), default=0)
        new_ids: dict[Filler, int] = {}
        for argument in self.arguments:
            new = _capitalised(argument)
            if new != argument and new.canonical not in self.clusters and new.canonical not in new_ids:
                # The judgement moves along, the coreference id does not.
                last_id += 1
                new_ids[new.canonical] = last_id
        self._rewrite(_capitalised, "xx was written XX")
        self.clusters.update(new_ids)

    def _rewrite(self, rewrite: Callable[[Argument], Argument], why: str) -> None:
        """Give every argument its new form; where several become one, decide whose judgement counts."""
        groups: dict[Argument, list[tuple[bool, GoldJudgement]]] = {}
        for argument, judged in self.arguments.items():
            new = rewrite(argument)
            if new != argument:
                self.renamed[argument] = new
            groups.setdefault(new, []).append((new != argument, judged))
        self.arguments = {}
        for argument, candidates in groups.items():
            kept = self._judgement_that_counts(candidates)
            self.arguments[argument] = kept
            verdicts = {judged.assessment for _, judged in candidates if judged.assessment is not None}
            if len(verdicts) > 1:
                named = self._row_name(kept.place)
                message = f"several judgements of one argument once {why}; that of {named} counts"
                self._refuse("judgements-meet", message, argument, kept.place, severity="warning")

    def _judgement_that_counts(self, candidates: list[tuple[bool, GoldJudgement]]) -> GoldJudgement:
        assessed = [(rewritten, judged) for rewritten, judged in candidates if judged.assessment is not None]
        candidates = assessed or candidates
        if self.rules.rewritten_judgement_counts:
            rewritten = [judged for was_rewritten, judged in candidates if was_rewritten]
            if rewritten:
                return max(rewritten, key=lambda judged: judged.place)
        return candidates[0][1]

    def check_dates(self) -> None:
        """Accepted fillers of Time roles that are not dates: refused, left alone, or judged wrong line by line."""
        if self.rules.non_dates == "stand":
            return
        for argument, (assessment, place) in list(self.arguments.items()):
            if argument.role not in TIME_ROLES or assessment is None or not assessment.accepts_text:
                continue
            if is_date(argument.text, small_x=self.rules.small_x_is_unknown):
                continue
            if self.rules.non_dates == "wrong":
                self.arguments[argument] = GoldJudgement(assessment._replace(text="W"), place)
                self.counts["non_dates_wrong"] += 1
            else:
                message = f"time CAS accepted by the assessor is not a KBP date: {argument.text!r}"
                hint = "judge it wrong (lydite assess repair does), or use the profile kbp2014-final, which lets it stand"
                self._refuse("accepted-non-date", message, argument, place, hint=hint)

    def gold_side(self, given: Mapping[Argument, GoldJudgement]) -> GoldSide:
        assessments = {argument: one for argument, (one, _) in self.arguments.items() if one is not None}
        clusters = self._usable_ids(assessments)
        self._require_ids(clusters)
        # Each removes Life.Injure of the same role, coreferent filler and realis.
        deaths = frozenset(
            _death(argument, clusters)
            for argument, assessment in assessments.items()
            if argument.event_type == DIE and assessment.is_good(argument)
        )
        removed_injuries = {one for one in assessments if _falls_under_death(one, clusters, deaths)}
        bans = _bans(
            _without(assessments, removed_injuries) if self.rules.ban_dates_after_deaths else assessments,
            self.rules,
        )
        banned = {one for one in assessments if self.rules.coarse_dates == "both" and _is_banned(one, bans)}
        self.counts.update(_count_removed(banned, removed_injuries, self.rules, "gold"))
        judged = _without(assessments, banned | removed_injuries)
        groups = grouped((_identity(argument, clusters), argument) for argument in judged)
        members = {identity: tuple(found) for identity, found in groups.items()}
        return GoldSide(
            rules=self.rules,
            rows=self.rows,
            given=given,
            judgements=self.arguments,
            assessments=assessments,
            judged=judged,
            members=members,
            clusters=clusters,
            renamed=self.renamed,
            deaths=deaths,
            bans=bans,
            counts=self.counts,
            refusals=tuple(self.refusals),
            good=_with_property(Assessment.is_good, assessments, members),
            perfect=_with_property(Assessment.is_perfect, assessments, members),
        )

    def _usable_ids(self, assessments: Mapping[Argument, Assessment]) -> dict[Filler, int]:
        if self.rules.cluster_ids == "all":
            return self.clusters
        accepted = {one.canonical for one, judgement in assessments.items() if judgement.accepts_text}
        return {filler: cluster for filler, cluster in self.clusters.items() if filler in accepted}

    def _require_ids(self, clusters: Mapping[Filler, int]) -> None:
        if self.rules.ids_needed == "none":
            return
        for argument, (assessment, place) in self.arguments.items():
            if self.rules.ids_needed == "assessed" and assessment is None:
                continue
            if argument.canonical not in clusters:
                self.refusals.append(_refuse_missing_id(argument, self.rows[place].line or None, "gold"))


def _refuse_missing_id(argument: Argument, line: int | None, side: Literal["gold", "system"]) -> Refusal:
    message = f"CAS without coreference id: {argument.text!r}"
    hint = "without --reading as-official such a string is a class of its own"
    return Refusal(WITHOUT_ID, message, argument, line, side, hint=hint)


def _with_actual_realis(argument: Argument) -> Argument:
    return argument if argument.realis == ACTUAL else argument._replace(realis=ACTUAL)


def _capitalised(argument: Argument) -> Argument:
    if argument.role in TIME_ROLES and "xx" in argument.text:
        return argument._replace(text=argument.text.replace("xx", "XX"))
    return argument


def _bans(judged: Mapping[Argument, Assessment], rules: Rules) -> frozenset[Ban]:
    """Coarser forms of accepted dates, for the same type, role and realis; whatever base filler and realis were judged."""
    if rules.coarse_dates == "keep":
        return frozenset()
    return frozenset(
        (argument.event_type, argument.role, argument.realis, coarser)
        for argument, assessment in judged.items()
        if argument.role in TIME_ROLES
        and assessment.accepts_text
        and is_date(argument.text, small_x=rules.small_x_is_unknown)
        for coarser in coarser_dates(argument.text)
    )


def _with_property(
    has_property: Callable[[Assessment, Argument], bool],
    assessments: Mapping[Argument, Assessment],
    members: Mapping[Identity, tuple[Argument, ...]],
) -> ArgumentsWithProperty:
    arguments = frozenset([one for one, judgement in assessments.items() if has_property(judgement, one)])
    clusters = frozenset([identity for identity, found in members.items() if not arguments.isdisjoint(found)])
    return ArgumentsWithProperty(arguments, clusters)


# The system's side

Answers = Mapping[Argument, float]
"""The system's arguments, each with its highest confidence."""


def answers_of(rows: Iterable[ArgumentRow], rules: Rules) -> dict[Argument, float]:
    """The arguments of a system file, each with its highest confidence."""
    if not rules.additional_justification_identifies:
        return highest((rules.identified(row.argument), row.confidence) for row in rows)
    given = list(map(itemgetter(0, 3), rows))
    answers = dict(given)
    return answers if len(answers) == len(given) else highest(given)


@dataclass(frozen=True, slots=True)
class SystemSide:
    """What the rules leave of a system's arguments in one document; ``forms`` has those that were rewritten."""

    answers: Answers
    forms: Mapping[Argument, Argument]
    refusals: tuple[Refusal, ...]
    counts: Mapping[str, int]


def prepare_system(answers: Answers, gold: GoldSide) -> SystemSide:
    """The system's arguments in the form and number that gold and rules leave."""
    forms = _rewritten_forms(answers, gold)
    refusals = list(_refuse_unassessed(answers, gold))
    rewritten = answers
    if forms:
        rewritten = highest((forms.get(argument, argument), sure) for argument, sure in answers.items())
    banned = set(filter(gold.is_banned, rewritten)) if gold.bans else set()
    injuries = [one for one in rewritten if one.event_type == INJURE] if gold.deaths else ()
    removed_injuries = set(filter(gold.falls_under_death, injuries))
    if gold.rules.ids_needed != "none":
        # Asked of what the bans leave, whether or not the Life.Injure rule removes it.
        missing = (one for one in rewritten if one not in banned and one.canonical not in gold.clusters)
        refusals.extend(_refuse_missing_id(argument, None, "system") for argument in missing)
    counts = {
        **gold.counts,
        **_count_removed(banned, removed_injuries, gold.rules, "system"),
        "unassessed": _count_unassessed(answers, forms, gold),
    }
    left = _without(rewritten, banned | removed_injuries) if banned or removed_injuries else rewritten
    return SystemSide(left, forms, tuple(refusals), counts)


def _count_removed(
    banned: set[Argument], removed_injuries: set[Argument], rules: Rules, side: str
) -> dict[str, int]:
    """How many arguments each rule removed; what both would remove counts for the rule that comes first."""
    if rules.ban_dates_after_deaths:
        banned = banned - removed_injuries
    else:
        removed_injuries = removed_injuries - banned
    return {f"dates_{side}": len(banned), f"injure_{side}": len(removed_injuries)}


def _count_unassessed(answers: Answers, forms: Mapping[Argument, Argument], gold: GoldSide) -> int:
    if forms:
        return sum(forms.get(argument, argument) not in gold.assessments for argument in answers)
    return len(frozenset(answers).difference(gold.assessments))


def _rewritten_forms(answers: Answers, gold: GoldSide) -> dict[Argument, Argument]:
    """The rewritten form of each argument that the rules rewrite."""
    rules = gold.rules
    if not rules.neutralize_realis and not rules.capitalise_unknown_pairs:
        return {}
    renamed = gold.renamed if rules.capitalise_unknown_pairs else {}
    forms = ((argument, rules.with_realis(argument)) for argument in answers)
    final = ((argument, renamed.get(form, form)) for argument, form in forms)
    return {argument: form for argument, form in final if form != argument}


def _without(values: Mapping[Argument, T], removed: Iterable[Argument]) -> dict[Argument, T]:
    left = dict(values)
    for argument in removed:
        del left[argument]
    return left


def _refuse_unassessed(answers: Iterable[Argument], gold: GoldSide) -> Iterator[Refusal]:
    """Refusals of arguments that nobody assessed, if the profile refuses them; gold must have them as they were given."""
    if gold.rules.unassessed != "refuse":
        return
    hint = (
        "pool and assess it first; --profile kbp2014-final, without --reading as-official, counts it as wrong"
    )
    with_realis = gold.rules.with_realis
    assessed = {with_realis(one) for one, judged in gold.given.items() if judged.assessment is not None}
    for argument in answers:
        if argument not in gold.given or with_realis(argument) not in assessed:
            yield Refusal("unassessed", "system response not assessed", argument, None, "system", hint=hint)


def align_arguments(gold: GoldSide, system: SystemSide) -> ArgumentAlignment:
    """The clusters of what the rules left on both sides; in each, the preferred argument of the system is selected."""
    known = gold.clusters_of
    found = [known.get(argument) or gold.cluster_of_answer(argument) for argument in system.answers]
    answers = {cluster.identity: cluster for cluster in found}
    if len(answers) < len(found):
        answers = _merge_by_identity(found, system.answers)
    clusters = [*answers.values()]
    clusters += [gold.unanswered_cluster(identity) for identity in gold.members if identity not in answers]
    cases = Counter([cluster.case for cluster in clusters])
    return ArgumentAlignment(
        tuple(clusters),
        cases,
        RuleCounts(**system.counts, **_unassessed_counts(cases)),
        (*gold.refusals, *system.refusals),
    )


def _merge_by_identity(found: Iterable[ArgumentCluster], answers: Answers) -> dict[Identity, ArgumentCluster]:
    """Clusters of single arguments, merged where they have the same identity."""
    merged: dict[Identity, ArgumentCluster] = {}
    for identity, group in grouped((cluster.identity, cluster) for cluster in found).items():
        arguments = tuple([argument for cluster in group for argument in cluster.system])
        if len(group) == 1:
            merged[identity] = group[0]
            continue
        selected, _ = best((argument, answers[argument]) for argument in arguments)
        leader = group[arguments.index(selected)]
        merged[identity] = ArgumentCluster(leader.identity, leader.gold, arguments, selected, leader.case)
    return merged


def _unassessed_counts(cases: Mapping[ClusterCase, int]) -> dict[str, int]:
    """How many clusters have a selected argument that nobody assessed: it counts as wrong, and might be right."""
    undecided = [(case, number) for case, number in cases.items() if case.answered and not case.assessed]
    return {
        "unassessed_selected": sum([number for _, number in undecided]),
        "unassessed_found": sum([number for case, number in undecided if case.holds_good]),
    }

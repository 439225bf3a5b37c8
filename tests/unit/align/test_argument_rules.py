from __future__ import annotations

from typing import Any

from argument_cases import answer, argument, judged
from lydite.align.arguments import Rules, align_arguments, answers_of, prepare_gold, prepare_system
from lydite.align.frames import align_frames, resolve_frames, right_fillers
from lydite.metrics.assessed import MEASURES, tally_of
from lydite.model.argument import Frame


def counts(gold: Any, system: Any, rules: Rules = Rules(), measure: str = "standard") -> Any:  # noqa: B008 - a frozen record
    tally = tally_of(MEASURES[measure], aligned(gold, system, rules).cases)
    return tally.gold_credit, tally.system_total - tally.system_credit, tally.gold_total - tally.gold_credit


def aligned(gold: Any, system: Any, rules: Rules = Rules()) -> Any:  # noqa: B008 - a frozen record
    side = prepare_gold(gold, rules)
    return align_arguments(side, prepare_system(answers_of(system, rules), side))


ASK, BO = argument("Ask"), argument("Bo", begin=40)


def test_a_right_argument_is_a_true_positive() -> None:
    assert counts([judged(ASK, cluster=1)], [answer(ASK)]) == (1, 0, 0)


def test_a_missed_right_argument_is_a_false_negative_and_a_missed_wrong_one_is_nothing() -> None:
    assert counts([judged(ASK, cluster=1), judged(BO, "W---")], []) == (0, 0, 1)


def test_a_cluster_can_be_a_false_positive_and_a_false_negative() -> None:
    other = ASK._replace(filler=(50, 53))
    gold = [judged(ASK, cluster=1), judged(other, "CCCW", cluster=1)]
    assert counts(gold, [answer(other, 0.9), answer(ASK, 0.1)]) == (0, 1, 1)
    assert counts(gold, [answer(other, 0.9), answer(ASK, 0.1)], measure="lax") == (1, 0, 0)


def test_strict_wants_every_judgement_correct() -> None:
    assert counts([judged(ASK, "CCIC", cluster=1)], [answer(ASK)], measure="strict") == (0, 1, 0)


def test_an_argument_that_nobody_assessed_counts_as_wrong() -> None:
    assert counts([judged(ASK, "", cluster=1)], [answer(ASK)]) == (0, 1, 0)


def test_a_profile_may_refuse_arguments_that_nobody_assessed() -> None:
    found = aligned([], [answer(ASK)], Rules(unassessed="refuse"))
    assert [refusal.code for refusal in found.refusals] == ["unassessed"]


def test_coreferent_strings_form_one_cluster() -> None:
    gold = [judged(ASK, cluster=1), judged(BO, cluster=1)]
    assert counts(gold, [answer(ASK)]) == (1, 0, 0)


def test_the_id_of_a_string_that_was_never_accepted_counts_only_where_all_ids_do() -> None:
    gold = [judged(ASK, cluster=1), judged(BO, "CCWC", cluster=1)]
    assert counts(gold, [answer(ASK), answer(BO)]) == (1, 1, 0)
    assert counts(gold, [answer(ASK, 0.9), answer(BO)], Rules(cluster_ids="all")) == (1, 0, 0)


def test_a_right_death_removes_the_injury_of_the_same_person_from_both_sides() -> None:
    die = argument("Ask", "Victim", event_type="Life.Die")
    injure = die._replace(event_type="Life.Injure")
    gold = [judged(die, cluster=1), judged(injure, cluster=1)]
    found = aligned(gold, [answer(injure)])
    assert (found.counts.injure_gold, found.counts.injure_system) == (1, 1)
    assert counts(gold, [answer(injure)]) == (0, 0, 1)


def test_a_death_judged_wrong_removes_nothing() -> None:
    die = argument("Ask", "Victim", event_type="Life.Die")
    injure = die._replace(event_type="Life.Injure")
    gold = [judged(die, "CCCW", cluster=1), judged(injure, cluster=1)]
    assert counts(gold, [answer(injure)]) == (1, 0, 0)


def test_coarser_dates_leave_the_system_or_both_sides() -> None:
    fine, coarse = argument("2011-06-17", "Time"), argument("2011-06-XX", "Time", begin=40)
    gold = [judged(fine, cluster=1), judged(coarse, cluster=2)]
    assert counts(gold, [answer(coarse)]) == (0, 0, 2)
    assert counts(gold, [answer(coarse)], Rules(coarse_dates="both")) == (0, 0, 1)
    assert counts(gold, [answer(coarse)], Rules(coarse_dates="keep")) == (1, 0, 1)


def test_what_the_rules_touched_is_counted() -> None:
    die = argument("Ask", "Victim", event_type="Life.Die")
    injure = die._replace(event_type="Life.Injure")
    fine, coarse = argument("2011-06-17", "Time"), argument("2011-06-XX", "Time", begin=40)
    gold = [
        *(judged(one, cluster=1) for one in (die, injure)),
        judged(fine, cluster=2),
        judged(BO, cluster=3),
    ]
    unread = BO._replace(filler=(50, 52))
    found = aligned(gold, [answer(one) for one in (die, injure, fine, coarse, unread)])
    touched = {name: count for name, count in found.counts.as_dict().items() if count}
    assert touched == {
        "injure_gold": 1,
        "injure_system": 1,
        "dates_system": 1,
        "unassessed": 2,  # the coarser date and the other filler
        "unassessed_selected": 1,
        "unassessed_found": 1,
    }


def test_an_accepted_filler_that_is_no_date_is_refused_stands_or_is_judged_wrong() -> None:
    friday = argument("last Friday", "Time")
    gold = [judged(friday, cluster=1)]
    assert [refusal.code for refusal in aligned(gold, []).refusals] == ["accepted-non-date"]
    assert counts(gold, [answer(friday)], Rules(non_dates="stand")) == (1, 0, 0)
    assert counts(gold, [answer(friday)], Rules(non_dates="wrong")) == (0, 1, 0)


def test_realis_expansion_adds_what_the_assessor_found() -> None:
    gold = [judged(ASK, cluster=1, realis="Generic")]
    assert counts(gold, [answer(ASK)]) == (0, 1, 0)
    assert counts(gold, [answer(ASK)], Rules(expand_realis=True)) == (0, 1, 1)
    assert prepare_gold(gold, Rules(expand_realis=True)).counts["realis_expanded"] == 1


def test_realis_neutralised_makes_mismatches_vanish() -> None:
    gold = [judged(ASK, cluster=1, realis="Generic")]
    assert counts(gold, [answer(ASK)], Rules(neutralize_realis=True)) == (1, 0, 0)
    assert prepare_gold(gold, Rules(neutralize_realis=True)).counts["realis_neutralized"] == 0
    generic = [judged(ASK._replace(realis="Generic"), cluster=1), judged(BO, cluster=2)]
    assert prepare_gold(generic, Rules(neutralize_realis=True)).counts["realis_neutralized"] == 1


def test_additional_justification_identifies_an_argument_unless_the_profile_says_no() -> None:
    other = ASK._replace(additional=((5, 9),))
    assert counts([judged(ASK, cluster=1)], [answer(other)]) == (0, 1, 1)
    assert counts(
        [judged(ASK, cluster=1)], [answer(other)], Rules(additional_justification_identifies=False)
    ) == (1, 0, 0)


def test_a_repeated_argument_has_the_highest_of_its_confidences() -> None:
    assert answers_of([answer(ASK, 0.2), answer(ASK, 0.7), answer(ASK, 0.5)], Rules()) == {ASK: 0.7}


def test_a_line_that_nobody_assessed_refuses_gold_that_must_be_complete() -> None:
    found = aligned([judged(ASK, "", cluster=1)], [], Rules(require_complete=True))
    assert [refusal.code for refusal in found.refusals] == ["incomplete-annotation"]


def test_whether_an_argument_was_assessed_is_asked_before_its_date_is_rewritten() -> None:
    capital, small = argument("1982-12-XX", "Time"), argument("1982-12-xx", "Time")
    gold = [judged(capital, "", cluster=1), judged(small, cluster=1)]
    rules = Rules(
        unassessed="refuse",
        capitalise_unknown_pairs=True,
        small_x_is_unknown=True,
        non_dates="wrong",
        cluster_ids="all",
    )
    assert [refusal.code for refusal in aligned(gold, [answer(capital)], rules).refusals] == ["unassessed"]
    assert aligned(gold, [answer(small)], rules).refusals == ()


def test_where_realis_makes_arguments_meet_the_first_assessed_line_counts() -> None:
    generic = ASK._replace(realis="Generic")
    gold = [
        judged(ASK, "", cluster=1, line=1),
        judged(generic, "W---", cluster=1, line=2),
        judged(ASK, "CCCC", cluster=1, line=3),
    ]
    rules = Rules(neutralize_realis=True)
    assert counts(gold, [answer(ASK)], rules) == (0, 1, 0)
    (met,) = aligned(gold, [], rules).refusals
    assert (met.code, met.severity, met.line) == ("judgements-meet", "warning", 2)
    assert aligned(gold[:2], [], rules).refusals == ()  # one judgement meets nothing


def test_where_dates_meet_the_last_line_that_was_rewritten_counts_if_the_profile_says_so() -> None:
    names = ("Generic", "Other")
    gold = [
        judged(ASK, "CCCC", cluster=1, line=1),
        *(
            judged(ASK._replace(realis=name), letters, cluster=1, line=line)
            for line, (name, letters) in enumerate(zip(names, ("CCCC", "W---"), strict=True), 2)
        ),
    ]
    assert counts(gold, [answer(ASK)], Rules(neutralize_realis=True)) == (1, 0, 0)
    assert counts(gold, [answer(ASK)], Rules(neutralize_realis=True, rewritten_judgement_counts=True)) == (
        0,
        1,
        0,
    )


def test_with_right_strings_an_argument_becomes_a_right_one_or_goes_and_frames_follow() -> None:
    nearby = ASK._replace(text="Asky")
    elsewhere = ASK._replace(text="Cai", filler=(70, 73))
    alone = argument("Dag", "Place", begin=90)
    unread = argument("Eva", begin=110)
    gold = prepare_gold(
        [
            judged(ASK, cluster=1),
            judged(BO, cluster=2),
            judged(nearby, "CCWC", cluster=3),  # the base filler is that of Ask
            judged(elsewhere, "CCWI", cluster=4),  # its base filler is right, and that of nothing else
            judged(alone, "CCWC", cluster=5),  # nothing right has its role
            judged(unread, "CCWW", cluster=6),  # its base filler is wrong too
        ],
        Rules(),
    )
    given = [answer(one, 0.1 * place) for place, one in enumerate((BO, nearby, elsewhere, alone, unread), 1)]
    side = prepare_system(answers_of(given, Rules()), gold)
    frames = [frozenset({nearby, alone}), frozenset({elsewhere, BO, unread})]
    mended, moved = right_fillers(side, frames, gold)
    first = min(ASK, BO)
    assert mended.answers.keys() == {ASK, BO, unread}
    assert mended.answers[first] == 0.1 * 3  # the higher of two confidences
    assert moved == [frozenset({ASK}), frozenset({first, BO, unread})]


def test_a_gold_frame_follows_an_argument_through_every_rule_that_renames_it() -> None:
    rules = Rules(neutralize_realis=True, capitalise_unknown_pairs=True)
    when = argument("2014-xx-01", "Time", realis="Other", begin=70)
    gold = prepare_gold([judged(ASK, cluster=1), judged(when, cluster=2)], rules)
    system = prepare_system(answers_of([answer(ASK), answer(when)], rules), gold)
    frames = [frozenset({ASK, when})]
    found = align_frames(gold, frames, system, frames)
    renamed = when._replace(realis="Actual", text="2014-XX-01")
    assert found.gold == (frozenset({gold.identity(ASK), gold.identity(renamed)}),)


def test_of_rewritten_judgements_the_last_row_counts_also_where_rows_have_no_lines() -> None:
    gold = [
        judged(ASK._replace(realis="Other"), "CCWC", cluster=1),
        judged(ASK._replace(realis="Generic"), cluster=1),
    ]
    rules = Rules(neutralize_realis=True, rewritten_judgement_counts=True)
    assert counts(gold, [answer(ASK)], rules) == (1, 0, 0)
    assert counts(gold[::-1], [answer(ASK)], rules) == (0, 1, 0)
    (said,) = aligned(gold, [], rules).refusals
    assert said.message.endswith("that of row 2 counts")


def test_frames_name_arguments_as_the_profile_tells_them_apart() -> None:
    rules = Rules(additional_justification_identifies=False)
    justified = ASK._replace(additional=((5, 9),))
    rows = [judged(justified, cluster=1)._replace(id="a"), judged(BO, cluster=2)._replace(id="b")]
    gold = prepare_gold(rows, rules)
    frames, unknown = resolve_frames([Frame(("a", "b"))], rows, rules, side="gold")
    assert (frames, unknown) == ([frozenset({ASK, BO})], [])
    system = prepare_system(answers_of([answer(justified), answer(BO)], rules), gold)
    found = align_frames(gold, frames, system, frames)
    assert found.gold == found.system == (frozenset({gold.identity(ASK), gold.identity(BO)}),)


def test_a_coarser_date_stays_in_gold_frames_where_gold_keeps_it() -> None:
    day, year = (argument(text, "Time", begin=70) for text in ("2014-05-06", "2014-XX-XX"))
    rows = [judged(day, cluster=1), judged(year, cluster=2)]
    for coarse_dates, linked in (("system", {day, year}), ("both", {day})):
        gold = prepare_gold(rows, Rules(coarse_dates=coarse_dates))
        system = prepare_system({}, gold)
        found = align_frames(gold, [frozenset({day, year})], system, [])
        assert found.gold == (frozenset(map(gold.identity, linked)),)


def test_the_row_that_judges_an_argument_is_known_in_the_form_that_rules_gave_it() -> None:
    rules = Rules(
        additional_justification_identifies=False, neutralize_realis=True, capitalise_unknown_pairs=True
    )
    when = argument("2014-xx-01", "Time", realis="Other", begin=70, additional=((5, 9),))
    unread = judged(when, "", cluster=2, line=1)
    gold = prepare_gold([unread, judged(ASK, cluster=1, line=2), judged(when, cluster=2, line=3)], rules)
    form = when._replace(realis="Actual", text="2014-XX-01", additional=())
    assert gold.row(form).line == 3


def test_an_injury_with_a_coarse_date_is_counted_under_the_rule_that_removes_it_first() -> None:
    kinds = {"role": "Time", "begin": 70}
    gold = [
        judged(argument("2014-05-06", event_type="Life.Injure", **kinds), cluster=1),
        judged(argument("2014-XX-XX", event_type="Life.Injure", **kinds), cluster=2),
        judged(argument("2014-XX-XX", event_type="Life.Die", **kinds), cluster=2),
    ]
    system = [answer(gold[1].argument)]
    for after_deaths, injuries, dates in ((True, 1, 0), (False, 0, 1)):
        rules = Rules(coarse_dates="both", ban_dates_after_deaths=after_deaths)
        found = aligned(gold, system, rules).counts
        assert (found.injure_system, found.dates_system) == (injuries, dates)
        assert (found.injure_gold, found.dates_gold) == (injuries, dates)

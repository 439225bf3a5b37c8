"""CorefUD files under the profiles that pair mentions over nodes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.errors import InvalidInput, UsageError
from lydite.report.official import LAYOUTS
from lydite.report.tables import overview
from lydite.report.text import plain_text

HEAD = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n"


def sentence(*words: str, sent_id: str = "s1", head: str = HEAD) -> str:
    """Words, each with its Entity attribute after a slash if it has one."""
    rows = []
    for number, word in enumerate(words, 1):
        form, _, entity = word.partition("/")
        rows.append(f"{number}\t{form}" + "\t_" * 7 + "\t" + (f"Entity={entity}" if entity else "_") + "\n")
    return f"{head}# sent_id = {sent_id}\n" + "".join(rows) + "\n"


GOLD = sentence("the/(e1-x-2-", "man/e1)", "he/(e1-x-1-)")
HEAD_ONLY = sentence("the", "man/(e1-x-1-)", "he/(e1-x-1-)")


def scored(folder: Path, gold: str, *systems: str, **options: Any) -> lydite.Summary:
    paths = [folder / f"{name}.conllu" for name in ("gold", "one", "two", "three")]
    for path, text in zip(paths, (gold, *systems), strict=False):
        path.write_text(text, encoding="utf-8")
    return lydite.score(paths[0], *paths[1 : len(systems) + 1], **options)


def codes(refused: pytest.ExceptionInfo[InvalidInput]) -> set[str]:
    return {finding.code for finding in refused.value.findings if finding.severity == "error"}


@pytest.mark.parametrize(
    ("profile", "f1"), [(None, 1), ("corefud", 1), ("corefud-partial", 1), ("corefud-exact", 0)]
)
def test_the_profiles_differ_in_which_mentions_are_paired(
    tmp_path: Path, profile: str | None, f1: float
) -> None:
    summary = scored(tmp_path, GOLD, HEAD_ONLY, profile=profile)
    assert summary.profile == (profile or "corefud")
    assert summary["coref"]["muc"].f1 == f1
    assert summary["coref"]["mor"].recall == pytest.approx(2 / 3)


def test_files_of_which_one_is_no_corefud_are_scored_as_before(tmp_path: Path) -> None:
    (tmp_path / "gold.conllu").write_text(GOLD, encoding="utf-8")
    system = tmp_path / "system.conll"
    system.write_text("#begin document d\nw\t(1\nw\t1)\nw\t(1)\n#end document\n", encoding="utf-8")
    summary = lydite.score(tmp_path / "gold.conllu", system)
    assert (summary.profile, summary["coref"]["conll"].f1) == ("conll-8.01", 1)
    with pytest.raises(InvalidInput) as refused:
        lydite.score(tmp_path / "gold.conllu", system, profile="corefud")
    assert "no-trees" in codes(refused)


def test_pairing_over_nodes_refuses_files_without_nodes_under_every_profile(tmp_path: Path) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text('{"doc_key": "d", "clusters": [[[0, 1], [4, 4]]]}\n', encoding="utf-8")
    for reading in ("refuse", "as-official"):
        with pytest.raises(InvalidInput) as refused:
            lydite.score(path, path, profile="conll-8.01", match="exact", metrics=["lea"], reading=reading)
        assert codes(refused) == {"no-trees"}


@pytest.mark.parametrize(
    "system",
    [
        GOLD.replace("\the\t", "\tshe\t"),
        GOLD.replace("= s1", "= s2"),
        GOLD.replace("# newdoc id = d\n", "# newdoc id = other\n"),
    ],
)
def test_sentences_that_differ_are_refused(tmp_path: Path, system: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        scored(tmp_path, GOLD, system)
    assert "sentence-differs" in codes(refused)


def test_a_document_that_the_system_lacks_is_refused_and_words_at_an_end_are_warned_of(
    tmp_path: Path,
) -> None:
    more = GOLD + sentence("so/(e2-x-1-)", sent_id="s2", head=HEAD.replace("= d", "= d2"))
    with pytest.raises(InvalidInput) as refused:
        scored(tmp_path, more, GOLD)
    assert codes(refused) == {"document-missing-in-system"}
    summary = scored(tmp_path, GOLD, sentence("the", "man/(e1-x-1-)"))
    assert [finding.code for finding in summary.findings] == ["words-missing"]


def test_metrics_that_are_not_defined_over_nodes_are_wrong_usage(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="mentions"):
        scored(tmp_path, GOLD, GOLD, metrics=("muc", "mentions"))
    with pytest.raises(UsageError, match="mor"):
        scored(tmp_path, GOLD, GOLD, profile="conll-8.01", metrics=("mor",))


def test_the_official_text_shows_totals_beside_which_means_are_measured(tmp_path: Path) -> None:
    one, other = (
        LAYOUTS["coref"](scored(tmp_path, GOLD, HEAD_ONLY, averages=averages))
        for averages in (("micro",), ("micro", "macro"))
    )
    assert one == other
    with pytest.raises(UsageError, match="official layouts show totals"):
        LAYOUTS["coref"](scored(tmp_path, GOLD, HEAD_ONLY, averages=("macro",)))


@pytest.mark.parametrize("repeats", ["first", "merge"])
def test_readings_of_repeats_that_are_not_defined_over_nodes_are_wrong_usage(
    tmp_path: Path, repeats: str
) -> None:
    with pytest.raises(UsageError, match=f"no repeats = {repeats} under match = head"):
        scored(tmp_path, GOLD, GOLD, repeats=repeats)


def test_repeats_over_nodes_are_refused_without_a_hint_that_does_not_help(tmp_path: Path) -> None:
    twice = sentence("the/(e1-x-1-)(e2-x-1-)", "man/(e1-x-1-)", "he/(e2-x-1-)")
    with pytest.raises(InvalidInput) as refused:
        scored(tmp_path, twice, twice, repeats="error")
    assert {(finding.code, finding.hint) for finding in refused.value.findings} == {
        ("repeated-mention", None)
    }


def test_many_systems_are_ranked_by_conll_f1_and_several_processes_give_the_same(tmp_path: Path) -> None:
    summary = scored(tmp_path, GOLD, GOLD, HEAD_ONLY, profile="corefud-exact")
    assert plain_text(overview(summary)).startswith("2 systems, by CoNLL micro F1")
    assert scored(tmp_path, GOLD, GOLD, HEAD_ONLY, profile="corefud-exact", jobs=2).rows == summary.rows


@pytest.mark.parametrize("name", ["corefud", "corefud-exact", "corefud-partial"])
def test_what_refuses_other_files_refuses_them_under_profiles_over_nodes_too(name: str) -> None:
    assert set(lydite.TASKS["coref"].profile("conll-8.01").settings.errors) <= set(
        lydite.TASKS["coref"].profile(name).settings.errors
    )


def test_a_document_to_be_scored_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.conllu"
    path.write_text(GOLD, encoding="utf-8")
    with pytest.raises(InvalidInput, match="zzz"):
        lydite.score(path, path, task="coref", profile="corefud", only_document="zzz")

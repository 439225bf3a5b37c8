"""What figures there can be is known before there is a system."""

from __future__ import annotations

import pytest

from lydite.comparison import measurable
from lydite.errors import UsageError
from lydite.facade.choosing import UserChoice
from lydite.facade.scoring import score_sides
from lydite.facade.sides import read_sides
from lydite.profile import profile_names
from lydite.report.paper import figures_of

GOLDS = {
    "nugget": ("examples/gold.tbf", profile_names("nugget")),
    "triples": ("examples/triples/gold.trp", profile_names("triples")),
    "ace": ("examples/ace/gold", ["ace08-local", "ace08-global"]),
}


@pytest.mark.parametrize(
    ("task", "profile"), [(task, profile) for task, (_, profiles) in GOLDS.items() for profile in profiles]
)
def test_every_figure_of_a_system_is_measurable_before_and_no_other_is(task: str, profile: str) -> None:
    gold = GOLDS[task][0]
    asked, read = read_sides(UserChoice(task, profile), gold, [gold])
    known = [str(figure) for figure in figures_of(score_sides(asked, read))]
    for given in (read[0], None):
        measurable.refuse_unknown_figures(known, asked.task, asked.profile, given)
        for figure in {f"{row.rpartition('.')[0]}.{kind}" for row in known for kind in ("f1", "value")}:
            if figure not in known:
                with pytest.raises(UsageError, match="no figure"):
                    measurable.refuse_unknown_figures([figure], asked.task, asked.profile, given)

"""Why items that are compared by their words count or not, beside the verdicts of their task."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeVar, cast

from lydite.model import Document
from lydite.model.outcome import Outcome
from lydite.model.verdict import LEFT_OUT, Confusion, Corrections, Explained, Explainer, Judge, Side
from lydite.tasks.outcomes import MISSING, RIGHT, SPURIOUS, Compared, outcomes_of
from lydite.tasks.strings.forms import DUPLICATE, MISSED
from lydite.tasks.strings.in_text import NOT_IN_TEXT
from lydite.tasks.strings.settings import StringSettings
from lydite.tasks.strings.wrapping import by_words

CAUSES = {
    RIGHT: "the other side has an item that agrees",
    DUPLICATE: "says the same as an earlier item, and such items count once",
    "wrong-type": "the other side has these words with another label",
    "wrong-relation": "the other side has these ends with another type",
    MISSED: "an item of gold whose words no item of the system has",
    MISSING: "an item of gold that no item of the system equals",
    SPURIOUS: "an item of the system that no item of gold equals",
    NOT_IN_TEXT: "dropped before scoring: the text does not have it, or not so often",
    LEFT_OUT: "not counted: a rule of the profile or of the run leaves it out",
}
"""The causes of items that are compared by their words."""


S = TypeVar("S", bound=StringSettings)
C = TypeVar("C")


def with_strings(explainer: Explainer[S, C]) -> Explainer[S, C]:
    """The explainer of a task, with the verdicts on strings under the profiles that compare these."""

    def outcomes(explained: Explained[C], settings: S) -> Iterable[Outcome]:
        if isinstance(explained.comparison, Compared):
            return outcomes_of(cast("Explained[Compared]", explained))
        return explainer.headline.outcomes(explained, settings)

    def left_out(document: Document, side: Side, settings: S) -> Iterable[Outcome]:
        return () if by_words(settings) else explainer.headline.left_out(document, side, settings)

    def faults(settings: S) -> tuple[str, ...]:
        return () if by_words(settings) else explainer.faults(settings)

    def find_faults(explained: Explained[C], settings: S) -> Corrections[Document]:
        if by_words(settings) or explainer.find_faults is None:
            return _NoFaults(explained.system)
        return explainer.find_faults(explained, settings)

    return explainer._replace(
        causes={
            **explainer.causes,
            **{name: one for name, one in CAUSES.items() if name not in explainer.causes},
        },
        headline=Judge(outcomes, left_out),
        faults=faults,
        find_faults=find_faults,
        confusions={name: _unless_by_words(one) for name, one in explainer.confusions.items()},
        text=None if explainer.text is None else _text_unless(explainer.text),
        chains=explainer.chains,
    )


class _NoFaults:
    """The output of a system of which nothing is mended: figures of strings have no budget."""

    items: Mapping[str, int] = MappingProxyType({})

    def __init__(self, system: Document) -> None:
        self._system = system

    def correct(self, _faults: frozenset[str]) -> Document:
        return self._system


def _unless_by_words(confusions: Callable[..., Iterable[Confusion]]) -> Callable[..., Iterable[Confusion]]:
    return lambda compared, settings: () if by_words(settings) else confusions(compared, settings)


def _text_unless(text: Callable[..., str | None]) -> Callable[..., str | None]:
    return lambda explained: None if isinstance(explained.comparison, Compared) else text(explained)

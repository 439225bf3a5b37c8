"""Records are as the standard library makes them."""

from __future__ import annotations

import copy
import dataclasses
import inspect
import pickle
import typing
from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar

import pytest

from lydite import records

T = TypeVar("T")


class Base:
    __slots__ = ()


def plain(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True)
    class Made(Base):
        """A class with all that fields may have."""

        of_all: ClassVar[int] = 7
        set: str
        made: list[int] = library.field(default_factory=list)
        self_made: float = 0.5

        def doubled(self) -> float:
            return 2 * self.self_made

    return Made


def extended(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True)
    class Made(plain(library)):
        """A class with the fields of another before its own."""

        more: int = 3

    return Made


def generic(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True, repr=False)
    class Made(Generic[T]):
        """One field, of any type, and a text of its own."""

        set: T

        def __repr__(self) -> str:
            return "mine"

    return Made


def by_identity(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True, eq=False)
    class Made:
        """Two of them are never the same."""

        set: int

    return Made


def compared(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True)
    class Made:  # noqa: PLW1641 - its hash is what is looked at
        """Compares on its own."""

        set: int

        def __eq__(self, other: object) -> bool:
            return True

    return Made


def partly_hidden(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True)
    class Made:
        """Fields that are not given, not shown or not compared."""

        set: str
        silent: int = library.field(default=1, repr=False)
        aside: int = library.field(default=2, compare=False)
        kept: dict[str, int] = library.field(default_factory=dict, init=False, compare=False)
        fixed: int = library.field(default=3, init=False)

    return Made


def ordered(library: ModuleType) -> Any:
    @library.dataclass(frozen=True, slots=True, order=True)
    class Made:
        """Has an order."""

        set: str

    return Made


def changeable(library: ModuleType) -> Any:
    @library.dataclass(slots=True)
    class Made:
        """Not frozen."""

        set: int = 1

    return Made


def outcome(work: Callable[[], object]) -> object:
    """What comes of it; of an error its kind and text."""
    try:
        return work()
    except Exception as error:  # noqa: BLE001 - every error is compared
        return type(error), str(error)


LOOKS: dict[str, Callable[[Any], object]] = {
    "its text": lambda made: repr(made("a")),
    "its doc": lambda made: made.__doc__,
    "its fields": lambda made: [(each.name, each.type) for each in dataclasses.fields(made)],
    "its parameters": lambda made: str(inspect.signature(made)),
    "what patterns match": lambda made: made.__match_args__,
    "what it has by default": lambda made: [getattr(made("a"), name) for name in made.__match_args__],
    "a default of its own for each": lambda made: (
        getattr(made("a"), "made", 1) is getattr(made("a"), "made", 2)
    ),
    "equal to one of the same values": lambda made: made("a") == made("a"),
    "unequal to one of other values": lambda made: made("a") == made("b"),
    "unequal to a tuple": lambda made: made("a") == ("a",),
    "has a hash if its values have": lambda made: isinstance(hash(made("a")), int),
    "one hash for equal ones": lambda made: outcome(lambda: len({made((1, 2)), made((1, 2))})),
    "assigned to": lambda made: setattr(made("a"), "set", "b"),
    "a field deleted": lambda made: delattr(made("a"), "set"),
    "an unknown field": lambda made: hasattr(made("a"), "other"),
    "replaced": lambda made: repr(dataclasses.replace(made("a"), set="c")),
    "as a mapping": lambda made: dataclasses.asdict(made("a")),
    "ordered": lambda made: made("a") < made("b"),
    "what it has beside what is given": lambda made: [
        getattr(made("a"), name, None) for name in ("kept", "fixed")
    ],
    "a copy has all of it": lambda made: [
        getattr(copy.copy(made("a")), one.name) for one in dataclasses.fields(made)
    ],
    "equal where what is aside differs": lambda made: made("a") == made("a", aside=9),
    "a copy": lambda made: repr(copy.copy(made("a"))),
    "a deep copy": lambda made: repr(copy.deepcopy(made(["a"]))),
    "too few": lambda made: made(),
    "too many": lambda made: made(1, 2, 3, 4, 5, 6),
    "unknown by name": lambda made: made("a", nothing=1),
}


@pytest.mark.parametrize(
    "make", [plain, extended, generic, by_identity, compared, partly_hidden, ordered, changeable]
)
@pytest.mark.parametrize("look", LOOKS)
def test_a_dataclass_is_as_the_standard_library_makes_it(
    make: Callable[[ModuleType], Any], look: str
) -> None:
    ours, theirs = (
        outcome(lambda library=library: repr(LOOKS[look](make(library))))
        for library in (records, dataclasses)
    )
    assert ours == theirs


def test_a_frozen_class_with_slots_has_no_fields_from_one_of_another_kind() -> None:
    with pytest.raises(TypeError, match="has fields from a class"):
        records.dataclass(frozen=True, slots=True)(type("Below", (changeable(records),), {}))


def test_a_frozen_class_whose_types_are_no_texts_is_refused() -> None:
    with pytest.raises(TypeError, match="annotations from __future__"):
        records.dataclass(frozen=True, slots=True)(type("Typed", (), {"__annotations__": {"one": int}}))


@records.dataclass(frozen=True, slots=True)
class Kept:
    """A frozen class that can be found by its name."""

    one: int
    two: list[int] = records.field(default_factory=list)


class Ours(records.NamedTuple):
    """Fields and a method."""

    new: int
    second: str = "b"

    @property
    def both(self) -> str:
        return f"{self.new}{self.second}"


class Theirs(typing.NamedTuple):
    """Fields and a method."""

    new: int
    second: str = "b"

    @property
    def both(self) -> str:
        return f"{self.new}{self.second}"


class OfAny(records.NamedTuple, Generic[T]):
    value: T


@pytest.mark.parametrize("record", [Kept(1, [2]), Ours(1), OfAny([3])])
def test_a_record_can_be_pickled(record: object) -> None:
    again = pickle.loads(pickle.dumps(record))  # noqa: S301 - it was made here
    assert again == record
    assert type(again) is type(record)


TUPLE_LOOKS: dict[str, Callable[[Any], object]] = {
    "its text": lambda made: repr(made(1)).partition("(")[2],
    "its doc": lambda made: made.__doc__,
    "its fields": lambda made: (
        made._fields,
        made._field_defaults,
        made.__match_args__,
        made.__annotations__.keys(),
    ),
    "its values": lambda made: (made(1).new, made(1).second, made(new=2, second="c").both, tuple(made(4))),
    "the doc of a field": lambda made: made.second.__doc__,
    "equal to a tuple": lambda made: made(1) == (1, "b"),
    "a hash": lambda made: hash(made(1)) == hash((1, "b")),
    "replaced": lambda made: tuple(made(1)._replace(second="d")),
    "as a mapping": lambda made: made(1)._asdict(),
    "replaced by what is not there": lambda made: outcome(lambda: made(1)._replace(other=1))[1],
    "of too short a row": lambda made: made._make([5]),
    "of a row": lambda made: tuple(made._make([5, "e"])),
    "a copy": lambda made: tuple(copy.deepcopy(made(1))),
    "assigned to": lambda made: (
        outcome(lambda: setattr(made(1), "new", 2)) == (AttributeError, "can't set attribute")
    ),
    "a new attribute": lambda made: outcome(lambda: setattr(made(1), "other", 2)) is None,
    "too few": lambda made: made(),
    "too many": lambda made: made(1, 2, 3),
    "unknown by name": lambda made: made(1, nothing=1),
}


@pytest.mark.parametrize("look", TUPLE_LOOKS)
def test_a_named_tuple_is_as_the_standard_library_makes_it(look: str) -> None:
    ours, theirs = (outcome(lambda kind=kind: TUPLE_LOOKS[look](kind)) for kind in (Ours, Theirs))
    assert str(ours).replace("Ours", "Theirs") == str(theirs)


def test_a_named_tuple_of_too_many_fields_is_refused() -> None:
    many = {"__annotations__": {f"field{at}": "int" for at in range(41)}}
    with pytest.raises(ValueError, match="shorter than"):
        type(records.NamedTuple)("Many", (records.NamedTuple,), many)


def test_a_named_tuple_whose_fields_are_not_found_is_refused() -> None:
    with pytest.raises(TypeError, match="has no fields"):
        type(records.NamedTuple)("Lost", (records.NamedTuple,), {})

from __future__ import annotations

from lydite.model.argument import Argument, best, identifier_2014, identifier_2015

CHINYAMA = Argument(
    "D",
    "Justice.Trial-Hearing",
    "Adjudicator",
    "Jones Chinyama",
    (110, 124),
    ((0, 125),),
    (110, 124),
    (),
    "Actual",
)


def test_the_2014_identifier_is_a_signed_number_of_32_bits() -> None:
    assert identifier_2014(CHINYAMA) == -1620118328


def test_the_order_of_justifications_does_not_change_the_2014_identifier() -> None:
    one = CHINYAMA._replace(justification=((0, 10), (20, 30)))
    other = CHINYAMA._replace(justification=((20, 30), (0, 10)))
    assert identifier_2014(one) == identifier_2014(other)


def test_the_2015_identifier_is_the_sha1_of_the_columns() -> None:
    argument = Argument(
        "LK_1", "Conflict.Attack", "Attacker", "Red Guild", (10, 19), ((0, 51),), (10, 19), (), "Actual"
    )
    assert identifier_2015(argument) == "18f77bae0886316c789e8cacb5f32b0b657c1084"


def test_the_more_confident_argument_is_preferred() -> None:
    other = CHINYAMA._replace(filler=(126, 140))
    assert best([(CHINYAMA, 0.5), (other, 0.6)]) == (other, 0.6)


def test_of_equally_confident_arguments_the_one_with_the_larger_identifier_is_preferred() -> None:
    other = CHINYAMA._replace(justification=((126, 215),), filler=(126, 140))
    assert identifier_2014(other) > identifier_2014(CHINYAMA)
    assert best([(other, 0.5), (CHINYAMA, 0.5)]) == best([(CHINYAMA, 0.5), (other, 0.5)]) == (other, 0.5)


def test_where_identifiers_collide_the_columns_decide_as_text() -> None:
    one, other = CHINYAMA._replace(text="Aa"), CHINYAMA._replace(text="BB")
    assert identifier_2014(one) == identifier_2014(other)
    assert best([(one, 0.5), (other, 0.5)])[0] == best([(other, 0.5), (one, 0.5)])[0] == other

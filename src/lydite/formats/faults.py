"""What is wrong with a record."""


class Faults(Exception):  # noqa: N818 - what a record has, not what went wrong with the program
    """The first fault of a record: the message of its finding, behind its code where a reader has several codes."""

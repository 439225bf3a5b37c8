"""The words of mentions that are addresses in KAF and NAF files: ``1/first.naf#t22`` is a token or term of that file.

A file goes by its path in the folder and by its name, both with or without the last suffix; a name that several files
have is none.  So ``1/first.naf`` may be ``1/first.naf``, ``1/first.naf.kaf`` or ``first.kaf``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath

from lydite.errors import UsageError
from lydite.formats.naf import id_under, targets
from lydite.formats.safe_xml import attributes, closed_elements, local_name
from lydite.formats.source import open_file
from lydite.formats.units import WHOLE_CORPUS, topics, without_name_space
from lydite.memory import kept_for_a_run
from lydite.model.word_text import AddressedWords

_SUFFIXES = (".kaf", ".naf", ".xml")

Places = Mapping[str, Sequence[int]]
"""By the id of a token or term, the positions of its words."""


@kept_for_a_run(4)
def read_addressed_words(folder: str, unit: str, kind: str, topic_of: str) -> AddressedWords:
    """The words of a unit (a document, a topic or the corpus, as ``kind`` says) from the files of a folder.

    Both sides get the same words, whatever documents their mentions are in.  Files outside of topic folders may belong to
    any topic.
    """
    files = _files_in(folder)
    names = _names_of(files)
    if kind == "document":
        chosen = [known] if (known := _file_of(unit, names)) else []
    elif unit == WHOLE_CORPUS:
        chosen = list(files)
    else:
        topic = topics(topic_of)
        chosen = [file for file in files if topic(file) == unit] or list(files)
    words: list[str] = []
    places = {file: _read_places(files[file], words) for file in chosen}

    def places_at(address: str) -> Sequence[int]:
        document, _, local_id = address.partition("#")
        return places.get(_file_of(without_name_space(document), names) or "", {}).get(local_id, ())

    return AddressedWords(words, places_at)


def _files_in(folder: str) -> dict[str, str]:
    """The paths of the KAF and NAF files of a folder, at any depth, by their paths in it."""
    root = Path(folder)
    if not root.is_dir():
        hint = "name the folder that holds the KAF or NAF files of the documents"
        raise UsageError(f"--documents {folder}: no such folder", hint=hint)
    found = (
        file for file in sorted(root.rglob("*")) if file.name.lower().removesuffix(".gz").endswith(_SUFFIXES)
    )
    return {file.relative_to(root).as_posix(): str(file) for file in found if file.is_file()}


def _names_of(files: Mapping[str, str]) -> dict[str, str]:
    """The file behind each name; paths go before names, and a name that several files have is left out."""
    by_path: dict[str, str] = {}
    by_name: dict[str, set[str]] = {}
    for file in files:
        plain = file.removesuffix(".gz")
        for path in (plain, _without_suffix(plain)):
            by_path.setdefault(path, file)
            by_name.setdefault(PurePosixPath(path).name, set()).add(file)
    return {name: file for name, (file, *others) in by_name.items() if not others} | by_path


def _without_suffix(path: str) -> str:
    return str(PurePosixPath(path).with_suffix(""))


def _file_of(document: str, names: Mapping[str, str]) -> str | None:
    name = PurePosixPath(document)
    if not name.name:
        return None
    spellings = (document, _without_suffix(document), name.name, name.stem)
    return next((names[one] for one in spellings if one in names), None)


def _read_places(path: str, words: list[str]) -> Places:
    """The places of the tokens of a file, and of its terms, after its words were added."""
    places: dict[str, Sequence[int]] = {}
    terms: dict[str, tuple[str, ...]] = {}
    for node in closed_elements(open_file(path), "wf", "term"):
        values = attributes(node)
        if local_name(node) == "term":
            terms[id_under(values, "tid")] = targets(node)
        elif word := (node.text or "").strip():
            places[id_under(values, "wid")] = (len(words),)
            words.append(word)
    for term, tokens in terms.items():
        places.setdefault(term, [place for token in tokens for place in places.get(token, ())])
    return places

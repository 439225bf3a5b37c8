from __future__ import annotations

import zipfile
from functools import partial
from pathlib import Path

import pytest

from lydite.adjudication.files import text_reader
from lydite.cli import run
from lydite.errors import FormatError, UsageError
from lydite.formats.lists import genre_of, read_genres
from lydite.formats.targets import read_targets
from lydite.formats.taxonomy import load_taxonomy, read_role_file, write_role_file
from lydite.formats.texts import as_characters, open_texts, source_text
from lydite.model.taxonomy import RoleDefinition, Taxonomy
from lydite.tasks import TASKS


def test_offsets_count_characters_or_utf16_units(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_bytes("a\N{SHIP}b\r\nc".encode())
    characters, units = open_texts(str(tmp_path)), open_texts(str(tmp_path), utf16=True)
    assert characters.text("D") == "a\N{SHIP}b\r\nc"
    assert units.text("D")[3] == "b"  # type: ignore[index]
    assert as_characters(units.text("D") or "") == "a\N{SHIP}b\r\nc"


def test_texts_of_all_tasks_are_decoded_alike_and_counted_as_each_task_counts(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_bytes(b"\xef\xbb\xbfa\r\nb")
    folder = str(tmp_path)
    assert open_texts(folder).text("D") == "a\r\nb"
    assert open_texts(folder, without_markup=True).text("D") == text_reader(folder)("D") == "a\nb"
    assert source_text(folder, "D") == "\ufeffa\r\nb"
    shown = {name: TASKS[name].shown_text(folder, "D", TASKS[name].profile().settings) for name in TASKS}
    assert shown == {
        "nugget": "\ufeffa\r\nb",
        "coref": "\ufeffa\r\nb",
        "spans": "\ufeffa\r\nb",
        "relations": "\ufeffa\r\nb",
        "triples": "\ufeffa\r\nb",
        "arguments": "a\r\nb",
        "records": "\ufeffa\r\nb",
        "ace": "a\nb",
    }


def test_an_astral_character_is_shown_as_many_characters_long_as_its_task_counts(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_text("a\N{SHIP}\N{ROCKET}b", encoding="utf-8")
    task = TASKS["arguments"]
    units = task.profile().replace({"offsets": "utf16"}).settings
    shown = task.shown_text(str(tmp_path), "D", units)
    assert shown == "a\N{SHIP}\N{WORD JOINER}\N{ROCKET}\N{WORD JOINER}b"
    assert task.shown_text(str(tmp_path), "D", task.profile().settings) == "a\N{SHIP}\N{ROCKET}b"


def test_markup_is_nothing_to_ace_in_files_that_have_it(tmp_path: Path) -> None:
    marked = "<DOC>\n<TEXT>\n1 < 2, said Mira.\n</TEXT>\n</DOC>\n"
    for name in ("sgm.sgm", "sgml.SGML", "xml.xml", "plain.txt"):
        (tmp_path / name).write_text(marked, encoding="utf-8")
    texts = open_texts(str(tmp_path), without_markup=True)
    assert texts.text("sgm") == texts.text("xml") == texts.text("sgml.SGML") == "\n\n1 < 2, said Mira.\n\n\n"
    assert texts.text("plain") == marked


def test_a_text_that_is_not_utf_8_is_refused_with_its_place(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_bytes(b"one\ncaf\xe9\n")
    folder = str(tmp_path)
    for read in (open_texts(folder).text, text_reader(folder), partial(source_text, folder)):
        with pytest.raises(FormatError) as refused:
            read("D")
        (finding,) = refused.value.findings
        assert (finding.code, str(finding.location)) == ("not-utf-8", f"{tmp_path / 'D.txt'}:2:4")


def test_an_archive_of_texts_counts_a_byte_order_mark_as_a_folder_does(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "texts.zip", "w") as archive:
        archive.writestr("D.txt", "\ufeffa")
    assert source_text(str(tmp_path / "texts.zip"), "D") == "\ufeffa"


def test_a_document_is_found_with_and_without_the_ending_of_its_file(tmp_path: Path) -> None:
    (tmp_path / "D.txt").write_text("x")
    texts = open_texts(str(tmp_path))
    assert texts.doc_ids == ["D"]
    assert texts.text("D") == texts.text("D.txt") == "x"
    assert texts.text("E") is None


def test_documents_that_came_since_a_folder_was_opened_are_there_when_it_is_opened_again(
    tmp_path: Path,
) -> None:
    (tmp_path / "D").write_text("x")
    assert open_texts(str(tmp_path)).doc_ids == ["D"]
    (tmp_path / "D").rename(tmp_path / "E")
    assert open_texts(str(tmp_path)).doc_ids == ["E"]


def test_a_quote_filter_is_built_from_what_a_folder_holds_now(tmp_path: Path) -> None:
    texts, filters = tmp_path / "texts", tmp_path / "filters"
    texts.mkdir()
    (texts / "D").write_text("<quote>a</quote>")
    assert run(["assess", "quote-filter", "--documents", str(texts), "-o", str(filters)]) == 0
    (texts / "E").write_text("b<quote>c</quote>")
    assert run(["assess", "quote-filter", "--documents", str(texts), "-o", str(filters)]) == 0
    assert filters.read_text() == "2\nD\n0-15\nE\n1-16\n"


def test_files_of_roles_and_targets_are_read_again_when_they_are_asked_for_again(tmp_path: Path) -> None:
    roles, targets = tmp_path / "roles", tmp_path / "targets"
    for name in ("Life.Die", "Life.Born"):
        roles.write_text(f"{name}\tPerson\n")
        targets.write_text(f"{name}\n")
        assert list(load_taxonomy(str(roles)).types) == list(read_targets(str(targets))) == [name]


def test_a_taxonomy_of_the_user_replaces_the_shipped_ones(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text('[always]\nTime = {}\n[types."Sea.Sail"]\nroles.Skipper = { fillers = ["PER"] }\n')
    taxonomy = load_taxonomy(str(path))
    assert taxonomy.roles("Sea.Sail") == ("Skipper", "Time")
    assert taxonomy.role("Sea.Sail", "Place") is None


@pytest.mark.parametrize("text", ["types = 3", "[typs]", "[types.x]\na = 1", "not toml"])
def test_a_broken_taxonomy_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "broken.toml"
    path.write_text(text)
    with pytest.raises(UsageError):
        load_taxonomy(str(path))


def test_a_misspelt_taxonomy_is_reported_with_near_names() -> None:
    with pytest.raises(UsageError) as refused:
        load_taxonomy("kbp214")
    assert "kbp2014" in str(refused.value.hint)


def test_role_files_imply_time_and_place_unless_they_list_them() -> None:
    assert read_role_file("A.B\tX\n").roles("A.B") == ("X", "Time", "Place")
    assert read_role_file("A.B\tX\tTime\nA.C\tX\n").roles("A.C") == ("X",)


@pytest.mark.parametrize("name", ["kbp2014", "kbp2014-later", "kbp2015"])
def test_every_shipped_type_and_role_is_explained(name: str) -> None:
    taxonomy = load_taxonomy(name)
    assert all(taxonomy.definitions[event_type] for event_type in taxonomy.types)
    assert all(
        role.definition and role.fillers for roles in taxonomy.types.values() for role in roles.values()
    )
    assert set(taxonomy.scrutiny) <= set(taxonomy.types)
    assert not taxonomy.removed & set(taxonomy.types)


@pytest.mark.parametrize(
    ("doc_id", "genre"),
    [
        ("CNN_CF_1", "Broadcast conversation"),
        ("CNN_ENG_2", "Broadcast News"),
        ("bolt-eng", "Forum"),
        ("XIN_ENG", "Newswire"),
        ("TTRACY_3", "Blog"),
        ("fsh_1", "Speech"),
        ("nw01", "Unknown"),
    ],
)
def test_the_prefix_of_a_document_id_tells_its_genre(doc_id: str, genre: str) -> None:
    assert genre_of(doc_id, {}) == genre


def test_a_file_of_genres_beats_the_prefix(tmp_path: Path) -> None:
    (tmp_path / "genres").write_text("# mine\nCNN_1\tTalk\n")
    assert genre_of("CNN_1", read_genres(str(tmp_path / "genres"))) == "Talk"
    (tmp_path / "blanks").write_text("CNN_1 Talk\n")
    with pytest.raises(UsageError):
        read_genres(str(tmp_path / "blanks"))


def test_a_byte_order_mark_is_no_part_of_the_first_type_of_a_taxonomy(tmp_path: Path) -> None:
    for name, text in (
        ("roles", "Life.Die\tVictim\n"),
        ("mine.toml", "[types.'Life.Die']\nroles.Victim = {}\n"),
    ):
        (tmp_path / name).write_text(text, encoding="utf-8-sig")
        assert list(load_taxonomy(str(tmp_path / name)).types) == ["Life.Die"]


@pytest.mark.parametrize(
    ("lines", "documents"),
    [("E1\nE1\td1\n", set()), ("E1\td1\nE1\n", set()), ("E1\td1\nE1\td2\n", {"d1", "d2"})],
)
def test_a_target_of_all_documents_stays_one_whatever_another_line_says(
    lines: str, documents: set[str], tmp_path: Path
) -> None:
    (tmp_path / "targets").write_text(lines, encoding="utf-8")
    assert read_targets(str(tmp_path / "targets"))["E1"].documents == documents


def test_two_texts_of_one_document_in_different_folders_are_refused_when_they_differ(tmp_path: Path) -> None:
    for folder, text in (("a", "one"), ("b", "one"), ("c", "two")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "D.txt").write_text(text)
        (tmp_path / folder / "E.txt").write_text("same")
    texts = open_texts(str(tmp_path))
    assert texts.text("E") == "same"
    with pytest.raises(FormatError, match=r"two texts of document 'D': 'a/D.txt' and 'c/D.txt'"):
        texts.text("D")


@pytest.mark.parametrize("name", ["kbp2014", "kbp2014-later", "kbp2015"])
def test_a_taxonomy_has_the_same_roles_when_its_role_file_is_read_back(name: str) -> None:
    ours = load_taxonomy(name)
    back = read_role_file(write_role_file(ours))
    assert [(kind, [*roles]) for kind, roles in back.types.items()] == [
        (kind, [*roles]) for kind, roles in ours.types.items()
    ]
    assert back.always.keys() == ours.always.keys()


def test_a_role_file_lists_roles_of_every_type_that_it_cannot_imply() -> None:
    taxonomy = Taxonomy("own", {"A.B": {"Agent": RoleDefinition("Agent")}}, {"Time": RoleDefinition("Time")})
    assert write_role_file(taxonomy) == "A.B\tAgent\tTime\n"


def test_a_type_on_two_lines_of_a_role_file_is_refused_when_its_roles_differ() -> None:
    assert set(read_role_file("Life.Die\tVictim\nLife.Die\tVictim\n").types) == {"Life.Die"}
    with pytest.raises(UsageError, match=r"'Life\.Die' stands on two lines"):
        read_role_file("Life.Die\tVictim\nLife.Die\tAgent\n")


@pytest.mark.parametrize(
    "line",
    [
        '{"id": "T", "handle": 5}',
        '{"id": "T", "aliases": "Zo Takk"}',
        '{"id": "T", "aliases": [{"txt": "Zo Takk"}]}',
        '{"id": "T", "variants": [""]}',
        '{"id": "T", "documents": "d1"}',
    ],
)
def test_a_name_of_a_target_that_cannot_be_read_is_refused_and_not_lost(tmp_path: Path, line: str) -> None:
    targets = tmp_path / "targets.jsonl"
    targets.write_text(line + "\n", encoding="utf-8")
    with pytest.raises(FormatError) as refused:
        read_targets(str(targets))
    assert [finding.code for finding in refused.value.findings] == ["bad-side-file"]


def test_a_name_of_a_target_may_hold_what_ends_lines_elsewhere(tmp_path: Path) -> None:
    targets = tmp_path / "targets.jsonl"
    targets.write_text('{"id": "T", "handle": "Mira", "aliases": ["Zo\u2028Takk"]}\n', encoding="utf-8")
    assert read_targets(str(targets))["T"].names == ("Mira", "Zo\u2028Takk")


@pytest.mark.parametrize("name", ["kbp2014", "kbp2014-later", "kbp2015"])
def test_life_injure_asks_for_nobody_to_survive(name: str) -> None:
    # A right Life.Die takes the same Life.Injure out of the score: who dies may have been hurt.
    assert load_taxonomy(name).definitions["Life.Injure"] == "A person is hurt."

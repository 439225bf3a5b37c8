"""The example corpus agrees with itself: read here from the files, without build.py and without lydite."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CHARACTER_FILES = ["gold.tbf", *(f"systems/{name}.tbf" for name in ("alder", "birch", "cedar"))]
TOKEN_FILES = ["gold.tokens.tbf", *(f"systems-tokens/{name}.tbf" for name in ("alder", "birch", "cedar"))]
ALL_FILES = CHARACTER_FILES + TOKEN_FILES

Row = list[str]


@dataclass
class Block:
    """One document of a TBF file: mention rows and relation rows, column by column."""

    mentions: list[Row] = field(default_factory=list)
    relations: list[Row] = field(default_factory=list)

    @property
    def ids(self) -> list[str]:
        return [row[2] for row in self.mentions]

    def relations_named(self, *names: str) -> list[list[str]]:
        return [row[2].split(",") for row in self.relations if row[0] in names]


def read_tbf(name: str) -> dict[str, Block]:
    blocks: dict[str, Block] = {}
    block = Block()
    for line in (EXAMPLES / name).read_text("utf-8").split("\n"):
        if line.startswith("#BeginOfDocument "):
            block = blocks.setdefault(line.partition(" ")[2], Block())
        elif line.startswith("@"):
            block.relations.append(line[1:].split("\t"))
        elif line and line != "#EndOfDocument":
            block.mentions.append(line.split("\t"))
    return blocks


def read_text(doc_id: str) -> str:
    return (EXAMPLES / f"text/{doc_id}.txt").read_text("utf-8")


def read_tokens(doc_id: str) -> dict[str, tuple[str, int, int]]:
    rows = [line.split("\t") for line in (EXAMPLES / f"tokens/{doc_id}.tab").read_text("utf-8").splitlines()]
    return {token_id: (text, int(begin), int(end)) for token_id, text, begin, end in rows}


@pytest.fixture(scope="module")
def gold() -> dict[str, Block]:
    return read_tbf("gold.tbf")


@pytest.mark.parametrize("name", CHARACTER_FILES)
def test_the_text_column_is_what_stands_at_the_character_span(name: str) -> None:
    for doc_id, block in read_tbf(name).items():
        text = read_text(doc_id)
        for row in block.mentions:
            ranges = [tuple(map(int, part.split(","))) for part in row[3].split(";")]
            assert " ".join(text[begin:end] for begin, end in ranges) == row[4], (name, row)
            assert ranges == sorted(ranges), (name, row)


@pytest.mark.parametrize("name", TOKEN_FILES)
def test_the_text_column_is_made_of_the_tokens_of_the_span(name: str) -> None:
    for doc_id, block in read_tbf(name).items():
        tokens = read_tokens(doc_id)
        for row in block.mentions:
            words = "".join(tokens[token_id][0] for token_id in row[3].split(","))
            assert words == row[4].replace(" ", ""), (name, row)


def test_token_tables_agree_with_the_texts() -> None:
    for path in (EXAMPLES / "text").glob("*.txt"):
        text = read_text(path.stem)
        for token, begin, end in read_tokens(path.stem).values():
            assert text[begin:end] == token


@pytest.mark.parametrize(("characters", "tokens"), list(zip(CHARACTER_FILES, TOKEN_FILES, strict=True)))
def test_the_token_twin_differs_in_the_span_column_only(characters: str, tokens: str) -> None:
    ours, twins = read_tbf(characters), read_tbf(tokens)
    assert list(ours) == list(twins)
    for doc_id, block in ours.items():
        assert [row[:3] + row[4:] for row in block.mentions] == [
            row[:3] + row[4:] for row in twins[doc_id].mentions
        ]
        assert block.relations == twins[doc_id].relations


@pytest.mark.parametrize("name", ALL_FILES)
def test_mention_ids_are_unique_in_a_document(name: str) -> None:
    for doc_id, block in read_tbf(name).items():
        assert len(set(block.ids)) == len(block.ids), doc_id
        assert {row[1] for row in block.mentions} <= {doc_id}


@pytest.mark.parametrize("name", ALL_FILES)
def test_relations_name_known_mentions(name: str) -> None:
    for doc_id, block in read_tbf(name).items():
        assert all(len(row) == 3 for row in block.relations), doc_id
        for members in block.relations_named("Coreference", "After", "Subevent"):
            assert set(members) <= set(block.ids), (doc_id, members)
        assert all(len(pair) == 2 for pair in block.relations_named("After", "Subevent")), doc_id


@pytest.mark.parametrize("name", ALL_FILES)
def test_clusters_have_two_members_or_more_and_do_not_overlap(name: str) -> None:
    for doc_id, block in read_tbf(name).items():
        clusters = block.relations_named("Coreference")
        assert all(len(cluster) >= 2 for cluster in clusters), doc_id
        members = [mention_id for cluster in clusters for mention_id in cluster]
        assert len(set(members)) == len(members), doc_id


@pytest.mark.parametrize("name", ALL_FILES)
def test_no_span_occurs_twice_in_a_cluster(name: str) -> None:
    """The scorers of 2015 refuse that."""
    for doc_id, block in read_tbf(name).items():
        spans = {row[2]: row[3] for row in block.mentions}
        for cluster in block.relations_named("Coreference"):
            assert len({spans[mention_id] for mention_id in cluster}) == len(cluster), (doc_id, cluster)


@pytest.mark.parametrize("name", ["alder", "birch", "cedar"])
def test_systems_give_three_confidences(name: str) -> None:
    rows = [row for block in read_tbf(f"systems/{name}.tbf").values() for row in block.mentions]
    assert all(len(row) == 10 and all(0 < float(value) < 1 for value in row[7:]) for row in rows)


def test_gold_does_not_annotate_quotations(gold: dict[str, Block]) -> None:
    for doc_id, block in gold.items():
        quotations = [
            match.span() for match in re.finditer(r"<quote[ >].*?</quote>", read_text(doc_id), re.DOTALL)
        ]
        for row in block.mentions:
            begin = int(row[3].split(",")[0])
            assert not any(start <= begin < stop for start, stop in quotations), (doc_id, row)


def test_gold_shows_what_the_corpus_is_for(gold: dict[str, Block]) -> None:
    rows = [row for block in gold.values() for row in block.mentions]
    clusters = [cluster for block in gold.values() for cluster in block.relations_named("Coreference")]
    spans = Counter((row[1], row[3]) for row in rows)
    assert len(gold) == 20
    assert 120 <= len(rows) <= 180
    assert {row[6] for row in rows} == {"Actual", "Generic", "Other"}
    assert len({row[5] for row in rows}) == 18
    assert sum(";" in row[3] for row in rows) >= 4
    assert sum(count == 2 for count in spans.values()) >= 6
    assert len(clusters) >= 25
    assert any(len(cluster) >= 3 for cluster in clusters)
    assert all(any(block.relations_named(name) for block in gold.values()) for name in ("After", "Subevent"))
    assert [doc_id for doc_id, block in gold.items() if not block.mentions] == ["df07-herring"]


def test_the_readme_counts_what_is_there(gold: dict[str, Block]) -> None:
    rows = [row for block in gold.values() for row in block.mentions]
    clusters = [cluster for block in gold.values() for cluster in block.relations_named("Coreference")]
    realis = Counter(row[6] for row in rows)
    doubled = Counter((row[1], row[3]) for row in rows)
    counts = {
        "documents": len(gold),
        "mentions": len(rows),
        "of these Actual": realis["Actual"],
        "of these Generic": realis["Generic"],
        "of these Other": realis["Other"],
        "discontinuous mentions": sum(";" in row[3] for row in rows),
        "spans with two mentions": sum(count == 2 for count in doubled.values()),
        "clusters": len(clusters),
        "clusters of three or more": sum(len(cluster) >= 3 for cluster in clusters),
        "`@After`": sum(len(block.relations_named("After")) for block in gold.values()),
        "`@Subevent`": sum(len(block.relations_named("Subevent")) for block in gold.values()),
    }
    table = "".join(f"| {name} | {count} |\n" for name, count in counts.items())
    assert table in (EXAMPLES / "README.md").read_text("utf-8"), f"the table should be:\n{table}"


def test_texts_are_short() -> None:
    for path in (EXAMPLES / "text").glob("*.txt"):
        words = re.sub(r"<[^<>]*>", " ", read_text(path.stem)).split()
        assert 60 <= len(words) <= 160, path.name


def test_cedar_misses_a_document_and_makes_no_clusters(gold: dict[str, Block]) -> None:
    cedar = read_tbf("systems/cedar.tbf")
    assert set(gold) - set(cedar) == {"df05-bridge"}
    assert not any(block.relations for block in cedar.values())


def test_the_committed_files_are_what_build_py_makes() -> None:
    command = [sys.executable, str(EXAMPLES / "build.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr

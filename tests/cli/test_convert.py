"""``lydite convert``: files, folders, archives, streams, and a loss report that is measured."""

from __future__ import annotations

import gzip
import io
import json
import re
import sys
import zipfile
from pathlib import Path

import pytest

from lydite.cli import run
from lydite.cli.convert import target_format
from lydite.facade.library import score
from lydite.formats import FORMATS
from lydite.model import Corpus

EXAMPLES = Path(__file__).parent.parent.parent / "examples"
GOLD = str(EXAMPLES / "gold.tbf")
SYSTEM = str(EXAMPLES / "systems" / "alder.tbf")


def test_the_loss_report_is_json_on_request(tmp_path: Path) -> None:
    losses = tmp_path / "losses.json"
    assert run(["convert", SYSTEM, str(tmp_path / "brat"), "--to", "brat", "--losses", str(losses)]) == 0
    report = json.loads(losses.read_text(encoding="utf-8"))
    assert (report["schema"], report["from"], report["to"]) == ("lydite.losses/1", "tbf", "brat")
    assert report["documents"] == 20
    (dropped,) = report["dropped"]
    assert (dropped["what"], dropped["count"]) == ("confidences", report["kept"]["mentions"])
    assert dropped["first"][0]["document"] == "df01-boots"


@pytest.mark.parametrize("name", ["gold.foo", "gold.foo.gz"])
def test_an_extension_that_no_format_has_is_not_guessed_at(
    tmp_path: Path, name: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", GOLD, str(tmp_path / name)]) == 2
    assert "name it with --to: tbf, " in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
    (tmp_path / name).mkdir()
    assert run(["convert", GOLD, str(tmp_path / name), "-q"]) == 0


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("gold.apf.xml", "tbf cannot become apf: they have nothing in common"),
        ("gold.ere.xml", "format 'ere' cannot be written"),
    ],
)
def test_the_longest_extension_of_a_format_names_it(
    tmp_path: Path, name: str, told: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", GOLD, str(tmp_path / name)]) == 2
    assert told in capfd.readouterr().err
    assert list(tmp_path.iterdir()) == []
    assert run(["convert", GOLD, str(tmp_path / "gold.xml"), "-q"]) == 0


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("tbf", "lydite"),
        ("brat", "lydite"),
        ("maven", "lydite"),
        ("apf", "lydite"),
        ("eal", "lydite"),
        ("lydite", "lydite"),
        ("corefud", "coref-jsonl"),
        ("kaf", "triples-jsonl"),
        ("events", "events"),
        ("iob", "spans-jsonl"),
    ],
)
def test_an_extension_of_many_formats_means_the_one_that_can_stand_for_the_source(
    source: str, expected: str
) -> None:
    assert target_format(None, "out.jsonl.gz", Corpus("in", {}, "in", source)).name == expected


def test_annotation_written_as_json_lines_without_naming_a_format_loses_nothing(tmp_path: Path) -> None:
    assert run(["convert", GOLD, str(tmp_path / "gold.jsonl"), "-q", "--strict"]) == 0
    assert (
        run(["convert", str(tmp_path / "gold.jsonl"), str(tmp_path / "again.jsonl"), "-q", "--strict"]) == 0
    )
    assert (tmp_path / "gold.jsonl").read_bytes() == (tmp_path / "again.jsonl").read_bytes()


def test_a_strict_conversion_that_loses_something_writes_nothing(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "brat"
    assert run(["convert", SYSTEM, str(target), "--to", "brat", "--strict"]) == 3
    assert not target.exists()
    assert "[lossy-conversion]" in capfd.readouterr().err


def test_new_ids_are_no_loss(tmp_path: Path) -> None:
    assert run(["convert", GOLD, str(tmp_path / "brat"), "--to", "brat", "--strict", "--quiet"]) == 0


def test_a_text_beside_the_annotation_is_no_loss(tmp_path: Path) -> None:
    (tmp_path / "d1.txt").write_text("Two died.", encoding="utf-8")
    (tmp_path / "d1.ann").write_text("T1\tLife_Die 4 8\tdied\nE1\tLife_Die:T1\n", encoding="utf-8")
    assert run(["convert", str(tmp_path / "d1.ann"), str(tmp_path / "x.tbf"), "--strict", "--quiet"]) == 0


def test_archives_and_packed_files_can_be_written_and_read(tmp_path: Path) -> None:
    archive, packed = tmp_path / "gold.zip", tmp_path / "gold.tbf.gz"
    assert run(["convert", GOLD, str(archive), "--to", "brat", "--quiet"]) == 0
    with zipfile.ZipFile(archive) as opened:
        assert len(opened.namelist()) == 20
    assert run(["convert", str(archive), str(packed), "--quiet"]) == 0
    assert gzip.decompress(packed.read_bytes()).startswith(b"#BeginOfDocument df01-boots\n")


def test_streams_are_read_and_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert run(["convert", GOLD, str(tmp_path / "gold.lydite.jsonl"), "--quiet"]) == 0
    data = (tmp_path / "gold.lydite.jsonl").read_bytes()
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert run(["convert", "-", "-", "--to", "tbf", "--quiet"]) == 0
    assert capfdbinary.readouterr().out == Path(GOLD).read_bytes()


def test_the_suffix_of_gzip_may_be_in_capital_letters(tmp_path: Path) -> None:
    packed = tmp_path / "runs" / "gold.tbf.GZ"
    packed.parent.mkdir()
    assert run(["convert", GOLD, str(packed), "-q"]) == 0
    assert gzip.decompress(packed.read_bytes()) == Path(GOLD).read_bytes()
    for given in (packed, packed.parent):
        assert score(GOLD, str(given))["span"].micro.f1 == 1
    (tmp_path / "d.ann").write_text("T1\tA 0 1\tx\nE1\tA:T1\n", encoding="utf-8")
    (tmp_path / "d.ann.GZ").write_bytes(gzip.compress((tmp_path / "d.ann").read_bytes()))
    assert score(str(tmp_path / "d.ann"), str(tmp_path / "d.ann.GZ"))["span"].micro.f1 == 1


@pytest.mark.parametrize("name", ["out.tar", "out.tar.gz", "OUT.TGZ"])
@pytest.mark.parametrize("target", ["tbf", "brat"])
def test_an_archive_that_could_not_be_read_again_is_not_written(
    name: str, target: str, tmp_path: Path
) -> None:
    assert run(["convert", GOLD, str(tmp_path / name), "--to", target]) == 2
    assert not (tmp_path / name).exists()


def test_packed_data_on_stdin_is_called_by_its_name(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(gzip.compress(Path(GOLD).read_bytes()))))
    assert run(["convert", "-", "-", "--to", "lydite"]) == 3
    assert "stdin: error: expected text, found gzip data [other-kind]" in capfd.readouterr().err


def test_what_stands_at_the_place_of_the_output_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = b"#begin document (d); part 000\nd 0 0 Ana (0)\nd 0 1 left -\nd 0 2 . (0)\n\n#end document\n"
    out = tmp_path / "out.tbf"
    written = []
    for _ in range(2):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows)))
        assert run(["convert", "-", str(out), "-q"]) == 0
        written.append(out.read_bytes())
    assert b"@Coreference\t0\tM1,M2" in written[0]
    assert written[0] == written[1]


def test_a_system_that_gives_nothing_on_stdin_found_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"")))
    assert score(GOLD, "-")["span"].micro.recall == 0


def test_formats_with_nothing_in_common_are_refused(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(["convert", GOLD, str(tmp_path / "x.trp")]) == 2
    assert "nothing in common" in capfd.readouterr().err


def test_broken_input_is_refused_and_nothing_is_written(tmp_path: Path) -> None:
    broken = tmp_path / "broken.ann"
    broken.write_text("T1\tX seven\tw\n", encoding="utf-8")
    assert run(["convert", str(broken), str(tmp_path / "x.tbf")]) == 3
    assert not (tmp_path / "x.tbf").exists()


def test_a_format_with_one_file_per_document_does_not_go_to_a_stream(
    capfd: pytest.CaptureFixture[str],
) -> None:
    assert run(["convert", GOLD, "-", "--to", "brat"]) == 2
    assert "name a folder" in capfd.readouterr().err


@pytest.mark.parametrize("place", ["4,4", "5,3", "-3,2"])
@pytest.mark.parametrize(
    "target", ["conll", "semeval", "corefud", "coref-jsonl", "coref-xml", "cluster-table"]
)
def test_a_row_of_a_table_that_is_no_run_of_tokens_does_not_break_the_file(
    target: str, place: str, tmp_path: Path
) -> None:
    pytest.importorskip("pyarrow")
    table, out = tmp_path / "rows.csv", tmp_path / "out"
    table.write_text(f"document,start,end,cluster\nd,0,2,a\nd,{place},a\ne,1,2,b\n", encoding="utf-8")
    words = ["--from", "table", "--to", target, "--losses", str(tmp_path / "losses.json"), "-q"]
    assert run(["convert", "coref", str(table), str(out), *words]) == 0
    changed = json.loads((tmp_path / "losses.json").read_bytes())["changed"]
    assert "clusters" in {loss["what"] for loss in changed}
    assert run(["validate", "coref", str(out), "--from", target, "-q"]) == 0


ONE = "#BeginOfDocument {0}\nx\t{0}\tE1\t0,3\tabc\tT\tActual\n#EndOfDocument\n"


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("d.ann", False),
        ("d.ann.gz", False),
        ("x.zip", False),
        ("new/", False),
        ("x.ann", True),
        ("x.ann.gz", True),
    ],
)
def test_another_name_of_a_file_is_told_where_it_is_another_name_of_the_document(
    name: str, told: bool, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.tbf").write_text(ONE.format("d"), encoding="utf-8")
    words = [str(tmp_path / "one.tbf"), f"{tmp_path}/{name}", "--to", "brat"]
    assert run(["convert", *words, "--losses", str(tmp_path / "losses.json")]) == 0
    assert ("(d → x)" in capfd.readouterr().err) is told
    report = json.loads((tmp_path / "losses.json").read_bytes())
    assert [loss["what"] for loss in report["changed"]] == ["document names"] * told
    assert run(["convert", *words, "--strict"]) == (3 if told else 0)


@pytest.mark.parametrize(
    ("source", "target", "told"),
    [
        ("x.trp", "x.jsonl", False),
        ("x.trp", "y.jsonl", True),
        ("x.trp", "x.lydite.jsonl", False),
        ("x.trp", "y.lydite.jsonl", False),
        ("x.trp", "y.trp.gz", True),
        ("x.trp", "x.trp.gz", False),
    ],
)
def test_a_document_called_after_its_file_keeps_its_name_under_another_extension(
    source: str, target: str, told: bool, tmp_path: Path
) -> None:
    (tmp_path / source).write_text('<triples><triple id="1" relation="r"/></triples>', encoding="utf-8")
    words = [str(tmp_path / source), str(tmp_path / target), "--losses", str(tmp_path / "losses.json"), "-q"]
    assert run(["convert", "triples", *words]) == 0
    report = json.loads((tmp_path / "losses.json").read_bytes())
    assert [loss["what"] for loss in report["changed"]] == ["document names"] * told


def test_coreference_sets_name_their_document_inside(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "one.jsonl").write_text(
        '{"doc_key": "d", "clusters": [[[0, 1], [3, 3]]]}\n', encoding="utf-8"
    )
    words = [str(tmp_path / "one.jsonl"), str(tmp_path / "x.xml"), "--to", "coref-xml"]
    assert run(["convert", "coref", *words]) == 0
    assert "document name" not in capfd.readouterr().err


@pytest.mark.parametrize(
    ("document", "target", "what"),
    [("a/b", "brat", "document names"), ("d", "cluster-table", "documents"), ("d", "coref-xml", "documents")],
)
def test_a_single_document_that_loses_its_name_is_a_loss(
    document: str, target: str, what: str, tmp_path: Path
) -> None:
    source = tmp_path / "one.lydite.jsonl"
    source.write_text(f'{{"schema":"lydite.document/1","doc_id":"{document}"}}\n', encoding="utf-8")
    losses = tmp_path / "losses.json"
    words = [str(source), str(tmp_path / "out"), "--to", target, "--losses", str(losses), "-q"]
    assert run(["convert", "coref", *words]) == 0
    report = json.loads(losses.read_bytes())
    assert what in {loss["what"] for loss in [*report["changed"], *report["dropped"]]}


def test_types_of_entities_that_the_target_has_no_place_for_are_told(tmp_path: Path) -> None:
    source, losses = tmp_path / "one.conllu", tmp_path / "losses.json"
    source.write_text(
        "# newdoc id = d\n# global.Entity = eid-etype-head-other\n1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1-)\n\n",
        encoding="utf-8",
    )
    words = [str(source), str(tmp_path / "out.conll"), "--losses", str(losses), "-q"]
    assert run(["convert", "coref", *words]) == 0
    (dropped,) = json.loads(losses.read_bytes())["dropped"]
    assert (dropped["what"], dropped["count"]) == ("entity types", 1)


def test_the_loss_report_has_a_place_of_its_own(tmp_path: Path) -> None:
    out = str(tmp_path / "out.tbf")
    assert run(["convert", GOLD, out, "--losses", out]) == 2
    assert not list(tmp_path.iterdir())
    assert run(["convert", GOLD, "/dev/null", "--to", "tbf", "--losses", "/dev/null", "-q"]) == 0


APART = '{"doc_key": "d1", "clusters": [[[0, 0], [4, 5]], [[2, 2]]]}\n'
LISTED = f'{APART}{{"doc_key": "d2", "clusters": [[[1, 1], [3, 3]], [[6, 6]]]}}\n'
GRAPHS = "".join(
    f'{{"doc_key": "{one}", "type": "graph", "mentions": ["{one}#m", "{one}#n"], "links": [["{one}#m", "{one}#n"]]}}\n'
    for one in ("d1", "d2")
)
SENTENCES = "".join(
    f"# newdoc id = {one}\n# global.Entity = eid-etype-head-other\n"
    "1\ta\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)\n2\tb\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-x-1-)\n\n"
    for one in ("d1", "d2")
)


HOLDING_CLUSTERS = [
    name
    for name in FORMATS
    if {"clusters", "*"} & {*FORMATS[name].layers} and FORMATS[name].write is not None
]


@pytest.mark.parametrize("target", HOLDING_CLUSTERS)
@pytest.mark.parametrize(
    ("name", "content"), [("a.jsonl", LISTED), ("b.jsonl", GRAPHS), ("c.conllu", SENTENCES)]
)
def test_clusters_of_two_documents_stay_two_or_the_loss_is_told(
    name: str, content: str, target: str, tmp_path: Path
) -> None:
    source, losses = tmp_path / name, tmp_path / "losses.json"
    source.write_text(content, encoding="utf-8")
    out = str(tmp_path / f"out{FORMATS[target].extensions[0]}")
    words = [str(source), out, "--to", target, "--losses", str(losses), "-q"]
    assert run(["convert", "coref", *words]) == 0
    summary = score(str(source), out, task="coref", profile="conll-8.01", unit="corpus")
    if summary["coref"]["b-cubed"].f1 != 1:
        report = json.loads(losses.read_bytes())
        told = {loss["what"] for loss in [*report["changed"], *report["dropped"]]}
        codes = {finding["code"] for finding in report["findings"]}
        assert ("clusters" in told and report["lossy"]) or "clusters-joined" in codes


CROSSING_COLUMNS = """\
#begin document (a/x); part 000
a/x\t0\t0\tShe\t(5)
a/x\t0\t1\thim\t(7)
a/x\t0\t2\ther\t(5)

#end document
#begin document (a/y); part 000
a/y\t0\t0\tWho\t(7)
a/y\t0\t1\tmet\t(9)
a/y\t0\t2\thim\t(7)
a/y\t0\t3\ther\t(9)

#end document
"""
CROSSING_TABLE = "a/x#0-1\tshe\na/x#1-2\thim\na/x#2-3\tshe\na/y#0-1\thim\na/y#1-2\tshe too\na/y#2-3\thim\n"


@pytest.mark.parametrize("target", HOLDING_CLUSTERS)
@pytest.mark.parametrize(("name", "content"), [("a.conll", CROSSING_COLUMNS), ("b.clusters", CROSSING_TABLE)])
def test_clusters_of_one_id_in_two_documents_stay_one_or_it_is_told(
    name: str, content: str, target: str, tmp_path: Path
) -> None:
    source, losses = tmp_path / name, tmp_path / "losses.json"
    source.write_text(content, encoding="utf-8")
    out = str(tmp_path / f"out{FORMATS[target].extensions[0]}")
    words = ["--to", target, "--losses", str(losses), "--profile", "conll-8.01", "-q"]
    assert run(["convert", "coref", str(source), out, *words]) == 0
    summary = score(str(source), out, task="coref", profile="conll-8.01", unit="corpus")
    findings = json.loads(losses.read_bytes())["findings"]
    told = any("that clusters of several documents share" in finding["message"] for finding in findings)
    assert (summary["coref"]["muc"].f1 != 1) == told
    numbered = {"conll", "semeval"} if name == "b.clusters" else set()
    assert told == (target in {"coref-jsonl", "coref-xml", "corefud", *numbered})


def test_entities_of_corefud_have_ids_that_no_other_document_has(tmp_path: Path) -> None:
    source, out = tmp_path / "a.conll", tmp_path / "a.conllu"
    source.write_text(CROSSING_COLUMNS, encoding="utf-8")
    assert run(["convert", "coref", str(source), str(out), "-q"]) == 0
    begun = re.findall(r"\((e[0-9]+)-", out.read_text(encoding="utf-8"))
    assert begun == ["e1", "e2", "e1", "e3", "e4", "e3", "e4"]


def test_a_gold_file_without_mentions_has_no_unit_that_could_differ(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.lydite.jsonl", tmp_path / "system.lydite.jsonl"
    gold.write_text('{"schema":"lydite.document/1","doc_id":"d1"}\n', encoding="utf-8")
    system.write_text(
        '{"schema":"lydite.document/1","doc_id":"d1","mentions":[{"id":"E1","tokens":["t1"]}]}\n',
        encoding="utf-8",
    )
    assert score(str(gold), str(system), task="nugget").profile == "kbp2015"


def test_tags_whose_words_are_not_known_are_scored_against_words(tmp_path: Path) -> None:
    gold, system = tmp_path / "gold.iob", tmp_path / "system.jsonl"
    gold.write_text("-DOCSTART- (d) O\n\nEU B-ORG\n", encoding="utf-8")
    system.write_text('{"doc_id": "d", "tags": ["B-ORG"]}\n', encoding="utf-8")
    assert run(["convert", "spans", str(system), str(tmp_path / "system.iob"), "-q"]) == 0
    assert "_ B-ORG" in (tmp_path / "system.iob").read_text(encoding="utf-8")
    assert score(str(gold), str(tmp_path / "system.iob")).headline_score() == 1


def test_clusters_of_mentions_stay_in_their_documents(tmp_path: Path) -> None:
    document = "#BeginOfDocument {0}\n{1}@Coreference\tC1\tE1,E2\n#EndOfDocument\n"
    mentions = "".join(f"x\t{{0}}\tE{at}\t{at},{at + 1}\ta\tT\tActual\n" for at in (1, 2, 3))
    given = "".join(document.format(name, mentions.format(name)) for name in ("d1", "d2"))
    (tmp_path / "a.tbf").write_text(given, encoding="utf-8")
    tables = [str(tmp_path / name) for name in ("a.jsonl", "a.clusters")]
    for table, kind in zip(tables, ("coref-jsonl", "cluster-table"), strict=True):
        assert run(["convert", "nugget", str(tmp_path / "a.tbf"), table, "--to", kind, "-q"]) == 0
    rows = [line.split("\t")[1] for line in Path(tables[1]).read_text(encoding="utf-8").splitlines()]
    names = [
        name
        for line in Path(tables[0]).read_text(encoding="utf-8").splitlines()
        for name in json.loads(line)["clusters"]
    ]
    assert len(set(names)) == len(names) == len(set(rows)) == 4


def test_a_single_document_is_written_without_a_word_on_other_documents(tmp_path: Path) -> None:
    (tmp_path / "one.jsonl").write_text(APART, encoding="utf-8")
    out = tmp_path / "one.lydite.jsonl"
    assert run(["convert", "coref", str(tmp_path / "one.jsonl"), str(out), "-q"]) == 0
    assert "local-clusters" not in out.read_text(encoding="utf-8")


@pytest.mark.parametrize("source", ["a.trp", "b.lydite.jsonl"])
def test_a_document_without_triples_is_told_where_only_triples_have_lines(
    source: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(
        f'{{"schema":"lydite.document/1","doc_id":"d{number}","layers":{{"triples":[{triple}]}}}}\n'
        for number, triple in enumerate(('{"relation":"r","first":{},"second":{}}', ""))
    )
    given = {"a.trp": "<triples></triples>", "b.lydite.jsonl": lines}
    (tmp_path / source).write_text(given[source], encoding="utf-8")
    words = [str(tmp_path / source), str(tmp_path / "a.jsonl"), "--to", "triples-jsonl", "--strict"]
    assert run(["convert", "triples", *words]) == 3
    assert "dropped: 1 document: triples-jsonl " in capfd.readouterr().err


def test_a_store_of_one_document_is_a_folder_that_can_be_read(tmp_path: Path) -> None:
    source = tmp_path / "a.lydite.jsonl"
    source.write_text('{"schema":"lydite.document/1","doc_id":"d1"}\n', encoding="utf-8")
    store = str(tmp_path / "store")
    assert run(["convert", "arguments", str(source), store, "--to", "eal", "--strict", "-q"]) == 0
    assert run(["validate", "arguments", store, "-q"]) == 0


def test_documents_of_lines_that_get_an_extension_into_their_names_are_told(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    lines = "".join(f'{{"doc": "{name}", "relation": "r", "first": {{}}}}\n' for name in ("d1", "d2"))
    (tmp_path / "a.jsonl").write_text(lines, encoding="utf-8")
    assert run(["convert", "triples", str(tmp_path / "a.jsonl"), f"{tmp_path}/out/", "--to", "trp"]) == 0
    assert "(d1 → d1.trp; d2 → d2.trp)" in capfd.readouterr().err


def test_a_folder_of_columns_is_read_again_without_naming_its_format(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(LISTED, encoding="utf-8")
    folder = f"{tmp_path}/columns/"
    assert run(["convert", "coref", str(tmp_path / "a.jsonl"), folder, "--to", "semeval", "-q"]) == 0
    assert score(str(tmp_path / "a.jsonl"), folder, task="coref")["coref"]["muc"].f1 == 1


def test_an_empty_file_does_not_decide_on_the_format_of_its_folder(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text("", encoding="utf-8")
    (tmp_path / "b.jsonl").write_text(
        '{"doc": "d1", "relation": "r", "first": {"ids": ["w"]}}\n', encoding="utf-8"
    )
    assert score(str(tmp_path), str(tmp_path), task="triples")["partial_same"].micro.f1 == 1


def test_a_document_with_layers_is_of_the_inner_form_also_without_its_schema(tmp_path: Path) -> None:
    path = tmp_path / "d.lydite.jsonl"
    path.write_text(
        '{"doc_id": "d", "layers": {"events": [{"type": "A", "trigger": [[0, 1]]}]}}\n', encoding="utf-8"
    )
    for given in (path, tmp_path):
        assert run(["validate", "arguments", str(given), "--profile", "exact", "-q"]) == 0


def test_a_query_that_finds_nothing_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = str(EXAMPLES / "arguments" / "systems" / "alder")
    out = tmp_path / "buyers"
    assert run(["convert", store, str(out), "--where", "role=Buyer", "--where", "type=Transaction.*"]) == 0
    lines = [line for path in out.iterdir() for line in path.read_text().splitlines()]
    assert {tuple(line.split("\t")[2:4]) for line in lines} == {("Transaction.Transfer-Ownership", "Buyer")}
    assert "nothing-found" not in capsys.readouterr().err
    assert run(["convert", store, str(tmp_path / "none"), "--where", "role=buyer"]) == 0
    assert "nothing has role=buyer [nothing-found]" in capsys.readouterr().err

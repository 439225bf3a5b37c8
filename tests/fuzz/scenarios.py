"""What is attacked: every verb over every format, with the files that it reads."""

from __future__ import annotations

import contextlib
import gzip
import io
import shutil
import tarfile
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from format_samples import CASES, EXAMPLES, FILE_SETTINGS, FILES, LINKING, SAMPLES
from lydite.cli import run
from lydite.errors import UsageError
from lydite.formats import FORMATS
from lydite.formats.rewriting import check_formats
from side_files import DOCUMENT, SIDES, STORE, Side

OUT = "out"
"""The only name that a command writes; nothing else may appear, and this only whole."""


class Scenario(NamedTuple):
    """Files in a folder of their own, those among them that are damaged, and commands that read them from there."""

    name: str
    folder: Path
    targets: tuple[str, ...]
    commands: tuple[tuple[str, ...], ...]
    format: str | None = None
    """Where the one target is a file in this format: what it says can be counted."""
    changes: bool = False
    """Whether the commands change the files themselves."""


def scenarios(root: Path) -> list[Scenario]:
    """All of them, laid out under a folder."""
    found = [
        *_files(root),
        *_stores(root),
        *_sides(root),
        *_archives(root),
        *_assessments(root),
        *_annotators(root),
        *_merges(root),
        *_collections(root),
        *_cases(root),
        *_others(root),
    ]
    assert {scenario.format for scenario in found} - {None} == set(FILES)
    return found


def options_of(name: str) -> tuple[str, ...]:
    """The options with which the sample of a format is read."""
    words = ["--from", name]
    for key, value in FILE_SETTINGS.get(name, {}).items():
        words += [f"--{key}", ",".join(value) if isinstance(value, tuple) else str(value)]
    return tuple(words)


def task_of(name: str) -> str:
    """The task that a format is tried in."""
    return FORMATS[name].tasks[0] if FORMATS[name].tasks else "nugget"


def _writable(name: str) -> Iterator[str]:
    for target in FORMATS:
        try:
            check_formats(FORMATS[name], FORMATS[target])
        except UsageError:
            continue
        yield target


def _scores(words: tuple[str, ...], options: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    layouts = ("text", "json", "csv", "latex", "markdown", "official")
    for layout in layouts:
        yield "score", *words, "--format", layout, *options
    yield "score", *words, "--by", "doc", *options
    yield "score", *words, "--format", "json", "--reading", "as-official", *options
    yield "score", *words, "--format", "json", "-o", OUT, *options


def _write(folder: Path, files: dict[str, bytes]) -> None:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _files(root: Path) -> Iterator[Scenario]:
    for name, content in FILES.items():
        folder, ending = root / "files" / name, FORMATS[name].extensions[0]
        sound, target = f"gold/d{ending}", f"d{ending}"
        _write(folder, {sound: content, target: content})
        task, options = task_of(name), options_of(name)
        commands = (
            *(("validate", task, target, *options),) * 6,
            ("validate", task, target, "--format", "json", *options),
            ("validate", task, target, "--gold", sound, *options),
            ("validate", target),
            ("score", sound, target),
            *_scores((task, sound, target), options),
            *_scores((task, target, sound), options),
            *(
                ("convert", task, target, f"{OUT}{_ending(to)}", "--to", to, *options)
                for to in _writable(name)
            ),
            ("agree", task, sound, target, *options),
            ("report", task, sound, target, "-o", f"{OUT}.html", *options),
            ("compare", task, sound, target, sound, "--resamples", "20", *options),
            ("compare", task, target, sound, sound, "--resamples", "20", "--format", "json", *options),
            ("explain", task, sound, target, *options),
            ("explain", task, target, sound, "--format", "json", "--no-budget", *options),
            ("adjudicate", task, sound, target, "-o", f"{OUT}.csv", *options),
        )
        yield Scenario(f"{name} file", folder, (target,), commands, format=name)


def _ending(name: str) -> str:
    return FORMATS[name].extensions[0] if FORMATS[name].extensions else ""


def _stores(root: Path) -> Iterator[Scenario]:
    linked = next(sample for sample in SAMPLES if sample.name == "linked")
    for name, case, settings in (
        ("assessed store", STORE, ()),
        ("linked store", LINKING, ("--profile", "kbp2015", "--linking", "reference-linking")),
    ):
        folder = root / "stores" / name.partition(" ")[0]
        shutil.copytree(case, folder, ignore=shutil.ignore_patterns("*.json"))
        files = tuple(str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.is_file())
        options = ("--from", linked.format, *settings)
        commands = (
            *(("validate", "arguments", "system", *options),) * 3,
            ("validate", "arguments", "system", "--gold", "annotation", *options),
            *_scores(("arguments", "annotation", "system"), options),
            ("convert", "arguments", "system", f"{OUT}.lydite.jsonl", "--to", "lydite", *options),
            ("convert", "arguments", "annotation", OUT, "--to", "eal", *options),
        )
        yield Scenario(name, folder, files, commands)


def _sides(root: Path) -> Iterator[Scenario]:
    for number, side in enumerate(SIDES):
        folder = root / "sides" / str(number)
        paths = []
        for name, said in (("gold", side.gold), ("system", side.system)):
            if isinstance(said, bytes):
                paths.append(f"{name}/{DOCUMENT}{side.extension}")
                _write(folder, {paths[-1]: said})
            else:
                paths.append(str(said))
        named = f"side{side.ending}"
        if side.beside is not None:
            shutil.copytree(side.beside, folder / named)
        target = f"{named}/{side.inside}" if side.inside else named
        _write(folder, {target: side.content})
        yield Scenario(
            f"{side.task} --{side.setting}", folder, (target,), tuple(_side_commands(side, named, *paths))
        )


_ONLY_CONVERT = {"--ground", "--repair-offsets", "shift", "--to-unit", "char"}


def _side_commands(side: Side, named: str, gold: str, system: str) -> Iterator[tuple[str, ...]]:
    options = (f"--{side.setting}", named, *side.options)
    plain = tuple(word for word in options if word not in _ONLY_CONVERT)
    yield "convert", side.task, system, OUT, "--to", "lydite", *options
    yield "score", side.task, gold, system, *plain
    yield "score", side.task, gold, system, "--format", "json", *plain
    yield "validate", side.task, system, *plain


def _archives(root: Path) -> Iterator[Scenario]:
    content = FILES["tbf"]
    zipped, tarred = io.BytesIO(), io.BytesIO()
    with zipfile.ZipFile(zipped, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("in/d.tbf", content)
    with tarfile.open(fileobj=tarred, mode="w:gz") as tar:
        info = tarfile.TarInfo("in/d.tbf")
        info.size = len(content)
        tar.addfile(info, io.BytesIO(content))
    packed = {"d.zip": zipped.getvalue(), "d.tar.gz": tarred.getvalue(), "d.tbf.gz": gzip.compress(content)}
    for name, data in packed.items():
        folder = root / "archives" / name
        _write(folder, {name: data, "gold.tbf": content})
        commands = (
            ("validate", name),
            ("score", "gold.tbf", name),
            ("score", "nugget", name, "gold.tbf", "--format", "json"),
            ("convert", "nugget", name, f"{OUT}.tbf"),
        )
        yield Scenario(f"archive {name}", folder, (name,), commands)


def _assessments(root: Path) -> Iterator[Scenario]:
    folder = root / "assess"
    folder.mkdir()
    shutil.copytree(STORE / "annotation", folder / "annotation")
    shutil.copytree(STORE / "annotation", folder / "second")
    shutil.copytree(STORE / "system", folder / "system")
    stores = tuple(str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.is_file())
    shutil.copytree(EXAMPLES / "text", folder / "text")
    with contextlib.chdir(folder):
        for words in (
            ("quote-filter", "--documents", "text", "-o", "filter"),
            ("sheet", "annotation", "-o", "sheet.csv"),
            ("sheet", "annotation", "-o", "sheet.xlsx"),
            ("pool", "system", "-o", "pool"),
        ):
            assert _made(("assess", *words)), words
    commands = (
        ("assess", "pool", "system", "-o", OUT, "--filter", "filter"),
        ("assess", "pool", "system", "second", "-o", OUT),
        ("assess", "sheet", "annotation", "-o", f"{OUT}.csv"),
        ("assess", "status", "annotation", "system"),
        ("assess", "status", "annotation", "system", "--format", "json"),
        ("assess", "agree", "annotation", "second"),
        ("assess", "agree", "annotation", "second", "--format", "json"),
        ("assess", "merge", "annotation", "second", "-o", OUT),
        ("assess", "repair", "annotation", "-o", OUT),
        ("assess", "quote-filter", "system", "--filter", "filter", "-o", OUT),
    )
    yield Scenario("assessment", folder, (*stores, "filter", "filter"), commands)
    changing = (
        ("assess", "read-sheet", "sheet.csv", "annotation"),
        ("assess", "read-sheet", "sheet.csv", "annotation", "--force"),
        ("assess", "read-sheet", "sheet.xlsx", "annotation"),
        ("assess", "import", "pool", "annotation"),
    )
    pool = tuple(f"pool/{file.name}" for file in sorted((folder / "pool").iterdir()) if file.is_file())
    yield Scenario("judgements", folder, ("sheet.csv", "sheet.xlsx", *pool), changing, changes=True)
    yield _queue(root)


def _made(command: tuple[str, ...]) -> bool:
    """Whether a file of a scenario was written; what the command says about it is nobody's concern."""
    with contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())):
        return run(list(command)) == 0


def _annotators(root: Path) -> Iterator[Scenario]:
    """The sheet of a decision, and a summary that was saved."""
    folder = root / "annotators"
    _write(folder, {"a.tbf": FILES["tbf"], "b.tbf": FILES["tbf"].replace(b"Actual", b"Other", 1)})
    annotators = ("adjudicate", "nugget", "a.tbf", "b.tbf")
    with contextlib.chdir(folder):
        for sheet in ("sheet.csv", "sheet.xlsx"):
            assert _made((*annotators, "-o", sheet, "-q"))
        assert _made(("score", "a.tbf", "b.tbf", "-q", "--format", "json", "-o", "last.json"))
    commands = (
        *(
            (*annotators, "--decisions", sheet, "--undecided", "a", "-o", f"{OUT}.tbf")
            for sheet in ("sheet.csv", "sheet.xlsx")
        ),
        ("compare", "--summaries", "last.json", "last.json"),
        ("score", "a.tbf", "b.tbf", "--against", "last.json", "--max-drop", "0.1"),
    )
    yield Scenario("annotators", folder, ("sheet.csv", "sheet.xlsx", "last.json"), commands)


def _merges(root: Path) -> Iterator[Scenario]:
    """A log of merged entities over APF."""
    folder = root / "merges"
    shutil.copytree(CASES / "ace" / "perfect" / "ref", folder / "gold")
    log = (
        b'{"time": "2008-01-01T00:00:00Z", "user": "anna", "op": "merge", "a": "KD_0001#KD_0001-E1", "b": "KD_0001#KD_0001-E2"}\n'
        b'{"time": "2008-01-01T00:01:00Z", "user": "ben", "op": "undo", "n": 1}\n'
        b'{"time": "2008-01-01T00:02:00Z", "user": "ben", "op": "link", "g": "KD_0001#KD_0001-E1", "resource": "x", "id": "1"}\n'
    )
    _write(folder, {"log.jsonl": log})
    files = tuple(str(file.relative_to(folder)) for file in sorted((folder / "gold").iterdir()))
    commands = (
        ("corpus", "merge", "gold"),
        ("corpus", "merge", "gold", "--log", "log.jsonl"),
        ("corpus", "merge", "gold", "--log", "log.jsonl", "--majority", "--format", "json"),
        ("corpus", "merge", "gold", "--log", "log.jsonl", "-o", OUT),
    )
    yield Scenario("merges", folder, ("log.jsonl", *files), commands)


COLLECTION = {
    "documents.jsonl": b'{"id": "A1", "text": "Emil Sorrell met Ana. Gunmen attacked a depot.", "date": "2006-11-20",'
    b' "genre": "nw", "source": "NYT", "language": "en"}\n'
    b'{"id": "A2", "text": "The Ferryman, E. Sorrell, left.", "genre": "wl"}\n'
    b'{"id": "A3", "text": "Emil Sorrel stayed. Gunmen attacked.", "date": "2006-12"}\n',
    "thread.sgm": b'<DOC>\n<DOCID> B1 </DOCID>\n<DOCTYPE SOURCE="df"> DISCUSSION </DOCTYPE>\n<BODY>\n<TEXT>\n<POST>\n'
    b"<POSTER> one </POSTER>\n<POSTDATE> 2006-02-01T10:00:00 </POSTDATE>\nEmil Sorrell again.\n</POST>\n</TEXT>\n"
    b"</BODY>\n</DOC>\n",
    "metadata.tsv": b"id\tdate\tgenre\nA2\t2006-01-02\twl\nA3\t2006\tnw\n",
    "targets.jsonl": b'{"id": "T1", "handle": "Emil Sorrell", "type": "PER", "languages": ["en"], "aliases":'
    b' [{"text": "the Ferryman", "lang": "en"}], "variants": [{"text": "E. Sorrell", "lang": "en", "kind": "short"}],'
    b' "confusable_with": ["T2"], "status": "candidate"}\n'
    b'{"id": "T2", "handle": "Emil Sorrel", "type": "PER", "languages": ["en"], "confusable_with": ["T1"]}\n',
    "judgements.jsonl": b'{"kind": "judgement", "id": "n1", "user": "anna", "time": "2007-02-01T08:00:00Z", "target_id":'
    b' "T1", "docid": "A1", "mentioned": 1, "n_mentions": 3, "stars": 4}\n',
    "types.tsv": b'Attack\tattacked,gun*\t1\nMeet\tmet,"met Ana"\t2\n',
    "names.txt": b"Emil Sorrell\nAna\n",
}


def _collections(root: Path) -> Iterator[Scenario]:
    """A collection, and everything that is said about it beside its texts."""
    folder = root / "collection"
    _write(folder, COLLECTION)
    targets, judged = ("index", "targets.jsonl"), ("--judgements", "judgements.jsonl")
    with contextlib.chdir(folder):
        made = ("corpus", "index", "documents.jsonl", "thread.sgm", "-o", "index", "-q")
        assert _made(made)
        assert _made(("corpus", "select-documents", *targets, "--format", "json", "-o", "selection.json"))
    count = ("--count", "2")
    commands = (
        ("corpus", "profile", "targets.jsonl"),
        ("corpus", "profile", "targets.jsonl", "--format", "json"),
        ("corpus", "judgements", "judgements.jsonl"),
        ("corpus", "judgements", "judgements.jsonl", "--format", "json", "-o", f"{OUT}.sqlite"),
        ("corpus", "select-targets", *targets, *judged, *count, "--documents", "4"),
        ("corpus", "select-documents", *targets, *judged, *count),
        ("corpus", "select-documents", *targets, *count, "--format", "json", "-o", OUT),
        ("corpus", "subsample", *targets, "--selection", "selection.json", "--targets", "1", *count),
        ("corpus", "density", "index", "--events", "types.tsv"),
        ("corpus", "names", "index", "--list", "names.txt"),
        ("corpus", "search", "index", "profile:T1", "--targets", "targets.jsonl", "--format", "json"),
    )
    said = ("targets.jsonl", "judgements.jsonl", "types.tsv", "names.txt", "selection.json")
    yield Scenario("collection", folder, said, commands)
    texts = (
        ("corpus", "index", "documents.jsonl", "thread.sgm", "-o", OUT, "--metadata", "metadata.tsv"),
        ("corpus", "index", "documents.jsonl", "-o", OUT, "--format", "json"),
    )
    yield Scenario("texts of a collection", folder, ("documents.jsonl", "thread.sgm", "metadata.tsv"), texts)


def _queue(root: Path) -> Scenario:
    folder, ace = root / "queue", EXAMPLES / "ace"
    folder.mkdir()
    shutil.copy(ace / "targets.jsonl", folder)
    shutil.copy(ace / "decisions.tsv", folder)
    sides = (str(ace / "gold"), str(ace / "systems" / "alder"))
    targets = ("--targets", "targets.jsonl")
    with contextlib.chdir(folder):
        assert _made(("assess", "queue", *sides, *targets, "-o", "queue.tsv"))
    judged = (*targets, "--queue", "queue.tsv", "--decisions", "decisions.tsv", "--resamples", "0")
    commands = (
        ("assess", "queue", *sides, *targets, "-o", OUT),
        ("assess", "apply", *sides, *judged),
        ("assess", "apply", *sides, *judged, "--format", "json"),
    )
    return Scenario("queue", folder, ("targets.jsonl", "queue.tsv", "decisions.tsv"), commands)


def _cases(root: Path) -> Iterator[Scenario]:
    """Recorded cases, a small one of each kind, damaged in any of their files."""
    for kind in sorted(entry for entry in CASES.iterdir() if entry.is_dir()):
        case = min(
            (file.parent for file in kind.glob("*/expected.json")),
            key=lambda folder: sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()),
        )
        folder = root / "cases" / kind.name
        shutil.copytree(case, folder / "case")
        files = tuple(str(file.relative_to(folder)) for file in sorted(folder.rglob("*")) if file.is_file())
        yield Scenario(
            f"case of {kind.name}",
            folder,
            files,
            (("verify", "case"), ("verify", "case", "--format", "json")),
        )


TOML = b'profile = "kbp2016"\nreading = "refuse"\n[nugget]\nunit = "char"\n[nugget.quirks]\n'


def _others(root: Path) -> Iterator[Scenario]:
    folder = root / "others"
    text = (EXAMPLES / "text" / f"{DOCUMENT}.txt").read_bytes()
    _write(folder, {"lydite.toml": TOML, "d.txt": text, "gold.tbf": FILES["tbf"]})
    commands = (
        ("score", "gold.tbf", "gold.tbf"),
        ("validate", "nugget", "gold.tbf"),
        ("tokenize", "d.txt", "-o", OUT),
        ("list", "settings"),
        ("show", "profile", "nugget/kbp2016"),
    )
    yield Scenario("settings and texts", folder, ("lydite.toml", "d.txt"), commands)

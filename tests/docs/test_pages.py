"""Everything that a user can meet has its page, every page can be reached, and every link leads somewhere."""

from __future__ import annotations

import ast
import importlib.util
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import ModuleType

import console
import pytest

from lydite.cli import all_verbs
from lydite.cli.catalogue import ordered_profiles
from lydite.errors import Finding
from lydite.formats import FORMATS
from lydite.metrics import METRICS
from lydite.model.settings import FINDING_CODES
from lydite.profile import PROFILES_FOLDER, load_profile
from lydite.tasks import TASKS

DOCS = console.ROOT / "docs"
SOURCE = console.ROOT / "src" / "lydite"
SOURCES = [SOURCE, *sorted(console.ROOT.glob("extensions/*/src/*"))]
"""The packages of the three parts."""

CODE = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)+")
MAKERS = {
    "Finding",
    "FormatError",
    "_finding",
    "finding",
    "refuse",
    "error",
    "remark",
    "_remark",
    "warn",
    "note",
    "read_lines",
}
"""Functions that take the code of a finding."""


@cache
def generated() -> dict[str, str]:
    return _generate().pages()


def _generate() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate", DOCS / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def page_texts() -> dict[str, str]:
    """All pages of the documentation by their path below ``docs``, the generated ones included."""
    written = {
        str(page.relative_to(DOCS)): page.read_text(encoding="utf-8")
        for page in console.pages()
        if page.is_relative_to(DOCS)
    }
    made = {name: text for name, text in generated().items() if name.startswith("profiles/")}
    return {**written, **made}


def headings(pattern: str) -> set[str]:
    """The headings and labels of the pages whose path matches."""
    return {
        (heading or label).strip().strip("`")
        for name, text in page_texts().items()
        if re.fullmatch(pattern, name)
        for heading, label in re.findall(r"^(?:#+ (.+)|\((\S+)\)=)$", _without_code(text), flags=re.MULTILINE)
    }


def _without_code(text: str) -> str:
    return re.sub(r"^(`{3,}).*?^\1$", "", text, flags=re.MULTILINE | re.DOTALL)


def test_everything_that_the_page_on_architecture_names_is_there() -> None:
    modules = [path for source in SOURCES for path in source.rglob("*.py") if "migrations" not in path.parts]
    source = "\n".join(path.read_text(encoding="utf-8") for path in modules)
    defined = {path.stem for path in modules} | {
        path.name for path in (DOCS.parent / "src" / "lydite").iterdir()
    }
    defined.update(re.findall(r"^\s*(?:def|class) (\w+)", source, flags=re.MULTILINE))
    defined.update(re.findall(r"^\s*(\w+)(?:: .*| = .*)$", source, flags=re.MULTILINE))
    named = re.findall(r"`([A-Za-z_][\w.]*)(?:\[\w, ]+\])?`", _without_code(page_texts()["architecture.md"]))
    files = {path.name for path in modules}
    lost = {name for name in named if name not in files and name.rpartition(".")[2] not in defined}
    assert lost - {"CONTRIBUTING.md", "kbp2017", "extends"} == set()  # a page, a profile, a key of profiles


# ------------------------------------------------------------------------------------------- what must have a page


@pytest.mark.parametrize("task", list(TASKS))
def test_every_task_has_a_page(task: str) -> None:
    assert f"tasks/{task}.md" in page_texts()


@pytest.mark.parametrize("name", list(FORMATS))
def test_every_format_has_a_page(name: str) -> None:
    assert f"formats/{name}.md" in page_texts()


@pytest.mark.parametrize("verb", list(all_verbs()))
def test_every_command_has_a_page_with_its_help(verb: str) -> None:
    assert f"_generated/help-{verb}.txt" in page_texts()[f"commands/{verb}.md"]


def test_every_profile_has_a_page() -> None:
    for task in TASKS.values():
        for name in ordered_profiles(task):
            assert f"profiles/{task.name}-{name}.md" in page_texts()


def test_every_metric_is_on_the_page_of_metrics() -> None:
    assert "{include} _generated/metrics.md" in page_texts()["metrics.md"]
    for name in METRICS:
        assert f"### {name}\n" in generated()["_generated/metrics.md"]


def _quirks() -> list[tuple[str, str]]:
    return [
        (task.name, setting.name)
        for task in TASKS.values()
        for setting in task.settings.declared.values()
        if setting.is_quirk
    ]


@pytest.mark.parametrize(("task", "quirk"), _quirks())
def test_every_quirk_has_a_paragraph(task: str, quirk: str) -> None:
    places = rf"quirks.*\.md|tasks/{task}.*\.md"
    assert quirk in headings(places), f"task {task}: write it under a heading or label of its own"


@pytest.mark.parametrize("task", list(TASKS))
def test_every_cause_has_its_entry(task: str) -> None:
    missing = set(TASKS[task].explainer().causes) - headings(rf"causes/{task}\.md")
    assert not missing, f"write an entry '## {min(missing)}' on docs/causes/{task}.md"


@cache
def codes_in_source() -> dict[str, str]:
    """The codes of all findings, each with a file that makes it: from calls in the source and from profiles."""
    found: dict[str, str] = {}
    for path in (path for source in SOURCES for path in sorted(source.rglob("*.py"))):
        for code in _codes_in(ast.parse(path.read_text(encoding="utf-8"))):
            found.setdefault(code, str(path.relative_to(console.ROOT)))
    for path in sorted(Path(PROFILES_FOLDER).rglob("*.toml")):
        with path.open("rb") as stream:
            check = tomllib.load(stream).get("check", {})
        for key, value in check.items():
            if key.endswith("errors"):
                found.update(dict.fromkeys(value, f"profiles/{path.name}"))
    return found


def _codes_in(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        if name in MAKERS or (name == "add" and len(node.args) > 1):
            yield from (text for text in map(_text, node.args[:3]) if text and CODE.fullmatch(text))
        yield from (
            text
            for keyword in node.keywords
            if keyword.arg == "code" and (text := _text(keyword.value)) and CODE.fullmatch(text)
        )


def _text(node: ast.expr) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def test_every_code_of_a_finding_has_its_entry() -> None:
    known = headings(r"errors/.*\.md")
    missing = {code: where for code, where in codes_in_source().items() if code not in known}
    assert not missing, f"write an entry '## {next(iter(missing))}' on a page under docs/errors/: {missing}"
    unlinked = {
        code for code in codes_in_source() if f"_generated/extra/findings/{code}.html" not in generated()
    }
    assert not unlinked, f"the workbench links to pages of codes that are not there: {unlinked}"


def test_every_entry_on_the_pages_of_findings_is_a_code_that_settings_can_list() -> None:
    pages = headings(r"errors/.*\.md")
    listed = Path(FINDING_CODES).read_text(encoding="utf-8").split()
    headed = sorted(heading for heading in pages if re.fullmatch(r"[a-z][a-z0-9-]+", heading))
    assert listed == headed, f"write the headings of docs/errors/ into {FINDING_CODES}"
    assert codes_in_source().keys() <= set(listed)


def test_the_address_of_a_code_leads_to_its_entry() -> None:
    forwards = "_generated/extra/findings"
    assert "url=../errors/tbf.html#too-few-columns" in generated()[f"{forwards}/too-few-columns.html"]
    # Several formats have one of that code, and the reader chooses.
    of_several = generated()[f"{forwards}/unknown-token.html"]
    assert "refresh" not in of_several
    for page in ("tokens", "triples"):
        assert f'href="../errors/{page}.html#unknown-token"' in of_several


def test_the_codes_are_found_in_the_source() -> None:
    found = codes_in_source()
    assert {
        "too-few-columns",
        "chains-overlap",
        "unreadable-file",
        "no-common-document",
        "unknown-type",
    } <= set(found)


# -------------------------------------------------------------------------------------------- what pages must say


RAISED_BY_READERS = {
    "no-files", "other-format", "other-kind", "unsafe-archive", "unknown-format", "bad-side-file",
    "several-token-tables", "gold-only-layer", "repeated-window", "records-differ",
}  # fmt: skip
"""Nothing at all can be read; no profile is asked."""


def _entries() -> Iterator[tuple[str, str, str]]:
    """(code, severity under refuse, severity under as-official) as the pages of findings state them for nuggets."""
    for name, text in page_texts().items():
        if name.startswith("errors/"):
            yield from re.findall(
                r"^## (\S+)\n\n\*\*Severity\*\* (error|warning|note) · as-official: (error|warning|note)$",
                text,
                flags=re.MULTILINE,
            )


@pytest.mark.parametrize(("code", "refuse", "official"), list(_entries()))
def test_the_severities_on_the_pages_are_those_of_the_default_profile(
    code: str, refuse: str, official: str
) -> None:
    task = TASKS["nugget"]
    profile = load_profile(task.name, task.default_profile, task.settings)
    natural = "note" if "note" in (refuse, official) else "warning"
    finding = Finding(code, natural, "", item="2")
    stated = {"refuse": refuse, "as-official": official}
    if code in RAISED_BY_READERS:
        assert set(stated.values()) == {"error"}
        return
    for reading, severity in stated.items():
        assert task.checks.severity(finding, profile.replace({"reading": reading}).settings) == severity


def test_every_entry_with_a_severity_shows_its_finding_in_an_example() -> None:
    for name, text in page_texts().items():
        for code in re.findall(r"^## (\S+)\n\n\*\*Severity\*\*", text, flags=re.MULTILINE):
            assert f"[{code}]" in text, f"{name}: no command on the page prints [{code}]"


def test_the_glossary_has_the_words_of_the_house() -> None:
    for word in ("gold, system", "mention", "cluster; partition", "metric, measurement", "finding"):
        assert f"| {word} |" in page_texts()["glossary.md"]


def test_sentences_stand_on_lines_of_their_own() -> None:
    two_sentences = re.compile(r"^(?![|#>:\s]).*[a-z)`]\. [A-Z][a-z]+ .*\.$", flags=re.MULTILINE)
    for name, text in page_texts().items():
        if not name.startswith("profiles/"):
            assert not two_sentences.findall(_without_code(text)), name


# ------------------------------------------------------------------------------------------------ links and trees


def _slug(heading: str) -> str:
    """The anchor of a heading, as GitHub and MyST make it."""
    kept = re.sub(r"[^\w\- ]", "", heading.strip().lower().replace("`", ""))
    return kept.replace(" ", "-")


def _anchors(text: str) -> set[str]:
    plain = _without_code(text)
    slugs = {_slug(heading) for heading in re.findall(r"^#+ (.+)$", plain, flags=re.MULTILINE)}
    return slugs | set(re.findall(r"^\(([\w-]+)\)=$", plain, flags=re.MULTILINE))


def _links() -> Iterator[tuple[str, Path, str]]:
    texts = {DOCS / name: text for name, text in page_texts().items()}
    beside = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")
    for path in [*map(console.ROOT.joinpath, beside), *console.ROOT.glob("extensions/*/*.md")]:
        texts[path] = path.read_text(encoding="utf-8")
    for page, text in texts.items():
        for target in re.findall(r"\]\(([^)\s]+)\)", _without_code(text)):
            if not re.match(r"[a-z]+:", target):
                yield str(page.relative_to(console.ROOT)), page, target


def test_every_relative_link_leads_to_a_page_and_an_anchor() -> None:
    texts = page_texts()
    for name, page, target in _links():
        path, _, anchor = target.partition("#")
        goal = (page.parent / path).resolve() if path else page
        inside = str(goal.relative_to(DOCS)) if goal.is_relative_to(DOCS) else ""
        assert inside in texts or goal.exists(), f"{name}: {target}"
        if anchor and goal.suffix == ".md":
            text = texts[inside] if inside in texts else goal.read_text(encoding="utf-8")
            if inside == "metrics.md":
                text += generated()["_generated/metrics.md"]
            assert anchor in _anchors(text), f"{name}: {target}"


def test_no_page_is_an_orphan() -> None:
    reached, waiting = {"index.md"}, ["index.md"]
    while waiting:
        page = waiting.pop()
        for entry in _toctree_entries(_with_includes(page_texts()[page])):
            base = Path(page).parent
            pattern = str(base / entry) if str(base) != "." else entry
            for name in page_texts():
                if name not in reached and re.fullmatch(_glob(pattern), name.removesuffix(".md")):
                    reached.add(name)
                    waiting.append(name)
    assert set(page_texts()) == reached


def _with_includes(text: str) -> str:
    return re.sub(
        r"^```\{include\} (?:\.\./)?(_generated/\S+)\n```$",
        lambda found: generated()[found[1]],
        text,
        flags=re.MULTILINE,
    )


def _glob(pattern: str) -> str:
    return re.escape(pattern.removesuffix(".md")).replace(r"\*", "[^/]*")


def _toctree_entries(text: str) -> list[str]:
    trees = re.findall(r"^```\{toctree\}\n(.*?)^```$", text, flags=re.MULTILINE | re.DOTALL)
    return [line for tree in trees for line in tree.split("\n") if line and not line.startswith(":")]


@pytest.mark.parametrize("task", TASKS)
def test_the_citation_file_names_what_every_task_cites(task: str) -> None:
    known = tomllib.loads((SOURCE / "data" / "citations.toml").read_text(encoding="utf-8"))
    cited = (console.ROOT / "CITATION.cff").read_text(encoding="utf-8")
    for key in TASKS[task].cite:
        assert known[key]["title"].replace("{", "").replace("}", "") in cited


def test_the_first_page_leads_to_every_how_to() -> None:
    first = (DOCS / "index.md").read_text(encoding="utf-8")
    for page in (DOCS / "how-to").glob("*.md"):
        assert f"(how-to/{page.name})" in first, page.name


def test_functions_that_the_page_on_speed_names_are_there() -> None:
    named = re.findall(r"`([\w.]+)` \(([\w/]+)\)", (DOCS / "speed.md").read_text(encoding="utf-8"))
    assert named
    for function, module in named:
        assert re.search(rf"def {function.rpartition('.')[2]}\b", _source_of(module)), (function, module)


def _source_of(module: str) -> str:
    return (SOURCE / f"{module}.py").read_text(encoding="utf-8")

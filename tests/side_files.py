"""Files beside the annotation, one for every setting that names a file: what they hold, and what is scored with them."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from format_samples import CASES, CONVERSIONS, EXAMPLES, LINKING

END = b"#EndOfDocument\n"
DOCUMENT = "df01-boots"


def _first_document(path: Path) -> bytes:
    return path.read_bytes().partition(END)[0] + END


class Side(NamedTuple):
    """A setting that names a file: what the file holds, and what is scored beside it.

    ``inside`` is the name of the file in a folder, where the setting names a folder.
    """

    task: str
    setting: str
    content: bytes
    gold: Path | bytes
    system: Path | bytes
    options: tuple[str, ...] = ()
    inside: str = ""
    extension: str = ".tbf"
    ending: str = ""
    beside: Path | None = None
    """A folder whose other files stand beside the damaged one."""


GOLD, SYSTEM = _first_document(EXAMPLES / "gold.tbf"), _first_document(EXAMPLES / "systems" / "alder.tbf")
TOKENS = _first_document(EXAMPLES / "gold.tokens.tbf")
TEXT = (EXAMPLES / "text" / f"{DOCUMENT}.txt").read_bytes()
TABLE = (EXAMPLES / "tokens" / f"{DOCUMENT}.tab").read_bytes()
LINES = GOLD.count(b"\n@")
BRAT = min((CASES / "nugget-convert" / "brat-to-characters" / "input").glob("*.ann")).read_bytes()
TRIPLES = EXAMPLES / "triples"
KYBOT = CONVERSIONS / "kybot-threshold-50"
STORE = CASES / "arguments" / "80-random-1"
FOLDER = CASES / "triples" / "folder-same-names"
PLAIN = f"#BeginOfDocument {DOCUMENT}\nx\t{DOCUMENT}\tE1\t4,7\tgot\tattack\tActual\n".encode() + END
TAXONOMY = (
    b'name = "mine"\nremoved = ["Life.Marry"]\n[misspellings]\nVictin = "Victim"\n[always.Time]\nfillers = ["Time"]\n'
    b'[types."Life.Die".roles.Victim]\nfillers = ["PER"]\n'
)
ACE = CASES / "ace" / "xdoc_perfect"
SETS = b'<coreferences><coref cid="1"><target id="1/first.naf#t1"/><target id="1/first.naf#w3"/></coref></coreferences>'
WORDS = (
    b'<NAF><text><wf id="w1">New</wf><wf id="w2">York</wf><wf id="w3">grew</wf></text>'
    b'<terms><term id="t1"><span><target id="w1"/><target id="w2"/></span></term></terms></NAF>'
)
SPLIT = CASES / "ace" / "entity_split"
ROLES = CASES / "modern-rams" / "12-multiplicities"
TEMPLATES = CASES / "modern-wikievents" / "14-coreferent-mention-of-several-words"
SYMMETRIC = CASES / "modern-spert" / "12-symmetric"
FACTS = CASES / "modern-docred" / "16-facts-of-this-page"
FORMS = CASES / "records-stickler" / "random-500631"
FINCH = b'{"doc_id": "df01-boots", "entities": [{"text": "Orla Finch", "label": "PER"}]}\n'
LAMP = b'{"id": "df01-boots", "record": {"name": "lamp", "total": 3.5}}\n'
SENTENCE = b"Orla Finch left Velden with a lamp for 3.5.\n"


def _triples(setting: str, content: bytes, *options: str) -> Side:
    return Side("triples", setting, content, TRIPLES / "gold.trp", TRIPLES / "system.trp", options)


def _arguments(setting: str, content: bytes, *options: str, inside: str = "") -> Side:
    options = ("--profile", "kbp2014", "--from", "eal", *options)
    return Side("arguments", setting, content, STORE / "annotation", STORE / "system", options, inside)


def _of_case(task: str, profile: str, setting: str, case: Path, name: str, *options: str) -> Side:
    gold, system = (min(case.glob(f"{side}.*")) for side in ("gold", "system"))
    content, options = (case / name).read_bytes(), ("--profile", profile, *options)
    return Side(task, setting, content, gold, system, options, ending=Path(name).suffix)


def _filled(setting: str, name: str, *options: str) -> Side:
    return _of_case("arguments", "wikievents", setting, TEMPLATES, name, *options)


_TEMPLATES = ("--templates", str(TEMPLATES / "ontology.json"))
_HEADS = ("--heads", str(TEMPLATES / "heads.jsonl"), "--span", "head")
SIDES: tuple[Side, ...] = (
    Side("nugget", "tokens", TABLE, TOKENS, TOKENS, ("--to-unit", "char"), f"{DOCUMENT}.tab"),
    Side("nugget", "label-map", b"Attack\tConflict_Attack\nDie\tLife_Die\n", BRAT, BRAT, extension=".ann"),
    Side("nugget", "type-whitelist", b"conflict attack\nlife_die\n", GOLD, SYSTEM),
    Side("nugget", "type-list", b"attack\ndie\n", PLAIN, PLAIN),
    Side("nugget", "character-counts", b"df01-boots\t900\nother\t12\n", GOLD, SYSTEM),
    Side("nugget", "documents", TEXT, GOLD, SYSTEM, ("--ground",), f"{DOCUMENT}.txt"),
    Side("nugget", "given", GOLD, GOLD, GOLD),
    Side(
        "nugget",
        "link-order",
        b'{"df01-boots": {"gold": [["After", "E1", "E2"]], "system": []}}',
        GOLD,
        SYSTEM,
    ),
    _triples("relation-mapping", b"agent\tactor\nlocation\tplace\n"),
    _triples("relation-filter", b"agent\nlocation\n"),
    _triples("token-range", b"w1\nw2\nw34\n"),
    _triples("text", (KYBOT / "a.kaf").read_bytes(), "--scope", "sentences"),
    Side("triples", "document-map", b"a.trp\tb.trp\nb.trp\ta.trp\n", FOLDER / "gold", FOLDER / "system"),
    Side(
        "triples",
        "kaf",
        (KYBOT / "a.kaf").read_bytes(),
        (KYBOT / "input.kybot.xml").read_bytes(),
        (KYBOT / "input.kybot.xml").read_bytes(),
        ("--wsd-threshold", "50", "--from", "kybot"),
        extension=".kybot.xml",
    ),
    Side("coref", "documents", WORDS, SETS, SETS, ("--from", "coref-xml"), "first.naf", extension=".xml"),
    _arguments("taxonomy", b"Life.Die\tVictim\tPlace\nLife.Injure\tVictim\n"),
    _arguments("taxonomy", TAXONOMY)._replace(ending=".toml"),
    _arguments("documents", TEXT, "--repair-offsets", "shift", "--ground", inside="X101.00.txt"),
    _arguments("document-list", b"X101.00\nX101.01\n"),
    _arguments("quote-filter", b"2\nX101.00\n0-20 30-45\nX101.01\n\n"),
    _arguments("genres", b"X101.00\tnewswire\nX101.01\tforum\n"),
    Side(
        "arguments",
        "linking",
        min((LINKING / "reference-linking").iterdir()).read_bytes(),
        LINKING / "annotation",
        LINKING / "system",
        ("--profile", "kbp2015", "--from", "eal"),
        min((LINKING / "reference-linking").iterdir()).name,
        beside=LINKING / "reference-linking",
    ),
    Side("ace", "prefer", b"section\tgold\tsystem\nentity\tG1\tS-G1\n", ACE / "ref", ACE / "sys"),
    Side("ace", "targets", (EXAMPLES / "ace" / "targets.jsonl").read_bytes(), ACE / "ref", ACE / "sys"),
    Side(
        "ace",
        "documents",
        (SPLIT / "text" / "KD_0001.txt").read_bytes(),
        SPLIT / "ref",
        SPLIT / "sys",
        ("--repair-offsets", "shift"),
        "KD_0001.txt",
    ),
    _of_case("arguments", "rams", "multiplicities", ROLES, "multiplicities.txt"),
    _filled("templates", "ontology.json", *_HEADS),
    _filled("heads", "heads.jsonl", "--span", "head", *_TEMPLATES),
    _filled("coreference", "coref.jsonl", *_HEADS, *_TEMPLATES),
    _of_case(
        "arguments",
        "maven-arg",
        "roles",
        CASES / "modern-maven-arg" / "01-random-411001",
        "roles.json",
    ),
    _of_case("relations", "spert", "types", SYMMETRIC, "types.json"),
    _of_case("relations", "docred", "train-annotated", FACTS, "train_annotated.json"),
    _of_case("relations", "docred", "train-distant", FACTS, "train_distant.json"),
    Side(
        "spans",
        "documents",
        SENTENCE,
        FINCH,
        FINCH,
        ("--profile", "strings", "--from", "entities"),
        f"{DOCUMENT}.txt",
        ".jsonl",
    ),
    _of_case("records", "stickler", "schema", FORMS, "schema.json", "--from", "records-jsonl"),
    Side(
        "records", "documents", SENTENCE, LAMP, LAMP, ("--from", "records-jsonl"), f"{DOCUMENT}.txt", ".jsonl"
    ),
)

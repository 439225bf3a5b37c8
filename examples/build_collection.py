"""Make a collection with planted people and organisations, and its truth; seeded, never kept under version control.

    python examples/build_collection.py OUT                        # 2,000 documents
    python examples/build_collection.py OUT --documents 200 --seed 1

``OUT`` gets ``documents.jsonl`` (English and Arabic newswire and weblogs), ``threads/`` (SGML with posts), ``gold/`` and
``gold-text/`` (APF and texts of some documents), ``targets.jsonl``, ``judgements-north.jsonl`` and
``judgements-south.jsonl`` (two sites), ``types.tsv`` and ``truth.json``.  All names are invented.  Standard library only.
"""

from __future__ import annotations

import argparse
import json
import random
import shutil
import sys
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

GIVEN = (
    "Viktor",
    "Lena",
    "Omar",
    "Ines",
    "Tomas",
    "Mirela",
    "Radek",
    "Salma",
    "Jorun",
    "Emil",
    "Nadia",
    "Pavel",
)
FAMILY = (
    "Hallan", "Brandvik", "Sorrell", "Castellan", "Okrent", "Vasquel", "Tamsin", "Delacorte", "Wrenfield", "Ostrava",
    "Marchetti", "Ledbury", "Quillon", "Sandoval", "Thornby",
)  # fmt: skip
ARABIC_GIVEN = {"Omar": "عمر", "Salma": "سلمى", "Nadia": "نادية"}
ARABIC_FAMILY = {"Haddan": "حدّان", "Rashil": "الراشل", "Zahrani": "الزهراني", "Mansuri": "المنصوري"}
NICKNAMES = (
    "the Ferryman", "the Envoy", "Grey Heron", "the Clockmaker", "Little Mountain", "the Broker", "Iron Kettle",
    "the Lamplighter", "Old Harbour", "the Surveyor", "Blue Lantern", "the Archivist",
)  # fmt: skip
ORGANISATIONS = (
    ("Harbour Relief Council", "HRC"), ("Northern Grain Exchange", "NGE"), ("Ostmark Shipping Line", "OSL"),
    ("Bank of Wexmoor", "BoW"), ("Free Rail Union", "FRU"), ("Castle Hill Laboratories", "CHL"),
)  # fmt: skip
WORK = {
    "minister": "the cabinet met over the budget and the minister answered questions about taxes",
    "footballer": "the match ended late and the footballer scored before the crowd in the stadium",
    "painter": "the gallery showed new canvases and the painter spoke about colour and light",
    "judge": "the court heard the appeal and the judge asked for more evidence from the lawyers",
    "captain": "the ship left the harbour and the captain watched the weather over the strait",
    "banker": "the markets fell again and the banker defended the loans and the interest rates",
}
EVENTS = {
    "Conflict.Attack": (
        "attack*, raid, shelled",
        ("Gunmen attacked a depot at dawn.", "A raid followed near the river."),
    ),
    "Justice.Arrest": (
        "arrest*, detained",
        ("Police arrested two men.", "A driver was detained at the border."),
    ),
    "Transaction.Sale": (
        "bought, sold, purchase*",
        ("A trader bought the warehouse.", "The mill was sold last week."),
    ),
}
FILLER = (
    "Rain is expected near @place for the next @number days.", "Prices of @thing in @place rose by @number crowns.",
    "The bridge at @place will be closed for repairs until @day.", "A school in @place opened a library with @number books.",
    "Officials in @place gave no further details on @day.", "Witnesses described @day in @place as quiet.",
    "The harbour of @place counted @number ships with @thing.", "Farmers around @place hope for @number tons of @thing.",
    "On @day the council of @place spoke about @thing for @number minutes.", "A train from @place was @number minutes late.",
)  # fmt: skip
PLACES = (
    "Wexmoor", "Ostmark", "Lindholm", "Carrow", "Brightwater", "Old Mill", "Saint Orrin", "Tolvan", "Greyford", "Pell",
    "Norwick", "Hasselby", "Dunmere", "Varga", "Kestrel Bay", "Ashdown", "Mirefield", "Solway", "Torrent", "Ullin",
)  # fmt: skip
THINGS = (
    "bread",
    "salt",
    "copper",
    "wool",
    "timber",
    "barley",
    "lamp oil",
    "fish",
    "coal",
    "paper",
    "glass",
    "honey",
)
DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
ARABIC_FILLER = (
    "قال مسؤولون إن الأمطار ستستمر @number أيام.", "لم تتغير أسعار الخبز في السوق منذ @number يوما.",
    "أغلق الجسر القديم لمدة @number أسابيع.", "وصلت @number سفينة إلى الميناء.",
)  # fmt: skip
ARABIC_SAID = (
    "قال {} أمس إن المحادثات ستبدأ بعد @number أيام.",
    "وصل {} إلى الميناء في الساعة @number.",
    "انتقد {} القرار رقم @number.",
)
SAID = (
    "{} said in @place that talks would begin on @day.", "According to {}, nothing about @thing has been decided.",
    "Reporters waited @number minutes for {} at @place.", "Critics of {} were not convinced by the @thing plan.",
    "On @day {} left for @place again.",
)  # fmt: skip
SOURCES = ("XIN", "AFP", "NYT")


@dataclass
class Target:
    """Someone who is planted: names by kind, and what the documents around say."""

    id: str
    handle: str
    type: str
    work: str
    aliases: list[dict[str, str]] = field(default_factory=list)
    variants: list[dict[str, str]] = field(default_factory=list)
    languages: list[str] = field(default_factory=lambda: ["en"])
    confusable: list[str] = field(default_factory=list)
    share: float = 1.0

    def names(self, language: str) -> list[str]:
        """What a document in a language calls it; the handle more often than the rest."""
        own = [name["text"] for name in (*self.aliases, *self.variants) if name["lang"] == language]
        return [self.handle] * 3 + own if language == "en" else own


def planted(chance: random.Random) -> list[Target]:
    """40 targets: people with aliases, spelling variants and Arabic names, confusable pairs, organisations."""
    pairs = [(given, family) for given in GIVEN for family in FAMILY]
    chance.shuffle(pairs)
    jobs = list(WORK)
    targets: list[Target] = []
    for number, (given, family) in enumerate(pairs[:22]):
        target = Target(f"T{len(targets) + 1:04d}", f"{given} {family}", "PER", jobs[number % len(jobs)])
        if number < len(NICKNAMES):
            target.aliases.append({"text": NICKNAMES[number], "lang": "en"})
        if number % 2 == 0:
            target.variants.append(
                {"text": f"{given} {misspelt(family)}", "lang": "en", "kind": "orthographic"}
            )
        if number % 3 == 0:
            target.variants.append({"text": f"{given[0]}. {family}", "lang": "en", "kind": "short"})
        targets.append(target)
    for given, arabic_given in ARABIC_GIVEN.items():
        for family, arabic_family in list(ARABIC_FAMILY.items())[: 2 if given != "Omar" else 4]:
            target = Target(
                f"T{len(targets) + 1:04d}", f"{given} {family}", "PER", jobs[len(targets) % len(jobs)]
            )
            target.languages = ["en", "ar"]
            arabic = {"text": f"{arabic_given} {arabic_family}", "lang": "ar", "kind": "transliteration"}
            target.variants = [
                {"text": f"{given} al-{family}", "lang": "en", "kind": "transliteration"},
                arabic,
            ]
            targets.append(target)
    for one in targets[:4]:  # a second person whose name is nearly the same
        given, family = one.handle.split(" ", 1)
        job = jobs[(jobs.index(one.work) + 3) % len(jobs)]
        twin = Target(
            f"T{len(targets) + 1:04d}", f"{given} {family}{'e' if family[-1] != 'e' else 's'}", "PER", job
        )
        twin.confusable, one.confusable = [one.id], [twin.id]
        targets.append(twin)
    for name, short in ORGANISATIONS:
        target = Target(f"T{len(targets) + 1:04d}", name, "ORG", jobs[len(targets) % len(jobs)])
        target.variants.append({"text": short, "lang": "en", "kind": "acronym"})
        targets.append(target)
    for rank, target in enumerate(chance.sample(targets, len(targets)), 1):
        target.share = 1 / rank**0.7
    return targets


MARKS = str.maketrans({"a": "á", "e": "é", "o": "ö"})


def misspelt(family: str) -> str:
    """Another spelling: with marks, or with another end."""
    return family.translate(MARKS) if "a" in family[1:] else f"{family}y"


@dataclass
class Document:
    """A document that is being written, and what is planted in it."""

    id: str
    language: str
    genre: str
    source: str
    date: str
    text: str = ""
    mentions: list[tuple[str, int, str]] = field(default_factory=list)
    repost_of: str | None = None

    def fill(
        self, sentence: str, chance: random.Random, target: Target | None = None, name: str = ""
    ) -> None:
        """Add a sentence with something else in it every time."""
        for word, values in (("@place", PLACES), ("@thing", THINGS), ("@day", DAYS)):
            sentence = sentence.replace(word, chance.choice(values))
        self.add(sentence.replace("@number", str(chance.randint(2, 900))), target, name)

    def add(self, sentence: str, target: Target | None = None, name: str = "") -> None:
        """Add a sentence; a name stands where it has braces."""
        if self.text:
            self.text += "\n" if len(self.text.rsplit("\n", 1)[-1]) > 300 else " "
        if target is not None:
            self.mentions.append((target.id, len(self.text) + sentence.index("{}"), name))
        self.text += sentence.replace("{}", name)


def written(number: int, targets: list[Target], chance: random.Random) -> Document:
    """One document: what its people do, who is named, events, filler."""
    language = "ar" if chance.random() < 0.2 else "en"
    genre = "wl" if chance.random() < 0.3 else "nw"
    source = chance.choice(SOURCES) if genre == "nw" else "WEB"
    day = date(2006, 1, 1) + timedelta(days=chance.randrange(365))
    code = {"en": "ENG", "ar": "ARB"}[language]
    document = Document(
        f"{source}_{code}_{day:%Y%m%d}.{number:04d}", language, genre, source, day.isoformat()
    )
    able = [target for target in targets if language in target.languages]
    count = chance.choices((0, 1, 2, 3), (30, 40, 20, 10))[0]
    chosen: dict[str, Target] = {}
    for _ in range(count):
        target = chance.choices(able, [target.share for target in able])[0]
        chosen.setdefault(target.id, target)
    for target in chosen.values():
        if language == "en":
            document.add(WORK[target.work].capitalize() + ".")
        for _ in range(chance.randint(1, 4)):
            said = chance.choice(SAID if language == "en" else ARABIC_SAID)
            document.fill(said, chance, target, chance.choice(target.names(language)))
    if language == "en":
        for sentences in EVENTS.values():
            if chance.random() < 0.15:
                document.add(chance.choice(sentences[1]))
    for _ in range(chance.randint(2, 5)):
        document.fill(chance.choice(FILLER if language == "en" else ARABIC_FILLER), chance)
    return document


def collection(count: int, seed: int) -> tuple[list[Target], list[Document]]:
    """The targets and the documents; every 25th document repeats an older one."""
    chance = random.Random(seed)  # noqa: S311 - seeded chance is meant
    targets = planted(chance)
    documents: list[Document] = []
    for number in range(1, count + 1):
        older = [
            one for one in documents if one.genre == "nw" and one.language == "en" and len(one.text) > 300
        ]
        if number % 25 == 0 and older:
            first = chance.choice(older)
            day = (date.fromisoformat(first.date) + timedelta(days=3)).isoformat()
            doc_id = f"WEB_ENG_{day.replace('-', '')}.{number:04d}"
            copy = Document(doc_id, "en", "wl", "WEB", day, repost_of=first.id)
            copy.text, copy.mentions = f"{first.text} Seen elsewhere.", list(first.mentions)
            documents.append(copy)
        else:
            documents.append(written(number, targets, chance))
    return targets, documents


# ---------------------------------------------------------------------------------------------------------- writing


def profile(target: Target) -> dict[str, object]:
    """A line of ``targets.jsonl``."""
    return {
        "id": target.id, "handle": target.handle, "type": target.type, "languages": target.languages,
        "aliases": target.aliases, "variants": target.variants, "confusable_with": target.confusable,
        "facts": [{"text": f"named with: {target.work}", "source": "invented"}], "status": "candidate",
    }  # fmt: skip


def judgements(
    targets: list[Target], documents: list[Document], site: str, seed: int
) -> list[dict[str, object]]:
    """What one site says about some documents of each target; now and then a judge is wrong."""
    chance = random.Random(f"{site}{seed}")  # noqa: S311 - as above
    lines: list[dict[str, object]] = []
    for target in targets:
        holding = [one for one in documents if any(found[0] == target.id for found in one.mentions)]
        stars = chance.randint(2, 5)
        for document in chance.sample(holding, min(4, len(holding))):
            minute = len(lines)
            lines.append(
                {
                    "kind": "judgement",
                    "id": f"{site}-{len(lines) + 1:04d}",
                    "user": f"{site}-anna",
                    "time": f"2007-02-01T{8 + minute // 60:02d}:{minute % 60:02d}:00Z",
                    "target_id": target.id,
                    "docid": document.id,
                    "mentioned": int(chance.random() > 0.05),
                    "n_mentions": sum(found[0] == target.id for found in document.mentions),
                    "stars": min(5, max(1, stars + chance.choice((-1, 0, 0, 1)))),
                }
            )
    return lines


def apf(document: Document, targets: dict[str, Target]) -> str:
    """The planted entities of a document as APF."""
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f'<source_file URI="{document.id}.txt" SOURCE="newswire" TYPE="text">',
    ]
    lines.append(f'<document DOCID="{document.id}">')
    for number, target_id in enumerate(dict.fromkeys(found[0] for found in document.mentions), 1):
        own = [found for found in document.mentions if found[0] == target_id]
        entity = f"{document.id.rpartition('.')[2]}-E{number}"
        type_ = targets[target_id].type
        subtype = {"PER": "Individual", "ORG": "Commercial"}[type_]
        lines.append(f'<entity ID="{entity}" TYPE="{type_}" SUBTYPE="{subtype}" CLASS="SPC">')
        for place, (_, start, name) in enumerate(own, 1):
            region = f'<charseq START="{start}" END="{start + len(name) - 1}">{escape(name)}</charseq>'
            lines.append(
                f'<entity_mention ID="{entity}-{place}" TYPE="NAM"><extent>{region}</extent><head>{region}</head></entity_mention>'
            )
        lines.append("<entity_attributes>")
        lines += [f"<name NAME={quoteattr(name)}/>" for name in dict.fromkeys(name for *_, name in own)]
        lines.append("</entity_attributes></entity>")
    return "\n".join([*lines, "</document></source_file>", ""])


def thread(number: int, documents: list[Document]) -> tuple[str, str]:
    """A thread of posts in SGML."""
    doc_id = f"THREAD_ENG_2006{number % 12 + 1:02d}01.{number:04d}"
    lines = [f'<DOC>\n<DOCID> {doc_id} </DOCID>\n<DOCTYPE SOURCE="df"> DISCUSSION </DOCTYPE>']
    lines.append(f"<DATETIME> 2006-{number % 12 + 1:02d}-01T09:00:00 </DATETIME>\n<BODY>")
    lines.append(f"<HEADLINE>\nTalk {number}\n</HEADLINE>\n<TEXT>")
    for place, document in enumerate(documents, 1):
        when = f"2006-{number % 12 + 1:02d}-01T{9 + place:02d}:00:00"
        lines.append(
            f"<POST>\n<POSTER> reader{place} </POSTER>\n<POSTDATE> {when} </POSTDATE>\n{escape(document.text)}\n</POST>"
        )
    return doc_id, "\n".join([*lines, "</TEXT>\n</BODY>\n</DOC>", ""])


def write(folder: Path, count: int, seed: int) -> dict[str, int]:
    """Write everything below ``folder``; what is in the way is removed first."""
    targets, documents = collection(count, seed)
    by_id = {target.id: target for target in targets}
    for name in ("threads", "gold", "gold-text"):
        shutil.rmtree(folder / name, ignore_errors=True)
        (folder / name).mkdir(parents=True)
    keys = ("id", "text", "date", "genre", "source", "language")
    _json_lines(folder / "documents.jsonl", [{key: getattr(one, key) for key in keys} for one in documents])
    _json_lines(folder / "targets.jsonl", [profile(target) for target in targets])
    for site in ("north", "south"):
        _json_lines(folder / f"judgements-{site}.jsonl", judgements(targets, documents, site, seed))
    rows = [f"{name}\t{triggers}\t{max(3, count // 50)}" for name, (triggers, _) in EVENTS.items()]
    _text(folder / "types.tsv", "\n".join(["type\ttriggers\tminimum", *rows, ""]))
    chance = random.Random(seed)  # noqa: S311 - as above
    told = [one for one in documents if one.language == "en" and one.mentions and not one.repost_of]
    own = [one for one in told if one.genre != "nw"]
    wires = [one for one in told if one.genre == "nw"]
    repeated = {}
    for number in range(1, 1 + max(1, count // 100)):
        # Four posts of their own, and one that repeats a newswire text.
        posts = chance.sample(own, min(4, len(own)))
        place = chance.randint(0, len(posts))
        wire = chance.choice(wires)
        doc_id, text = thread(number, [*posts[:place], wire, *posts[place:]])
        _text(folder / "threads" / f"{doc_id}.sgm", text)
        repeated[doc_id] = {str(place + 1): wire.id}
    annotated = [one for one in documents if one.language == "en" and one.mentions and not one.repost_of][
        : count // 10
    ]
    for document in annotated:
        _text(folder / "gold" / f"{document.id}.apf.xml", apf(document, by_id))
        _text(folder / "gold-text" / f"{document.id}.txt", document.text)
    truth = {
        "mentions": {one.id: [list(found) for found in one.mentions] for one in documents if one.mentions},
        "reposts": {one.id: one.repost_of for one in documents if one.repost_of},
        "posts": repeated,
        "entities": {
            f"{one.id}#{one.id.rpartition('.')[2]}-E{number}": target
            for one in annotated
            for number, target in enumerate(dict.fromkeys(found[0] for found in one.mentions), 1)
        },
    }
    _text(folder / "truth.json", json.dumps(truth, ensure_ascii=False, indent=1) + "\n")
    return {"documents": len(documents), "targets": len(targets), "annotated": len(annotated)}


def _json_lines(path: Path, records: list[dict[str, object]]) -> None:
    _text(path, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records))


def _text(path: Path, text: str) -> None:
    path.write_bytes(text.encode("utf-8"))


def main() -> int:
    parser = argparse.ArgumentParser(description="Make a collection with planted names, and its truth.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--documents", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    made = write(given.folder, given.documents, given.seed)
    print(f"{given.folder}: " + ", ".join(f"{count} {name}" for name, count in made.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

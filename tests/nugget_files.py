"""Random TBF files as odd as the official scorers let them be, with token tables and options."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from nugget_oracle import Run, blocks

DOC_IDS = ("d1", "d2", "B", "a10", "a2", "b c", "é9", "漢", "Z.x")
TYPES = (
    "Conflict_Attack", "conflict.attack", "CONFLICT-ATTACK", "Life Die", "Life_Die", "Lifé_Die", "life-di e",
    "NOT_ANNOTATED", "notAnnotated", "!?", "Contact_Meet", "Type9",
)  # fmt: skip
REALIS = ("Actual", "ACTUAL", "actual.", "Generic", "Other", "NOT_ANNOTATED", "Not Annotated", "Actuál")
TEXTS = ("attack", "", "a b", "set, on", "straße", "@x", "#y")
WORDS = ("the", "The", "I", "what", "it", "fire", "A", "who", "shot", " an", "Her ", "you")
TOKENS = tuple(f"t{number}" for number in range(1, 13))
MAPPINGS = ((), ("type",), ("realis",), ("type", "realis"))


def run_of(rng: Random, profile: str) -> Run:
    """Both files, the tables and the options of a run that the official program would get through."""
    unit = (
        "token"
        if profile == "pilot2014"
        or profile.startswith("kbp2015")
        or (profile == "kbp2017" and rng.random() < 0.3)
        else "char"
    )
    writer = _Writer(rng, profile, unit)
    doc_ids = rng.sample(DOC_IDS, rng.randint(1, 4))
    gold = writer.file(doc_ids, "gold")
    shown = [doc_id for doc_id in doc_ids if rng.random() < 0.85]
    if rng.random() < 0.3:
        shown.append("extra")
    system = writer.file(shown, "system")
    run = Run(profile, gold, system, unit)
    closed = sorted(blocks(gold))
    if unit == "token":
        run = replace(run, tables=_tables(rng, [one.decode() for one in closed]))
    if profile not in {"pilot2014", "exact", "modern"}:
        run = replace(
            run,
            coref=rng.random() < 0.7,
            threshold=rng.choice((1.0, 1.0, 0.5, 2 / 3, 0.8)),
            mapping=rng.choice(MAPPINGS),
            sequencing=profile == "kbp2017" and rng.random() < 0.5,
        )
    if profile in {"kbp2016", "kbp2017"} and rng.random() < 0.2:
        run = replace(run, white_list=_white_list(rng))
    if closed and rng.random() < 0.1:
        run = replace(run, only=rng.choice(closed).decode())
    return run


def _white_list(rng: Random) -> bytes:
    lines = rng.sample(TYPES, rng.randint(0, 5)) + [""] * (rng.random() < 0.2)
    return "".join(f"{line}\n" for line in lines).encode()


def _tables(rng: Random, doc_ids: list[str]) -> dict[str, bytes]:
    tables = {}
    for doc_id in doc_ids:
        if rng.random() < 0.1:
            continue
        rows = []
        for number, token in enumerate(TOKENS):
            columns = [token, rng.choice(WORDS), str(10 * number), str(10 * number + 5)]
            if rng.random() < 0.05:
                columns = columns[:3]
            rows.append("\t".join(columns) + rng.choice(("", "", " ", "\r")))
        tables[doc_id] = ("\n".join(rows) + "\n").encode()
    return tables


class _Writer:
    """Writes files of one profile and unit."""

    def __init__(self, rng: Random, profile: str, unit: str) -> None:
        self.rng, self.profile, self.unit = rng, profile, unit

    def maybe(self, share: float) -> bool:
        return self.rng.random() < share

    def file(self, doc_ids: list[str], side: str) -> bytes:
        lines: list[str] = []
        if self.maybe(0.05):
            lines += self.mentions("d1", "early", 1)
        for number, doc_id in enumerate(doc_ids):
            lines += self.document(doc_id, f"{side[0]}{number}_", side)
            if self.maybe(0.04):
                lines += self.document(doc_id, f"again{number}_", side)
        ending = "\r\n" if self.maybe(0.1) else "\n"
        padded = [
            self.rng.choice(("", "", "", " ", "\t")) + line + self.rng.choice(("", "", "", " ", "\v "))
            for line in lines
        ]
        return (ending.join(padded) + ("" if self.maybe(0.1) else ending)).encode()

    def document(self, doc_id: str, prefix: str, side: str) -> list[str]:
        glue = "" if self.maybe(0.05) else self.rng.choice((" ", " ", "\t"))
        body = self.mentions(doc_id, prefix, self.rng.choice((0, 1, 3, 5, 7, 9)))
        ids = [line.split("\t")[2] for line in body]
        while ids and self.maybe(0.05 if side == "system" or self.profile == "kbp2017" else 0):
            columns = (copy := self.rng.choice(body)).split("\t")
            columns[2] = self.rng.choice(ids)
            body[body.index(copy)] = "\t".join(columns)
        body += self.relations(ids)
        if self.maybe(0.05):
            self.rng.shuffle(body)
        for odd in ("# a remark", "", "#EndOfDocumentation is no word"):
            # The last one begins as a footer does and is one.
            if self.maybe(0.05 if odd else 0.1):
                body.insert(self.rng.randint(0, len(body)), odd)
        footer = [] if self.maybe(0.05) else ["#EndOfDocument"] * (2 if self.maybe(0.03) else 1)
        return [f"#BeginOfDocument{glue}{doc_id}", *body, *footer]

    def mentions(self, doc_id: str, prefix: str, count: int) -> list[str]:
        lines: list[str] = []
        spans: list[str] = []
        for number in range(count):
            span = self.rng.choice(spans) if spans and self.maybe(0.35) else self.span()
            spans.append(span)
            columns = [
                self.rng.choice(("sys", "team7")),
                "other" if self.maybe(0.05) else doc_id,
                f"{prefix}{number}",
                span,
                self.rng.choice(TEXTS),
                self.rng.choice(TYPES[:3] if self.maybe(0.5) else TYPES),
                self.rng.choice(REALIS[:3] if self.maybe(0.5) else REALIS),
                *(["0.5", "x", "1"][: self.rng.randint(1, 3)] if self.maybe(0.2) else []),
            ]
            lines.append("\t".join(columns))
        return lines

    def span(self) -> str:
        if self.unit == "token":
            return ",".join(self.rng.choice(TOKENS) for _ in range(self.rng.choice((1, 1, 2, 2, 3, 4))))
        segments = []
        for _ in range(self.rng.choice((1, 1, 1, 2, 3))):
            begin = self.rng.randint(-2 if self.maybe(0.05) else 0, 24)
            end = begin + self.rng.randint(-1 if self.maybe(0.1) else 1, 7)
            segment = f"{begin},{end}"
            if self.maybe(0.05):
                segment = self.rng.choice(
                    (
                        f" {begin} , {end} ",
                        f"{begin},{end},99",
                        f"{begin},{end:+d}",
                        f"0{max(begin, 0)},{end}",
                    )
                )
            segments.append(segment)
        return ";".join(segments)

    def relations(self, ids: list[str]) -> list[str]:
        if self.profile == "pilot2014":
            return []
        lines = []
        rest = ids[:]
        self.rng.shuffle(rest)
        while len(rest) > 1 and self.maybe(0.7):
            size = self.rng.randint(1, min(4, len(rest)))
            members, rest = rest[:size], rest[size:]
            if not self.profile.startswith("kbp2015"):
                members += [members[0]] * self.maybe(0.1) + ["nobody"] * self.maybe(0.1)
                members += [f"unknown{len(lines)}"] * self.maybe(0.1)
                if self.maybe(0.02):
                    members.append(self.rng.choice(ids))
            lines.append(f"@Coreference\tC{len(lines)}\t{','.join(members)}")
        if self.profile == "kbp2017" and len(ids) > 1:
            lines += self.links(ids + [f"unknown{number}" for number in range(3) if self.maybe(0.1)])
        if self.maybe(0.1) and len(ids) > 1:
            lines.append(f"@coreference\tx\t{ids[0]},{ids[1]}")
        return lines

    def links(self, ids: list[str]) -> list[str]:
        lines = []
        for name in ("After", "Subevent"):
            for number in range(self.rng.choice((0, 1, 2, 4, 8))):
                first, second = self.rng.sample(range(len(ids)), 2)
                if first > second and self.maybe(0.9):
                    first, second = second, first
                members = [ids[first], "nobody" if self.maybe(0.05) else ids[second]]
                members += [ids[0]] * self.maybe(0.005)
                lines.append(f"@{name}\tR{number}\t{','.join(members)}")
        return lines

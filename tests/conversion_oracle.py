"""Conversions to triples derived anew from their written description, and random files to try them on.

Nothing here is shared with the package.  Triples are laid out as the conformance cases have them.
"""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Sequence
from math import floor
from pathlib import Path
from typing import Any
from xml.sax.saxutils import escape, quoteattr

PARTS = (
    "polarity",
    "strength",
    "sentiment_semantic_type",
    "factual",
    "subjectivity",
    "sentiment_modifier",
    "sentiment_product_feature",
)
LAYERS = ("term-sentiment", "opinion", "entity", "property", "srl", "dep")
Made = dict[str, Any]


def element(ids: Sequence[str] = (), label: str = "", comment: str = "") -> Made:
    return {"ids": list(ids), "label": label, "comment": comment}


def made(relation: str, first: Made, second: Made, **more: Any) -> Made:
    known = {"id": "", "profile_id": "", "profile_confidence": None, "kaflayer": "", **more}
    return {"relation": relation, "first": first, "second": second, **known}


def name_of(node: ET.Element) -> str:
    return node.tag.rpartition("}")[2].lower()


def values_of(node: ET.Element) -> dict[str, str]:
    return {key.rpartition("}")[2].lower(): value.strip() for key, value in node.attrib.items()}


def id_of(node: ET.Element, *names: str) -> str:
    values = values_of(node)
    return next((values[name] for name in (*names, "id") if values.get(name)), "")


def below(node: ET.Element, name: str) -> list[ET.Element]:
    return [child for child in node if name_of(child) == name]


def anywhere(node: ET.Element, name: str) -> list[ET.Element]:
    return [child for child in node.iter() if name_of(child) == name]


def targets(node: ET.Element) -> list[str]:
    return [id_of(target, "tid") for span in below(node, "span") for target in below(span, "target")]


class Text:
    """A KAF or NAF file."""

    def __init__(self, path: Path) -> None:
        self.root = ET.parse(path).getroot()  # noqa: S314 - a file that the tests wrote
        self.words = {id_of(wf, "wid"): (wf.text or "").strip() for wf in anywhere(self.root, "wf")}
        self.sentences = {
            id_of(wf, "wid"): values_of(wf)["sent"].lstrip("s") for wf in anywhere(self.root, "wf")
        }
        self.terms = {id_of(term, "tid"): targets(term) for term in anywhere(self.root, "term")}

    def element(self, terms: Sequence[str], label: str = "") -> Made | None:
        """The element that terms stand for; None when there were some and no token is left."""
        ids = list(dict.fromkeys(token for term in terms for token in self.terms.get(term, ())))
        if terms and not ids:
            return None
        return element(ids, label, " ".join(self.words[token] for token in ids))


# ------------------------------------------------------------------------------------------------------- layers


def _parts(values: dict[str, str], *, short_name: bool = True) -> list[str]:
    parts = [values.get(name, "") for name in PARTS]
    if short_name and not parts[2]:
        parts[2] = values.get("semantic_type", "")
    return parts


def _both(triples: list[Made], relation: str, first: Made | None, second: Made | None, **more: Any) -> None:
    if first is not None and second is not None:
        triples.append(made(relation, first, second, **more))


def term_sentiment(text: Text, *, as_reference: bool) -> list[Made]:
    triples: list[Made] = []
    for term in anywhere(text.root, "term"):
        for sentiment in below(term, "sentiment"):
            values = values_of(sentiment)
            parts = _parts(values)
            counted = parts[:5] + parts[6:] if as_reference else parts
            if values.get("resource") or any(counted):
                name = id_of(term, "tid")
                _both(triples, "#".join(parts), text.element([name]), element(), id=name, kaflayer="term")
    return triples


def opinions(text: Text, *, as_reference: bool, intersect: bool) -> list[Made]:
    triples: list[Made] = []
    named = {
        term
        for layer in ("entity", "property")
        for node in anywhere(text.root, layer)
        for span in anywhere(node, "span")
        for term in [id_of(target, "tid") for target in below(span, "target")]
    }
    for opinion in anywhere(text.root, "opinion"):
        holders, aims = below(opinion, "opinion_holder"), below(opinion, "opinion_target")
        (expression,) = below(opinion, "opinion_expression")
        values = values_of(expression)
        if as_reference:
            values.pop("sentiment_modifier", None)
        relation = "#".join(_parts(values, short_name=not as_reference))
        looked_at = [opinion] if as_reference else [opinion, *holders, *aims]
        overlaps = [
            values_of(node).get(key) for node in looked_at for key in ("overlap_ents", "overlap_props")
        ]
        profile = " ".join(value for value in overlaps if value)
        meets = any(term in named for node in (*holders, *aims) for term in targets(node))
        if intersect and not profile and (as_reference or not meets):
            continue
        more = {"id": id_of(opinion, "oid"), "kaflayer": "opinion", "profile_id": profile}
        first = text.element(targets(expression))
        found = False
        for node in (*holders, *aims):
            if targets(node):
                found = True
                kind = values_of(node).get("type", "")
                label = "target" if node in aims else f"holder:{kind}" if kind else "holder"
                _both(triples, relation, first, text.element(targets(node), label), **more)
        if not found:
            _both(triples, relation, first, element(), **more)
    return triples


def spans(text: Text, layer: str) -> list[Made]:
    triples: list[Made] = []
    for node in anywhere(text.root, layer):
        values = values_of(node)
        relation = values.get("type", "")
        if layer == "property":
            relation = relation or values.get("lemma", "")
        for span in anywhere(node, "span"):
            terms = [id_of(target, "tid") for target in below(span, "target")]
            name = id_of(node, "eid", "pid")
            _both(triples, relation, text.element(terms), element(), id=name, kaflayer=layer)
    return triples


def roles(text: Text) -> list[Made]:
    triples: list[Made] = []
    for predicate in anywhere(text.root, "predicate"):
        for role in below(predicate, "role"):
            relation = values_of(role).get("semrole", "")
            references = anywhere(role, "externalref")
            if not relation and references:
                relation = values_of(references[0]).get("reference", "")
            first, second = text.element(targets(predicate), "predicate"), text.element(targets(role), "role")
            _both(triples, relation, first, second, id=id_of(predicate), kaflayer="srl")
    return triples


def dependencies(text: Text) -> list[Made]:
    triples: list[Made] = []
    for number, dep in enumerate(anywhere(text.root, "dep"), 1):
        values = values_of(dep)
        first, second = text.element([values["from"]]), text.element([values["to"]])
        _both(triples, values.get("rfunc", ""), first, second, id=f"d{number}", kaflayer="deps")
    return triples


def baseline(text: Text, relation: str, *, as_reference: bool) -> list[Made]:
    triples: list[Made] = []
    order = {token: place for place, token in enumerate(text.words)}
    for sentence in dict.fromkeys(text.sentences.values()):
        heads: list[list[str]] = []
        for chunk in anywhere(text.root, "chunk"):
            head = text.terms.get(values_of(chunk)["head"], [])
            if head and text.sentences[head[0]] == sentence and set(head) not in map(set, heads):
                heads.append(head)
        heads.sort(key=lambda head: min(order[token] for token in head))
        if as_reference:
            heads = [[token] for token in dict.fromkeys(token for head in heads for token in head)]
        for first in heads:
            for second in heads:
                if first == second:
                    continue
                if as_reference:
                    triples.append(made(relation, element(first), element(second)))
                else:
                    sides = [
                        element(ids, "", " ".join(text.words[token] for token in ids))
                        for ids in (first, second)
                    ]
                    number = f"b{len(triples) + 1}"
                    triples.append(made(relation, *sides, id=number, kaflayer="chunk"))
    return triples


def unquoted(triples: list[Made]) -> list[Made]:
    """The triples as the reference writes them: without double quotes in comments."""
    for triple in triples:
        for side in ("first", "second"):
            triple[side]["comment"] = triple[side]["comment"].replace('"', "")
    return triples


def layers(path: Path, options: dict[str, Any], *, as_reference: bool) -> list[Made]:
    """The triples of a KAF or NAF file."""
    text = Text(path)
    if options.get("baseline"):
        return baseline(text, options.get("relation", "patient"), as_reference=as_reference)
    asked = [word.removeprefix("--") for word in options["layers"]]
    by_layer = {
        "term-sentiment": lambda: term_sentiment(text, as_reference=as_reference),
        "opinion": lambda: opinions(text, as_reference=as_reference, intersect="intersect" in asked),
        "entity": lambda: spans(text, "entity"),
        "property": lambda: spans(text, "property"),
        "srl": lambda: [] if as_reference else roles(text),
        "dep": lambda: [] if as_reference else dependencies(text),
    }
    triples = [triple for layer in LAYERS if layer in asked for triple in by_layer[layer]()]
    return unquoted(triples) if as_reference else triples


# -------------------------------------------------------------------------------------------- the other formats


def kybot(path: Path, kaf: Path, threshold: int, *, as_reference: bool) -> list[Made]:
    """The triples of Kybot output; the reference is only asked where its threshold does not bite."""
    text, root = Text(kaf), ET.parse(path).getroot()  # noqa: S314
    documents = anywhere(root, "doc")
    if as_reference or len(documents) == 1:
        groups = [documents]
    else:
        groups = [[one] for one in documents if values_of(one)["shortname"].endswith(kaf.name)]
    triples: list[Made] = []
    for group in groups:
        events, roles = (
            [values_of(node) for one in group for node in below(one, name)] for name in ("event", "role")
        )
        # Roles of unknown events do not compete.
        known = {event["eid"] for event in events}
        competing = [*events, *(role for role in roles if role["event"] in known)]

        def stays(values: dict[str, str], rivals: list[dict[str, str]] = competing) -> bool:
            ranks = [float(one.get("rank", 0)) for one in rivals if one["target"] == values["target"]]
            top = max(ranks)
            return len(ranks) < 2 or top <= 0 or floor(100 * float(values.get("rank", 0)) / top) >= threshold

        for event in (node for one in group for node in below(one, "event")):
            values = values_of(event)
            first = text.element([values["target"]])
            if first is None or not stays(values):
                continue
            first["comment"] = values["lemma"]
            for role in (values_of(node) for one in group for node in below(one, "role")):
                second = text.element([role["target"]])
                if role["event"] != values["eid"] or second is None or not stays(role):
                    continue
                second["comment"] = role["lemma"]
                _, hash_, rest = role["rtype"].partition("#")
                relation = rest if hash_ else role["rtype"]
                triples.append(
                    made(relation, dict(first), second, id=values["eid"], profile_id=role["profile_id"])
                )
            for names, relation in ((("place", "country"), "LOCATION"), (("dateinfo",), "TIME")):
                for node in event:
                    if name_of(node) in names:
                        terms = [id_of(span) for span in below(node, "span")]
                        second = text.element(terms[-1:] if as_reference else terms)
                        _both(triples, relation, dict(first), second, id=values["eid"])
    return unquoted(triples) if as_reference else triples


def tuples(path: Path, first_name: str, text: Path | None, *, as_reference: bool) -> list[Made]:
    """The triples of a tuple file."""
    known = Text(text) if text else None
    triples: list[Made] = []

    def element_of(node: ET.Element) -> Made | None:
        values = values_of(node)
        ids = [part.strip() for part in values.get("tokens", "").split(";") if part.strip()]
        if not ids and known is not None and values.get("mention"):
            ids = known.terms.get(values["mention"], [])
        if not ids and not as_reference:
            return None
        return element(dict.fromkeys(ids), node.tag, values.get("lemma", ""))

    for group in anywhere(ET.parse(path).getroot(), "tuples"):  # noqa: S314
        for one in below(group, "tuple"):
            values = values_of(one)
            try:
                confidence: float | None = float(values.get("profileconfidence", ""))
            except ValueError:
                confidence = None
            if as_reference:
                confidence = confidence or None
            for ours in one:
                for theirs in one:
                    if ours is theirs or ours.tag != first_name:
                        continue
                    relation = values_of(theirs).get("role", "") or ("" if as_reference else theirs.tag)
                    name = f"{values_of(group)['source']}#{values['id']}"
                    more = {"id": name, "profile_id": values.get("profile", "")}
                    both = element_of(ours), element_of(theirs)
                    _both(triples, relation, *both, profile_confidence=confidence, **more)
    return unquoted(triples) if as_reference else triples


def columns(path: Path, wanted: Sequence[str], fields: Sequence[str] = ()) -> list[Made]:
    """The triples of a column file."""
    lines = path.read_text("utf-8").split("\n")
    names = list(fields)
    while lines and lines[0].startswith("# "):
        key, _, value = lines.pop(0)[2:].partition(":")
        if key == "FIELDS" and not names:
            names = value.split()
    rows: list[dict[str, str] | None] = []
    count = 0
    for line in lines:
        if not line.strip():
            rows.append(None)
            continue
        count += 1
        row = dict(zip(names, line.split("\t"), strict=False))
        given = row.get("tokenid", "")
        row["#"] = (f"w{given}" if given.isdigit() else given) if given else f"w{count}"
        rows.append(row)
    triples: list[Made] = []
    for column in wanted:
        found: list[tuple[str, list[dict[str, str]]]] = []
        inside = ""
        for row in rows:
            value = row[column] if row else "O"
            kind = value[2:] if value[:2] in {"B-", "I-"} else ""
            if row and kind and value[0] == "I" and kind == inside:
                found[-1][1].append(row)
            elif row and value not in {"O", "__NULL__", "-", "_", ""}:
                found.append((kind or value, [row]))
            inside = kind
        for number, (kind, members) in enumerate(found, 1):
            first = element([row["#"] for row in members], "", " ".join(row["token"] for row in members))
            triples.append(made(kind, first, element(), id=f"{column}{number}", kaflayer=column))
    return triples


# ------------------------------------------------------------------------------------------------- random files

WORDS = ("The", "old", '"loud"', "R&B", "<b>", "staff", "hät", "9", "can't")


class FileMaker:
    """Random inputs of conversions, within what the description settles."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.naf = self.chance(0.5)
        self.tokens = self.random.choice((6, 14))
        self.term_count = self.tokens - 3

    def chance(self, share: float) -> bool:
        return self.random.random() < share

    def one_of(self, *choices: str) -> str:
        return self.random.choice(choices)

    def span(self, most: int = 3, prefix: str = "t", *, unknown: float = 0.08) -> str:
        names = [f"{prefix}{number}" for number in range(1, self.term_count + 1)]
        chosen = self.random.sample(names, self.random.randrange(1, most + 1))
        chosen = [f"{prefix}99" if self.chance(unknown) else one for one in chosen]
        key = "tid" if prefix == "t" and self.chance(0.1) else "id"
        inside = "".join(f'<target {key}="{one}"/><!-- {one} -->' for one in chosen)
        return f"<span>{inside}</span>"

    def attributes(self, names: Sequence[str], share: float) -> str:
        said = (
            f" {name}={quoteattr(self.one_of('', ' ', 'positive', '2', 'a b', ' yes '))}"
            for name in names
            if self.chance(share)
        )
        return "".join(said)

    def id(self, short: str, number: int) -> str:
        key = "id" if self.naf else short
        return f'{self.one_of(key, key, key.upper())}="{short[0]}{number}"'

    def text(self) -> Iterator[str]:
        sentence = 1
        for number in range(1, self.tokens + 1):
            sentence += self.chance(0.25)
            word = escape(self.random.choice(WORDS))
            subtoken = "<subtoken>x</subtoken>" if self.naf and self.chance(0.2) else ""
            prefix = "" if self.naf else "s"
            yield f'<wf {self.id("wid", number)} sent="{prefix}{sentence}">{word}{subtoken}</wf>'

    def terms(self) -> Iterator[str]:
        first = 1
        for number in range(1, self.term_count + 1):
            last = min(first + self.random.choice((0, 0, 1)), self.tokens)
            tokens = "".join(f'<target id="w{one}"/>' for one in range(first, last + 1))
            first = last + 1 if last < self.tokens else 1
            sentiment = ""
            if self.chance(0.5):
                names = ("resource", *PARTS[:2], self.one_of("semantic_type", PARTS[2]), *PARTS[3:], "note")
                sentiment = f"<sentiment{self.attributes(names, self.random.choice((0.1, 0.4)))}/>"
            yield f"<term {self.id('tid', number)}><span>{tokens}</span>{sentiment}</term>"

    def opinions(self) -> Iterator[str]:
        overlaps = ("overlap_ents", "overlap_props")
        for number in range(self.random.randrange(5)):
            parts = []
            for name in ("opinion_target", "opinion_holder"):
                if self.chance(0.6):
                    kind = ' type="SW"' if name == "opinion_holder" and self.chance(0.6) else ""
                    inside = self.span() if self.chance(0.9) else ""
                    parts.append(f"<{name}{kind}{self.attributes(overlaps, 0.15)}>{inside}</{name}>")
            said = self.attributes((*PARTS[:2], self.one_of("semantic_type", PARTS[2]), *PARTS[3:]), 0.5)
            parts.append(f"<opinion_expression{said}>{self.span()}</opinion_expression>")
            yield f"<opinion {self.id('oid', number)}{self.attributes(overlaps, 0.15)}>{''.join(parts)}</opinion>"

    def named(self, layer: str) -> Iterator[str]:
        for number in range(self.random.randrange(5)):
            kind = f' type="{self.one_of("PER", "ORG", " x ")}"' if self.chance(0.8) else ' lemma="room"'
            groups = [
                f"<references>{self.span()}{self.span()}</references>" if self.chance(0.5) else self.span()
                for _ in range(self.random.randrange(1, 3))
            ]
            yield f"<{layer} {self.id(layer[0] + 'id', number)}{kind}>{''.join(groups)}</{layer}>"

    def predicates(self) -> Iterator[str]:
        for number in range(self.random.randrange(4)):
            inside = [self.span(1)]
            for _ in range(self.random.randrange(3)):
                references = "<externalReferences><externalRef reference='A1'/><externalRef reference='X'/></externalReferences>"
                said = ' semRole="A0"' if self.chance(0.6) else ""
                inside.append(f"<role{said}>{references if self.chance(0.6) else ''}{self.span()}</role>")
            self.random.shuffle(inside)
            yield f'<predicate id="pr{number}">{"".join(inside)}</predicate>'

    def naf_file(self, path: Path) -> None:
        """A KAF or NAF file with all layers, in any order."""
        terms = [f"t{number}" for number in range(1, self.term_count + 1)]
        deps = [
            f'<dep from="{self.random.choice(terms)}" to="{self.one_of(*terms, "t99")}" rfunc="{self.one_of("SBJ", "OBJ")}"/>'
            for _ in range(self.random.randrange(4))
        ]
        chunks = [
            f'<chunk {self.id("cid", number)} head="{self.one_of(*terms, "t99")}">{self.span()}</chunk>'
            for number in range(self.random.randrange(7))
        ]
        later = [
            f"<deps>{''.join(deps)}</deps>",
            f"<chunks>{''.join(chunks)}</chunks>",
            f"<opinions>{''.join(self.opinions())}</opinions>",
            f"<entities>{''.join(self.named('entity'))}</entities>",
            f"<properties>{''.join(self.named('property'))}</properties>",
            f"<srl>{''.join(self.predicates())}</srl>",
        ]
        self.random.shuffle(later)
        root = "NAF" if self.naf else "KAF"
        body = f"<text>{''.join(self.text())}</text><terms>{''.join(self.terms())}</terms>{''.join(later)}"
        path.write_text(f'<?xml version="1.0"?>\n<{root} version="v3">{body}</{root}>\n', "utf-8")

    def kybot_file(self, path: Path, own: str) -> None:
        """Kybot output about the file called ``own``, sometimes about others too."""
        names = [own] if self.chance(0.5) else [own, "other.kaf", f"folder/{own}"]
        targets = [f"t{number}" for number in (1, 2, 3, 99)]
        documents = []
        for place, name in enumerate(names):
            nodes = []
            for number in range(self.random.randrange(1, 5)):
                circumstances = "".join(
                    f"<{one} name='x'>{''.join(f'<span id={quoteattr(self.one_of(*targets))}/>' for _ in range(self.random.randrange(1, 3)))}</{one}>"
                    for one in self.random.sample(("place", "country", "dateInfo"), self.random.randrange(3))
                )
                nodes.append(
                    f'<event eid="e{place}{number}" target="{self.one_of(*targets)}" lemma="go"{self.rank()}>{circumstances}</event>'
                )
            for number in range(self.random.randrange(6)):
                event = self.one_of(*(f"e{place}{one}" for one in range(5)))
                kind = self.one_of("Kyoto#patient", "done-by", "a#b#c")
                nodes.append(
                    f'<role rid="r{number}" event="{event}" target="{self.one_of(*targets)}" lemma="{self.one_of("x", "&quot;y&quot;")}" rtype="{kind}" profile_id="{self.one_of("p1", "p1,p2")}"{self.rank()}/>'
                )
            self.random.shuffle(nodes)
            documents.append(f'<doc shortname="{name}">{"".join(nodes)}</doc>')
        path.write_text(f"<kybotOut>{''.join(documents)}</kybotOut>", "utf-8")

    def rank(self) -> str:
        return (
            f' rank="{self.one_of("0.5", "0.1", "0.29", "0.3", "1", "0", "0.58")}"'
            if self.chance(0.8)
            else ""
        )

    def tuple_file(self, path: Path) -> None:
        """Tuples of events, participants, times and places."""
        groups = []
        for source in ("a.kaf", "b.kaf"):
            inside = []
            for number in range(self.random.randrange(4)):
                nodes = []
                for _ in range(self.random.randrange(4)):
                    name = self.one_of("event", "event", "participant", "time", "Event")
                    tokens = self.one_of("w1", "w2;w3", " w4 ; ;w5", "", ";")
                    said = f' tokens="{tokens}"' if self.chance(0.8) else ""
                    said += f' mention="{self.one_of("t1", "t2", "t99")}"' if self.chance(0.6) else ""
                    said += f' role="{self.one_of("agent", "", "when")}"' if self.chance(0.6) else ""
                    nodes.append(f'<{name} lemma="{self.one_of("go", "a &quot;b&quot;", "R&amp;D")}"{said}/>')
                confidence = (
                    f' profileConfidence="{self.one_of("30", "0", "0.5", "x", "")}"'
                    if self.chance(0.7)
                    else ""
                )
                profile = ' profile="p-1"' if self.chance(0.7) else ""
                inside.append(f'<tuple id="{number}"{profile}{confidence}><!-- c -->{"".join(nodes)}</tuple>')
            groups.append(f'<tuples source="{source}">{"".join(inside)}</tuples>')
        path.write_text(f"<kafkybot-results>{''.join(groups)}</kafkybot-results>", "utf-8")

    def column_file(self, path: Path, names: Sequence[str], *, header: bool) -> None:
        """Columns of tags over a few sentences."""
        lines = ["# FILE: x: y", f"# FIELDS: {' '.join(names)}"] if header else []
        tags = ("B-PER", "I-PER", "I-ORG", "B-ORG", "O", "O", "__NULL__", "-", "_", "", "NN", "B-")
        for number in range(1, self.random.randrange(2, 14)):
            values = [
                str(100 + number) if name == "tokenid" else self.random.choice(tags) for name in names[1:]
            ]
            lines.append("\t".join((f"word{number}", *values)))
            if self.chance(0.2):
                lines.append("")
        path.write_text("\n".join(lines) + "\n", "utf-8")


# ------------------------------------------------------------------------------------------------- random cases


def _layer_case(folder: Path, maker: FileMaker) -> tuple[dict[str, Any], dict[str, list[Made]]]:
    path = folder / ("input.naf" if maker.naf else "input.kaf")
    maker.naf_file(path)
    options: dict[str, Any] = {"from": path.suffix[1:]}
    options["layers"] = [f"--{name}" for name in maker.random.sample(LAYERS, maker.random.randrange(1, 5))]
    if "--opinion" in options["layers"] and maker.chance(0.5):
        options["layers"].append("--intersect")
    return options, _both_profiles(path, options)


def _baseline_case(folder: Path, maker: FileMaker) -> tuple[dict[str, Any], dict[str, list[Made]]]:
    path = folder / ("input.naf" if maker.naf else "input.kaf")
    maker.naf_file(path)
    options: dict[str, Any] = {"from": path.suffix[1:], "baseline": True}
    if maker.chance(0.5):
        options["relation"] = "agent"
    return options, _both_profiles(path, options)


def _both_profiles(path: Path, options: dict[str, Any]) -> dict[str, list[Made]]:
    return {
        "default": layers(path, options, as_reference=False),
        "reference": layers(path, options, as_reference=True),
    }


def _kybot_case(folder: Path, maker: FileMaker) -> tuple[dict[str, Any], dict[str, list[Made]]]:
    kaf, path = folder / "a.kaf", folder / "input.kybot.xml"
    maker.naf = False
    maker.naf_file(kaf)
    maker.kybot_file(path, kaf.name)
    threshold = maker.random.choice((0, 0, 50, 58, 60, 100))
    triples = {"default": kybot(path, kaf, threshold, as_reference=False)}
    if not threshold:
        triples["reference"] = kybot(path, kaf, threshold, as_reference=True)
    return {"from": "kybot", "kaf": kaf.name, "wsd_threshold": threshold}, triples


def _tuple_case(folder: Path, maker: FileMaker) -> tuple[dict[str, Any], dict[str, list[Made]]]:
    path = folder / "input.tpl"
    maker.tuple_file(path)
    first = maker.one_of("event", "participant", "Event")
    options: dict[str, Any] = {"from": "tuples", "first_element": first}
    if maker.chance(0.4):
        maker.naf_file(folder / "text.kaf")
        options["text"] = "text.kaf"
        return options, {"default": tuples(path, first, folder / "text.kaf", as_reference=False)}
    return options, {
        "default": tuples(path, first, None, as_reference=False),
        "reference": tuples(path, first, None, as_reference=True),
    }


def _column_case(folder: Path, maker: FileMaker) -> tuple[dict[str, Any], dict[str, list[Made]]]:
    path = folder / "input.txp"
    fields = ["token", *maker.random.sample(["tokenid", "pos", "chunk", "entity"], 4)]
    header = maker.chance(0.6)
    maker.column_file(path, fields, header=header)
    wanted = maker.random.sample(["pos", "chunk", "entity"], 2)
    options: dict[str, Any] = {"from": "textpro", "columns": wanted}
    if not header:
        options["fields"] = fields if maker.chance(0.5) else ",".join(fields)
    return options, {"default": columns(path, wanted, () if header else fields)}


CASES = {
    "layers": _layer_case,
    "baseline": _baseline_case,
    "kybot": _kybot_case,
    "tuples": _tuple_case,
    "columns": _column_case,
}


def write_case(folder: Path, kind: str, seed: int) -> None:
    """A random conformance case of one kind of conversion."""
    options, triples = CASES[kind](folder, FileMaker(seed))
    case = {
        "kind": "triples.convert",
        "options": options,
        "tolerance": {"*": 1e-9},
        "counts": {profile: len(found) for profile, found in triples.items()},
        "triples": triples,
    }
    (folder / "expected.json").write_text(json.dumps(case), "utf-8")

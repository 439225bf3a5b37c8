"""Small APF files for tests: entities with heads, names and links, written in one line each."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path


def mention(mention_id: str, start: int, text: str, type_: str = "NAM", extra: str = "") -> str:
    end = start + len(text) - 1
    place = f'<charseq START="{start}" END="{end}">{text}</charseq>'
    return (
        f'<entity_mention ID="{mention_id}" TYPE="{type_}"{extra}>'
        f"<extent>{place}</extent><head>{place}</head></entity_mention>"
    )


def entity(
    entity_id: str,
    mentions: Sequence[str],
    *,
    names: Sequence[str] = (),
    type_: str = "PER",
    subtype: str = "Individual",
    class_: str = "SPC",
    extra: str = "",
) -> str:
    named = "".join(f'<name NAME="{name}"/>' for name in names)
    attributes = f"<entity_attributes>{named}</entity_attributes>" if names else ""
    head = f'<entity ID="{entity_id}" TYPE="{type_}" SUBTYPE="{subtype}" CLASS="{class_}">'
    return f"{head}{''.join(mentions)}{attributes}{extra}</entity>"


def document(doc_id: str, *elements: str, source: str = "newswire", data_type: str = "text") -> str:
    body = "\n".join(elements)
    return (
        f'<source_file URI="{doc_id}.sgm" SOURCE="{source}" TYPE="{data_type}">\n'
        f'<document DOCID="{doc_id}">\n{body}\n</document>\n</source_file>\n'
    )


def write(folder: Path, **documents: str) -> str:
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in documents.items():
        (folder / f"{name}.apf.xml").write_text(text, encoding="utf-8")
    return str(folder)

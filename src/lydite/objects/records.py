"""Records as plain objects: dictionaries, pydantic models, dataclasses, or the strings that a model wrote."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, is_dataclass
from decimal import Decimal
from math import isfinite

from lydite.formats.answers import read_answer
from lydite.formats.faults import Faults
from lydite.formats.json_lines import document_name
from lydite.formats.record_files import DEFAULT_REPAIRS, ID_KEYS, LAYER, TEXT_KEY, answer_in
from lydite.model import Document
from lydite.model.answer import RecordAnswer
from lydite.objects.values import NAMELESS_PREFIX, display


def record_document(doc_id: str, value: object, path: str) -> Document:
    """Make a document from a record, or from an object as on a line of a file (``{"id": …, "record": …}``).

    The values of a mapping are the records themselves; an object in a list names its id.
    """
    if isinstance(value, str):
        answer = read_answer(value, DEFAULT_REPAIRS)
        return Document(doc_id, path=path, layers={LAYER: answer})
    data = plain_value(value, "")
    if not doc_id.startswith(NAMELESS_PREFIX) or not isinstance(data, dict):
        return Document(doc_id, path=path, layers={LAYER: RecordAnswer(data)})
    named = document_name(next((data[key] for key in ID_KEYS if key in data), None))
    text = data.get(TEXT_KEY)
    layers = {LAYER: answer_in(data, DEFAULT_REPAIRS)}
    return Document(named or doc_id, path=path, text=text if isinstance(text, str) else None, layers=layers)  # type: ignore[arg-type]


def plain_value(value: object, where: str) -> object:
    """An object as the JSON that it stands for; numbers with a fraction keep their shortest digits."""
    if value is None or isinstance(value, str | bool | int | Decimal):
        return value
    if isinstance(value, float):
        if not isfinite(value):
            raise Faults(f"{where}: expected a JSON number, found {value!r}")
        return Decimal(repr(value))
    if isinstance(value, Mapping):
        return {_key(key, where): plain_value(one, f"{where}.{key}") for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain_value(one, f"{where}[{at}]") for at, one in enumerate(value)]
    dump = getattr(value, "model_dump", None)
    if callable(dump) and not isinstance(value, type):
        return plain_value(dump(mode="json"), where)
    if is_dataclass(value) and not isinstance(value, type):
        return plain_value(asdict(value), where)
    raise Faults(f"{where}: expected JSON values, a pydantic model or a dataclass, found {display(value)}")


def _key(key: object, where: str) -> str:
    if not isinstance(key, str):
        raise Faults(f"{where}: expected texts as keys, found {key!r:.60}")
    return key

"""Taxonomies: TOML files of lydite, and the role files of the official program (``type TAB role TAB role …``)."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

from lydite.errors import UsageError
from lydite.memory import kept_for_a_run
from lydite.model.taxonomy import RoleDefinition, Taxonomy
from lydite.registry import did_you_mean
from lydite.toml_files import read_text, read_toml, shipped_toml

TAXONOMIES_FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "taxonomies")


def taxonomy_names() -> list[str]:
    """The names of the taxonomies that are shipped."""
    files = os.listdir(TAXONOMIES_FOLDER)
    return sorted(file.removesuffix(".toml") for file in files if file.endswith(".toml"))


def load_taxonomy(name: str) -> Taxonomy:
    """The taxonomy of that name, or the one in a file: TOML, or a role file with one line per type."""
    shipped = os.path.join(TAXONOMIES_FOLDER, f"{name}.toml")
    path = shipped if os.path.isfile(shipped) else name
    if not os.path.isfile(path):
        hint = did_you_mean(name, taxonomy_names()) or f"known: {', '.join(taxonomy_names())}; or give a file"
        raise UsageError(f"no taxonomy {name!r}", hint=hint)
    stem, extension = os.path.splitext(os.path.basename(path))
    if extension != ".toml":
        return read_role_file(read_text(path), name=stem)
    return _from_toml(shipped_toml(path) if path == shipped else read_toml(path), path, stem)


kept_taxonomy = kept_for_a_run(8)(load_taxonomy)
"""As :func:`load_taxonomy`, but taxonomies that were loaded are kept for a run."""

_KEYS = frozenset({"name", "title", "removed", "realis", "always", "misspellings", "scrutiny", "types"})


def _from_toml(content: Mapping[str, Any], path: str, stem: str) -> Taxonomy:
    for key in content:
        if key not in _KEYS:
            raise UsageError(f"{path}: unknown key {key!r}", hint=did_you_mean(key, sorted(_KEYS)))
    try:
        return Taxonomy(
            name=str(content.get("name", stem)),
            types={
                name: {role: _role(role, entry) for role, entry in event_type["roles"].items()}
                for name, event_type in content["types"].items()
            },
            always={role: _role(role, entry) for role, entry in content.get("always", {}).items()},
            removed=frozenset(content.get("removed", ())),
            misspellings=dict(content.get("misspellings", {})),
            scrutiny=dict(content.get("scrutiny", {})),
            realis=dict(content.get("realis", {})),
            definitions={name: str(entry.get("definition", "")) for name, entry in content["types"].items()},
            title=str(content.get("title", "")),
        )
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        hint = "every type needs a table of roles; always, misspellings, scrutiny and realis are tables"
        raise UsageError(f"{path}: not the form of a taxonomy ({error})", hint=hint) from None


def _role(name: str, entry: Mapping[str, Any]) -> RoleDefinition:
    return RoleDefinition(
        name,
        tuple(entry.get("fillers", ())),
        str(entry.get("definition", "")),
        tolerated=bool(entry.get("tolerated", False)),
    )


_IMPLIED = {"Time": ("TIME",), "Place": ("GPE", "LOC", "FAC")}
"""Roles of every type of a role file that lists neither of them, with their fillers."""


def read_role_file(text: str, *, name: str = "roles") -> Taxonomy:
    """A role file of the official program: one line per type, its roles behind it; Time and Place are implied."""
    types: dict[str, dict[str, RoleDefinition]] = {}
    for line in text.splitlines():
        parts = [part.strip() for part in line.split("\t") if part.strip()]
        if parts and not line.startswith("#"):
            roles = {role: RoleDefinition(role) for role in parts[1:]}
            if types.setdefault(parts[0], roles) != roles:
                message = f"{name}: the type {parts[0]!r} stands on two lines with different roles"
                raise UsageError(message, hint="put all its roles on one line")
    # Later role files list Time and Place themselves, and then a type may lack one.
    listed = any(_IMPLIED.keys() & roles.keys() for roles in types.values())
    implied = {role: RoleDefinition(role, fillers) for role, fillers in _IMPLIED.items()}
    return Taxonomy(name, types, {} if listed else implied)


def write_role_file(taxonomy: Taxonomy) -> str:
    """The taxonomy as a role file, with tolerated roles and with roles of all types, unless readers imply them."""
    always = () if taxonomy.always.keys() == _IMPLIED.keys() else tuple(taxonomy.always)
    return "".join("\t".join([name, *roles, *always]) + "\n" for name, roles in taxonomy.types.items())

"""Target profiles: the entities to look for in a collection, and their names; one JSON object per line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lydite.align.ace_names import similarity
from lydite.errors import Finding, FormatError, Location
from lydite.formats.names import refuse_misspelt_keys
from lydite.formats.numbered_lines import read_json_lines
from lydite.formats.targets import (
    KEYS,
    BadTargetError,
    NameForm,
    list_at,
    name_form,
    optional_text,
    text_at,
    texts_at,
)
from lydite.model.ace_names import normalise

ALIAS, VARIANT, HANDLE = "alias", "variant", "handle"
STATUSES = ("candidate", "target", "scored")
VARIANT_SIMILARITY = 0.5


@dataclass(frozen=True, slots=True)
class TargetProfile:
    """One target."""

    id: str
    handle: str
    type: str = ""
    languages: tuple[str, ...] = ()
    aliases: tuple[NameForm, ...] = ()
    variants: tuple[NameForm, ...] = ()
    confusable_with: tuple[str, ...] = ()
    status: str = "candidate"
    data: Mapping[str, object] | None = None
    """The object as it was given, facts and links included."""
    line: int = 0

    @property
    def forms(self) -> list[tuple[str, str]]:
        """The kind and the text of every name: handle, aliases, variants."""
        return [
            (HANDLE, self.handle),
            *((ALIAS, name.text) for name in self.aliases),
            *((VARIANT, name.text) for name in self.variants),
        ]

    @property
    def names(self) -> list[str]:
        """Every name."""
        return [text for _, text in self.forms]


def read_profiles(path: str) -> list[TargetProfile]:
    """Read the targets of a file in its order; all broken lines are reported together."""
    read, findings = read_json_lines(path, "bad-target-profile", _parse_profile)
    profiles = [replace(profile, line=number) for number, profile in read]
    seen: dict[str, int] = {}
    for profile in profiles:
        if profile.id in seen:
            message = (
                f"expected target {profile.id!r} once, found it again (first on line {seen[profile.id]})"
            )
            place = Location(path, profile.line)
            findings.append(Finding("bad-target-profile", "error", message, place, item=profile.id))
        seen.setdefault(profile.id, profile.line)
    if findings:
        raise FormatError(sorted(findings, key=lambda finding: finding.location or Location(path)))
    return profiles


def _parse_profile(entry: object) -> TargetProfile:
    if not isinstance(entry, dict):
        raise BadTargetError(f"expected an object, found {type(entry).__name__}")
    refuse_misspelt_keys(entry, KEYS)
    status = entry.get("status", "candidate")
    if status not in STATUSES:
        raise BadTargetError(f"expected the status {', '.join(STATUSES)}, found {status!r}")
    return TargetProfile(
        text_at(entry, "id"),
        text_at(entry, "handle"),
        optional_text(entry, "type"),
        texts_at(entry, "languages"),
        tuple(name_form(value, "aliases") for value in list_at(entry, "aliases")),
        tuple(name_form(value, "variants") for value in list_at(entry, "variants")),
        texts_at(entry, "confusable_with"),
        status,
        entry,
    )


# ------------------------------------------------------------------------------------------------------- checks


def check_profiles(profiles: Sequence[TargetProfile], path: str) -> list[Finding]:
    """Check that handles are unique, that names differ from it, that ``confusable_with`` is mutual and complete."""
    by_id = {profile.id: profile for profile in profiles}
    findings: list[Finding] = []
    handles: dict[str, TargetProfile] = {}
    for profile in profiles:
        place = Location(path, profile.line)
        handle = normalise(profile.handle)
        first = handles.setdefault(handle, profile)
        if first is not profile and first.handle == profile.handle:
            message = (
                f"expected a unique handle, found {profile.handle!r}, which is also the handle of {first.id}"
            )
            hint = "add something that distinguishes the two, such as a profession or a place"
            findings.append(Finding("handle-not-unique", "error", message, place, item=profile.id, hint=hint))
        for kind, text in profile.forms[1:]:
            if normalise(text) == handle:
                name = "an alias" if kind == ALIAS else "a variant"
                message = f"expected {name} that differs from the handle, found {text!r}"
                findings.append(Finding("name-equals-handle", "error", message, place, item=profile.id))
        for other in profile.confusable_with:
            findings.extend(_check_confusable(profile, other, by_id, place))
    findings.extend(_check_shared_names(profiles, path))
    return findings


def _check_confusable(
    profile: TargetProfile, other: str, by_id: Mapping[str, TargetProfile], place: Location
) -> Iterator[Finding]:
    if other not in by_id or other == profile.id:
        message = f"expected the id of another target under confusable_with, found {other!r}"
        yield Finding("confusable-unknown", "error", message, place, item=profile.id)
    elif profile.id not in by_id[other].confusable_with:
        message = f"expected {profile.id} under confusable_with of {other}, since {profile.id} names {other}; found none"
        yield Finding("confusable-not-mutual", "error", message, place, item=profile.id)


def _check_shared_names(profiles: Sequence[TargetProfile], path: str) -> Iterator[Finding]:
    owners: dict[str, list[TargetProfile]] = {}
    reported: set[tuple[str, str]] = set()
    for profile in profiles:
        for text in profile.names:
            for first in owners.setdefault(normalise(text), []):
                if profile.id in first.confusable_with or (first.id, profile.id) in reported:
                    continue
                reported.add((first.id, profile.id))
                message = f"{first.id} has the name {text!r} too, but is not listed under confusable_with"
                hint = f"add {first.id} to confusable_with if they are different, merge them if they are the same"
                place = Location(path, profile.line)
                yield Finding("name-shared", "warning", message, place, item=profile.id, hint=hint)
        for name in {normalise(text) for text in profile.names}:
            owners[name].append(profile)


def propose_kind(handle: str, name: str) -> str:
    """Return ``variant`` if a name is similar to the handle (0.5 or more) or shares a word with it, else ``alias``."""
    one, other = normalise(handle), normalise(name)
    if similarity(one, other, VARIANT_SIMILARITY) or set(one.split()) & set(other.split()):
        return VARIANT
    return ALIAS


def propose_kinds(profiles: Iterable[TargetProfile]) -> Iterator[tuple[TargetProfile, str, str, str]]:
    """Return (target, name, kind in the file, proposed kind) for names whose kind should change."""
    for profile in profiles:
        for kind, text in profile.forms[1:]:
            proposed = propose_kind(profile.handle, text)
            if proposed != kind:
                yield profile, text, kind, proposed


def confusable_groups(profiles: Sequence[TargetProfile]) -> dict[str, str]:
    """Map targets that are confusable with others to their group, named by its smallest id."""
    neighbours = {profile.id: set(profile.confusable_with) for profile in profiles}
    groups: dict[str, str] = {}
    for start in sorted(neighbours):
        waiting = [start] if neighbours[start] & neighbours.keys() and start not in groups else []
        while waiting:
            one = waiting.pop()
            if one not in groups:
                groups[one] = start
                waiting.extend(neighbours[one] & neighbours.keys())
    return groups

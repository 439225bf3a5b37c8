"""The signature: what a paper cites beside a number."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from lydite.escaping import in_bytes
from lydite.model import Input
from lydite.profile import Profile, S, Setting, show_value
from lydite.version import __version__


def signature(task: str, profile: Profile[S], inputs: Sequence[Input]) -> str:
    """The signature: task, profile, every departure from it, hashes of the content, version.

    ``lydite|t:nugget|p:kbp2015|unit:token|gold:3f9c21a|sys:b07d110|v:0.1.0``
    """
    parts = ["lydite", f"t:{task}", f"p:{profile.signed_name}"]
    for name, value in profile.departures().items():
        setting = profile.declared[name]
        part = setting.signed_part(value)
        if setting.signed and part != setting.signed_part(profile.base.by_name(name)):
            parts.append(f"{setting.abbreviation or name}:{_signed_value(setting, part)}")
    return f"{'|'.join(parts)}{signed_inputs(inputs)}|v:{__version__}"


MOST_SIGNED = 3
"""How many systems a signature names one by one."""


def signed_inputs(inputs: Sequence[Input]) -> str:
    """The hashes of gold and systems; for many systems their number and one hash over theirs, in any order."""
    golds = [item.content for item in inputs if item.role == "gold"]
    systems = [item.content for item in inputs if item.role == "system"]
    if len(systems) > MOST_SIGNED:
        joint_hash = sha256("|".join(sorted(systems)).encode()).hexdigest()[:7]
        systems = [f"{joint_hash}x{len(systems)}"]
    return "".join([*(f"|gold:{one}" for one in golds), *(f"|sys:{one}" for one in systems)])


def _signed_value(setting: Setting, value: object) -> str:
    file = setting.file_in(value)
    if file is not None:
        from pathlib import Path

        from lydite.formats.source import open_file

        # The content of a file or folder decides scores, not its place.
        path = Path(file)
        files = sorted(path.rglob("*")) if path.is_dir() else [path]
        digest = sha256()
        for one in files:
            if one.is_file():
                digest.update(in_bytes(one.name) + b"\0" + one.read_bytes())
            elif one.exists() and not one.is_dir():
                # A pipe can be read only once, and its name means nothing.
                digest.update(open_file(one).read_bytes())
        return digest.hexdigest()[:7]
    return show_value(value)

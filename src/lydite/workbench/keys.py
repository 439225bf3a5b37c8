"""Names that nobody can guess, and what is kept of secrets: their hashes."""

from __future__ import annotations

import secrets
from hashlib import sha256

PUBLIC_BYTES, SECRET_BYTES = 12, 32


def random_id() -> str:
    """The name of a thing in URLs: 96 bits of chance."""
    return secrets.token_hex(PUBLIC_BYTES)


def new_secret() -> str:
    """A token or the code of a link: shown once, then only its hash is known."""
    return secrets.token_urlsafe(SECRET_BYTES)


def hash_of(secret: str) -> str:
    """What is kept of a secret; 256 bits of chance need no slow hash."""
    return sha256(secret.encode()).hexdigest()

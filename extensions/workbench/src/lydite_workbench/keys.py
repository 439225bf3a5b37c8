"""Ids that nobody can guess, secrets, and the hashes of secrets."""

from __future__ import annotations

import secrets
from hashlib import sha256

PUBLIC_BYTES, SECRET_BYTES = 12, 32


def random_id() -> str:
    """A random id for URLs, of 96 bits."""
    return secrets.token_hex(PUBLIC_BYTES)


def new_secret() -> str:
    """A token or the code of a link; only its hash is stored."""
    return secrets.token_urlsafe(SECRET_BYTES)


def secret_hash(secret: str) -> str:
    """The hash of a secret as it is stored; 256 random bits need no slow hash."""
    return sha256(secret.encode()).hexdigest()

"""Who may come in from outside, and to what: bearer tokens, of which only a hash is kept."""

from frasier.memory.credentials.tokens import (
    FIRST_TOKEN,
    GET_TOKEN,
    AccessToken,
    issue_first_token,
    issue_token,
    list_tokens,
    revoke_token,
    verify_token,
)

__all__ = [
    "FIRST_TOKEN",
    "GET_TOKEN",
    "AccessToken",
    "issue_first_token",
    "issue_token",
    "list_tokens",
    "revoke_token",
    "verify_token",
]

"""The search for what supersedes the sources of a step: a revoked offer and its revocation are read together."""

from __future__ import annotations

from frasier.kernel.language import language_of

_WORDS = {
    "english": "revoked withdrawn superseded replaces replaced no longer valid corrected postponed",
    "german": "widerrufen zurückgezogen ersetzt ungültig aufgehoben berichtigt geändert verschoben",
    "french": "révoqué retiré remplace remplacé annulé caduc rectifié reporté",
    "spanish": "revocado retirado sustituye reemplaza anulado rectificado aplazado",
}


def superseding_query(subject: str) -> str:
    """Return the query for sources that say of a subject that something no longer holds, in the subject's language."""
    words = _WORDS.get(language_of(subject) or "", _WORDS["english"])
    return f"{subject} {words}"

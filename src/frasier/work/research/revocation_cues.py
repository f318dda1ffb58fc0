"""The words by which a text says that something no longer holds, in eight languages. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator

from frasier.kernel.sentences import split_sentences

# Each is a word, or its beginning with \w*.
_CUES = {
    "english": r"revo(?:k|c)\w*|withdr[ae]w\w*|rescind\w*|cancel\w*|supersed\w*|supplant\w*|replac\w+|repeal\w*"
    r"|obsolete|outdated|null and void|void|invalid|no longer|not valid any ?more|correct(?:s|ed|ion)|erratum|amend\w*"
    r"|postpone\w*|rescheduled|instead of|in place of|in lieu of|takes precedence|prevails?",
    "german": r"widerruf\w*|widerrief\w*|zurückgezogen\w*|zurückgenommen\w*|ersetz\w*|ungültig\w*|aufgehoben\w*"
    r"|hinfällig\w*|überholt\w*|stornier\w*|berichtig\w*|korrigier\w*|verschoben\w*|nicht mehr|anstelle|außer kraft"
    r"|an die stelle|abgelöst\w*|nachtrag\w*",
    "french": r"révo(?:qu|c)\w*|retir\w*|remplac\w*|annul\w*|caduc|caduques?|abrog\w*|rectifi\w*|reporté\w*|périmé\w*"
    r"|n['’]est plus|ne sont plus|sans effet|avenant\w*|au lieu d\w*",
    "spanish": r"revoca\w*|retirad\w*|retiramos|reempla[zc]\w*|sustitu\w*|anula\w*|deroga\w*|sin efecto|rectific\w*"
    r"|aplaza\w*|ya no|caduc\w*|en lugar de",
    "italian": r"revoc\w*|ritirat\w*|sostitui\w*|annull\w*|abrog\w*|rettific\w*|rinviat\w*|superat[oaie]|scadut[oaie]"
    r"|non (?:è|sono) più|al posto d\w*",
    "dutch": r"herroep\w*|ingetrokken|vervang\w*|vervallen|vervalt|ongeldig\w*|(?:niet|geen) (?:meer|langer)"
    r"|geannuleerd\w*|gerectificeerd\w*|uitgesteld\w*|in plaats van",
    "portuguese": r"revoga\w*|retirad\w*|substitu\w*|anula\w*|cancela\w*|sem efeito|já não|retific\w*|adiad\w*|caduc\w*"
    r"|em vez d\w*",
    "polish": r"odwoł\w*|uchyl\w*|wycofa\w*|zastęp\w*|zastąpi\w*|unieważni\w*|nieważn\w*|nieaktualn\w*|anul\w*"
    r"|sprostowan\w*|przesunięt\w*|traci moc|już nie|zamiast",
}
_CUE = re.compile(rf"(?<!\w)(?:{'|'.join(_CUES.values())})(?!\w)", re.IGNORECASE)


def says_revoked(text: str) -> bool:
    """Whether a text may say that something no longer holds."""
    return _CUE.search(text) is not None


def revoking_sentences(text: str) -> str:
    """Return the sentences that say so, each with its neighbours, which may name what they are about."""
    sentences = [sentence for line in text.splitlines() for sentence in split_sentences(line)]
    return " ".join(_with_neighbours(sentences))


def _with_neighbours(sentences: list[str]) -> Iterator[str]:
    cued = {at for at, sentence in enumerate(sentences) if _CUE.search(sentence)}
    for at, sentence in enumerate(sentences):
        if cued & {at - 1, at, at + 1}:
            yield sentence

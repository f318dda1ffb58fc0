"""Mails: their technical headers, and the earlier mails that they quote."""

from __future__ import annotations

import re

_HEADER = re.compile(r"^(?:From|To|Subject|Von|An|Betreff|De|À|A|Objet|Para|Asunto)\s?:\s", re.MULTILINE)
_HEADERS_MIN = 2
_HEAD_CHARS = 600
_WROTE = re.compile(
    r"^(?:(?:on|am|le|el)\b.{4,120}|[^>\n]{2,80}[\d,>]\s?)(?:wrote|writes|schrieb|a écrit|escribió)\b.*:\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_ORIGINAL = re.compile(
    r"^-{2,}\s*(?:original message|forwarded message|ursprüngliche nachricht|weitergeleitete nachricht|"
    r"message d'origine|mensaje original)\b.*$",
    re.IGNORECASE | re.MULTILINE,
)
_TECHNICAL = re.compile(
    r"^(?:Return-Path|Received|Message-ID|In-Reply-To|References|MIME-Version|Content-[\w-]+|User-Agent|X-Mailer|"
    r"X-Priority|DKIM-Signature|List-[\w-]+)\s?:.*$",
    re.IGNORECASE | re.MULTILINE,
)
_ATTACHED = re.compile(r"^## (?:Attachment: |Attached message$)", re.MULTILINE)


def without_history(text: str) -> str:
    """Return a mail without its technical headers and the earlier mails that it quotes; other texts as they are.

    Lines are blanked, so that the others keep their numbers.
    """
    if len(_HEADER.findall(text[:_HEAD_CHARS])) < _HEADERS_MIN:
        return text
    text = _TECHNICAL.sub("", text)
    if original := _ORIGINAL.search(text):
        attached = _ATTACHED.search(text, original.end())
        end = attached.start() if attached else len(text)
        text = text[: original.start()] + "\n" * text.count("\n", original.start(), end) + text[end:]
    lines = _WROTE.sub("", text).split("\n")
    return "\n".join("" if line.lstrip().startswith(">") else line for line in lines)

"""The answer to a founder's message, in the language of the message. Pure."""

from __future__ import annotations

from dataclasses import replace

from frasier.interfaces.deliverable_rendering.messages import Messages
from frasier.kernel.language import language_of, language_of_request
from frasier.kernel.language_words import LANGUAGE_CODES
from frasier.org.conversation import FounderMessage


def in_own_language(message: FounderMessage) -> FounderMessage:
    """Return a message with what the program itself says in its answer in the language of the message."""
    if not message.answer:
        return message
    quoted = "\n".join(line for line in message.answer.splitlines() if line.startswith("- "))
    code = LANGUAGE_CODES.get(language_of_request(message.text, likely=language_of(quoted)) or "", "en")
    return replace(message, answer=Messages(code).answer(message.answer))

"""The topics of a turn of the conversation: the names in it, then its most telling words. Pure."""

from __future__ import annotations

from frasier.kernel.language import function_words, language_of, words_of
from frasier.kernel.names import names_in
from frasier.kernel.stopwords import STOP_WORDS
from frasier.kernel.text import shorten

_TOPICS_MAX = 6
_TOPIC_CHARS_MAX = 60
_WORD_CHARS_MIN = 4
_TEXT_CHARS_MAX = 4_000


def topics_of(text: str) -> tuple[str, ...]:
    """Return at most six topics of a text in lower case; none for a text like "And how old is he?"."""
    text = text[:_TEXT_CHARS_MAX]
    language = language_of(text)
    known = function_words(language) | STOP_WORDS
    names = [name for name in names_in(text, german=language == "german") if name.lower() not in known]
    words = [word for word in words_of(text) if len(word) >= _WORD_CHARS_MIN and word.lower() not in known]
    # Long words are rarer than short ones, and say more of the subject.
    telling = sorted(dict.fromkeys(words), key=lambda word: -len(word))
    topics = (shorten(" ".join(topic.lower().split()), _TOPIC_CHARS_MAX) for topic in (*names, *telling))
    return tuple(dict.fromkeys(topic for topic in topics if topic))[:_TOPICS_MAX]

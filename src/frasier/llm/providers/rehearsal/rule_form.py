"""Recognise standing rules by the form of a sentence, in English, German, French and Spanish.

Only a sentence that opens as a rule does is one: "Always …", "Please never …", "From now on, …", "Nenne immer …". The
same words further inside, a wish and a question say nothing of all work.
"""

from __future__ import annotations

import re

_RULES_MAX = 4
_WORDS_MIN = 3
_CHARS_MAX = 600

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|\n+")
_POLITE = r"(?:(?:please|bitte|s'il (?:te|vous) pla[iî]t|por favor)[,\s]+)?"
_FROM_NOW_ON = (
    r"from now on|from today on|going forward|in (?:the )?future(?! of)|"
    r"ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|zukünftig|in zukunft|"
    r"[àa] partir de maintenant|d[ée]sormais|dor[ée]navant|"
    r"a partir de ahora|de ahora en adelante|en adelante"
)
_ALWAYS = r"always|immer|stets|toujours|siempre"
_NEVER = r"never|do(?:n't| not) ever|nie|niemals|jamais|nunca"
_NOT_ENGLISH = "immer|stets|nie|niemals|toujours|jamais|siempre"
# A word after the verb says the same in these languages. Subjects and adverbs open no imperative, nor does a verb that
# ends as the Spanish "I" and "we" do.
_NO_VERB = "wie|noch|schon|auch|wir|ich|sie|er|es|das|die|je|nous|il|elle|on|ils|elles|yo|él|ella|ellos|se"
_VERB = rf"(?!(?:{_NO_VERB})\b)(?:n')?[^\W\d_]*[^\W\d_o](?:-[^\W\d_]+)?(?<!mos)"
_VERB_FIRST = rf"{_VERB}(?: (?:sie|pas))? (?:{_NOT_ENGLISH})"
_GERMAN_ORDER = (
    r"(?:nenne|schreibe?|verwende|benutze|nutze|zeige|antworte|formuliere|rechne|runde|zitiere|gib|nimm)n?(?: sie)?"
    r"(?: \w+){1,3} (?:immer|stets|nie|niemals)"
)
_OPENINGS = (
    rf"(?:(?:we|you)(?: must| should)? )?(?:{_ALWAYS}|{_NEVER})",
    _FROM_NOW_ON,
    _VERB_FIRST,
    _GERMAN_ORDER,
)
_OPENING = re.compile(rf"\W*{_POLITE}(?:{'|'.join(_OPENINGS)})\b", re.IGNORECASE)
_SAYINGS = re.compile(
    r"\W*(?:never mind|never again|always (?:happy|glad|welcome|a pleasure))\b", re.IGNORECASE
)


def rules_in(message: str) -> tuple[list[str], str]:
    """The sentences of a message that are rules, at most four, and the rest of it."""
    rules: list[str] = []
    rest: list[str] = []
    for sentence in _SENTENCE_END.split(message.strip()):
        (rules if len(rules) < _RULES_MAX and _is_rule(sentence) else rest).append(sentence)
    return rules, "\n".join(rest) if rules else message.strip()


def _is_rule(sentence: str) -> bool:
    plain = sentence.replace("’", "'")
    return (
        bool(_OPENING.match(plain))
        and not _SAYINGS.match(plain)
        and not sentence.rstrip().endswith("?")
        and len(sentence.split()) >= _WORDS_MIN
        and len(sentence) <= _CHARS_MAX
    )

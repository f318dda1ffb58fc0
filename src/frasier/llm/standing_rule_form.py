"""Recognise standing rules by the form of a sentence, in English, German, French and Spanish.

A rule binds all work, so the form is narrow: a generality and a verb that says how work is done ("Always state …",
"Nenne … immer", "From now on, use …"). One that only opens like a rule `reads_like_rule`; the founder can record it.
"""

from __future__ import annotations

import re

from frasier.llm.message_sentences import Sentence, sentences_of, straighten_apostrophes

RULES_HEADING = "The founder always wants:"
"""The line of a system message above its standing rules."""

_WORDS_MIN = 3

_POLITE = r"(?:(?:please|bitte|s'il (?:te|vous) pla[iî]t|por favor)[,\s]+)?"
_FROM_NOW_ON = (
    r"(?:from now on|from today on|going forward|in (?:the )?future(?! of)|"
    r"ab (?:jetzt|sofort|heute)|von (?:nun|jetzt) an|künftig|zukünftig|in zukunft|"
    r"[àa] partir de maintenant|d[ée]sormais|dor[ée]navant|"
    r"a partir de ahora|de ahora en adelante|en adelante)"
)
_ALWAYS_DE = r"(?:immer|stets|nie|niemals)"
_ALWAYS_EN = r"(?:always|never|don't ever|do not ever)"

# Imperatives about how work is done.
_VERB_EN = (
    r"(?:state|use|write|quote|give|show|answer|reply|respond|cite|name|round|convert|format|spell|sign|address|mention|"
    r"avoid|include|ask|check|prefer|keep|put|add|end|begin|start|calculate|label|mark|refer|express|leave|omit|exclude|"
    r"assume|verify|follow|apply|stay|abbreviate|capitali[sz]e|be|make sure|ensure)(?! (?:me|us|up)\b)"
)
_VERB_DE = (
    r"(?:nenn|schreib|verwend|benutz|nutz|zeig|antwort|formulier|rechn|rund|zitier|erwähn|vermeid|acht|prüf|halt|frag|"
    r"beleg|beginn|ergänz|kürz|bevorzug)(?:e|en sie)?|gib|geben sie|nimm|nehmen sie|sprich|sprechen sie"
)
_INFINITIVE_DE = (
    r"(?:nennen|schreiben|verwenden|benutzen|nutzen|zeigen|antworten|formulieren|rechnen|runden|zitieren|erwähnen|"
    r"vermeiden|prüfen|angeben|belegen|beginnen|ergänzen|kürzen|bevorzugen|fragen)"
)
_SECOND_PERSON_DE = (
    r"(?:nennst|schreibst|verwendest|benutzt|nutzt|zeigst|antwortest|gibst|zitierst|rundest|vermeidest) du"
)
_VERB_FR = (
    r"(?:utilise|emploie|indique|écri[st]|cite|donne|nomme|réponds|arrondis|évite|convertis|signe|mentionne|inclus|montre|"
    r"garde|vérifie|demande|affiche|précise|mets|utilisez|employez|indiquez|écrivez|citez|donnez|nommez|répondez|"
    r"arrondissez|évitez|mentionnez|montrez|mettez)"
)
_INFINITIVE_FR = (
    r"(?:utiliser|employer|indiquer|écrire|citer|donner|nommer|répondre|arrondir|éviter|mentionner|mettre)"
)
_VERB_ES = (
    r"(?:indica|usa|utiliza|emplea|escribe|cita|da|nombra|responde|contesta|redondea|evita|convierte|firma|menciona|incluye|"
    r"muestra|mantén|pon|pregunta|comprueba|uses?|utilices?|emplees?|escribas?|pongas?|des|menciones?|indiques?|"
    r"cites?|respondas?|incluyas?|muestres?|redondees?|evites?)"
)
_RULE = re.compile(
    rf"{_POLITE}(?:"
    rf"(?:(?:we|you) (?:must|should) )?{_ALWAYS_EN} {_VERB_EN}\b|"
    rf"{_FROM_NOW_ON}[,:]? {_POLITE}(?:(?:you |we )?(?:must|should|will) )?(?:always |never |only |don't |do not )?"
    rf"(?!(?:give|show|name) (?:the|a|an)\b){_VERB_EN}\b|"
    rf"(?:{_VERB_DE})(?: \w+){{0,3}} {_ALWAYS_DE}\b|"
    rf"{_ALWAYS_DE}(?! wenn\b)(?: [^\s,;]+){{1,12}} {_INFINITIVE_DE}\W*\Z|"
    rf"{_FROM_NOW_ON}[,:]? {_POLITE}(?:{_VERB_DE}|{_SECOND_PERSON_DE})\b|"
    rf"{_FROM_NOW_ON}[,:]? {_POLITE}(?:[^\s,;]+ ){{1,12}}{_INFINITIVE_DE}\W*\Z|"
    rf"(?:n'|ne )?{_VERB_FR}(?: pas)? (?:toujours|jamais)\b|"
    rf"(?:toujours|ne jamais) {_INFINITIVE_FR}\b|"
    rf"{_FROM_NOW_ON},? {_POLITE}(?:n'|ne )?{_VERB_FR}\b|"
    rf"(?:no )?{_VERB_ES} (?:siempre|nunca|jamás)\b|"
    rf"(?:siempre|nunca|jamás) {_VERB_ES}\b|"
    rf"{_FROM_NOW_ON},? {_POLITE}(?:no )?{_VERB_ES}\b"
    r")",
    re.IGNORECASE,
)
_READS_LIKE = re.compile(
    rf"{_POLITE}(?:(?:(?:we|you) (?:must|should) )?{_ALWAYS_EN}|{_FROM_NOW_ON}|{_ALWAYS_DE}|"
    r"toujours|jamais|siempre|nunca)\b",
    re.IGNORECASE,
)
_SAYINGS = re.compile(
    r"(?:never (?:mind|again|say never)|always (?:happy|glad|great|welcome|a pleasure))\b", re.IGNORECASE
)
_POINTS_HERE = re.compile(
    r"\b(?:this|these|below|following|today|for now|dies(?:e[mnrs]?)?|folgende[mnrs]?|heute|"
    r"ce|cette|ci-dessous|est[ea]|hoy)\b",
    re.IGNORECASE,
)

_TASK_VERB = (
    r"(?:write|draft|compose|compare|summari[sz]e|research|list|create|make|prepare|produce|build|design|develop|plan|find|"
    r"collect|analy[sz]e|assess|evaluate|describe|explain|investigate|outline|propose|recommend|review|translate|send|"
    r"schreib(?:en?|st)?|vergleichen?|erstellen?|untersuchen?|fassen?|recherchieren?|entwirf|suchen?|finden?|planen?|"
    r"übersetzen?|schicken?|écri(?:s|re|vez|ve)|rédiger?|comparer?|résumer?|créer?|préparer?|trouver?|traduire|traduis|"
    r"escrib(?:e|ir|a|as)|redact(?:a|ar)|compar(?:a|ar)|resum(?:e|ir)|cre(?:a|ar)|prepar(?:a|ar)|busc(?:a|ar)|"
    r"traduc(?:e|ir))"
)
_ONE = (
    r"(?: (?:me|us|mir|uns|moi|nous|du|sie))*"
    r" (?:me|us|a|an|some|one|two|three|the|this|these|my|our|"
    r"m?ein(?:e[mnrs]?)?|de[mnr]|das|die|une?|l[ae]s?|mon|ma|el|los|un[ao]?)\b"
)
_WISHED = (
    r"(?:want|need|wish for|like|möchten?|brauchen?|hätten?(?: gerne?)?|"
    r"veux|voudrais|aimerais|quiero|quisiera|necesito)"
    r" (?:a|an|one|some|eine?[ns]?|une?|un[ao]?)\b"
)
_ONE_RESULT = re.compile(rf"\b(?:{_TASK_VERB}{_ONE}|{_WISHED})", re.IGNORECASE)
_WISH = re.compile(
    rf"{_POLITE}(?:(?:i|we) (?:\w+ )?(?:want|need|wish|like|love)\b|i'd\b|(?:can|could|would|will) you\b|"
    r"(?:ich|wir) (?:möchten?|will|wollen|brauchen?|wünschen?|hätten?)\b|(?:kannst|könntest|würdest) du\b|"
    r"je (?:veux|voudrais)\b|j'aimerais\b|(?:peux|pourrais)-tu\b|"
    r"quiero\b|quisiera\b|necesito\b|me gustaría\b|(?:puedes|podrías)\b|"
    rf"{_TASK_VERB}\b)",
    re.IGNORECASE,
)
_TASK_WORD = re.compile(rf"\b{_TASK_VERB}\b", re.IGNORECASE)
_EVER = re.compile(
    rf"\b(?:always|never|ever|whenever|{_FROM_NOW_ON}|no longer|forever|by default|at all times|all the time|"
    rf"{_ALWAYS_DE}|grundsätzlich|generell|toujours|jamais|siempre|nunca|jamás)\b",
    re.IGNORECASE,
)
_ALL = re.compile(
    r"\b(?:every\w*|all|any\w*|each|jede[mnrs]?|alle[mnrs]?|überall|chaque|tout(?:e|es)?|tous|partout|cada|tod[oa]s?)\b",
    re.IGNORECASE,
)
_TASK_BESIDE = re.compile(
    rf"(?:[,;]|\b(?:and|then|und|dann|et|puis|y|luego)\b)\s+{_POLITE}{_TASK_VERB}{_ONE}", re.IGNORECASE
)


def rules_in(message: str) -> tuple[list[str], str]:
    """Separate the sentences that are clearly rules from the rest of a message.

    They are taken from a message of nothing but rules, or from its first line.
    """
    sentences = own_sentences(message)
    rules = [sentence for sentence in sentences if _is_rule(sentence.text)]
    if rules and remove_sentences(message, rules):
        first_line = message[: len(message) - len(message.lstrip())] + message.lstrip().partition("\n")[0]
        pointing = next((s.start for s in sentences if s not in rules and _POINTS_HERE.search(s.text)), None)
        last = len(first_line) if pointing is None else min(pointing, len(first_line))
        rules = [rule for rule in rules if rule.end <= last]
    return [rule.text for rule in rules], remove_sentences(message, rules) if rules else message.strip()


def own_sentences(message: str) -> list[Sentence]:
    """Return the author's own sentences: none in quotation marks, and none introduced by a colon."""
    own: list[Sentence] = []
    for sentence in sentences_of(message):
        own.append(sentence)
        hands_over = re.search(r":(?:\s|\Z)", sentence.text)
        if hands_over and (sentence.text.rstrip().endswith(":") or not _is_rule(sentence.text)):
            break
    return own


def remove_sentences(message: str, sentences: list[Sentence]) -> str:
    """Remove some sentences from a message."""
    remaining: list[str] = []
    position = 0
    for sentence in sentences:
        remaining.append(message[position : sentence.start])
        position = sentence.end
    remaining.append(message[position:])
    return "\n".join(part for part in (piece.strip() for piece in remaining) if part)


def reads_like_rule(sentence: str) -> bool:
    """Whether a sentence opens like a rule, though it may not be one."""
    plain = straighten_apostrophes(sentence)
    return bool(_READS_LIKE.match(plain) or _RULE.match(plain)) and _could_be_rule(plain)


def is_wish(sentence: str) -> bool:
    """Whether a sentence asks for something, without a word that extends it to all work."""
    plain = straighten_apostrophes(sentence)
    if _TASK_BESIDE.search(plain):
        return True
    if _EVER.search(plain) or not _WISH.match(plain):
        return False
    return bool(_ONE_RESULT.search(plain)) or not _ALL.search(plain)


def wants_work(sentence: str) -> bool:
    """Whether a sentence asks for a result to work on."""
    plain = straighten_apostrophes(sentence)
    return is_wish(sentence) and bool(
        _ONE_RESULT.search(plain) or (_WISH.match(plain) and _TASK_WORD.search(plain))
    )


def _is_rule(sentence: str) -> bool:
    plain = straighten_apostrophes(sentence)
    opening = _RULE.match(plain)
    return (
        opening is not None
        and not _ONE_RESULT.search(plain)
        and not _POINTS_HERE.search(plain, opening.end())
        and not plain.rstrip().endswith(":")
        and _could_be_rule(plain)
    )


def _could_be_rule(plain: str) -> bool:
    return not _SAYINGS.match(plain) and not plain.rstrip().endswith("?") and len(plain.split()) >= _WORDS_MIN

"""Find secrets by the name in front of them: `DB_PASS=…`, `"password": "…"`, "the password is …", in six languages.

The search finds a name, then the text that joins it to a value, then checks that the value is plausible: placeholders,
types, expressions and words about passwords are not. Every pattern is bounded, so that the time is linear in the text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_OF = r"(?:d(?:e|el|ella|i|o|a|u)? (?:l[ao'’] ?)?|d['’]|dell['’])"
# Names of credentials only: any value after one may be a secret.
_LOGIN_NAME = (
    r"(?P<password>pass(?:word|wort|wd|phrase|code)|pwd|client[_-]?secret|kennwort|losungswort|mdp"
    r"|mot[ _-]?de[ _-]?passe|contrase(?:ñ|n|ny)a|senha|palavra[ _-]?passe|parola d['’](?:ordine|accesso)"
    r"|(?:seed|recovery|secret) phrase|phrase (?:secrète|de passe)"
    r"|frase (?:secreta|segreta|d['’]accesso|de (?:contraseña|acceso|acesso|senha)))"
)
# Names that other things have too: a value after one must look random.
_KEY = (
    r"(?P<key>(?:api|auth|access|refresh|bot|client|session|secret)?[ _-]?(?:token|secret)"
    r"|parola[ _-]chiave|jeton(?: d['’](?:accès|api))?"
    r"|(?:api|access|account|private|secret)[ _-]?key|geheimnis|(?:api|zugangs|zugriffs)[ _-]?schlüssel"
    rf"|(?:clave|chave|chiave|clé) ?{_OF}(?:acceso|acesso|accesso|accès|api)|chiave api|clave|zugangscode"
    r"|secreto(?: compartido)?|segreto(?: condiviso)?|segredo(?: compartilhado)?|secret partagé"
    r"|code secret|código (?:secreto|de ac(?:ceso|esso))|codice (?:segreto|di accesso))"
)
_NAME = rf"(?:(?<![^\W_])|(?<=[a-z])(?=[PTSK]))(?:{_LOGIN_NAME}|{_KEY})"
# The suffix of a setting name that has variants: `PASSWORD_DB`.
_WHICH = (
    r"(?:_(?!hash|file|path|policy|len|min|max|field|ur[li]|reset|name|type|count|id|re|env|hint|prompt)"
    r"[a-z0-9]{1,20}){0,2}"
)
_QUOTES = "\"'`„“”«»‚‘’‹›"
_OPEN = rf"[{_QUOTES}]"
# A quote inside of another text is escaped: {\"password\": \"…\"}
_QUOTED = rf"\\?{_OPEN} ?(?P<quoted>[^\n{_QUOTES}]{{3,200}}?) ?\\?{_OPEN}"
_RUN = rf"[^\s{_QUOTES},;<>&|(){{}}\[\]]"
# A sign that separates values is one of the value where no other value of a name follows: hunter2,swordfish9
_INNER = (
    rf"[,;|](?=[^\s=:,;<>&|(){{}}\[\]{_QUOTES}\d]{{0,40}}\d[^\s=:,;<>&|(){{}}\[\]{_QUOTES}]{{0,40}}(?:\s|$))"
)
_CALL_INSIDE = rf"{_RUN}{{1,40}}\([^\s(){_QUOTES}]{{0,40}}\)(?=\w){_RUN}{{2,40}}"
_BARE = (
    rf"\\?(?:{_OPEN}(?=[^\n{_QUOTES}]{{3,200}}$))?"
    rf"(?P<bare>{_CALL_INSIDE}|(?:{_RUN}|&(?!\w{{1,30}}=)|(?<=[^\s=:,;|]){_INNER}){{3,200}})(?P<after>[(\[{{]?)"
)
_WORDS = r"(?P<words>[a-zß-ÿ]{3,14}(?: [a-zß-ÿ]{3,14}){3,23})(?=[.!]?(?:\n|\\n|$))"
_VALUE = rf"(?:{_QUOTED}|{_WORDS}|{_BARE})"
_MIDDLE = r"(?:[ ,]{1,2}[\w'’/.@-]{1,30}){0,7}?"
_FOR = (
    r"(?: (?:for|of|on|to|für|fürs|vom|von|zum|zur|des|der|d[eiaou]?|del|della|dell|de l|du|per|para|pour|pelo)"
    r"\b[\w '’-]{0,40}?)?"
)
_ADVERBS = (
    r"(?: (?:now|still|currently|again|set to|jetzt|nun|seit gestern|immer noch|weiterhin|derzeit|maintenant|toujours"
    r"|ahora|aún|siendo|adesso|ancora|ora|agora|sendo|ainda))?"
)
_IS = (
    r"(?:is|was|remains|equals|ist|war|lautet|heißt|heisst|bleibt|c['’]est|est|était|reste|es|era|sigue|è|resta|é"
    rf"|continua|será|sarà|sera){_ADVERBS}"
)
_CHANGED = (
    r"(?:to|(?:wurde|wird|ist) auf|(?:a été|est) (?:changé|remplacé|mis)e? (?:en|par|à)|a|por"
    r"|(?:è stata|stata) (?:cambiata|impostata) (?:in|a|su)|foi (?:alterada|mudada|definida) para|para|auf|in)"
)

_FLAGS = re.IGNORECASE
# Between a name and its sign a quote and a mark of Markdown may end; a table has a line between them, and a line may
# end behind the sign.
_END = rf"\\?{_OPEN}?\]?[*_]{{0,3}}"
_BEHIND = r"[*_]{0,3} {0,4}(?:(?:[|>][+-]?)?\n {1,12})?"
_ASSIGNED = re.compile(
    rf"{_NAME}{_WHICH}(?P<sign>{_END} {{0,4}}(?:=>|:=|=|: ?str(?:ing)? = ?(?={_OPEN})|:|{_FOR} ?:){_BEHIND}| [–-] "
    rf"| {{0,4}}\| {{0,4}}|[\"'], ?(?=[\"'])|>(?=[^\s<>]{{3,200}}</)){_VALUE}",
    _FLAGS,
)
_SHORT_ASSIGNED = re.compile(
    rf"(?<![^\W_])(?P<password>pass|pw)(?P<key>(?!))?(?P<sign>{_END} {{0,4}}[=:]{_BEHIND}){_VALUE}",
    _FLAGS,
)
_SAID = re.compile(rf"{_NAME}\b(?P<sign>{_MIDDLE},? {_IS}:? ){_VALUE}", _FLAGS)
_SET = re.compile(rf"{_NAME}\b(?P<sign> {_CHANGED} |,?(?: also| now| jetzt| nun)? ){_VALUE}", _FLAGS)
_OPTION = re.compile(
    rf"(?:(?P<password>(?<!\S)--?(?:password|passwd|passphrase|pass|pwd)|\bsshpass -p"
    rf"|\bidentified by(?= '| \"[^\"\n]{{0,60}}\d)"
    rf"|\b(?:curl|wget|https?) (?:[^\n;&|]{{0,120}}? )?(?:-u|--user)[ =][\w.@-]{{1,60}})"
    rf"|(?P<key>(?<!\S)--(?:[a-z]{{1,10}}-)?(?:token|key|secret)))"
    rf"(?P<sign>[ :]){_VALUE}",
    _FLAGS,
)
_DECLARED = re.compile(
    rf"\b(?:ENV|ARG) \w{{0,40}}(?:(?P<password>PASS(?:WORD|WD)?)|(?P<key>SECRET|TOKEN|KEY))(?P<sign> ){_VALUE}"
)

# Behind these names a long run with a digit is a value, whatever signs are in it, and over the end of a line.
_LONG_ASSIGNED = re.compile(
    r"(?P<sign>(?:[aA](?i:pi[_-]?key|ccess[_-]?key|ccount[_-]?key|uth[_-]?token|ccess[_-]?token)"
    r"|[bB](?i:ot[_-]?token)|[cC](?i:lient[_-]?secret)|[rR](?i:efresh[_-]?token)"
    r"|[pP](?i:rivate[_-]?key|assword|asswd|assphrase)|[sS](?i:ecret[_-]?key|ession[_-]?token))"
    r"[\"']?\s{0,4}[:=]\s{0,4}[\"']?)"
    r"(?P<bare>(?=[^\s\"',;()\[\]{}<>\d]{0,200}\d)(?:[^\s\"',;()\[\]{}<>&]|&(?!\w{1,30}=)){8,})"
)
# What may follow a value that is cut off for its length.
_TAIL = re.compile(rf"{_RUN}*")

_NOTHING = re.compile(
    r"[*•x.#?_…-]+|\$[{(].*|\$\w+(?:(?:->|::|\[|\.).*)?|%\w+%|<.*|\{.*|\[.*|@[a-z_.-]+(?:/.*)?"
    r"|(?:ctrl|strg|alt|shift|cmd)\+.*"
    r"|(?:your|my|the|some|ihr|dein|tu|votre|sua|example)[-_ ][a-z]+(?:[-_ ][a-z]+)*"
    r"|[a-z_]+(?:\.[a-z_]+)+|/[a-z_.-]*(?:/.*)?|\w+://.*|\.{1,2}/.*"
    r"|(?:\w{1,30}_)?(?:user|db|new|old|my|current)?(?:password|passwd|pwd|secret|token|key)s?(?:_[a-z]+){0,3}",
    re.IGNORECASE,
)
# Types, empty values, and words that commonly follow "password".
_NO_SUCH_WORDS = """
none null nil true false yes no str string int integer bytes bool boolean text any object varchar char
number uuid undefined unset empty blank missing hidden redacted masked omitted todo changeme change_me
placeholder password secret
required optional mandatory wrong weak strong correct incorrect right good bad safe unsafe secure
insecure valid invalid known unknown public private secret stored hashed saved sent kept lost gone shown
there here this that what which with when where only also very still always never just not the and for
you your his her its our their case necessary needed enough same different default important sensitive
unique easy hard long short simple plain okay fine ready done input value username above below inside
correcthorse plaintext falsch richtig sicher unsicher geheim nötig notwendig pflicht teil sache weg leer
lang kurz gut schlecht stark schwach bekannt nicht seit bis bei mit von für auf im noch ein eine einem
einen der die das den dem des auch nur schon sehr immer zu faux bon mauvais fort faible vide court perdu
requis obligatoire connu inconnu trop pas une un le la les du en dans pour avec très aussi débil fuerte
segura correcta incorrecta vacía larga corta obligatoria secreta falsa buena mala muy una uno el los las
con sin por para más sbagliata giusta corretta debole forte sicura vuota lunga segreta nota troppo molto
il lo gli non errada certa fraca vazia longa curta obrigatória muito uma um os as não com sem
"""
_STATED = frozenset(_NO_SUCH_WORDS.split())
_SAYING = re.compile(
    r".*(?:ed|ing|able|ible|ive|ous|ful|less|ical|ional|ory|ary|iert|lich|bar|isch|ados?|adas?|idos?|idas?|at[oaie]|ut[oaie]"
    r"|(?:\w{2,3})?(?:ge|ver|be|er)\w+(?:en|t)|ori[aoei]|é|ées?|ibles?|ables?|ives?|vel)",
    re.IGNORECASE,
)
_MEASURE = re.compile(
    r"\d+(?:[.,]\d+)?[-–]?(?:bit|byte|char\w*|zeichen|stellig\w*|th|st|nd|rd|x|%|s|ms|h|min|days?)s?|sha-?\d+|md5|utf-?\d+|base\d+"
    r"|oauth\d?|2fa|mfa|otp|argon2\w*|pbkdf2|bcrypt|scrypt|aes[-_\d]*|rsa[-_\d]*|v?\d+(?:\.\d+)+|e-?mail\w*",
    re.IGNORECASE,
)
_UUID_OR_HASH = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{32,}", re.IGNORECASE)
_OF_MANY_THINGS = frozenset({"token", "secret"})
_NUMBER_CHARS = 6
_ARGUMENT = re.compile(r"\w+=|[a-z]+(?:_[a-z]+)+$")
_WORD = re.compile(r"[^\W\d_]+", re.UNICODE)
_LETTER = re.compile(r"[^\W\d_]")
_DIGIT = re.compile(r"\d")
_DIGIT_OR_SIGN = re.compile(r"\d|(?!^)[!#$%&*+=?@^~_]")
_LABEL = re.compile(rf"(?:{_LOGIN_NAME}|{_KEY})s?", re.IGNORECASE)
# A pass that is a ticket, a test that passed, and a field of an object, to which another variable is assigned.
_PASSED = re.compile(r"tests?[_/.:-].*|.*::.*", re.IGNORECASE)
_TICKET = re.compile(
    r"\b(?:board|ski|lift|bus|train|rail|press|day|week|season|travel|guest|backstage)(?:ing)? $",
    re.IGNORECASE,
)
_OWN_FIELD = re.compile(r"\b(?:self|this|cls)\.\w*$")
_VARIABLE = re.compile(r"[^\W\d]\w*(?:\.\w+)*")
_BEFORE_CHARS = 60


def find_named_secrets(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans (begin, end) of values after secret names in `text`, possibly overlapping."""
    yield from (match.span("bare") for match in _LONG_ASSIGNED.finditer(text))
    for pattern in (_ASSIGNED, _SHORT_ASSIGNED, _SAID, _SET, _OPTION, _DECLARED):
        at = 0
        while match := pattern.search(text, at):
            at = match.end("sign")
            group = next(name for name in ("quoted", "words", "bare") if match[name] is not None)
            begin, end = match.span(group)
            value = match[group]
            if group == "bare":
                value = value.rstrip(".:?") if value[-1] in ".:?" else value
                value = value.rstrip(",;|")
            if value and _is_secret(match, value, group, joined=pattern):
                at = begin + len(value)
                if group == "bare" and at == end and (tail := _TAIL.match(text, at)):
                    at = tail.end()
                yield begin, at


def _is_secret(match: re.Match[str], value: str, group: str, *, joined: re.Pattern[str]) -> bool:
    lowered = value.lower().rstrip("!?:.")
    if len(value) < 4 or value.startswith("[redacted") or lowered in _STATED or _NOTHING.fullmatch(value):
        return False
    if _LABEL.fullmatch(value) or _MEASURE.fullmatch(value):
        return False
    if group == "bare" and match["after"] and "(" not in value:
        return False  # a call or an index
    sign = match["sign"].strip(" \\*_" + _QUOTES)
    if match["password"] is None:
        return _is_key(match, value, sign, joined=joined)
    if joined is _SET:
        return is_opaque(value) and " " not in value and not _ARGUMENT.match(value)
    if _is_other_thing(match, value, group, joined=joined):
        return False
    if "|" in sign or "," in sign or "\n" in match["sign"]:  # a table, arguments or a block
        return is_opaque(value) and " " not in value
    if " " in value:
        return _is_phrase(value) or (match["password"].isupper() and match["sign"] == "=")
    if group != "bare" or (joined is not _SAID and ":" not in sign) or is_opaque(value):
        return True
    return _ends_clause(match) and (joined is not _SAID or _is_odd_word(value))


def _is_key(match: re.Match[str], value: str, sign: str, *, joined: re.Pattern[str]) -> bool:
    if joined is _SET or " " in value:
        return False
    if match["key"].isupper() and sign == "=":  # a variable of the environment
        return bool(_WORD.fullmatch(value.replace("-", "").replace("_", ""))) or is_opaque(value)
    hash_too = match["key"].lower() not in _OF_MANY_THINGS
    return _is_random(value, hash_too=hash_too)


def _is_other_thing(match: re.Match[str], value: str, group: str, *, joined: re.Pattern[str]) -> bool:
    before = match.string[max(0, match.start() - _BEFORE_CHARS) : match.start()]
    if joined is _SHORT_ASSIGNED and ":" in match["sign"]:
        return bool(value.isdigit() or _TICKET.search(before) or _PASSED.fullmatch(value))
    return group == "bare" and bool(_OWN_FIELD.search(before) and _VARIABLE.fullmatch(value))


def is_opaque(value: str) -> bool:
    """Whether it is neither a word of any language nor a measure."""
    if _MEASURE.fullmatch(value):
        return False
    if not _LETTER.search(value):
        return False
    if _DIGIT_OR_SIGN.search(value):
        return True
    return any(low.islower() and high.isupper() for low, high in pairwise(value))


def _is_random(value: str, *, hash_too: bool) -> bool:
    return (
        len(value) >= 6
        and bool(_DIGIT.search(value))
        and is_opaque(value)
        and (hash_too or not _UUID_OR_HASH.fullmatch(value))
    )


def _is_phrase(value: str) -> bool:
    words = value.lower().split()
    if any(word in _STATED or len(word) > 14 for word in words[1:]):
        return False
    if words[0] in {"the", "your", "must"}:
        return False
    return len(words) >= 4 or any(character.isdigit() for character in value)


def _ends_clause(match: re.Match[str]) -> bool:
    """Whether nothing but the end of a clause, or a comment, follows the value."""
    following = match.string[match.end("bare") - 1 : match.end("bare") + 2]
    return following[:1] in ".:?" or following[1:2] not in {" ", "\t"} or following[2:3] == "#"


def _is_odd_word(value: str) -> bool:
    """Whether it is a plain word, such as a weak password, that no phrase about passwords would use."""
    if value.isdigit():
        return len(value) >= _NUMBER_CHARS
    return bool(_WORD.fullmatch(value.replace("-", "")) and not _SAYING.fullmatch(value))

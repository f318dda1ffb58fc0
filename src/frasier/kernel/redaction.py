"""Redaction of secrets from text before it is stored or shown.

Every pattern is anchored on a distinctive beginning and bounded, so that no text is slow to search. Text without a
distinctive shape (an ordinary word, a UUID, a hash, a picture in base64) is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from frasier.kernel.text import shorten, strip_control, word_set

REDACTED = "[redacted]"
ERROR_CHARS_MAX = 2_000
# A value after a name is redacted wherever else it occurs, provided that it could hardly be a word.
_REPEATED_MAX = 20
_REPEATED_CHARS = 6
_IDENTIFIER = re.compile(r"[^\W\d]+")

_START = r"(?<![A-Za-z0-9])"

# A value that a person would hardly write in prose: long, and with a digit in it.
_OPAQUE = r"(?=[A-Za-z._~+/=-]{0,200}\d)[A-Za-z0-9._~+/=-]{16,}"
# After an ambiguous name only a random value counts: not a number, a word, a UUID or a hash.
_RANDOM = (
    r"(?=[A-Za-z_~+/%-]{0,60}\d+[A-Za-z_~+/%-]{1,60}\d)(?=[A-Fa-f0-9_~+/%-]{0,60}[G-Zg-z])"
    r"(?=[a-z0-9_~+/%-]{0,60}[A-Z])[A-Za-z0-9_~+/%-]{20,}={0,2}"
)
_ASSIGNS = r"[\"']?\s{0,4}[:=]\s{0,4}[\"']?"


def _shape(hints: str, pattern: str, flags: int = 0) -> tuple[tuple[str, ...], re.Pattern[str]]:
    return tuple(hints.split()), re.compile(pattern, flags)


# Before each pattern the pieces of lower-case text one of which it cannot match without: most texts hold none of
# them and are not searched. What `keep` matches stays, so that a reader still sees what was there.
_SECRETS = (
    (
        ("private key",),
        re.compile(
            r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----"
            r".*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\Z)",
            re.DOTALL,
        ),
    ),
    # OpenAI, Anthropic, OpenRouter and others; Stripe; AWS.
    _shape("sk-", r"s(?<![A-Za-z0-9].)k-[A-Za-z0-9_-]{16,}"),
    _shape("k_live_ k_test_", rf"{_START}[sr]k_(?:live|test)_[A-Za-z0-9]{{16,}}"),
    _shape("akia asia", rf"{_START}A(?:KI|SI)A[A-Z0-9]{{16}}(?![A-Za-z0-9])"),
    # GitHub, GitLab, Slack and the addresses of its and Discord's webhooks.
    _shape("ghp_ gho_ ghu_ ghs_ ghr_", rf"{_START}gh[pousr]_[A-Za-z0-9]{{20,}}"),
    _shape("github_pat_", rf"{_START}github_pat_[A-Za-z0-9_]{{20,}}"),
    _shape("glpat-", rf"{_START}glpat-[A-Za-z0-9_-]{{16,}}"),
    _shape("xoxa- xoxb- xoxe- xoxp- xoxr- xoxs-", rf"{_START}xox[abeprs]-[A-Za-z0-9-]{{10,}}"),
    _shape("hooks.slack.com", r"(?P<keep>hooks\.slack\.com/services/)[A-Za-z0-9/]{20,}"),
    _shape("/api/webhooks/", r"(?P<keep>/api/webhooks/\d{5,30}/)[A-Za-z0-9_-]{20,}"),
    # Google: API keys, the access tokens and client secrets of OAuth. Azure: client secrets.
    _shape("aiza", rf"{_START}AIza[A-Za-z0-9_-]{{35}}"),
    _shape("ya29.", rf"{_START}ya29\.[A-Za-z0-9_.-]{{20,}}"),
    _shape("gocspx-", rf"{_START}GOCSPX-[A-Za-z0-9_-]{{20,}}"),
    _shape("q~", rf"{_START}[A-Za-z0-9_.-]{{3}}\dQ~[A-Za-z0-9_~.-]{{31,}}"),
    # Voyage, Linear, Notion, Hugging Face, npm, PyPI, SendGrid, DigitalOcean.
    _shape("voy_", rf"{_START}voy_[A-Za-z0-9_-]{{12,}}"),
    _shape("pa-", rf"{_START}pa-(?=[A-Za-z_-]{{0,60}}\d)(?=[a-z0-9_-]{{0,60}}[A-Z])[A-Za-z0-9_-]{{20,}}"),
    _shape("lin_api_ ntn_", rf"{_START}(?:lin_api|ntn)_[A-Za-z0-9]{{20,}}"),
    _shape("hf_ npm_", rf"{_START}(?:hf|npm)_[A-Za-z0-9]{{30,}}"),
    _shape("pypi-age", rf"{_START}pypi-AgE[A-Za-z0-9_-]{{30,}}"),
    _shape("sg.", rf"{_START}SG\.[A-Za-z0-9_-]{{16,64}}\.[A-Za-z0-9_-]{{16,64}}"),
    _shape("dop_v1_", rf"{_START}dop_v1_[a-f0-9]{{40,}}"),
    # JSON web tokens, and the tokens of Discord's and Telegram's bots.
    _shape("eyj", r"(?<![A-Za-z0-9_.-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?"),
    _shape(
        ".",
        r"[MNO](?<![A-Za-z0-9_.-].)[A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,45}(?![A-Za-z0-9_-])",
    ),
    _shape(":aa", rf"{_START}\d{{8,10}}:AA[A-Za-z0-9_-]{{32,34}}(?![A-Za-z0-9_-])"),
    # Values in the position of a credential: in a header, in an address before the @, after its name.
    _shape("bearer", rf"(?P<keep>\bbearer\s{{1,8}}){_OPAQUE}", re.IGNORECASE),
    _shape("basic", rf"(?P<keep>\bauthorization{_ASSIGNS}basic\s{{1,8}})[A-Za-z0-9+/=]{{8,}}", re.IGNORECASE),
    _shape("://", r"(?P<keep>://[^\s/:@]{0,100}:)(?!\[redacted\])[^\s/]{1,200}(?=@)"),
    _shape(
        "key token secret pwd sig",
        rf"(?P<keep>[kKtTsSpP](?<![A-Za-z0-9].)(?i:(?<=k)ey|(?<=t)oken|(?<=s)ecret|(?<=p)wd|(?<=s)ig){_ASSIGNS}){_RANDOM}",
    ),
)

# Flat, because every text that is stored is looked at for every hint.
_HINTED = [(hint, pattern) for hints, pattern in _SECRETS for hint in hints]

# Pieces of lower-case text one of which is in every text that holds a named secret.
_NAME_HINTS = word_set(
    "pass pwd pw: pw= kennwort losung mdp contrase senha parola palavra frase phrase token jeton secret segre geheim"
    " key schlüssel clave chave chiave clé code código codice"
) | {"-u ", "--user", "identified by"}

# In an error of a provider whatever stands where a credential stands is taken out, and a part of one too.
_VALUE = r"[^\s\"'&,;)\]}>\[]"
_ERROR_RULES = (
    re.compile(
        r"(?i)(?P<keep>(?<![a-z0-9])(?:[a-z_-]{0,30}(?:key|token|secret|password|passwd|pwd|signature|credential)s?"
        rf"|sig|auth|authorization|cookie)[\"']?\s{{0,4}}=\s{{0,4}}[\"']?)(?!\d+\b){_VALUE}{{4,}}"
    ),
    re.compile(
        r"(?i)(?P<keep>(?<![a-z0-9])(?:(?:proxy-)?authorization|(?:x-(?:goog-)?)?api-key|(?:set-)?cookie)"
        rf"[\"']?\s{{0,4}}:\s{{0,4}}[\"']?(?:(?:bearer|basic|token)\s{{1,4}})?){_VALUE}{{4,}}"
    ),
    re.compile(
        r"(?i)(?P<keep>\b(?:bearer|basic)\s{1,4})"
        rf"(?=[^\s\"'\d*_.]{{0,200}}(?:[\d*_]|\.[a-z])){_VALUE}{{6,}}"
    ),
    # "Incorrect API key provided: ab12****wxyz"
    re.compile(
        r"(?i)(?P<keep>\b(?:api[ _-]?key|token|password|secret)\b[a-z ]{0,30}:\s{0,4}[\"']?)"
        rf"(?=[^\s\"'\d*]{{0,200}}[\d*]){_VALUE}{{4,}}"
    ),
    re.compile(rf"{_START}(?:[spr]k-|pa-|voy[-_])[A-Za-z0-9_*-]{{6,}}"),
    re.compile(rf"{_START}(?:[spr]k_|key[-_]|tok[-_])(?=[A-Za-z_-]{{0,60}}[\d*])[A-Za-z0-9_*-]{{6,}}"),
)


def redact(text: str) -> tuple[str, int]:
    """Replace every secret in `text` by a mark; return the text and the number of replacements.

    Recognises the shapes of common keys, and values assigned to telling names, but no secret that looks like an
    ordinary word.
    """
    count = 0
    lowered = text.lower()
    for pattern in dict.fromkeys([pattern for hint, pattern in _HINTED if hint in lowered]):
        text, replaced = pattern.subn(_mark, text)
        count += replaced
    if any(hint in lowered for hint in _NAME_HINTS):
        from frasier.kernel.named_secrets import find_named_secrets  # its patterns take long to compile

        text, replaced = _cut_out(text, list(find_named_secrets(text)))
        count += replaced
    return text, count


def _cut_out(text: str, places: Sequence[tuple[int, int]]) -> tuple[str, int]:
    """Replace the spans, which may overlap, and every other occurrence of the same values by a mark."""
    from frasier.kernel.named_secrets import is_opaque

    merged: list[tuple[int, int]] = []
    for begin, end in sorted(places):
        if merged and begin <= merged[-1][1]:
            merged[-1] = merged[-1][0], max(end, merged[-1][1])
        else:
            merged.append((begin, end))
    count = len(merged)
    ends = [0, *(end for _, end in merged)]
    begins = [*(begin for begin, _ in merged), len(text)]
    cleaned = REDACTED.join(text[end:begin] for end, begin in zip(ends, begins, strict=True))
    for value in list(dict.fromkeys(text[begin:end] for begin, end in merged))[:_REPEATED_MAX]:
        if is_opaque(value) and len(value) >= _REPEATED_CHARS and not _IDENTIFIER.fullmatch(value):
            again = rf"(?<![^\W_]){re.escape(value)}(?![^\W_])"
            cleaned, replaced = re.subn(again, REDACTED, cleaned)
            count += replaced
    return cleaned, count


def redact_error(text: str) -> str:
    """Redact the error message of a provider or driver for display and storage: at most 2,000 characters.

    Stricter than `redact`: anything in the position of a credential is removed, even a part of one.
    """
    cleaned, _ = redact(strip_control(text[: 4 * ERROR_CHARS_MAX]))
    for pattern in _ERROR_RULES:
        cleaned = pattern.sub(_mark, cleaned)
    return shorten(cleaned, ERROR_CHARS_MAX)


def _mark(match: re.Match[str]) -> str:
    return (match.groupdict().get("keep") or "") + REDACTED

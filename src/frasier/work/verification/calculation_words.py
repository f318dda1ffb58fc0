"""The words by which a statement tells that it computes a number from others. Pure."""

from __future__ import annotations

import re

COMPUTING = re.compile(
    r"\b(?:total\w*|sum\w*|add(?:s|ed)? up|amounts? to"
    r"|together|altogether|combined|overall|difference|sav\w+|cheaper|dearer|more|less|fewer|higher"
    r"|lower|twice|double\w*|half|times|increase\w*|decrease\w*|rose|fell|grew|remain\w*|others?|rest|left|so|thus"
    r"|average|mean|that is|which is|makes?|gives?|shorter|longer|earlier|later|warmer|colder|wider|heavier|lighter"
    r"|insgesamt|zusammen|Summe|Differenz|Unterschied|mehr|weniger|höher|niedriger|übrig\w*|restlich\w*|somit|also|mithin"
    r"|kürzer|länger|früher|später|wärmer|kälter|schwerer|leichter"
    r"|Durchschnitt|(?:das sind|sind das)"
    r"|ensemble|différence|écart|plus|moins|autres|reste\w*|donc|moyenne|soit"
    r"|suma\w*|conjunto|diferencia|más|menos|otr[ao]s|rest\w+|quedan?|quedaban|media|promedio|es decir|o sea"
    r"|samen|totaal|verschil|meer|minder|dus|overige?|resterende|dat is|korter|langer|eerder|later|zwaarder|lichter"
    r"|insieme|differenza|scarto|più|meno|altr[ie]|quindi|dunque|ossia|cioè"
    r"|mais|menos|diferença|outr[ao]s|portanto|ou seja|média|aquém|abaixo|acima)\b|i\.e\.|=",
    re.IGNORECASE,
)

"""The words by which a text says that a statement does not hold, or leaves open whether it does: English, German,
French, Spanish, Dutch.
"""

from __future__ import annotations

import re


def _any(*languages: str) -> re.Pattern[str]:
    return re.compile(rf"\b(?:{'|'.join(languages)})(?!\w)", re.IGNORECASE)


REVOKES = _any(
    r"revok(?:e|es|ed|ing)|withdraw(?:s|n|ing)?|withdrew|rescind(?:s|ed)?|cancel(?:s|led|ed)?|void|invalid|obsolete|"
    r"no longer (?:valid|applies|apply|holds?|stands?|offered|available|in force|correct|made)|not valid any ?more",
    r"widerruf\w*|widerrief\w*|zurückgezogen|zurückziehen|ziehen\b[^.]*\bzurück|ungültig|storniert?|aufgehoben|"
    r"hinfällig|(?:gilt|gelten)\b[^.]*\bnicht mehr|nicht mehr (?:gültig|verfügbar)",
    r"annul\w*|révoqu\w*|retir(?:e|ons|ée?s?|er)|(?:n['’]est|ne sont) plus|caduque?s?",
    r"ingetrokken|intrekken|geannuleerd|afgelast|ongeldig|vervall?(?:t|en)|(?:geldt|gelden)\b[^.]*\bniet meer",
    r"anula\w*|revoca\w*|retira\w*|sin efecto|ya no (?:es|son|está|están|vale|valen|rige|rigen)\b[^.]*",
)
"""A statement is taken back."""

REPLACES = _any(
    r"supersed(?:e|es|ed)|replac(?:e|es|ed|ing)",
    r"ersetz(?:t|en)",
    r"remplac\w*",
    r"reemplaz\w*|sustituy\w*|sustituid\w*",
    r"vervang\w*",
)
"""A document is replaced by another one, or a thing, of which what was said may still be true."""

ACTIVE = _any(
    r"replac(?:es|ing)|supersed(?:es|ing)",
    r"ersetzt (?:das|den|die|unser\w*|alle)",
    r"remplace(?:nt)? (?:le|la|les|l['’]|notre)",
    r"(?:sustituye|reemplaza)n? (?:a|el|la|los|las|nuestr\w)",
)
"""The replaced thing follows: "this offer replaces offer 12"."""

REPLACEMENT = re.compile(
    r"[,;:]?\s+(?:by|with|instead|and (?:now|offer|the new)|the new|now|durch|stattdessen|neu\w*|par|désormais|"
    r"nouve\w*|por|nuev\w*|ahora)\b.*$",
    re.IGNORECASE,
)
"""The rest of a statement, which says what comes in the place of what is revoked."""

_IS = (
    r"(?:is|are|was|were|has been|have been|remains?|stays?|ha[sd] to|have to|must|"
    r"ist|sind|wird|wurde|bleibt|musste|est|sont|a été|reste|es|está|están|queda|ha sido|fue)\b(?:\s+\w+){0,3}?\s+"
)
GONE = re.compile(
    rf"(?:\bf[aä]ll(?:t|en)\b[^.;]*\baus|\bentf[aä]ll(?:t|en)|\bis off)(?!\w)|"
    rf"\b{_IS}(?:closed?|dropped|cancel(?:led|ed)?|discontinued|unavailable|sold out|taken|withdraw|resign|"
    r"geschlossen|abgesagt|ausverkauft|vergriffen|eingestellt|absagen|ausgefallen|entfallen|fermée?s?|épuisée?s?|annulée?s?|supprimée?s?|"
    r"cerrad[oa]s?|agotad[oa]s?|cancelad[oa]s?|suspendid[oa]s?)(?!\w)",
    re.IGNORECASE,
)
"""A thing or a person can no longer be had."""

CHANGES = _any(
    r"(?:moved|lowered|raised|increased|reduced|cut|extended|changed|shortened|put off) "
    r"(?:(?!(?:several|many|most|some|few)\b)\w+ ){0,2}to|postponed|"
    r"brought forward|rescheduled|swap(?:s|ped)?|correct(?:ed|ion)|(?:sooner|earlier|later) than|instead(?: of)?|"
    r"revised|amended",
    r"verschoben|verschiebt|verschieben|verlegt|übernimmt|vorgezogen|berichtigt|korrigiert|statt|stattdessen|"
    r"tausch(?:t|en)|getauscht|(?:tritt|treten) an die stelle|an die stelle|"
    r"(?:geändert|erhöht|gesenkt|verlängert) auf|auf [^.;]{1,30} (?:geändert|erhöht|gesenkt|verlängert)",
    r"report[ée]e?s?|échangent|avancée?s? au|corrigée?s?|rectifiée?s?|prolongée?s?|portée?s? à|ramenée?s? à|au lieu",
    r"uitgesteld|verplaatst|ruilen|verschoven|vervroegd|gecorrigeerd|in plaats van|"
    r"(?:gewijzigd|verhoogd|verlaagd|verlengd) (?:in|naar|tot)",
    r"intercambian|aplazad\w|pospuest\w|adelantad\w|corregid\w|rectificad\w|prorrogad\w|ampliad\w|rebajad\w|"
    r"en lugar|en vez",
)
"""A value takes the place of an earlier one."""

CORRECTION = _any(
    r"corrections?|erratum|errata|amendments?|addendum|addenda|changes (?:to|of|in)",
    r"berichtigung\w*|korrektur\w*|änderung\w*|nachtrag\w*",
    r"rectificati\w+|correcti\w+|avenant\w*|modificati\w+",
    r"correcties?|wijziging\w*|aanvulling",
    r"correcci\w+|rectificaci\w+|modificaci\w+|enmienda\w*|cambios",
)
"""The name of a document that changes another one."""

DRAFT = re.compile(
    r"(?<![^\W_])(?:draft|entwurf|brouillon|ébauche|borrador|bozza)(?:[-_ ]?v?\d+)?(?![^\W_])", re.IGNORECASE
)
"""The name of a document that was not adopted."""

OLD = re.compile(
    r"(?<![^\W_])(?:old|outdated|superseded|alt|ancien(?:ne)?|antigu[oa]|vecchi[oa])(?![^\W_])", re.IGNORECASE
)
"""The name of a version that another one replaces."""

PARTLY = _any(
    r"part(?:ly|ial|ially)|for (?:that|this|the) (?:one )?(?:day|week|month|time)|only (?:for|on|in)",
    r"teilweise|nur (?:für|am|im)",
    r"partielle(?:ment)?|en partie|seulement (?:pour|le)",
    r"parcial(?:mente)?|en parte|solo (?:para|el)",
)
"""The words by which a statement takes back a part that nothing here can tell."""

POSSIBLE = re.compile(
    r"\b(?:can|cannot|may|might|could|must|shall|should|if|unless|when|to be|not|never|kann|können|darf|wenn|falls|"
    r"sofern|nicht|peut|peuvent|si|sauf|puede|pueden|podrá|salvo)\b(?:\s+\w+){0,4}\s*$",
    re.IGNORECASE,
)
"""The words before a verb that revokes nothing: "may be cancelled"."""

CLAIMED = _any(
    r"claim(?:s|ed)?|alleg\w+|propos\w+|suggest(?:s|ed)?|believ(?:e|es|ed)|(?:told|assured) (?:me|us)|"
    r"(?:was|were|been) told|rumou?r\w*|according to|(?:he|she|they|who|somebody|someone) (?:says?|said|thinks?|wrote)|"
    r"(?:says|said|thinks|thought|wrote|writes) that|asks? for|asked for|would like|hopes?|might|perhaps|supposedly",
    r"behaupt\w+|angeblich|vorschl\w+|vorgeschlagen|glaub\w+|(?:wurde|hat)\b[^.]*\bgesagt|hieß es|laut|"
    r"(?:mein(?:t|en)|sagt|sagte|schreibt|schrieb), dass|bitte[nt]? um|soll(?:e|en)?|hoff\w+|"
    r"möglicherweise|vielleicht|würde",
    r"prétend\w*|affirm\w+|propos\w+|selon|d['’]après|suggér\w+|croi[ts]|dit que|écrit que|demand\w+|souhait\w+|"
    r"peut-être|serait|coûterait|aurait",
    r"beweer\w*|beweren|voorstel\w*|voorgesteld|volgens|gelooft?|denkt|zou(?:den)?|misschien|naar verluidt",
    r"afirma\w*|propon\w+|propuest\w+|propuso|según|sugier\w+|cre[eo]|dice que|escribe que|pide\w*|quizás|"
    r"sería|costaría",
)
"""Somebody says so, which need not be so."""

DENIED = _any(
    r"not?|never|neither|nor|\w+n['’]t|cannot",
    r"nicht|kein\w*|niemals|weder",
    r"ne|n['’]\w+|pas|jamais|aucune?",
    r"niet|geen|nooit",
    r"nunca|ningun[oa]?|ningún|tampoco",
)
"""A statement denies something."""

WAIVED = _any(
    r"waive[ds]?|waiving|let you off",
    r"erlass(?:en)?|erlässt|verzicht(?:en|et)",
    r"renon(?:ce|cent|çons)|dispens(?:e|ent|ons)",
    r"kwijt(?:gescholden|schelden)|(?:zien|ziet) (?:ervan )?af",
    r"perdon\w+|condon\w+|renunci\w+",
)
"""Somebody gives up what another one owes."""

_MEASURE = (
    r"(?:hour|day|week|month|year|night|term|person|head|kg|kilo|gram|lit(?:re|er)|ton(?:ne)?|met(?:re|er)|km|mile|"
    r"dose|uur|dag|week|maand|jaar|nacht|persoon)"
)
EACH = _any(
    rf"each|every|all|both|list|compare|per(?! {_MEASURE})",
    r"jede[rsnm]?|alle[nr]?|beide[nr]?",
    r"chaque|tou(?:te)?s",
    r"elke?",
    r"cada|tod[oa]s",
)
"""A question asks for several things, or a statement is about all of a kind."""

LEAVES = _any(
    r"last day|leav(?:e|es|ing)|left (?:us|the)|retire[sd]?|retiring|step(?:s|ped)? (?:down|back)|hand(?:s|ed)? over|"
    r"took over|take[sn]? over|succeed\w*|successor|stands? in|steps? in|follow(?:s|ed)? (?:her|him)|"
    r"in (?:her|his) place",
    r"letzter (?:arbeits)?tag|verlässt|verlassen|ruhestand|rente|nachfolg\w+|folgt auf|übergeben|übernimmt|übernommen|"
    r"abgegeben|vertritt|springt ein|an (?:ihrer|seiner) stelle",
    r"dernier jour|quitte|retraite|succède|successeure?|prend (?:la suite|le relais)|remplace|suivra|"
    r"assure l['’]intérim",
    r"laatste dag|vertrekt|pensioen|opvolg\w+|volgt \w+ op|neemt \w+ over|overgenomen|valt in",
    r"último día|deja|jubila\w*|sucede|sucesora?|releva|toma el relevo|sustituye|reemplaza",
)
"""Somebody leaves a task to somebody else."""

WANTED = _any(
    r"need(?:s|ed)?|want(?:s|ed)?|required?|requires|request(?:s|ed)?|looking for|wish(?:es|ed)?|sought",
    r"gesucht|benötig\w+|gebraucht|brauchen|braucht|gewünscht|bedarf|erforderlich",
    r"recherch\w+|cherch\w+|besoin|souhait\w+|requis\w*|demand\w+",
    r"gezocht|nodig|gewenst|gevraagd",
    r"se busca|buscamos|necesit\w+|necesari[oa]s?|desead[oa]s?|requerid[oa]s?",
)
"""Somebody wants something, and does not say that it is so."""

PLANNED = _any(
    r"plan(?:s|ned)?|expect(?:s|ed)?|forecast|target|intend(?:s|ed)?|aim(?:s|ed)? (?:at|to|for)",
    r"plan(?:t|en|te)?|geplant\w*|voraussichtlich|soll|sollte[nr]?|vorgesehen|ziel",
    r"prév(?:u|ue|us|ues|oit|oyait|ision)|objectif",
    r"verwacht|gepland|streef\w*|de bedoeling",
    r"prev[ié]\w+|previsión|objetivo",
)
"""Something is planned, which need not have come so."""

"""The words by which a text says that a statement does not hold, or leaves open whether it does: English, German,
French, Spanish, Dutch, Italian, Portuguese.
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
    r"revoc\w*|revoch\w+|ritir(?:a|iamo|at[oaie]|are)|annull\w*|disd(?:ice|etto|iciamo)|decadut[oaie]|"
    r"non (?:è|sono) più|non (?:vale|valgono) più",
    r"revog\w*|cancelad\w*|retirad\w*|sem efeito|já não (?:é|são|está|estão|vale|valem|vigora)|"
    r"deixa(?:m|rá)? de (?:valer|vigorar)",
    r"trekken\b[^.]*\bin(?=\W*$|\.)",
)
"""A statement is taken back."""

REPLACES = _any(
    r"supersed(?:e|es|ed)|replac(?:e|es|ed|ing)",
    r"ersetz(?:t|en)",
    r"remplac\w*",
    r"reemplaz\w*|sustituy\w*|sustituid\w*",
    r"vervang\w*",
    r"sostitu\w+|rimpiazz\w+",
    r"substitu\w+",
)
"""A document is replaced by another one, or a thing, of which what was said may still be true."""

ACTIVE = _any(
    r"replac(?:es|ing)|supersed(?:es|ing)",
    r"ersetzt (?:das|den|die|unser\w*|alle)",
    r"remplace(?:nt)? (?:le|la|les|l['’]|notre)",
    r"(?:sustituye|reemplaza)n? (?:a|el|la|los|las|nuestr\w)",
    r"vervangt (?:de|het|onze)|sostituisce (?:il|la|lo|l['’]|la nostra)|substitui (?:o|a|a nossa)",
)
"""The replaced thing follows: "this offer replaces offer 12"."""

REPLACEMENT = re.compile(
    r"[,;:]?\s+(?:by(?! this\b)|with|instead|and (?:now|offer|the new)|the new|now|durch(?! dies)|stattdessen|neu\w*|"
    r"par(?! (?:la présente|ce courrier|cette lettre)\b)|désormais|nouve\w*|por(?! (?:la presente|este me[d]?io)\b)|"
    r"nuev\w*|ahora|door(?! (?:deze|dit|middel)\b)|nieuwe?|nuov\w+|nov[oa]s?|agora)\b.*$",
    re.IGNORECASE,
)
"""The rest of a statement, which says what comes in the place of what is revoked."""

_IS = (
    r"(?:is|are|was|were|has been|have been|remains?|stays?|ha[sd] to|have to|must|"
    r"ist|sind|wird|wurde|bleibt|musste|est|sont|a été|reste|es|está|están|queda|ha sido|fue|is|zijn|wordt|werd|"
    r"blijft|è|sono|viene|è stat[oa]|resta|é|são|está|foi|fica)\b(?:\s+\w+){0,3}?\s+"
)
GONE = re.compile(
    rf"(?:\bf[aä]ll(?:t|en)\b[^.;]*\baus|\bentf[aä]ll(?:t|en)|\bis off)(?!\w)|"
    rf"\b{_IS}(?:closed?|dropped|cancel(?:led|ed)?|discontinued|unavailable|sold out|taken|withdraw|resign|"
    r"geschlossen|abgesagt|ausverkauft|vergriffen|eingestellt|absagen|ausgefallen|entfallen|fermée?s?|épuisée?s?|annulée?s?|supprimée?s?|"
    r"cerrad[oa]s?|agotad[oa]s?|cancelad[oa]s?|suspendid[oa]s?|"
    r"gesloten|uitverkocht|vervallen|afgelast|chius[oaie]|esaurit[oaie]|annullat[oaie]|sospes[oaie]|"
    r"fechad[oa]s?|esgotad[oa]s?|suspens[oa]s?)(?!\w)",
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
    r"rinviat[oaie]|spostat[oaie]|posticipat[oaie]|anticipat[oaie]|corrett[oaie]|rettificat[oaie]|prorogat[oaie]|"
    r"(?:aumentat|ridott|modificat|portat)[oaie] a|invece di|al posto d\w+",
    r"adiad\w|antecipad\w|corrigid\w|retificad\w|prorrogad\w|(?:aumentad|reduzid|alterad)\w para|em vez|em lugar",
)
"""A value takes the place of an earlier one."""

CORRECTION = _any(
    r"corrections?|erratum|errata|amendments?|addendum|addenda|changes (?:to|of|in)",
    r"berichtigung\w*|korrektur\w*|änderung\w*|nachtrag\w*",
    r"rectificati\w+|correcti\w+|avenant\w*|modificati\w+",
    r"correcties?|wijziging\w*|aanvulling",
    r"correcci\w+|rectificaci\w+|modificaci\w+|enmienda\w*|cambios",
    r"rettific\w+|correzion\w+|modific(?:a|he)|variazion\w+",
    r"retificaç\w+|correç\w+|alteraç\w+|aditamento",
)
"""The name of a document that changes another one."""

DRAFT = re.compile(
    r"(?<![^\W_])(?:draft|entwurf|brouillon|ébauche|borrador|bozza|concept|rascunho|minuta)(?:[-_ ]?v?\d+)?(?![^\W_])",
    re.IGNORECASE,
)
"""The name of a document that was not adopted."""

OLD = re.compile(
    r"(?<![^\W_])(?:old|outdated|superseded|alt|ancien(?:ne)?|antigu[oa]|vecchi[oa]|antig[oa]|oud[e]?)(?![^\W_])",
    re.IGNORECASE,
)
"""The name of a version that another one replaces."""

PARTLY = _any(
    r"part(?:ly|ial|ially)|for (?:that|this|the) (?:one )?(?:day|week|month|time)|only (?:for|on|in)",
    r"teilweise|nur (?:für|am|im)",
    r"partielle(?:ment)?|en partie|seulement (?:pour|le)",
    r"parcial(?:mente)?|en parte|solo (?:para|el)",
    r"gedeeltelijk|alleen (?:voor|op)|parzial[ei]\w*|in parte|solo (?:per|il)|em parte|só (?:para|em|no)",
)
"""The words by which a statement takes back a part that nothing here can tell."""

POSSIBLE = re.compile(
    r"\b(?:can|cannot|may|might|could|must|shall|should|if|unless|when|to be|not|never|kann|können|darf|wenn|falls|"
    r"sofern|nicht|peut|peuvent|si|sauf|puede|pueden|podrá|salvo|kan|kunnen|mag|tenzij|indien|può|possono|potrà|se|pode|podem|poderá)\b(?:\s+\w+){0,4}\s*$",
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
    r"prétend\w*|affirm\w+|(?<!vous )propos\w+|selon|d['’]après|suggér\w+|croi[ts]|dit que|écrit que|demand\w+|"
    r"souhait\w+|"
    r"peut-être|serait|coûterait|aurait",
    r"beweer\w*|beweren|voorstel\w*|voorgesteld|volgens|gelooft?|denkt|zou(?:den)?|misschien|naar verluidt",
    r"afirma\w*|propon\w+|propuest\w+|propuso|según|sugier\w+|cre[eo]|dice que|escribe que|pide\w*|quizás|"
    r"sería|costaría",
    r"sostien\w+|propon(?:e|gono)|proposto|secondo (?:quanto|me|lui|lei|loro)|sugger\w+|crede|dice che|scrive che|"
    r"chied\w+|forse|sarebbe|costerebbe",
    r"alega\w*|propõe\w*|propôs|segundo [oa]s?|suger\w+|acredita|diz que|escreve que|pede\w*|talvez|seria|custaria",
)
"""Somebody says so, which need not be so."""

DENIED = _any(
    r"not?|never|neither|nor|\w+n['’]t|cannot",
    r"nicht|kein\w*|niemals|weder",
    r"ne|n['’]\w+|pas|jamais|aucune?",
    r"niet|geen|nooit",
    r"nunca|ningun[oa]?|ningún|tampoco",
    r"non(?!-)|nessun\w*|neanche|né",
    r"não|nunca|nenhum\w*|tampouco",
)
"""A statement denies something."""

WAIVED = _any(
    r"waive[ds]?|waiving|let you off",
    r"erlass(?:en)?|erlässt|verzicht(?:en|et)",
    r"renon(?:ce|cent|çons)|dispens(?:e|ent|ons)",
    r"kwijt(?:gescholden|schelden)|(?:zien|ziet) (?:ervan )?af",
    r"perdon\w+|condon\w+|renunci\w+",
    r"rinunci\w+|condon\w+|dispensa\w*|prescind\w+",
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
    r"alle|beide|ogni|tutt[ie]|entramb[ie]|ciascun[oa]?",
    r"ambos|ambas",
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
    r"ultimo giorno|lascia|pensione|succede|successore|subentra|sostituisce",
    r"último dia|deixa|reforma|sucede|sucessor\w*|substitui",
)
"""Somebody leaves a task to somebody else."""

WANTED = _any(
    r"need(?:s|ed)?|want(?:s|ed)?|required?|requires|request(?:s|ed)?|looking for|wish(?:es|ed)?|sought",
    r"gesucht|benötig\w+|gebraucht|brauchen|braucht|gewünscht|bedarf|erforderlich",
    r"recherch\w+|cherch\w+|besoin|souhait\w+|requis\w*|demand\w+",
    r"gezocht|nodig|gewenst|gevraagd",
    r"se busca|buscamos|necesit\w+|necesari[oa]s?|desead[oa]s?|requerid[oa]s?",
    r"cercasi|cerchiamo|servono|necessari[oa]|richiest[oaie]|desiderat[oaie]",
    r"procura-se|procuramos|precis\w+|necessári[oa]s?|desejad[oa]s?|requerid[oa]s?",
)
"""Somebody wants something, and does not say that it is so."""

PLANNED = _any(
    r"plan(?:s|ned)?|expect(?:s|ed)?|forecast|target|intend(?:s|ed)?|aim(?:s|ed)? (?:at|to|for)",
    r"plan(?:t|en|te)?|geplant\w*|voraussichtlich|soll|sollte[nr]?|vorgesehen|ziel",
    r"prév(?:u|ue|us|ues|oit|oyait|ision)|objectif",
    r"verwacht|gepland|streef\w*|de bedoeling",
    r"prev[ié]\w+|previsión|objetivo",
    r"previst[oaie]|prevision\w+|obiettivo",
    r"previst[oa]s?|previsão|objetivo|objectivo",
)
"""Something is planned, which need not have come so."""

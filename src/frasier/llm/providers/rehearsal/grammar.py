"""The words and shapes of instructions and questions, in several languages: what `aspects` reads them by."""

from __future__ import annotations

import re

from frasier.llm.providers.rehearsal.stems import spelled

QUOTED = re.compile(r"“([^”]{2,200})”|„([^“”]{2,200})[“”]|\"([^\"\n]{2,200})\"|«\s?([^»]{2,200}?)\s?»")
LISTED = re.compile(r"^\s*(?:[-*•]|\d{1,2}[.)])\s+(\S.*)$", re.MULTILINE)
CLAUSE_END = re.compile(r"(?<=[.!?])(?<!\b\d\.)(?<!\b\d\d\.)\s+|\s*[;\n]+\s*|\s+[–—]\s+")
_BEFORE_WH = (
    r"at|to|for|in|by|until|since|from|with|on|of|under|zu|bis|für|von|ab|mit|à|de|pour|jusqu['’]à|depuis|a|en|hasta|"
    r"desde|por|met|voor|tot|vanaf|sinds|da|fino a|entro|per|con|até|para|com|em"
)
FILLER = re.compile(
    r"^(?:please|kindly|(?:can|could|would|will) you|(?:i|we) (?:want|need|would like|'d like)(?: you)?(?: to)?|"
    r"let us|let's|then|and|also|finally|first|next|your (?:task|job|goal) is to|help (?:me|us)(?: to)?|bitte)\b"
    r"[\s,:]*",
    re.IGNORECASE,
)
WH = (
    r"(?:how|why|what|when|where|who|whom|whose|which|whether|if|wie|warum|was|wann|wo|wer|wem|welche[rsnm]?|"
    r"wat|welke?|wanneer|waar|waarom|hoe|hoeveel|quand|quel(?:le)?s?|combien|pourquoi|comment|où|qui|qué|cuál(?:es)?|cuándo|cuánt[oa]s?|quién(?:es)?|dónde|cómo|"
    r"chi|cosa|che cosa|quale?|quali|quant[oaie]|quando|dove|perché|qual|quais|quant[oa]s?|quem|onde|porquê)"
)
ASKS = re.compile(
    rf"^(?:(?:(?:{_BEFORE_WH})\s+)?{WH}|que|is|are|does|do|did|can|should|will|has|have)\b", re.IGNORECASE
)
_NEXT = (
    rf"(?:(?:(?:{_BEFORE_WH})\s+)?{WH}|"
    r"(?:does|do|did|is|are|was|were|can|will|should|has|have)\s+(?:it|they|the|this|that|we|any))\b"
)
NEXT_QUESTION = re.compile(
    rf",?\s+(?:and|or|und|oder|et|ou|y|o|e|en(?=\s+(?:wat|welke?|wanneer|waar|wie|hoe)))\s+(?={_NEXT})|,\s+(?={_NEXT})",
    re.IGNORECASE,
)
# "What is the price" asks for a thing by its name; "when is the …" also asks for a kind of value.
WHAT_IS = re.compile(
    r"^(?:what|which|was|welche[rsnm]?|quel(?:le)?s?|cuál(?:es)?)\s+(?:is|are|was|were|sind|ist|war|waren)\s+(?=(?:the|its|their|our|a|an|some|die|der|das)\b)",
    re.IGNORECASE,
)
ABOUT = re.compile(
    r"\b(?:about|regarding|concerning|with regard to|with respect to|über(?!\s+\d)|bezüglich|concernant|"
    r"au sujet d[eu]|sobre|acerca de|betreffende|riguardo a|a respeito d[eo])\s+(?=\S)",
    re.IGNORECASE,
)
SAID_ABOUT = re.compile(
    rf"^{WH}\s.*\b(?:say|says|said|tell|tells|told|mention|mentions|know|known|learn|state|states|report|reports|find|found|"
    rf"sagen|sagt|steht|wissen|disent|dit|sait|dicen|dice|sabe|sabemos)\b.*?\b"
    rf"(?:about|regarding|concerning|on|über|zu|sur|sobre)\s+(?=\S)",
    re.IGNORECASE,
)
# "By the list of singers, which …": where to look.
ACCORDING_TO = re.compile(
    rf"^(?:by|according to|as of|from|in|on|laut|nach|selon|d['’]après|según|volgens|secondo|"
    rf"segundo)\s(?!{WH}\b)[^,?]{{2,60}},\s+(?={WH}\b)",
    re.IGNORECASE,
)
# "every invoice that was due in May and is unpaid" is one thing, with two conditions.
RELATIVE = re.compile(
    r"\b(?:that|which|who|whose|where|(?<=, )(?:die|der|das)|deren|dessen|qui|dont|que|cuy[oa]s?)\s",
    re.IGNORECASE,
)
NEXT_THING = re.compile(
    r",?\s+(?:and|or|as well as|und|oder|sowie|et|ou|y|o)\s+(?=(?:the|a|an|all|any|every|each|those|also|alle|jede\w*|"
    r"die|der|das|tou[st]e?s?|chaque|les?|la|tod[oa]s|cada|los|las|el|alle|ogni|tutt[ie])\s)",
    re.IGNORECASE,
)
BARE_QUESTION = re.compile(rf"^{WH}$", re.IGNORECASE)
# "Which sailing" and "which ship" take their verb from "which day do they cross".
_BARE_THING = rf"(?:(?:{_BEFORE_WH})\s+)?{WH}(?:\s+[\w-]+)?"
BARE_THING = re.compile(rf"^{_BARE_THING}(?: and {_BARE_THING})*$", re.IGNORECASE)
AUXILIARY = re.compile(
    r"\b(?:is|are|was|were|do|does|did|can|could|may|must|shall|should|will|would|has|have|had|get|gets|"
    r"ist|sind|war|hat|haben|kann|können|muss|müssen|wird|werden|est|sont|ont|peut|peuvent|doit|es|son|está|están|"
    r"hay|tiene|tienen|puede|pueden|debe|zijn|heeft|hebben|kunnen|moet|wordt|worden|è|sono|hanno|può|possono|deve|são|tem|têm|pode|podem|há)\b",
    re.IGNORECASE,
)
PRONOUN = re.compile(
    r"\beach(?=\s+(?:have|has|is|are|costs?|owes?)\b|\s*$)|(?<![\w-])(?:it|its|they|them|their|this|these|he|she|his|her|er|ihn|ihnen|elles?|ils?|ell[oa]s?)\b",
    re.IGNORECASE,
)

POSSESSIVES = r"(?:its|their|his|her|seine?[nrms]?|ihre?[nrms]?|son|sa|ses|leurs?|sus?|zijn|haar|hun)"

# What a product shall hold: "a table of brokers covering a, b and c" names it after "covering" rather than "of".
TO_WHICH = (
    re.compile(r"\b(?:covering|comparing|describing|explaining|listing|that \w+s)\s+", re.IGNORECASE),
    re.compile(r"\b(?:on|about|of|for|über|zu)\s+", re.IGNORECASE),
)
KIND_OF_TEXT = re.compile(
    r"^(?:an?\s+|the\s+)?(?:[\w-]+\s+)?(?:overview|summary|account|description|comparison|list|analysis|report|brief|"
    r"review|explanation|outline)\s+(?:of|on|about)\s+",
    re.IGNORECASE,
)
CRITERIA = re.compile(
    r",?\s+(?:in terms of|with respect to|with regard to|considering|taking into account|focus(?:s?ing)? on|on)\s+"
    r"(?=\S)",
    re.IGNORECASE,
)
BETWEEN = re.compile(r"^.*?\b(?:between|zwischen)\s+", re.IGNORECASE)

# The verbs that begin an instruction: those that ask for knowledge, for a product, and for a choice.
ASKING = spelled(
    """
    analyse analyze assess characterise characterize check clarify collect compare consider contrast cover define
    describe detail determine discuss document evaluate examine explain explore extract find gather get give identify
    investigate learn list look map name note outline present read report research review search show state study
    summarise summarize survey tell trace understand work analysiere beschreibe erkläre fasse liste nenne sammle
    untersuche vergleiche zeige comparez compare liste listez énumère résume résumez montre trouve indique compara
    enumera resume muestra vergelijk noem toon geef elenca confronta riassumi mostra trova indica resuma enumere mostre
    """
)
MAKING = spelled(
    "assemble build compile create deliver draft generate make prepare produce write erstelle schreibe "
    "rédige rédigez redacta redige scrivi schrijf maak redija escreva"
)
CHOOSING = spelled(
    "advise choose conclude decide pick propose rank recommend say select suggest empfiehl "
    "recommande recomienda raccomanda consiglia beveel recomende"
)
VERBS = ASKING | MAKING | CHOOSING
PARTICLE = re.compile(r"^(?:out|at|into|up|for|through|me|us|zusammen)\s+", re.IGNORECASE)

DETERMINER = re.compile(
    r"^(?:the|a|an|its|their|his|her|our|my|your|all|any|each|every|both|these|those|this|that|some|various|different|"
    r"main|key|most important|overall|of|on|about|in|for|die|der|das|den|dem|des|ihre[nr]?|seine[nr]?|alle|leurs?|"
    r"sus?|hun)\s+",
    re.IGNORECASE,
)
# "… of the systems described in these documents": where to look, not what to look for.
WHERE_TO_LOOK = re.compile(
    r"\s+(?:(?:that|which|as)\s+(?:is|are|was|were)\s+)?"
    r"(?:described|mentioned|listed|contained|found|given|presented|discussed|documented|covered|shown|provided|"
    r"attached|(?:(?:der|des|die)\s+)?(?:beschriebenen?|genannten?))\b.*$"
    r"|\s+(?:in|from|within|across|among|throughout|based on|according to|using|with|aus|laut|in)\s+"
    r"(?:the\s+|these\s+|those\s+|this\s+|all\s+|all of\s+|our\s+|my\s+|your\s+|each\s+|every\s+|both\s+|den\s+|"
    r"diesen\s+|following\s+|given\s+|attached\s+|available\s+)*"
    r"(?:\w+\s+)?(?:sources?|documents?|files?|folders?|notes|texts?|pages?|articles?|papers?|materials?|passages?|"
    r"minutes|dokumenten?|quellen|texten)\b.*$",
    re.IGNORECASE,
)
TAIL = re.compile(
    r"\s+(?:of|for|in|between|among|across|by|von|der|des)\s+"
    r"(?:the|these|those|each|all|our|both|every|den|beschriebenen)\b.*$"
)
SEPARATOR = re.compile(
    r"\s*,\s*(?:(?:and|or|und|oder|sowie|as well as)\s+)?"
    r"|\s+(?:and|or|vs\.?|versus|as well as|along with|plus|und|oder|sowie|et|y|e|&)\s+",
    re.IGNORECASE,
)
POSSESSIVE = re.compile(r"^(?:its|their|his|her)\s+(.+)$", re.IGNORECASE)
HEAD = re.compile(r"(?:the\s+)?([\w-]+(?:\s[\w-]+)? of )(?!the\b|its\b)", re.IGNORECASE)
# "… with supplier, date and amount": what to say of each thing, not another thing to look for.
COLUMNS = re.compile(
    r",\s+(?:each\s+|jeweils\s+|chacune?\s+|cada un[oa]\s+)?"
    r"(?:with|including|along with|mit|avec|con|met|com)\s+(?:the(?:ir)?\s+|its\s+)?"
    r"[^,.;?]{2,40}(?:,\s*[^,.;?]{2,40})*(?:\s+(?:and|und|et|y|en|e)\s+[^,.;?]{2,60})?(?=[.;?]?\s*$)",
    re.IGNORECASE,
)
# Alone, these name nothing that could be looked for.
VAGUE = spelled(
    """
    approach approaches choice choices comparison concise conclusion conclusions content contents everything item
    items meeting minutes option options paper papers part parts point points product products project projects
    question recommendation recommendations short step steps study subject system systems table thing things tool
    tools topic topics systeme
    """
)

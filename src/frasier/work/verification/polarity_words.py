"""The words of each language that negate, deny, limit or generalize. Pure.

A pattern is chosen by the language of the text that it is searched in, because a word of one language may be another
word in the next ("non" answers a question in French and negates in Italian); where the language is unknown, the words
of all of them count.
"""

from __future__ import annotations

import re
from collections.abc import Mapping


class WordList:
    """Words by language, as patterns separated by "|"."""

    def __init__(self, by_language: Mapping[str, str]) -> None:
        self._by_language = {language: word_pattern(words) for language, words in by_language.items()}
        self._any = word_pattern("|".join(by_language.values()))

    def pattern(self, language: str | None) -> re.Pattern[str]:
        return self._by_language.get(language or "", self._any)

    def is_in(self, text: str, language: str | None) -> bool:
        return bool(self.pattern(language).search(text))


def word_pattern(words: str) -> re.Pattern[str]:
    """Return a pattern of whole words, separated by "|", in any case."""
    return re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE)


# "Not only" and "not even" deny nothing.
NEGATIONS = WordList(
    {
        "english": r"not(?! (?:even|only|just))|no(?!\.| \d)|never|none|neither|nor|without|cannot|nothing(?! but)"
        r"|nobody|no one|nowhere|hardly|barely|scarcely"
        r"|(?:is|are|does|do|did|was|were|wo|ca|has|have|had|would|could|should|must|need)n['’]t",
        "german": r"nicht(?! (?:einmal|nur))|kein(?:e[nmrs]?)?|nie|niemals|niemand(?:e[nm])?|nirgend\w*|ohne"
        r"|nichts(?! als)|weder|kaum|keinesfalls|keineswegs",
        # "Avant que les travaux ne commencent" negates nothing.
        "french": r"ne(?=\W+(?:\w+\W+){1,4}?(?:pas|plus|jamais|aucune?|rien|ni|personne|nul(?:le)?|guère|que?|qu)\b)"
        r"|n['’]\w+|pas(?! (?:même|seulement))|aucune?|jamais|sans|rien|ni|non \w+[ée]e?s?"
        r"|non compris(?:es?)?|non (?=(?:sur|pour|dans|par|à|en|aux?)\b)|guère|nul(?:le)?",
        "spanish": r"no(?! s[oó]lo)|ningún|ningun[oa]s?|nunca|sin|nada(?! más que)|nadie|tampoco|jamás|ni|apenas",
        "italian": r"non(?! solo)|nessun[oa]?|senza|mai|niente|nulla|né|neanche|nemmeno|neppure|a malapena",
        "dutch": r"niet(?! (?:eens|alleen))|(?<!nog )geen|geen(?! \d)|nooit|zonder|niemand|niets(?! dan)|noch"
        r"|nauwelijks|nergens",
        "portuguese": r"não(?! só)|nenhuma?|nunca|sem|nada|ninguém|jamais|tampouco|nem",
        "polish": r"nie|nigdy|bez|żaden|nikt",
    }
)
WITHOUT = WordList(
    {
        "english": "without",
        "german": "ohne",
        "french": "sans",
        "spanish": "sin",
        "italian": "senza",
        "dutch": "zonder",
        "portuguese": "sem",
        "polish": "bez",
    }
)
WITH = WordList(
    {
        "english": "with",
        "german": "mit",
        "french": "avec",
        "spanish": "con",
        "italian": "con",
        "dutch": "met",
        "portuguese": "com",
        "polish": "z",
    }
)
# They deny in another way, so that a statement may say with them what its source says with a negation.
DENIALS = WordList(
    {
        "english": r"excl\w*|net|except\w*|apart from|other than|unless|otherwise|lack\w*|fail\w*|refus\w+"
        r"|reject\w+|declin\w+|den(?:y|ie[sd]|ial)|forbid\w*|forbade|prohibit\w*|banned|barred|unable"
        r"|miss(?:es|ing|ed)|absen\w+|free|false|unchanged|remov\w+|dropped|gone|instead|rather than|nil|zero"
        r"|chang\w+|replac\w+|previous\w*|former\w*|stop\w*|cancel\w*|withdr[ae]w\w*|abstain\w*|against"
        r"|avoid\w*|prevent\w*|closed?|optional|voluntary|impossible|exempt\w*|short of|off limits|yet to|rul\w+ out"
        r"|un(?!decided)[a-z]{4,}ed|unavailable|in[a-z]+able|lost|waived?"
        r"|revok\w*|expir\w*|laps\w+|void|out of (?:order|service|use)|negative|disagree\w*|dissent\w*|oppos\w+"
        r"|apolog(?:y|ies)|excused",
        "german": r"ausgeschlossen|ausschl[iu]\w+|ausgenommen|entf[aä]ll\w*|außer|verbot\w*|verbiet\w*"
        r"|untersagt|abgelehnt|abzulehnen|ablehn\w*|lehn(?:t|en|te)|fehl\w+|verzicht\w*|frei|kostenlos"
        r"|gratis|\w+frei|\w+los|statt|verhinder\w*|leer|sonst|andernfalls|nur noch|verweiger\w*|weiger\w*"
        r"|gestrichen|entfernt|unter(?:blieb|bleib)\w*|einzig\w*|es sei denn|befreit"
        r"|zuzüglich|zzgl|exkl\w*|netto|widerruf\w*|abgelaufen|ungültig|außer (?:Betrieb|Dienst)|defekt"
        r"|negativ\w*|widerspr\w+|dagegen|entschuldigt|geschlossen|freiwillig|unmöglich|optional",
        "french": r"exclu\w*|sauf|hors|hormis|interdi\w*|refus\w*|manqu\w*|gratuit\w*|absen\w+|sinon"
        r"|supprim\w+|plutôt que|rejet\w+|annul\w+|seul\w*|exempt\w*|dispens\w*|à moins que|au lieu (?:de|du|d)"
        r"|révoqu\w*|expir\w*|périmé\w*|hors (?:service|d['’]usage)|en panne|négati\w+|faute d\w+|en (?:sus|plus d\w+)"
        r"|excusée?s?|ferm[ée]\w*|facultati\w+|impossible",
        "spanish": r"salvo|excepto|prohib\w+|rechaz\w+|excluid\w+|exclu\w+|falta\w*|gratis|gratuit\w+"
        r"|ausen\w+|aparte|carec\w+|en lugar de|en vez de|neg\w+|únic[oa]s?|de lo contrario|exent\w+|a menos que"
        r"|revoc\w+|caduc\w+|vencid\w+|fuera de servicio|averiad\w+|negativ\w+|discrep\w+|se opuso|se opone"
        r"|excus\w+|disculp\w+"
        r"|cierra\w*|cerrad\w+|deneg\w+|voluntari\w+|imposible",
        "italian": r"esclu\w+|salvo|tranne|eccetto|viet\w+|rifiut\w+|manc\w+|gratuit\w+|gratis|assen\w+"
        r"|altrimenti|anziché|invece|priv[oaie]|unic[oaie]|esent\w+|a meno che"
        r"|revoc\w+|scadut\w+|fuori (?:servizio|uso)|guast\w+|negativ\w+|respin\w+|bocciat\w+|contrari\w+"
        r"|giustificat\w+"
        r"|chius\w+|chiude\w*|nega\w*|facoltativ\w+|impossibil\w+",
        "dutch": r"uitgesloten|excl\w*|exkl\w*|behalve|verbod\w*|verboden|geweigerd|ontbre\w+|gratis|afwezig|anders"
        r"|in plaats van|vervallen|tenzij|uitgez\w+|uitsluit\w*|verbied\w*|weiger\w*"
        r"|afgewezen|geschrapt|vervalt|kosteloos|vrij|buiten|mist"
        r"|ingetrokken|verlopen|ongeldig|buiten (?:gebruik|werking)|defect|stuk"
        r"|afgemeld|verhinderd|gesloten|vrijwillig|facultatief|onmogelijk",
        "portuguese": r"exclu\w+|salvo|exceto|proibid\w+|recus\w+|falt\w+|grátis|gratuit\w+|ausen\w+|senão"
        r"|em vez de|isent\w+|a menos que"
        r"|revog\w+|expir\w+|caduc\w+|negativ\w+|deix\w+ de|rejeit\w+|discord\w+|fech\w+|facultativ\w+|impossível",
    }
)
# Behind a negation they say until when it lasted: "not changed since 2024" leaves open what came later.
SINCE = WordList(
    {
        "english": "since",
        "german": "seit",
        "french": "depuis",
        "spanish": "desde",
        "italian": r"dal?",
        "dutch": "sinds",
        "portuguese": "desde",
    }
)
# A negation of them is no denial: "not excluded".
FORBIDDING = WordList(
    {
        "english": r"exclu\w+|forbidden|prohibit\w*|refus\w+|reject\w+",
        "german": r"ausgeschlossen|verboten|untersagt|abgelehnt",
        "french": r"exclu\w*|interdi\w*|refus\w+",
        "spanish": r"prohib\w+|rechaz\w+|excluid\w+",
        "italian": r"esclus\w+|vietat\w+|rifiutat\w+",
        "dutch": r"uitgesloten|verboden|geweigerd",
        "portuguese": r"excluíd\w+|proibid\w+|recusad\w+",
    }
)
# Their clause denies something of everything else.
LIMITS = WordList(
    {
        "english": r"only|just|alone|solely|at most|at the earliest",
        "german": r"nur|erst|lediglich|frühestens|allein",
        "french": r"seul\w*|uniquement|ne\b.*\bque",
        "spanish": r"solo|sólo|solamente|únicamente",
        "italian": r"solo|soltanto|solamente",
        "dutch": r"alleen|slechts|pas",
        "portuguese": r"só|somente|apenas",
    }
)
# Behind a negation they say when or how much ("not before May", "no more than ten"), as a limit does.
COMPARISONS = WordList(
    {
        "english": r"more|less|fewer|later|earlier|sooner|(?:long|old|high|low|larg|great|small)e?r than"
        r"|before|until|over|under|above|below|exceed\w*|beyond",
        "german": r"mehr als|weniger|(?:läng|ält|höh|größ|klein)er als|später|früher|vor|bis|über|unter"
        r"|überschreit\w*|überst\w+",
        "french": r"plus (?:de|d['’])|moins|avant|jusqu\w*|dépass\w*|au-delà|que",
        "spanish": r"más de|menos|antes|hasta|super\w+|pas[ea]\w* de",
        "italian": r"più di|meno|prima|oltre|super\w+",
        "dutch": r"meer dan|minder|later|eerder|voor|tot|boven|onder",
        "portuguese": r"mais de|menos|antes|até|super\w+|passa\w* de",
    }
)
# Behind a negation they say when something came to be, which a source may say without: "not until the 9th".
UNTIL = WordList({"english": "until", "spanish": "hasta", "italian": "fino"})
# What exceeds a limit says as much of it as the limit itself: "above the limit" of "not more than 20".
EXCEEDING = WordList(
    {
        "english": r"exceed\w*|above the|over the|breach\w*",
        "german": r"überschreit\w*|überst\w+|über dem|über der",
        "french": r"dépass\w*|excèd\w+|au-dessus",
        "spanish": r"super\w+|exced\w+|por encima",
        "italian": r"super\w+|ecced\w+|sopra",
        "dutch": r"overschrijd\w*|boven de|boven het",
        "portuguese": r"ultrapass\w+|exced\w+|acima",
    }
)
# They give a time or an amount that a statement may put as "not before" or "no more than".
BOUNDS = WordList(
    {
        "english": r"at (?:the )?(?:most|least|earliest|latest)|up to|until|max\w*|min\w*|only|from|within"
        r"|limit\w*|than|as of",
        "german": r"höchstens|mindestens|frühestens|spätestens|bis|ab|max\w*|min\w*|nur|erst|von|innerhalb"
        r"|binnen|als",
        "french": r"au (?:plus|moins)|jusqu\w*|max\w*|min\w*|seulement|dès|à partir|dans|que",
        "spanish": r"como (?:máximo|mínimo)|al menos|hasta|máx\w*|mín\w*|sol[oa]\w*|desde|a partir|dentro"
        r"|que",
        "italian": r"al (?:massimo|minimo)|almeno|fino|mass\w*|minim\w*|solo|soltanto|da[l ]|a partire|entro"
        r"|che",
        "dutch": r"hoogstens|minstens|ten (?:hoogste|minste)|tot|max\w*|min\w*|alleen|slechts|vanaf|binnen"
        r"|dan",
        "portuguese": r"no (?:máximo|mínimo)|pelo menos|até|máx\w*|mín\w*|só|desde|a partir|dentro|que",
    }
)

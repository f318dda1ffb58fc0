"""The language of a text by its function words, with stems of that language. Pure."""

from __future__ import annotations

import re
import threading
import unicodedata
from collections.abc import Collection, Iterable, Mapping, Sequence

import Stemmer

# The commonest function words of each language, which few other languages share.
_FUNCTION_WORDS = {
    "english": "the of and to is are was were with for from that this it by at be has have had not which will"
    " an as or their its they between into no only all on in than more",
    "german": "der die das des und ist sind war wird werden mit für von dem den ein eine einer eines nicht"
    " auch auf aus bei nach zu im am als oder sich es nur alle kein keine wurde wurden hat haben bis"
    " durch über unter",
    "french": "le la les des du et est sont était avec pour dans que qui une un par sur pas ne au aux ce cette"
    " ou il elle plus sans été ont leur ses tous toutes",
    "spanish": "el la los las del y es son era con para en que una un por no se al lo su sus o más sin ha han"
    " fue como este esta todos todas",
    "italian": "il lo la gli le di e è sono era con per in che una un non si al dal della del delle dei o più"
    " senza ha hanno come questo questa tutti",
    "dutch": "de het een en is zijn was met voor van dat niet op uit bij naar te in als of door over onder"
    " geen alle wordt worden heeft hebben ook",
    "portuguese": "o a os as do da dos das e é são com para em que uma um por não se ao no na mais sem foi como"
    " este esta",
    "polish": "i w na z do się nie jest są to że dla od po przez za oraz lub jak który która tylko wszystkie",
}
# Further words that tell a language, and may be content words of another.
_TELLING_WORDS = {
    "english": "he she his her we our you your there these those when where who what how if so then also about after"
    " before during each every most some such can may must should would could been do does did per while until since"
    " any both a i my according neither unlike despite although whereas",
    "german": "wie was wer wo wenn dass ob um noch schon sehr mehr weniger vom beim ihr ihre sein seine man wir er ich"
    " dieser diese dieses jeder jede jedes ohne gegen seit kann können soll sollen muss müssen darf dürfen sowie je"
    " dabei damit davon sind einen einem laut obwohl dazu spätestens anders beide an würde würden wurde wurden"
    " welche welcher welches welchen wieviel gibt",
    "french": "de en d l chez entre mais donc comme si leurs nous vous ils elles cet ces son sa très aussi peut doit"
    " depuis après avant sous hors lors dont où soit selon sus malgré lorsque tandis à chez a quel quelle quels quelles"
    " combien quand comment pourquoi l' d' qu' n' j' s' c' m' jusqu' lorsqu'",
    "spanish": "de en a desde hasta entre pero si sobre muy también cada ser está están hay nos le les ese esa estos"
    " estas cuando donde quien porque ni ya según ambos ambas aunque tras puede pueden tiene tienen debe deben qué cuál"
    " cuáles cuánto cuánta cuántos cuántas cuándo dónde quién quiénes cómo",
    "italian": "da a nel nella nei delle sul sulla alla alle ai agli stato stata ma se anche dove quando ogni fra tra"
    " degli dello nello negli nelle sui sugli dai dagli dalla dalle dopo prima secondo entrambi entrambe sebbene qual "
    "quale quali quanto quanta quanti quante chi cosa quando perché"
    " l' d' dell' all' dall' nell' sull' un' c'",
    "dutch": "aan dan er maar nog wel kan moet zal meer na tot tussen deze dit die wie wat waar hun ze"
    " volgens zowel beide omdat hoewel want elke elk per welke welk hoe hoeveel wanneer waarom",
    "portuguese": "de em dos pelo pela ele ela isso também já até entre mas ou quando onde seu sua à às qual quais "
    "quanto"
    " quanta quantos quantas quem está estão foram tem têm há",
}
# The words with which a request or a greeting begins, of which a short one has no others that tell.
_REQUESTS = {
    "english": "compare list table summarise summarize show find give sum count",
    "german": "vergleiche vergleichen liste tabelle fasse nenne zeige erstelle schreibe finde berechne summe anzahl"
    " hallo bist du dir",
    "french": "compare comparez comparer liste listez tableau résume résumez résumer donne montre calcule somme nombre"
    " bonjour tu",
    "spanish": "compara compare comparar lista tabla resume resumir enumera muestra calcula suma número hola eres",
    "italian": "confronta confrontare elenca elenco tabella riassumi riepiloga mostra calcola somma numero ciao sei",
    "dutch": "vergelijk lijst tabel toon geef noem bereken som aantal totaal bent je",
    "portuguese": "compare comparar lista liste tabela resuma resumir mostre calcule soma número olá és",
    "polish": "porównaj lista tabela podsumuj pokaż oblicz suma",
}
_SETS = {language: frozenset(words.split()) for language, words in _FUNCTION_WORDS.items()}
_TELLING = {
    language: words | frozenset(_TELLING_WORDS.get(language, "").split()) for language, words in _SETS.items()
}
_REQUESTING = {language: words | set(_REQUESTS[language].split()) for language, words in _TELLING.items()}
_STEMMED = ("english", "german", "french", "spanish", "italian", "dutch", "portuguese")
ALL_FUNCTION_WORDS = frozenset().union(*_SETS.values())
# The names of each language in English and in itself.
_NAMES = {
    "english": ("english",),
    "german": ("german", "deutsch"),
    "french": ("french", "français"),
    "spanish": ("spanish", "español", "castellano"),
    "italian": ("italian", "italiano"),
    "dutch": ("dutch", "nederlands"),
    "portuguese": ("portuguese", "português"),
    "polish": ("polish", "polski"),
}
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_WHOLE_WORD = re.compile(rf"(?<![^\W_]){_WORD.pattern}(?![^\W_])")  # no letter of "2026-08-27T06:02:11Z"
_FEW = 2
_CLEAR = 3  # function words of one language, and half as many of any other
_FEW_WORDS = 5  # of a short text one function word has to do
_WORDS_A_FUNCTION_WORD = 5  # prose has one in three words, a table hardly any


class _Stemmers(threading.local):
    def __init__(self) -> None:
        self.by_language = {language: Stemmer.Stemmer(language, 0) for language in _STEMMED}


_stemmers = _Stemmers()


def words_of(text: str) -> list[str]:
    """Return the words of `text` in their order, without numbers."""
    return _WORD.findall(text)


def language_of(text: str, likely: Collection[str] = ()) -> str | None:
    """Return the language of `text`, or None where its function words do not tell.

    Where they hardly do, it is the one of the `likely` languages that has most of them.
    """
    words = _folded_words(text)
    counts = _counts(words, _TELLING)
    best, second, *_ = sorted(counts, key=lambda language: -counts[language])
    enough = max(min(_FEW, len(words) // _FEW_WORDS), len(words) // _WORDS_A_FUNCTION_WORD)
    is_clear = counts[best] >= _CLEAR and counts[best] >= 2 * counts[second]
    near = [
        one for one in likely if one in counts and (2 * counts[one] >= counts[best] or counts[best] < _FEW)
    ]
    if near and not is_clear:
        return max(near, key=lambda language: counts[language])
    return best if counts[best] > counts[second] and (counts[best] >= enough or is_clear) else None


def language_of_request(text: str, likely: str | None = None) -> str | None:
    """Return the language of a question or directive, however short.

    Where several languages have as many of its words, it is the `likely` one of them, such as that of its documents.
    """
    counts = _counts(_folded_words(text), _REQUESTING)
    most = max(counts.values())
    first = [language for language, count in counts.items() if count == most]
    return first[0] if len(first) == 1 else likely if likely in first else None


def _folded_words(text: str) -> list[str]:
    """Return the words of a text in lower case, and what is elided before an apostrophe, such as "l'"."""
    words = [word.casefold().replace("’", "'") for word in _WHOLE_WORD.findall(text)]
    return words + [word[: word.index("'") + 1] for word in words if "'" in word]


def _counts(words: Sequence[str], known: Mapping[str, Collection[str]]) -> dict[str, int]:
    return {language: sum(word in own for word in words) for language, own in known.items()}


def language_named(name: str) -> str | None:
    """Return the language that a name such as "British English" is of; None if it is of none or of several."""
    words = {word.casefold() for word in words_of(name)}
    named = [language for language, names in _NAMES.items() if not words.isdisjoint(names)]
    return named[0] if len(named) == 1 else None


def function_words(language: str | None) -> frozenset[str]:
    """Return the function words of a language; of all of them where it is unknown."""
    return _TELLING[language] if language in _TELLING else ALL_FUNCTION_WORDS.union(*_TELLING.values())


def stem_of(word: str, language: str | None) -> str:
    """Return the stem of a word in lower case, without accents; by the rules of English where none are known."""
    stemmer = _stemmers.by_language.get(language or "english", _stemmers.by_language["english"])
    return without_accents(stemmer.stemWord(word))


def content_stems(words: Iterable[str], language: str | None) -> list[str]:
    """Return the stems of the words that are no function words, without accents and in lower case."""
    stemmer = _stemmers.by_language.get(language or "english", _stemmers.by_language["english"])
    plain = [word.casefold() for word in words]
    kept = [word for word in plain if len(word) > 1 and word not in ALL_FUNCTION_WORDS]
    return [without_accents(stem) for stem in stemmer.stemWords(kept)]


def without_accents(text: str) -> str:
    """Return a text with its letters without their accents: "dias" for "días"."""
    decomposed = unicodedata.normalize("NFKD", text)
    return "".join(character for character in decomposed if not unicodedata.combining(character))

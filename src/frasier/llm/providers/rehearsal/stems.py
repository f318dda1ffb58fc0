"""Words and their stems, the basis of relevance."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, lru_cache

from frasier.kernel.language import function_words, language_of, stem_of
from frasier.kernel.stopwords import STOP_WORDS

_PLURAL = re.compile(r"(?:s|n|x|e)$")
_PLURALS = {
    language: re.compile(ending)
    for language, ending in (
        ("english", "s$"),
        ("french", "[sx]$"),
        ("german", "[ne]$"),
        ("spanish", "s$"),
        ("italian", "[ie]$"),
        ("portuguese", "s$"),
    )
}


def spelled(listing: str) -> frozenset[str]:
    """Return the words of a listing, separated by blanks."""
    return frozenset(listing.split())


_STOP = STOP_WORDS | spelled(
    """
    although always another anyone anything cannot done etc even first get gets got hence instead later least less
    let like likely made make makes making many maybe mine much namely near need needs never nobody none nothing
    often one onto others otherwise perhaps please someone something somewhat soon still thereby thing things though
    today together toward towards two unless use used uses using usually via well whatever whereas whole yes
    hoch welche welchem welchen welcher welches wieviel
    votre vos notre nos vuestro vuestra nuestro nuestra
    quel quelle quelles quels quoi qué cuál cuáles quién cuándo cuánto
    welk welke hoe hoog hoeveel wanneer waar wat
    cuántos dónde können kann könnte peut peuvent puede pueden beträgt betrug
    può possono pode podem tem têm encore noch todavía ancora ainda nog
    """
)

# Words that speak of the work or of its sources, not of a subject. In a source they count like any other.
_TASK = spelled(
    """
    acceptance accepted according address aim analyse analysis analyze answer answers article articles ask asked
    aspect aspects assess author authors brief briefing bring certain change changed changes cite cited cites
    citing collect compare compared comparing comparison conclude conclusion consider contain contained contains
    contrast covered covering covers create deliverable deliverables describe described describes describing
    detail detailed details determine develop developed differ difference differences different directive
    discuss discussed discusses discussing document documentation documents draft each evaluate evidence evolve
    evolved examine explain explained explaining explains explore extract file files find finding findings
    folder folders following follows gather general give importance given gives goal identify important include
    included includes including information investigate know learn list listed listing listings main major
    material materials matter matters mention mentioned mentions name named names note noted notes objective
    outline overall overview page pages paragraph part passage passages please prepare present presented produce
    provide provided quote quoted quotes read reader reading relevant report reported reports research review
    role say saying says section sections several show showing shows silent source sources specific state stated
    statement statements states sum summarise summarize summary task tell tells text texts understand various
    want wants write writes writing written wrote
    beschreibe dokument dokumente dokumenten erkläre erstelle fasse liste nenne quelle quellen schreibe
    untersuche vergleich vergleiche vergleichen zusammen zusammenfassung
    annexe citer compare comparer décris document documents fichier fichiers indique liste listez résume résumer
    archivo archivos compara comparar documento documentos enumera indica indique lista resume resumir
    bestand bestanden documenten geef lijst maak noem toon vergelijk vergelijking
    confronta confrontare documenti elenca elenco file fonte fonti mostra riassumi
    comparação enumere ficheiro ficheiros fontes mostre resuma tabela tabella tabel tabelle tabla tableau
    """
)

# Of these a question may ask where it names nothing else: "What is not included?"
_ASKED_ALONE = spelled("accepted changed changes covered included")

# Past forms that no stemmer leads back to their verb.
_PAST_FORMS = """
begin: began begun; break: broke broken; bring: brought; build: built; buy: bought; catch: caught; choose: chose chosen;
deal: dealt; drive: drove driven; feed: fed; fall: fell fallen; feel: felt; find: found; fight: fought; freeze: froze
frozen; grow: grew grown; hold: held; hide: hid hidden; keep: kept; know: knew known; lay: laid; lead: led; leave: left;
lose: lost; mean: meant; meet: met; pay: paid; run: ran; rise: rose risen; send: sent; sell: sold; seek: sought; spend:
spent; speak: spoke spoken; stand: stood; steal: stole stolen; stick: stuck; teach: taught; think: thought; throw: threw
thrown; take: took taken; tell: told; understand: understood; go: went; win: won; wear: wore worn; write: wrote written
"""
_VERB_OF = {
    form: verb.strip()
    for verb, forms in (entry.split(":") for entry in _PAST_FORMS.split(";"))
    for form in forms.split()
}
_CONTRACTED = re.compile(r"\b(?:won|don)['’]t\b", re.IGNORECASE)
# Words of their own, which lists of stop words have for "won't" and "don't".
_WORDS_ALONE = spelled("won don")
_TOKEN = re.compile(r"[^\W_]+(?:\+\+|#(?!\w))?")
# The capital at which a part of a name such as "bestBefore" begins.
_HUMP = re.compile(r"(?<=[a-z])(?=[A-Z][a-z])")
_BRITISH = re.compile(r"is(e|es|ed|er|ing|ation|ations)$")
_UNSPACED_FROM = "\u2e80"  # from here on scripts write words without blanks between them
_ENGLISH = frozenset({None, "english"})
_YEAR = re.compile(r"(?:19|20)\d\d$")
_IDENTIFIER_CHARS_MIN = 3
_KIN_CHARS_MIN = 4
_TAIL_CHARS_MIN = 5  # of the end of a compound: "ente" ends many words


def is_identifier(term: str) -> bool:
    """Return whether a word is the number or code of a thing, such as that of an order."""
    return len(term) >= _IDENTIFIER_CHARS_MIN and not _YEAR.match(term) and any(map(str.isdigit, term))


def is_kin(term: str, name: str) -> bool:
    """Return whether one stem begins with the other, as those of "liefern" and "Liefertermin" do.

    A short name begins too many words: "Svenja" is not "Sven".
    """
    return (len(term) >= _KIN_CHARS_MIN and name.startswith(term)) or (
        len(name) >= _TAIL_CHARS_MIN and term.startswith(name)
    )


def are_alike(first: str, second: str) -> bool:
    """Return whether two words are the same, or one begins or ends with the other, as "Zahlungsfrist" with "Frist"."""
    shorter, longer = sorted((first, second), key=len)
    is_part = len(shorter) >= _KIN_CHARS_MIN and longer.startswith(shorter)
    return first == second or is_part or (len(shorter) >= _TAIL_CHARS_MIN and longer.endswith(shorter))


@lru_cache(maxsize=65_536)
def stem(word: str, language: str | None = None) -> str:
    """The stem of a lower-case word; English spellings and close relatives share one, also where none is known."""
    if language not in _ENGLISH:
        return stem_of(word, language)
    word = _VERB_OF.get(word, word)
    if len(word) >= 7:
        word = _BRITISH.sub(r"iz\1", word)
    root = stem_of(word, "english")
    if root.endswith("enc"):
        root = root[:-1] + "s"
    elif root.endswith("our") and len(root) >= 5:
        root = root[:-3] + "or"
    elif root.endswith("eri") and len(root) >= 7:  # "delivery" and "deliver"
        root = root[:-3]
    for suffix in ("ag", "e", "a"):
        if root.endswith(suffix) and len(root) - len(suffix) >= 4:
            return root[: -len(suffix)]
    return root


def words(text: str) -> Iterator[str]:
    """The lower-case words of `text` in order; scripts without blanks give pairs of characters."""
    for token in _TOKEN.findall(_HUMP.sub(" ", _CONTRACTED.sub("not", text)).lower()):
        if token[0] < _UNSPACED_FROM or len(token) == 1:
            yield token
        else:
            yield from (token[at : at + 2] for at in range(len(token) - 1))


@cache
def _stop_words(language: str | None) -> frozenset[str]:
    return (_STOP | function_words(language)) - _WORDS_ALONE


def _is_content(word: str, language: str | None) -> bool:
    is_long_enough = len(word) > 1 or word.isdigit() or word >= _UNSPACED_FROM
    return is_long_enough and word not in _stop_words(language)


def content_stems(text: str, language: str | None = None) -> tuple[str, ...]:
    """Stems of the words that carry meaning, in order, repeated as often as they occur."""
    return tuple(stem(word, language) for word in words(text) if _is_content(word, language))


def keywords(text: str, language: str | None = None) -> tuple[str, ...]:
    """The distinct words that name a subject, in order: no stop words, and none about the task if there are others.

    Of a few words the `language` cannot be told.
    """
    language = language or language_of(text)
    by_stem: dict[str, str] = {}
    for word in words(text):
        if _is_content(word, language):
            by_stem.setdefault(stem(word, language), word)
    named = tuple(word for word in by_stem.values() if word not in _TASK)
    return named or tuple(word for word in by_stem.values() if word in _ASKED_ALONE)


def is_plural(word: str, language: str | None) -> bool:
    """Return whether a word ends as plurals do in a language."""
    return _PLURALS.get(language or "", _PLURAL).search(word) is not None


def is_plural_of(word: str, name: str, language: str | None) -> bool:
    """Return whether a word is the plural of a name, of which it is another form."""
    is_form = word != name and stem(word, language) == stem(name, language)
    is_longer = len(word) > len(name) or language == "italian"
    if language is None and word.endswith("s"):
        return False  # "Angebots" may be a genitive
    return is_form and is_longer and is_plural(word, language)


def focus_stems(text: str, language: str | None = None) -> tuple[str, ...]:
    """The stems of the keywords of a text, as of a text in a `language`; in its own by default."""
    language = language or language_of(text)
    return tuple(stem(word, language) for word in keywords(text, language))

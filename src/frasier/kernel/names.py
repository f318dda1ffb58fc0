"""Names and identifiers in a text: words with a capital inside of a sentence, letters mixed with digits. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator

from frasier.kernel.language import function_words
from frasier.kernel.text import word_set
from frasier.kernel.unit_names import unit_of

_CAPITALISED = r"[^\W\d_a-zß-öø-ÿ][\w'’&-]*"
_NAME = re.compile(
    rf"(?<![\w@./'’&-]){_CAPITALISED}(?:\s+(?:(?:van|von|de|der|del|di|la|of|&)\s+)?{_CAPITALISED})*"
)
_ADJACENT = re.compile(rf"(?<![\w@./'’&-]){_CAPITALISED}(?:\s+{_CAPITALISED})+")
_ROLE = re.compile(rf"(?P<name>{_CAPITALISED}\s{_CAPITALISED}) \((?P<role>[^\W\d_]{{5,}})\)")
_DEFINED = re.compile(
    rf"(?P<name>{_CAPITALISED}(?:\s(?:&|and|und|et|y|e|en|de|del|der|von|van|{_CAPITALISED})){{0,6}})[^()\n;]{{0,90}}"
    rf"\((?:[^()\"“„«]{{0,40}}\s)?[\"“„«‘']?\s?(?:the|der|die|das|le|la|l['’]|el|il|lo|het|de|o|a)\s?(?P<role>{_CAPITALISED})"
    r"\s?[\"”“»’']?\)"
)  # of a contract: "Greywether Press Ltd, Norwich (the Proprietor)"
_ORGANISATION = rf"(?P<organisation>{_CAPITALISED}(?:\s(?:&|of|de|van|{_CAPITALISED})){{0,4}})"
_HANDLE = r"[a-z]{2,}[-_.][a-z]{2,}"
_AFFILIATIONS = (
    re.compile(
        rf"(?P<name>{_HANDLE}|{_CAPITALISED}(?:\s{_CAPITALISED}){{0,2}}) \((?:[^(),;\n]{{3,40}}, )?{_ORGANISATION}\)"
    ),  # "Ada Fennimore (Cedar Rooms)", "hal-ostrow (Ferrant Data)", "Sunita Rao (customer support, Nordquay Systems)"
    re.compile(
        rf"^(?P<name>{_CAPITALISED}\s{_CAPITALISED}), [a-zß-öø-ÿ][^,.;\n]{{2,40}}, {_ORGANISATION}(?=,|$)",
        re.MULTILINE,
    ),  # "Fergus Hale, head of logistics, Kestrel Books Ltd"
)
_IDENTIFIER = re.compile(
    r"(?<![\w])(?:[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+|https?://\S+|(?=[\w./-]{0,80}\d)(?=[\w./-]{0,80}[^\W\d_])[^\W_][\w]*(?:[./-]\w+)*)"
)
_OPENS = re.compile(r"(?:^|[.!?:|]\s+)$")
_STARTS_SENTENCE = re.compile(r"(?:^|[.!?:|]\s+|^(?:[-*•]|#{1,6})\s+|[“„\"«(]\s*)$")
_TITLE = (
    r"(?:Herrn?|Frau|Dr\.|Prof\.|Mr\.?|Mrs\.?|Ms\.?|M\.|Mme\.?|Mlle\.?|Monsieur|Madame|Sra?\.|Señora?|Sig\.(?:ra)?|Signora?"
    r"|Dhr\.?|Mevr\.?|Mevrouw)"
)
_BEHIND_TITLE = re.compile(rf"\b{_TITLE}\s+$")
_QUOTATION = re.compile(r"“([^“”]+)”|„([^„“”]+)[“”]|\"([^\"]+)\"|«\s?([^«»]+?)\s?»")
# Not in an address, a path or a key.
_SMALL_WORD = re.compile(r"(?<![\w@./=_-])[a-zß-öø-ÿ][^\W\d_]+(?![\w@/=_]|[.:-]\w)")
# The endings of nouns and adverbs that are derived from other words.
_COMMON_ENDING = re.compile(
    r"^.{1,2}$|^.{5,}ed$|(?:ings?|tions?|sions?|ments?|ness|ities|ity|ances?|ences?|mente|ci[oó]n|ciones|miento|zione|zioni|menti"
    r"|ção|ções|heid)$"
)
_ENDS_PART = re.compile(r"\s*(?:$|[,(;|])")
_ELIDED = re.compile(r"(?:[LDJSNMC]|Qu)['’]")  # "L'exposition de Nantes" begins with an article
_NEW_YEAR = re.compile(r"\bNew Year\b")
_QUOTED_WORDS_MIN = 3
_WINDOW = 40
_FUNCTION_WORDS = function_words(None)
# Capitalised, and no name: the beginnings of common words that English and German write with a capital.
NO_NAMES = word_set(
    "beim vom zum zur im am je pro anfang mitte ende mme mlle m sr sra utc cet cest gmt january february"
    " march april may june july august september october november december monday tuesday wednesday"
    " thursday friday saturday sunday i english german french spanish italian dutch polish european"
    " american chinese japanese british swiss austrian portuguese belgian danish swedish norwegian christmas"
    " easter eur usd gbp chf mr mrs ms dr prof herr frau monsieur madame señor señora doctora signor signora"
    " mevrouw mevr meneer dhr no nr note undecided revoked superseded yes"
)


def names_in(text: str, *, german: bool) -> list[str]:
    """Return the names in `text`, each once. Of a single word at the beginning of a sentence nothing is known.

    German writes every noun with a capital: there only names of several words, and words with capitals inside, are
    certain to be names.
    """
    return list(dict.fromkeys(_names(text, german=german)))


def _names(text: str, *, german: bool) -> Iterator[str]:
    for match in _NAME.finditer(_NEW_YEAR.sub(lambda year: year[0].lower(), text)):
        words = match[0].split()
        before = _before(text, match.start())
        begins = bool(_STARTS_SENTENCE.search(before)) and not _BEHIND_TITLE.search(before)
        if (
            begins
            and (words[0].casefold() in _FUNCTION_WORDS or _ELIDED.match(words[0]) or len(words) == 1)
            and not _has_inner_capital(words[0])
        ):
            words = words[1:]
        words = [
            word
            for word in words
            if word.rstrip(".").casefold() not in NO_NAMES and unit_of(word.rstrip(".")) is None
        ]
        kept = [word for word in words if word[:1].isupper() and len(word) > 1]
        if german and len(kept) == 1 and not _has_inner_capital(kept[0]):
            continue
        yield from kept


_CAPITALISED_WORD = re.compile(r"(?<![\w@./-])[^\W\d_a-zß-öø-ÿ][^\W\d_]+(?:-[^\W\d_]+)*")
_TITLED = re.compile(rf"\b{_TITLE}\s+({_CAPITALISED_WORD.pattern})")
_AFTER_DETERMINER = re.compile(
    r"\b(?i:d(?:er|ie|as|en|em|es)|(?:k?ein|jed|dies|welch|unser|ihr|sein)e?[rnms]?|[iaznb]\w{0,2}m|zur|pro|je)\s+("
    + _CAPITALISED_WORD.pattern
    + ")"
)


def capitalised_words(text: str) -> Iterator[tuple[str, int]]:
    """Yield each word of a text that begins with a capital, with where it begins."""
    for match in _CAPITALISED_WORD.finditer(text):
        yield match[0], match.start()


def openings_in(text: str) -> Iterator[str]:
    """Yield the words that begin a sentence or a cell with a capital, and may be names or any other words."""
    for word, start in capitalised_words(text):
        end = start + len(word)
        is_abbreviated = text.startswith(".", end) and text[end + 1 : end + 1 + _WINDOW].strip()
        if (
            _OPENS.search(_before(text, start))
            and word.casefold() not in _FUNCTION_WORDS | NO_NAMES
            and not is_abbreviated
            and not _COMMON_ENDING.search(word)
        ):
            yield word


def full_names_in(text: str) -> Iterator[list[str]]:
    """Yield the words, in lower case, of each name of several words."""
    for match in _NAME.finditer(text):
        words = [word.casefold() for word in match[0].split() if word[:1].isupper() and len(word) > 1]
        if len(words) > 1:
            yield words


def roles_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word of a name, in lower case, with the role in brackets behind it: "Rosa Villar (directora)"."""
    for match in _ROLE.finditer(text):
        for word in match["name"].casefold().split():
            yield word, match["role"].casefold()


def parties_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word of the name of a party of a contract, in lower case, with what the contract calls it."""
    for match in _DEFINED.finditer(text):
        for word, _ in capitalised_words(match["name"]):
            yield word.casefold(), match["role"].casefold()


def affiliations_in(text: str) -> Iterator[tuple[str, str]]:
    """Yield each word of an organisation, in lower case, with a word of the name of whoever speaks for it.

    It stands in brackets behind the name, or in the last line of a mail: "Fergus Hale, head of sales, Kestrel Books".
    """
    for match in itertools.chain.from_iterable(pattern.finditer(text) for pattern in _AFFILIATIONS):
        people = re.findall(r"[^\W\d_]{2,}", match["name"].casefold())
        for word, _ in capitalised_words(match["organisation"]):
            yield from ((word.casefold(), person) for person in people)


def _full_names_in_german(text: str) -> Iterator[str]:
    """Yield the words of the names of several words; at the beginning of a sentence only where a name ends the part."""
    for match in _ADJACENT.finditer(text):
        words = [word.casefold() for word in match[0].split() if word[:1].isupper() and len(word) > 1]
        words = [word for word in words if word not in NO_NAMES | _FUNCTION_WORDS and not unit_of(word)]
        begins = bool(_STARTS_SENTENCE.search(_before(text, match.start())))
        if len(words) > 1 and (not begins or _ENDS_PART.match(text, match.end())):
            yield from words


def nouns_in_german(text: str) -> frozenset[str]:
    """Return the words, in lower case, that stand behind an article or the like, so that they are no names."""
    return frozenset(match[1].casefold() for match in _AFTER_DETERMINER.finditer(text))


def has_digit(text: str) -> bool:
    """Return whether a text has a digit, as identifiers do."""
    return any(character.isdigit() for character in text)


def names_used_in(texts: Iterable[tuple[str, bool]]) -> frozenset[str]:
    """Return the words, in lower case, that are used as names throughout texts, each given with whether it is German.

    They are never written with a small letter; in German, where no noun is, they have two words or a title.
    """
    names: set[str] = set()
    common: set[str] = set()
    for text, german in texts:
        if german:
            names.update(_full_names_in_german(text))
        else:
            names.update(name.casefold() for name in names_in(text, german=False))
        names.update(match[1].casefold() for match in _TITLED.finditer(text))
        common.update(_SMALL_WORD.findall(text))
    return frozenset(names - common)


def _before(text: str, start: int) -> str:
    """Return what stands directly before a place: all of it for each name would take long in a long text."""
    return text[max(0, start - _WINDOW) : start]


def _has_inner_capital(word: str) -> bool:
    return any(character.isupper() for character in word[1:])


def identifiers_in(text: str) -> list[str]:
    """Return addresses and the words of `text` that mix letters and digits, such as "v2.10.3", "GPL-3.0" or "B-12"."""
    return list(dict.fromkeys(identifier for identifier, _ in placed_identifiers(text)))


def placed_identifiers(text: str) -> Iterator[tuple[str, int]]:
    """Yield the identifiers of a text, with where they begin."""
    for match in _IDENTIFIER.finditer(text):
        yield match[0].rstrip(".,;:)"), match.start()


def quotations_in(text: str) -> list[str]:
    """Return the quotations in `text` of at least three words."""
    found = (next(group for group in match.groups() if group) for match in _QUOTATION.finditer(text))
    return [quotation for quotation in found if len(quotation.split()) >= _QUOTED_WORDS_MIN]

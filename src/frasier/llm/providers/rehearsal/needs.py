"""The need behind a question, as words, the kind of value that is asked for and conditions, and what meets it."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from frasier.kernel.cell_values import NO, YES, is_unstated
from frasier.kernel.language import language_of
from frasier.kernel.language_words import word_pattern
from frasier.kernel.names import has_digit
from frasier.kernel.source_units import SourceUnit
from frasier.llm.providers.rehearsal.conditions import ValueCondition, conditions_in
from frasier.llm.providers.rehearsal.cues import CUES, DATES, DURATIONS, FIGURES, PEOPLE, REASONS, Cue
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.grammar import ASKS
from frasier.llm.providers.rehearsal.identifiers import identifier_asked_for
from frasier.llm.providers.rehearsal.named_rows import names
from frasier.llm.providers.rehearsal.questions import label, subject_and_cue
from frasier.llm.providers.rehearsal.quotable import Kind
from frasier.llm.providers.rehearsal.stems import (
    is_identifier,
    is_kin,
    is_plural,
    is_plural_of,
    keywords,
    stem,
    words,
)
from frasier.llm.providers.rehearsal.words import WORDS

_BESIDE = 0.8
_IN_ABOUT = 0.6
_LOOKS_LIKE_AN_ANSWER = 0.5
_WITHOUT_LOOKS = 0.25
_WITHOUT_ASKED_WORD = 0.8
_ANSWERED = 0.5
_IDENTIFIER = 3
_ASKED_OF = re.compile(rf"(\w+) (?:{WORDS['asked_of'].alternatives})\b")
_ON = (
    "(?:(?:since|until|by|on|at|bis zu|an|um|à|a|hasta|op|tot|entro|em|até) )?"
    "(?:which|what|welche[mnr]?|quel(?:le)?s?|qué|welke?|quale?|quais|que)"
)
_DAYS = (
    "(?:days?|dates?|times?|hours?|months?|years?|tag(?:en)?|datum|uhrzeit|jours?|heures?|días?|fechas?|horas?|dag(?:en)?|"
    "maand(?:en)?|giorn[oi]|or[ae]|dat[ae]s?|dias?|mes(?:e|es|i))"
)
_WHEN = (
    "(?:since |until |by )?when|(?:seit |bis |ab )?wann|(?:jusqu['’]à |depuis )?quand|(?:hasta |desde )?cuándo|"
    r"(?:tot |sinds |vanaf )?wanneer|(?:fino a |da |entro )?quando|(?:até |desde )?quando"
)
_OPENINGS = tuple(
    (
        re.compile(
            rf"\W*(?:(?:with|for|by|at|of|in|to|mit|für|avec|pour|con|para|met|voor|per|com|em)\s+)?(?:{opening})\b",
            re.IGNORECASE,
        ),
        cue,
    )
    for opening, cue in (
        ("why|warum|weshalb|pourquoi|por qu[eê]|waarom|perché|porqu[eê]", REASONS),
        (
            "how (?:long|often)|wie (?:lange|oft)|combien de temps|cuánto tiempo|hoe (?:lang|vaak)|quanto tempo",
            DURATIONS,
        ),
        (
            rf"{_ON} {_DAYS}|{_WHEN}",
            DATES,
        ),
        (
            "whom?|wer|qui|quién(?:es)?|wie (?=(?:is|zijn|heeft|hebben|zit|zoekt|leidt|moet|kan)\\b)|chi|quem",
            PEOPLE,
        ),
        (
            (
                "how (?:much|many|far|big|large|old|high|low|heavy|wide|tall|deep|thick|fast)|"
                "wie (?:viele?|weit|groß|alt|hoch|schwer|breit|tief|dick|schnell)|combien|cuánt[oa]s?|hoeveel|"
                "hoe (?:hoog|groot|zwaar|breed|diep|ver|oud|snel)|quant[oaie]s?"
            ),
            FIGURES,
        ),
    )
)
# The thing that a question asks for: "Which devices are affected", "invoice that was due".
_THING = re.compile(
    r"\W*(?:(?:which|welche[rsnm]?|welke?|quel(?:le)?s?|qué|cuáles|qual[ei]|quais|que)\s+"
    r"(?:of (?:these|those|the)\s+|de (?:ces|estos|estas)\s+|"
    r"diese[rnm]?\s+)?([\w-]+)|([\w-]+),?\s+(?:that|which|who|whose|deren|dessen|qui|dont|que|che)\b|"
    r".*\b(?:each|every|jede[rsnm]?|chaque|cada|elke?|ogni|ciascun[oa]?)\s+([\w-]+))",
    re.IGNORECASE,
)
_YES, _NO = YES | {"y"}, NO | {"n", "none"}
# The day on which something is asked.
_AS_OF = re.compile(
    r",?\s*\b(?:as of|as at|as on|stand|zum stand|à la date du|a fecha de[l]?)\s+(?:the\s+)?"
    r"(?:\d{4}-\d\d-\d\d|\d{1,2}\.?(?:st|nd|rd|th)?\s+(?:de\s+)?[^\W\d_]+\.?(?:\s+(?:de\s+)?\d{4})?)",
    re.IGNORECASE,
)
_CONJUNCTIONS = WORDS["conjunctions"].words
LIGHT_WORDS = WORDS["light_verbs"].words
_DENYING = ("un", "non")
_NEGATION = word_pattern(f"{WORDS['denied'].alternatives}|{WORDS['without'].alternatives}|n")


@dataclass(frozen=True, kw_only=True)
class Need:
    """The need behind a question.

    `words` name the subject; with neither words nor cue nor conditions, anything salient meets the need. `asked` are
    the words that ask for the kind of `cue`, `negated` those of the question behind a negation. `thing` is the word for
    the things that are asked for, which their records need not have. `within` are the words of the question before, of
    which a source has to speak where this one names no subject, and `after` is its label.
    """

    question: str
    label: str
    words: tuple[str, ...]
    cue: Cue | None = None
    asked: tuple[str, ...] = ()
    negated: tuple[str, ...] = ()
    thing: str = ""
    within: tuple[str, ...] = ()
    after: str = ""
    conditions: tuple[ValueCondition, ...] = ()

    @property
    def terms(self) -> tuple[str, ...]:
        """The stems of the words, as of an English text."""
        return _stems(self.words, None)

    def is_told_in(self, evidence: SourceStatement) -> float:
        """Return the share of the words of the question before that a statement has."""
        terms = _stems(self.within, evidence.language)
        return sum(_share(term, evidence) > 0 for term in terms) / len(terms) if terms else 1.0

    @property
    def subject(self) -> str:
        """The question without the words in which the rehearsal asks it of the sources."""
        return subject_and_cue(self.question)[0]

    @property
    def identifiers(self) -> frozenset[str]:
        """The numbers and codes that the question names, such as that of an order."""
        return frozenset(term for term in self.terms if is_identifier(term))

    @property
    def identifiers_within(self) -> frozenset[str]:
        """The numbers and codes that the question before names."""
        return frozenset(term for term in _stems(self.within, None) if is_identifier(term))

    @property
    def has_kind(self) -> bool:
        """Whether it asks for a kind of value that can be recognised."""
        return self.cue is not None and self.cue.has_value is not None

    @property
    def is_question(self) -> bool:
        """Whether it is worded as a question rather than as a thing."""
        return ASKS.match(subject_and_cue(self.question)[0]) is not None

    @property
    def is_checkable(self) -> bool:
        """Whether a value tells that a statement answers it; everything else needs understanding."""
        return bool(self.conditions) or self.has_kind

    def about(self, evidence: SourceStatement, idf: Mapping[str, float] | None = None) -> float:
        """Return the share of the subject that a statement is about, from 0 to 1; words around it count for less."""
        terms = _terms(self.words, evidence)
        weights = [(idf or {}).get(term, 1.0) * (_IDENTIFIER if is_identifier(term) else 1) for term in terms]
        met = sum(weight * _share(term, evidence) for term, weight in zip(terms, weights, strict=True))
        return met / sum(weights) if terms else 1.0

    def is_met_by(self, evidence: SourceStatement) -> bool:
        """Return whether a statement, with what it stands under, has every word of the question.

        A question of which it leaves a word open has conditions that nothing decides.
        """
        terms = self.spoken_terms(evidence)
        if evidence.is_header and evidence.head_stems.isdisjoint(terms):
            return False
        if not terms and not self.conditions and self.cue is not None:
            return self.names_kind(evidence)
        if terms and not self.is_checkable and self.is_question and all(map(has_digit, terms)):
            return False  # whatever is said of a thing answers no question
        if not self.words:
            names = evidence.head_stems | evidence.block_stems
            terms = tuple(term for term in terms if not any(is_kin(term, name) for name in names))
        if evidence.kind is Kind.FIELD and not self._names_field(evidence):
            return False
        own = [term for term in terms if _share(term, evidence) >= _BESIDE]
        is_of_source = bool(self.identifiers & evidence.about_stems) or self.asks_for_each_source(evidence)
        return all(_share(term, evidence) for term in terms) and bool(own or not terms or is_of_source)

    def asks_for_each_source(self, evidence: SourceStatement) -> bool:
        """Return whether it asks in the plural for what the source of a field is one of: of offers, in an offer."""
        if evidence.kind is not Kind.FIELD or not self.has_kind:
            return False
        own = set(words(" ".join((evidence.about.replace("_", " ").replace("-", " "), *evidence.unit.path))))
        language = language_of(self.subject) or evidence.language
        return any(is_plural_of(word, name, language) for word in self.words for name in own)

    def _names_field(self, evidence: SourceStatement) -> bool:
        """Return whether a field has a word of the question itself, in its name or value, and not only beside it."""
        spoken = {*self.spoken_terms(evidence), *_stems((*self.words, *self.asked), evidence.language)}
        kinds = self.cue.triggers if self.cue is not None else frozenset()
        heads = evidence.head_stems | set(_stems(tuple(self._head_words(evidence)), None))
        is_named = any(is_kin(term, head) or term == head for term in spoken for head in heads)
        return is_named or not (spoken | kinds).isdisjoint(evidence.stems | heads)

    @staticmethod
    def _head_words(evidence: SourceStatement) -> Iterator[str]:
        return (word for cell in evidence.unit.fields for word in words(cell.head))

    def spoken_terms(self, evidence: SourceStatement) -> tuple[str, ...]:
        """Return the stems of the words that a statement has to have."""
        spoken = self.words or self.within
        words_ = tuple(word for word in spoken if word != self.thing and word not in LIGHT_WORDS)
        return _terms(words_, evidence)

    def names_kind(self, evidence: SourceStatement, *, by_asked_word: bool = False) -> bool:
        """Return whether a statement, or what it stands under, has a word for the kind of value that is asked for.

        Another word for it counts as well, unless it has to be the one that the question has.
        """
        around = evidence.stems | evidence.heading_stems
        asked = {*_stems(self.asked, evidence.language), *_stems(self.asked, None)}
        if by_asked_word or self.cue is None:
            return not asked.isdisjoint(around)
        return bool(asked) and not (asked | self.cue.triggers).isdisjoint(around)

    def has_value(self, evidence: SourceStatement) -> bool:
        """Return whether a statement has a value of the kind that is asked for, of whatever it is."""
        return bool(self.cue and self.cue.has_value and self.cue.has_value(evidence.unit))

    def share(self, evidence: SourceStatement, idf: Mapping[str, float] | None = None) -> float:
        """Score how much of the need a statement meets, from 0 to 1; none without a value that is asked for."""
        about = self.about(evidence, idf)
        if not about or not self.holds(evidence):
            return 0.0
        if self.cue is None:
            return about
        if self.cue.has_value is not None:
            return about * self._value_in(evidence, self.cue.has_value)
        if not self.cue.triggers.isdisjoint(evidence.stems | evidence.heading_stems):
            return about
        if self.cue.looks is not None and self.cue.looks.is_in(evidence.text, evidence.language):
            return about * _LOOKS_LIKE_AN_ANSWER
        return about * (_WITHOUT_LOOKS if self.words else 0.0)

    def _value_in(self, evidence: SourceStatement, has_value: Callable[[SourceUnit], bool]) -> float:
        asked = set(_stems(self.asked, evidence.language)) | set(_stems(self.asked, None))
        is_named = not asked.isdisjoint(evidence.head_stems)
        if not has_value(evidence.unit) and not is_named:
            return 0.0
        around = evidence.stems | evidence.heading_stems | evidence.about_stems
        return 1.0 if not asked or not asked.isdisjoint(around) else _WITHOUT_ASKED_WORD

    def holds(self, evidence: SourceStatement) -> bool:
        """Return whether a statement meets the conditions, and says no "no" under a name that is asked for."""
        unit = evidence.unit
        terms = _stems(self.words, evidence.language)
        denied = (part for word in self.words if (part := _denied(word)) != word)
        negated = {*self.negated, *denied}
        spoken = frozenset(words(self.question))
        for cell in unit.cells:
            heads = set(evidence.stems_of(cell.head))
            wanted = _NO if any(names(word, cell.head) for word in negated) else _YES
            # "Sets in use" have "yes" under "in_use", whose words may say nothing alone.
            is_asked = (
                heads & set(terms) or wanted is _NO or spoken.issuperset(words(cell.head.replace("_", " ")))
            )
            if is_asked and cell.text.lower() in (_YES | _NO) - wanted:
                return False
        return all(condition.met_by(unit, terms, evidence.language) for condition in self.conditions)

    def leaves_open(self, evidence: SourceStatement) -> bool:
        """Return whether one value of a statement meets a condition and another one does not."""
        terms = _stems(self.words, evidence.language)
        return not all(one.is_decided(evidence.unit, terms, evidence.language) for one in self.conditions)

    def fails(self, evidence: SourceStatement, condition: ValueCondition) -> bool:
        """Return whether a statement is about the subject, and its values do not meet a condition."""
        terms = _stems(self.words, evidence.language)
        verdict = condition.met_by(evidence.unit, terms, evidence.language)
        return verdict is False and not evidence.stems.isdisjoint(terms)

    def is_decided_by(self, evidence: SourceStatement) -> bool:
        """Return whether a statement has every word of the question, one in a name, and values for the conditions."""
        terms = _stems(self.words, evidence.language)
        is_named = not evidence.head_stems.isdisjoint(terms) and self.is_met_by(evidence)
        verdicts = (one.met_by(evidence.unit, terms, evidence.language) for one in self.conditions)
        return bool(self.conditions) and is_named and None not in verdicts

    def is_unmet_by(self, evidence: Sequence[SourceStatement], condition: ValueCondition) -> bool:
        """Return whether a statement of a source fails a condition, and none of them may meet it.

        A value of another thing that meets it may be the one that was meant, and so may one that is left open.
        """
        failing = {cell.head for one in evidence if self.fails(one, condition) for cell in one.unit.fields}
        is_failed = any(self.fails(one, condition) for one in evidence)
        open_ = any(
            is_unstated(cell.text) for one in evidence for cell in one.unit.fields if cell.head in failing
        )
        return is_failed and not open_ and not any(condition.may_be_met_by(one.unit) for one in evidence)

    def answered_by(self, evidence: SourceStatement) -> bool:
        """Return whether a statement has a value of the kind that is asked for, of the subject."""
        if self.is_checkable:
            return self.share(evidence) >= _ANSWERED
        terms = set(_stems(self.words, evidence.language))
        return bool(terms & evidence.head_stems) and self.about(evidence) >= _ANSWERED


def _share(term: str, evidence: SourceStatement) -> float:
    if term in evidence.stems:
        return 1.0
    around = evidence.heading_stems if evidence.kind.is_data else frozenset()
    if term in evidence.heading_stems or any(is_kin(term, name) for name in evidence.head_stems | around):
        return _BESIDE
    return _IN_ABOUT if term in evidence.about_stems else 0.0


def _terms(words_: tuple[str, ...], evidence: SourceStatement) -> tuple[str, ...]:
    """The stems of words; "unpaid" asks for the value that a statement has under "paid"."""
    language, names = evidence.language, evidence.head_stems
    denied = ((word, _denied(word)) for word in words_)
    return _stems(tuple(part if stem(part, language) in names else word for word, part in denied), language)


def _denied(word: str) -> str:
    """Return what a word denies, as "unpaid" does "paid"; the word itself if it denies nothing."""
    prefix = next((one for one in _DENYING if word.startswith(one)), "")
    return word.removeprefix(prefix)


def is_negation(word: str) -> bool:
    """Return whether a word turns what follows into its opposite."""
    return _NEGATION.fullmatch(word) is not None


@lru_cache(maxsize=1_024)
def _stems(words_: tuple[str, ...], language: str | None) -> tuple[str, ...]:
    return tuple(dict.fromkeys(stem(word, language) for word in words_))


@lru_cache(maxsize=1_024)
def need_of(question: str) -> Need:
    """The need that stands behind a question or a named aspect."""
    subject, cue = subject_and_cue(question)
    subject = _AS_OF.sub(" ", subject)
    conditions = conditions_in(subject)
    plain = subject
    for condition in conditions:
        plain = plain[: condition.start] + " " * (condition.end - condition.start) + plain[condition.end :]
    asked: tuple[str, ...] = ()
    own = keywords(plain)
    if cue is None:
        cue, asked, own = _find_cue(plain, own)
    thing = _THING.match(plain)
    named = next(filter(None, thing.groups())).lower() if thing else ""
    if named in asked and is_plural(named, language_of(subject)):
        own = tuple(word for word in own if word not in LIGHT_WORDS)  # "Which prices apply?"
    return Need(
        question=question,
        label=label(question),
        words=own,
        cue=cue,
        asked=asked,
        negated=tuple(_negated(plain)),
        thing=named,
        conditions=conditions,
    )


def _negated(text: str) -> Iterator[str]:
    """Yield the words that a negation denies: "not yet paid"."""
    listed = list(words(text))
    for at, word in enumerate(listed):
        if is_negation(word):
            yield from itertools.takewhile(lambda one: one not in _CONJUNCTIONS, listed[at + 1 : at + 4])


def _find_cue(subject: str, own: tuple[str, ...]) -> tuple[Cue | None, tuple[str, ...], tuple[str, ...]]:
    """The cue of a question, the words that ask for it, and the words that are left of it.

    The number or code of a thing is asked for by a compound. Another cue counts where the question opens with it, where
    it is all that is asked for, where it is asked for *of* something, where it is the head of a compound ("delivery
    times"), or anywhere if its words have no other sense.
    """
    if identifier := identifier_asked_for(subject):
        kind, name, noun = identifier
        named = (noun if name in {word, f"{word}s"} else word for word in own)
        return kind, (name,), tuple(dict.fromkeys(named))
    opened = next(((cue, match) for opening, cue in _OPENINGS if (match := opening.match(subject))), None)
    if opened and opened[0] is FIGURES:
        # What is asked for is no word of an answer: "how high".
        opening = set(keywords(opened[1][0]))
        own = tuple(word for word in own if word not in opening)
    spoken = tuple(words(subject))
    parts = [
        (cue, tuple(word for word in spoken if stem(word) in cue.triggers), _without(own, cue))
        for cue in CUES
        if not (opened and opened[0] is FIGURES and cue is PEOPLE)  # how many people
    ]
    for cue, asked, rest in parts:
        if own and asked and not rest:
            return cue, asked, rest
    asked_of = {stem(word) for word in _ASKED_OF.findall(subject.lower())}
    if opened is None or opened[0] is FIGURES:  # "how much" may ask for any kind of value
        for cue, asked, rest in parts:
            if asked and (cue.anywhere or asked_of & cue.triggers or stem(spoken[-1]) in cue.triggers):
                return cue, asked, rest
    if opened:
        return opened[0], (), keywords(subject[opened[1].end() :])
    return None, (), own


def _without(own: tuple[str, ...], cue: Cue) -> tuple[str, ...]:
    return tuple(word for word in own if stem(word) not in cue.triggers)


def query_of(need: Need, *extra: str) -> str:
    """Keywords that find what the need asks for."""
    subject, _ = subject_and_cue(need.question)
    query = (*keywords(subject), *extra, *(need.cue.query.split() if need.cue else ()))
    return " ".join(dict.fromkeys(query))

"""Negations and words such as all, only and never: where a statement and its sources differ in them. Pure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from frasier.kernel.language import content_stems, words_of
from frasier.kernel.source_units import SourceUnit

_CLAUSE_MARK = re.compile(
    r"[,;:.!?|()–—]\s|\b(?:but|and|while|whereas|because|since|aber|und|sondern|weil|mais|et|car|pero|y|sino|porque)\b",
    re.IGNORECASE,
)
_CALCULATION = re.compile(r"\d [-+−×÷x/] \d[^=]*=")
_SAME_CLAUSE = 0.5  # of the words of a clause
_SAME_MATTER = 0.3


def _pattern(words: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w)(?:{'|'.join(words.split(','))})(?!\w)", re.IGNORECASE)


_NEGATION = _pattern(
    r"not,no(?!\.| \d),never,none,neither,nor,without,cannot,nothing,nobody,no one,hardly,"
    r"isn.t,aren.t,doesn.t,don.t,didn.t,"
    r"wasn.t,weren.t,won.t,can.t,hasn.t,haven.t,"
    r"nicht,kein,keine,keinen,keiner,keinem,keines,nie,niemals,niemand,ohne,nichts,weder,"
    r"ne,n['’]\w+,pas,aucun,aucune,jamais,sans,rien,ni,"
    r"ningún,ninguna,ninguno,nunca,sin,nada,nadie,tampoco,jamás,non,nessun,nessuna,senza,niet,geen,nooit,zonder,nigdy,bez"
)
# They deny in another way, so that a statement may say with them what its source says with a negation.
_DENYING_WORDS = _pattern(
    r"exclu\w+,ausgeschlossen,ausgenommen,entf[aä]ll\w*,lack\w*,fail\w*,refus\w+,reject\w+,except,apart from,unless,"
    r"forbid\w*,forbidden,prohibit\w*,unable,missing,absent,free of,false,unchanged,removed,dropped,gone,instead,nil,"
    r"chang\w+,replac\w+,previous\w*,former\w*,"
    r"außer,verboten,untersagt,abgelehnt,lehnt\w*,fehl\w+,verzicht\w*,frei von,statt,verhinder\w*,leer,"
    r"sauf,hors,interdit\w*,refus\w*,manqu\w*,"
    r"salvo,excepto,prohib\w+,rechaz\w+,excluid\w+,falta\w*,(?<![.\d,])0(?![.,:]?\d),un[a-z]{4,}ed,unable,unavailable,in[a-z]+able"
)
_FORBIDDING_WORDS = _pattern(
    r"exclu\w+,ausgeschlossen,verboten,untersagt,forbidden,prohibit\w*,prohib\w+,interdit\w*,refus\w+,reject\w+,abgelehnt,excluid\w+"
)
_WITHOUT = _pattern("without,ohne,sans,sin,senza,zonder")
_WITH = _pattern("with,mit,avec,con,met")
_LIMITING_WORDS = _pattern(
    "only,just,alone,until,nur,erst,lediglich,bis,seul\\w*,uniquement,solo,sólo,solamente,únicamente,hasta"
)
_UNIVERSALS = (
    _pattern(
        "all,every,always,everybody,everyone,entirely,alle,allen,aller,alles,immer,stets,sämtliche,tous,toutes,toujours,"
        "todos,todas,siempre,tutti,tutte,sempre,altijd"
    ),
    _pattern(
        "only,exclusively,solely,nur,ausschließlich,lediglich,seulement,uniquement,seul,seule,seuls,seules,solo,sólo,"
        "solamente,únicamente,soltanto,alleen,slechts"
    ),
    _pattern("never,nie,niemals,jamais,nunca,jamás,nooit"),
    _pattern("exactly,precisely,genau,exactement,exactamente"),
)
# What says the same as a universal word.
_SAME_AS_UNIVERSAL = (
    _pattern(
        r"all,every\w*,each,always,both,any\w*,no,none,entire\w*,whole,full\w*,unanimous\w*,alle\w*,jede\w*,immer,stets,"
        r"sämtliche\w*,beide\w*,gesamt\w*,ganz\w*,kein\w*,einstimmig,tou\w+,chaque,aucun\w*,tod\w+,cada,siempre,ningun\w*,ambos,"
        r"ogni,tutt\w,daily,täglich,yearly,jährlich\w*"
    ),
    _pattern(
        r"only,exclusive\w*,sole\w*,just,alone,single,but,except,unless,nur,ausschließlich,lediglich,allein,einzig\w*,erst,außer,"
        r"kein\w*,seul\w*,uniquement,que,sauf,solo,sólo,solamente,únicamente,salvo,únic\w+,no,none,not,nicht,nobody,ne,limited,"
        r"cannot,nadie"
    ),
    _pattern(
        r"never,none,nobody,nie,niemals,nicht mehr,no longer,jamais,plus jamais,aucun\w*,nunca,jamás,ningun\w*"
    ),
    _pattern(r"exactly,precisely,genau,exactement,exactamente"),
)
_BEFORE_NUMBER = re.compile(
    r"\b(?:all|only|alle|nur|tous|toutes|todos|todas|solo|les|seulement)\s+(?:the\s+|les\s+|los\s+|las\s+)?"
    r"(?=\d|two|three|four|five|six|zwei|drei|vier|fünf|deux|trois|quatre|cinq|dos|tres|cuatro|cinco)",
    re.IGNORECASE,
)
_NEGATED_UNIVERSAL = re.compile(
    r"\b(?:not only|not all|not every|not exclusively|hardly any|nicht nur|nicht alle|pas seulement|pas tous"
    r"|no todos|no solo)\b",
    re.IGNORECASE,
)


def is_negative(text: str) -> bool:
    """Return whether a text has a negation."""
    return bool(_NEGATION.search(text))


def adds_negation(
    statement: str,
    language: str | None,
    carrying: Sequence[SourceUnit],
    units: Sequence[SourceUnit],
    remarks: str,
) -> bool:
    """Return whether a clause negates what the carrying units say, and no unit negates anything of the clause.

    A calculation is never negated.
    """
    if is_negative(remarks) or _DENYING_WORDS.search(remarks):
        return False
    for clause in _clauses(statement):
        if not is_negative(clause):
            continue
        if not is_negative(_WITHOUT.sub(" ", clause)):  # "without X" says nothing but that there is no X
            wanted = frozenset(
                stem for match in _WITHOUT.finditer(clause) for stem in _stems_behind(clause, match, language)
            )
            is_said = any(wanted & unit.stems for unit in carrying)
        elif _CALCULATION.search(clause):
            return True
        else:
            wanted = frozenset(content_stems(words_of(_NEGATION.sub(" ", clause)), language))
            said = max((len(wanted & unit.stems) for unit in carrying), default=0)
            is_said = bool(re.search(r"\d", clause)) or said >= max(1, _SAME_CLAUSE * len(wanted))
        is_double = bool(_FORBIDDING_WORDS.search(clause))
        if wanted and is_said and not any(_denies_some(unit, wanted, is_double=is_double) for unit in units):
            return True
    return False


def _denies_some(unit: SourceUnit, clause_stems: frozenset[str], *, is_double: bool) -> bool:
    """Whether a unit negates or denies something of the clause; what negates a denial is no denial."""
    if unit.cells:
        parts = [(f"{cell.head.replace('_', ' ')} {cell.text}", cell.text) for cell in unit.cells]
    elif not is_double and _DENYING_WORDS.search(unit.text):
        parts = [(unit.text, unit.text)]
    else:
        parts = [(clause, clause) for clause in _clauses(unit.text)]
    for said, denying in parts:
        if is_negative(denying) or (not is_double and _DENYING_WORDS.search(denying)):
            stems = frozenset(content_stems(words_of(said), unit.language))
            if len(stems & clause_stems) >= _SAME_MATTER * len(clause_stems):
                return True
    return False


def drops_negation(statement: str, language: str | None, units: Sequence[SourceUnit]) -> SourceUnit | None:
    """Return the unit that negates what a clause of the statement affirms."""
    clauses = [
        (clause, frozenset(content_stems(words_of(clause), language))) for clause in _clauses(statement)
    ]
    affirmed: frozenset[str] = frozenset().union(
        *(
            stems
            for clause, stems in clauses
            if not is_negative(clause)
            and not _DENYING_WORDS.search(clause)
            and not _LIMITING_WORDS.search(clause)
        )
    )
    everything: frozenset[str] = frozenset().union(*(stems for _, stems in clauses))
    denied = everything - affirmed if affirmed else everything
    for unit in units:
        for clause in _negated_clauses(unit):
            said = frozenset(content_stems(words_of(_NEGATION.sub(" ", clause)), unit.language))
            shared = len(said & everything)
            if said & denied or shared < _SAME_CLAUSE * len(said):
                continue
            is_certain = shared > 1 or len(unit.stems & everything) >= _SAME_CLAUSE * len(unit.stems)
            negated = any(stem in affirmed for stem in _negated_stems(clause, unit.language))
            if is_certain and (negated or shared > 1):
                return unit
    first = units[0]
    for cell in first.cells:
        head = frozenset(content_stems(words_of(cell.head.replace("_", " ")), first.language))
        if head and cell.text in {"no", "none", "false"} and head <= affirmed:
            return first
    with_what = {
        stem for match in _WITH.finditer(statement) for stem in _stems_behind(statement, match, language)
    }
    for unit in units:
        for match in _WITHOUT.finditer(unit.text):
            if with_what.intersection(_stems_behind(unit.text, match, unit.language)) and not _WITHOUT.search(
                statement
            ):
                return unit
    return None


def _stems_behind(text: str, match: re.Match[str], language: str | None) -> list[str]:
    """The first content word behind a word of the text."""
    return content_stems(words_of(text[match.end() :]), language)[:1]


def _negated_clauses(unit: SourceUnit) -> Iterator[str]:
    """The clauses of a unit that negate; of a record those in cells of more than two words."""
    parts = [cell.text for cell in unit.cells if len(cell.text.split()) > 2] if unit.cells else [unit.text]
    return (clause for part in parts for clause in _clauses(part) if is_negative(clause))


def universal_differs(statement: str, surroundings: str, *, has_calculation: bool) -> bool:
    """Return whether the statement has a word such as all, only, never or exactly that what surrounds its source lacks.

    Before a number ("all four", "only two") such a word says that there are no more: the number is compared elsewhere.
    """
    if _NEGATED_UNIVERSAL.search(statement):
        return not _NEGATED_UNIVERSAL.search(surroundings)
    statement = _BEFORE_NUMBER.sub(" ", statement)
    checked = list(zip(_UNIVERSALS, _SAME_AS_UNIVERSAL, strict=True))
    if has_calculation:  # the sum of all, the difference only: what is computed may say it
        checked = checked[2:]
    return any(pattern.search(statement) and not same.search(surroundings) for pattern, same in checked)


def _negated_stems(text: str, language: str | None) -> Collection[str]:
    """Return the stem of the content word behind each negation of a clause, or before one that ends it."""
    negated = []
    for match in _NEGATION.finditer(text):
        behind = content_stems(words_of(text[match.end() :]), language)
        before = content_stems(words_of(text[: match.start()]), language)
        negated += behind[:1] or before[-1:]
    return negated


def _clauses(text: str) -> Iterator[str]:
    return (part for part in _CLAUSE_MARK.split(text) if part and part.strip())

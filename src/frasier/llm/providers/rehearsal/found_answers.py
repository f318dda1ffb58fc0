"""The answer to one need: the statements that meet it, those that no longer hold beside the ones that revoke them, and
what the sources leave open.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from frasier.llm.providers.rehearsal.certainty import is_uncertain, rivals
from frasier.llm.providers.rehearsal.corpus import Corpus, Scored
from frasier.llm.providers.rehearsal.evidence import SourceStatement
from frasier.llm.providers.rehearsal.named_rows import names
from frasier.llm.providers.rehearsal.needs import Need, need_of
from frasier.llm.providers.rehearsal.open_points import NOTHING_CERTAIN, NOTHING_FOUND, SILENT, read_note
from frasier.llm.providers.rehearsal.operation_words import asks_over_rows
from frasier.llm.providers.rehearsal.page import BESIDES, COMPARED, UNDECIDED, bullet, plain_title
from frasier.llm.providers.rehearsal.questions import OVERVIEW, is_facet
from frasier.llm.providers.rehearsal.quotable import Kind, instructs_reader
from frasier.llm.providers.rehearsal.row_query import ComputedAnswer, compute
from frasier.llm.providers.rehearsal.selection import pick, pick_best

INSTRUCTION = "an instruction to whoever reads the source: "
NEEDS_UNDERSTANDING = "Whether it is answered needs understanding: "
_LINES_SHARED_OUT = 20
_PER_SOURCE = range(3, 9)
_LINES_MAX = 24
_NEAREST_MAX = 12
_CONTESTING_MAX = 2


@dataclass(frozen=True, kw_only=True)
class FoundAnswer:
    """The bullets for a need, what comes near to an answer, and notes on what is missing."""

    need: Need
    lines: tuple[str, ...]
    near: tuple[str, ...]
    notes: tuple[str, ...]


def _met(need: Need, corpus: Corpus, ranked: Sequence[Scored]) -> Sequence[Scored]:
    """The statements that surely meet a need.

    Where the question names no subject but a kind of value, they are those with the word of the question, if there are
    any, and what a source says instead that revokes one of them.
    """
    met = [scored for scored in ranked if need.is_met_by(scored.evidence)]
    if not need.asked or need.words:
        return met
    asked = [scored for scored in met if need.names_kind(scored.evidence, by_asked_word=True)] or met
    revocations = (corpus.revocations.get(scored.evidence.order) for scored in asked)
    revoking = {revocation.by.number for revocation in revocations if revocation is not None}
    return [scored for scored in ranked if scored in asked or scored.evidence.number in revoking]


def _with_what_contests(contesting: Mapping[Scored, Sequence[SourceStatement]]) -> Iterator[Scored]:
    """Yield each contested statement, and behind it what contests it."""
    for scored, others in contesting.items():
        if others:
            yield scored
            yield from (replace(scored, evidence=one) for one in others[:_CONTESTING_MAX])


def _certain(need: Need, answers: Sequence[Scored], *, among: Sequence[Scored]) -> tuple[Scored, ...]:
    """The answers that hold for certain, and that no other one `among` all of them rivals."""
    rivalling = rivals(need, [scored.evidence for scored in among])
    return tuple(
        scored
        for scored in answers
        if scored.evidence.order not in rivalling and not is_uncertain(need, scored.evidence)
    )


def _is_left_to_compute(need: Need, evidence: SourceStatement) -> bool:
    """Return whether a statement answers nothing alone: the first of several, and their sum, have to be computed.

    It may say itself that it is the last one, or the total.
    """
    is_superlative, total = asks_over_rows(need.subject)
    if evidence.kind is Kind.RECORD:
        has_total = any(names(total, cell.head) for cell in evidence.unit.cells)
        return is_superlative or (bool(total) and not has_total)
    says_superlative, says_total = asks_over_rows(evidence.text)
    return (is_superlative and not says_superlative) or (bool(total) and not says_total)


def _mark_of(evidence: SourceStatement) -> str:
    """The mark of a quotation that is no answer for certain."""
    return f"{UNDECIDED} – {INSTRUCTION if instructs_reader(evidence.text) else ''}"


@dataclass(frozen=True, kw_only=True)
class _Statements:
    """The statements that meet a need: those that no longer hold, those that others contest, and those that answer."""

    met: Sequence[Scored]
    revoked: tuple[Scored, ...]
    contesting: Mapping[Scored, Sequence[SourceStatement]]
    answers: Sequence[Scored]

    @classmethod
    def of(cls, need: Need, corpus: Corpus, only: frozenset[int] = frozenset()) -> _Statements:
        """Find them in the sources `only`, if there are any."""

        def is_past(evidence: SourceStatement) -> bool:
            revocation = corpus.revocations.get(evidence.order)
            return revocation is not None and revocation.concerns(evidence, need.cue)

        ranked = corpus.ranked(need, only=only)
        met = _met(need, corpus, [scored for scored in ranked if scored.evidence.order not in corpus.doubts])
        revoked = tuple(scored for scored in met if is_past(scored.evidence))
        contesting = {
            scored: corpus.contesting(scored.evidence, need) for scored in met if scored not in revoked
        }
        others, nearly = corpus.other_rows(need), corpus.named_nearly(need)
        answers = [
            scored
            for scored in met
            if scored not in revoked
            and not contesting[scored]
            and not _is_left_to_compute(need, scored.evidence)
            and scored.evidence.order not in others
            and scored.evidence.number not in nearly
        ]
        return cls(met=met, revoked=revoked, contesting=contesting, answers=answers)


@dataclass(frozen=True, kw_only=True)
class Finder:
    """Finds the answer to a need in a corpus, in the sources `only` if there are any.

    The statements that still hold are ranked apart from those that do not. What code `computed` of the rows of a table
    is the whole answer. With `is_of_compared` the nearest are values that fail a condition.
    """

    need: Need
    corpus: Corpus
    only: frozenset[int]
    current: tuple[Scored, ...]
    revoked: tuple[Scored, ...]
    nearest: tuple[Scored, ...]
    computed: ComputedAnswer | None = None
    is_of_compared: bool = False

    @classmethod
    def of(cls, need: Need, corpus: Corpus, only: frozenset[int] = frozenset()) -> Finder:
        if not is_facet(need.question) and (computed := compute(need, corpus)):
            return cls(
                need=need, corpus=corpus, only=only, current=(), revoked=(), nearest=(), computed=computed
            )
        found = _Statements.of(need, corpus, only)
        met, revoked, contesting, answers = found.met, found.revoked, found.contesting, found.answers
        # What other sources say rivals an answer, too, where only some are asked.
        everywhere = _Statements.of(need, corpus).answers if only else answers
        current = _certain(need, answers, among=everywhere)
        # What is revoked by something that is uncertain itself is no more certain than that.
        certain = {scored.evidence.order for scored in (*current, *revoked)}
        uncertain = {one.evidence.order for one in met} - certain | corpus.doubts
        open_ = [one for one in revoked if corpus.revocations[one.evidence.order].by.order in uncertain]
        revoked = tuple(scored for scored in revoked if scored not in open_)
        is_complete = (current or revoked) and not need.words and not need.conditions and need.is_question
        has_near = not is_facet(need.question) and not is_complete
        return cls(
            need=need,
            corpus=corpus,
            only=only,
            current=current,
            revoked=revoked,
            nearest=(
                *_with_what_contests(contesting),
                *(scored for scored in answers if scored not in current),
                *open_,
                *(corpus.nearest(need, met=(*current, *revoked), only=only) if has_near else ()),
            ),
        )

    @classmethod
    def of_main_points(cls, corpus: Corpus, only: frozenset[int] = frozenset()) -> Finder:
        """Find what matters most in the sources, as quotations that answer nothing."""
        need = need_of(OVERVIEW)
        nearest = corpus.nearest(need, met=(), only=only)
        return cls(need=need, corpus=corpus, only=only, current=(), revoked=(), nearest=nearest)

    @classmethod
    def of_compared(
        cls, needs: Sequence[Need], corpus: Corpus, only: frozenset[int] = frozenset()
    ) -> Finder | None:
        """Find the values that fail the conditions of the first of the needs of which sources have some."""
        for need in needs:
            failing = corpus.failing(need, only)
            if failing:
                return cls(
                    need=need,
                    corpus=corpus,
                    only=only,
                    current=(),
                    revoked=(),
                    nearest=failing,
                    is_of_compared=True,
                )
        return None

    def answer(self, *, lines: int, taken: list[SourceStatement], more: int = 0) -> FoundAnswer:
        """Answer with at most `lines` statements that are not `taken` yet, and `more` than usual of each source.

        All statements that meet a condition are part of the answer, of others the best of each source.
        """
        if self.computed:
            return self._computed(self.computed, taken)
        if self.need.conditions:
            limit, per_source = lines, lines
        else:
            data = {scored.evidence.number for scored in self.current if scored.evidence.kind.is_data}
            limit, per_source = min(lines, max(_LINES_MAX, len(data))), self._share() + more
        current = pick(self.current, limit=limit, per_source=per_source, taken=taken)
        past = pick(self.revoked, limit=limit, per_source=per_source, taken=taken)
        revokers = self._revokers(past, taken)
        nearest = pick_best(self.nearest, limit=min(lines, _NEAREST_MAX), taken=taken)
        best = {scored.evidence.number: scored.score for scored in reversed((*self.current, *self.revoked))}
        ordered = sorted((*current, *revokers), key=lambda one: (-best.get(one.number, 0.0), one.number))
        return FoundAnswer(
            need=self.need,
            lines=self._bullets(ordered, past),
            near=tuple(
                self._bullet(one, mark=COMPARED if self.is_of_compared else _mark_of(one)) for one in nearest
            ),
            notes=self._notes({one.number for one in revokers}, {one.number for one in nearest}),
        )

    def _computed(self, computed: ComputedAnswer, taken: list[SourceStatement]) -> FoundAnswer:
        """Answer with what was computed, and the rows that it rests on."""
        taken += [one for one, _ in computed.lines if one not in taken]
        lines = tuple(bullet(one, self._title(one), text=text) for one, text in computed.lines)
        return FoundAnswer(need=self.need, lines=lines, near=(), notes=())

    def _share(self) -> int:
        """Return the number of quotes per source: the fewer sources, the more each."""
        speaking = {scored.evidence.number for scored in (*self.current, *self.revoked)}
        return min(max(_LINES_SHARED_OUT // max(len(speaking), 1), _PER_SOURCE[0]), _PER_SOURCE[-1])

    def _revokers(
        self, past: Sequence[SourceStatement], taken: list[SourceStatement]
    ) -> Sequence[SourceStatement]:
        """The statements that revoke others and are not quoted yet, each once."""
        by_order = {
            revocation.by.order: revocation.by
            for one in past
            if (revocation := self.corpus.revocations[one.order]).by not in taken
        }
        taken += by_order.values()
        return list(by_order.values())

    def _bullets(
        self, current: Sequence[SourceStatement], past: Sequence[SourceStatement]
    ) -> tuple[str, ...]:
        """The statements that hold, and behind those of each source what they revoke."""
        bullets: list[str] = []
        left = list(past)
        for at, one in enumerate(current):
            bullets.append(self._bullet(one))
            if at + 1 == len(current) or current[at + 1].number != one.number:
                revocations = self.corpus.revocations
                beside = [other for other in left if revocations[other.order].by.number == one.number]
                left = [other for other in left if other not in beside]
                bullets += map(self._bullet, beside)
        return (*bullets, *map(self._bullet, left))

    def _bullet(self, evidence: SourceStatement, mark: str = "") -> str:
        revocation = self.corpus.revocations.get(evidence.order)
        text = revocation.marked(evidence) if revocation else evidence.text
        if mark and revocation and text != evidence.text:
            # Within a sentence "Revoked" would read as a name.
            text = (
                f"{text[0].lower()}{text[1:]}" if text.startswith(("Revoked by", "Superseded by")) else text
            )
        return bullet(evidence, self._title(evidence), text=f"{mark}{text}")

    def _title(self, evidence: SourceStatement) -> str:
        """The title of the source of a statement, where several are read."""
        is_named = len(self.only or self.corpus.numbers()) > 1
        return self.corpus.titles[evidence.number] if is_named else ""

    def _notes(self, revoking: Collection[int], near: Collection[int]) -> tuple[str, ...]:
        """The notes on what the sources leave open of the question; one that narrows another leaves nothing open."""
        need, about = self.need, f"“{self.need.label}”"
        if is_facet(need.question):
            return ()
        if need.after:
            about += f", after “{need.after}”"
        speaking = {scored.evidence.number for scored in (*self.current, *self.revoked)} | set(revoking)
        contrary = self._contrary(speaking)
        notes = []
        if not self.current and not self.revoked and not self.nearest:
            kind = need.cue.name if need.cue and need.cue.has_value and not contrary else ""
            reason = f": no statement on it has a value of this kind ({kind})" if kind else ""
            return (f"{NOTHING_FOUND}{about}{reason}.", *contrary.values())
        if not self.current and not self.revoked:
            notes.append(f"{NOTHING_CERTAIN}{about} without doubt; it needs understanding. See “{BESIDES}”.")
        elif not self.current:
            notes.append(f"{NOTHING_FOUND}{about} that still holds.")
        elif need.words and not any(need.answered_by(scored.evidence) for scored in self.current):
            notes.append(f"{NEEDS_UNDERSTANDING}{about}. Quoted are statements that share its words.")
        notes += contrary.values()
        if need.words or need.conditions:
            silent = set(self.corpus.numbers()).difference(speaking, near, *contrary)
            notes += self._named(silent, f"{SILENT}{about}")
        if unknown := [word for word in need.words if need.conditions and word not in self.corpus]:
            quoted = ", ".join(f"“{word}”" for word in unknown)
            notes.append(
                f"No source has the words {quoted}; whether they apply to {about} needs understanding."
            )
        return tuple(notes)

    def _contrary(self, speaking: Collection[int]) -> Mapping[frozenset[int], str]:
        """The notes on the other sources of which no statement meets a condition, by these sources."""
        by_conditions: dict[str, set[int]] = {}
        for number, conditions in self.corpus.unmet_conditions(self.need).items():
            if number not in speaking:
                by_conditions.setdefault(", ".join(f"“{one.text}”" for one in conditions), set()).add(number)
        return {
            frozenset(numbers): note
            for conditions, numbers in by_conditions.items()
            for note in self._named(numbers, f"nothing in it meets {conditions}")
        }

    def _named(self, numbers: Collection[int], statement: str) -> list[str]:
        read = sorted(number for number in numbers if not self.only or number in self.only)
        titles = [plain_title(self.corpus.titles[number], number) for number in read]
        return [read_note(titles, statement)] if read else []

"""The earlier turns of the conversation for a request: the last ones in order, and older ones that are related."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from frasier.kernel.text import estimate_tokens, shorten
from frasier.llm import ConversationTurn, Tier
from frasier.memory import SHARED_SCOPE, Memory, MemoryKind
from frasier.org.conversation import FOUNDER_SPEAKS, FounderMessage, last_turns, topics_before
from frasier.org.missions import MISSION_RECORDS
from frasier.work.run_lease import Run
from frasier.work.run_memory import remember

_TURNS_MAX = 12
_TURN_CHARS = 1_200
_TOKENS_SHARE = 0.15
_TOKENS_MAX = 3_000
_RELATED_MAX = 6
_RELATED_CHARS = 300
_QUERY_CHARS = 2_000
_KINDS = frozenset({MemoryKind.CONVERSATION, MemoryKind.DECISION, MemoryKind.OBSERVATION})


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierTurns:
    """The last turns before a message, oldest first, and what is related to it of all that came before."""

    last: tuple[ConversationTurn, ...]
    related: tuple[str, ...]


async def earlier_turns(
    run: Run, message: FounderMessage, *, about_mission: UUID | None = None
) -> EarlierTurns:
    """Return the last turns within a share of the context of T1, and older ones by the words and topics of the message.

    With `about_mission` only turns of the conversation about that mission are returned.
    """
    rehearsed = run.gateway.is_rehearsal
    async with run.database.transaction() as tx:
        turns = await last_turns(
            tx, _TURNS_MAX, rehearsed=rehearsed, before_message=message.id, mission_id=about_mission
        )
    tokens = min(int(_TOKENS_SHARE * run.gateway.route(Tier.T1).context_tokens), _TOKENS_MAX)
    shown = _newest_that_fit(turns, tokens)
    related = () if about_mission else await _related(run, message, turns, shown)
    last = tuple(ConversationTurn(speaker=_speaker(turn), text=_text(turn)) for turn in shown)
    return EarlierTurns(last=last, related=related)


def _newest_that_fit(turns: Sequence[Memory], tokens_max: int) -> list[Memory]:
    fitting: list[Memory] = []
    left = tokens_max
    for turn in reversed(turns):
        left -= estimate_tokens(_text(turn))
        if left < 0:
            break
        fitting.append(turn)
    return fitting[::-1]


async def _related(
    run: Run, message: FounderMessage, turns: Sequence[Memory], last: Sequence[Memory]
) -> tuple[str, ...]:
    # "And how old is he?" says nothing to search for: the turn before says whom it is about.
    query = " ".join((shorten(message.text, _QUERY_CHARS), *topics_before(turns)))
    found = await remember(
        await run.memory(),
        query,
        scopes=(SHARED_SCOPE, MISSION_RECORDS),
        kinds=_KINDS,
        limit=_RELATED_MAX + len(last) + 1,
        rehearsed=run.gateway.is_rehearsal,
    )
    known = {turn.id for turn in last}
    others = [
        one
        for one in found
        if one.id not in known
        and one.created_at <= message.created_at
        and one.provenance.get("message") != str(message.id)
    ]
    return tuple(f"{one.title}: {shorten(one.content, _RELATED_CHARS)}" for one in others[:_RELATED_MAX])


def _speaker(turn: Memory) -> str:
    return "The founder" if turn.title == FOUNDER_SPEAKS else "You"


def _text(turn: Memory) -> str:
    return shorten(" ".join(turn.content.split()), _TURN_CHARS)

"""The typed inputs of what the founder says: a message, a question about a mission, a change of one that runs."""

from __future__ import annotations

from dataclasses import dataclass

from frasier.llm.prompt_inputs import CheckedStatement, DocumentEntry, Passage, Predecessor, StaffedRole


@dataclass(frozen=True, slots=True, kw_only=True)
class ConversationTurn:
    """A turn of the conversation: `speaker` is "The founder" or "You", the chief of staff."""

    speaker: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifyInputs:
    """A message, the turns before it, oldest first, and the names of its attachments."""

    message: str
    turns: tuple[ConversationTurn, ...] = ()
    attached: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkInputs:
    """A message, the turns before it, oldest first, and the earlier ones that are found by its words and topics.

    `attachments` are the files and links of the message as text, with their names; `unread` says of the others why
    they could not be read.
    """

    message: str
    turns: tuple[ConversationTurn, ...] = ()
    memories: tuple[str, ...] = ()
    state: tuple[str, ...] = ()
    attachments: tuple[Passage, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class AskInputs:
    """A question about a mission, and the evidence that bears on it.

    `results` are the deliverable, or the results of steps while there is none; `statements` those of it that the
    question may mean, with their verdicts, and `headline` counts the verdicts on all. `named` are the numbers of the
    sources that the question names. `steps` tell how the work was done. `draft` is an earlier answer, with the
    `faults` that were computed over it.
    """

    question: str
    directive: str
    results: tuple[Predecessor, ...]
    statements: tuple[CheckedStatement, ...] = ()
    headline: str = ""
    passages: tuple[Passage, ...] = ()
    named: tuple[int, ...] = ()
    steps: tuple[str, ...] = ()
    turns: tuple[ConversationTurn, ...] = ()
    draft: str = ""
    faults: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class StepOfMission:
    """A step of a mission that runs, with its assignment, who does it, the keys that it needs, and how far it is.

    One that is not `can_change` is done or under review.
    """

    key: str
    title: str
    task: str
    agent: str
    role: str
    status: str
    needs: tuple[str, ...]
    acceptance: tuple[str, ...]
    can_change: bool
    is_final: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class SteerInputs:
    """The inputs of a change of a mission that runs, by what the founder wants now.

    `amendments` are earlier changes. `issues` are the reasons against an earlier proposal.
    """

    wish: str
    directive: str
    steps: tuple[StepOfMission, ...]
    roles: tuple[StaffedRole, ...]
    web_search: bool
    max_steps: int
    max_parallel: int
    max_queries_per_step: int
    max_sources_per_step: int
    documents: tuple[DocumentEntry, ...] = ()
    answers: tuple[str, ...] = ()
    amendments: tuple[str, ...] = ()
    turns: tuple[ConversationTurn, ...] = ()
    issues: tuple[str, ...] = ()

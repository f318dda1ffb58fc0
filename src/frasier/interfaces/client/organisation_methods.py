"""The operations of the organisation as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from frasier.interfaces.client.typed_calls import Page
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.organisation.answers import WaitingAnswerOutput
    from frasier.interfaces.operations.organisation.costs import CostOutput
    from frasier.interfaces.operations.organisation.deliverables import DeliverableOutput
    from frasier.interfaces.operations.organisation.directives import DirectiveListOutput, DirectiveOutput
    from frasier.interfaces.operations.organisation.events import EventListOutput, EventVerifyOutput
    from frasier.interfaces.operations.organisation.given_files import InlineDocument
    from frasier.interfaces.operations.organisation.messages import MessageOutput
    from frasier.interfaces.operations.organisation.mission_page import MissionOutput
    from frasier.interfaces.operations.organisation.missions import MissionListOutput
    from frasier.interfaces.operations.organisation.outbox import OutboxOutput
    from frasier.interfaces.operations.organisation.people import AgentListOutput, AgentOutput
    from frasier.interfaces.operations.organisation.runs import MissionRunOutput, MissionStateOutput
    from frasier.interfaces.operations.organisation.shares import (
        ShareCreateOutput,
        ShareListOutput,
        ShareRevokeOutput,
    )
    from frasier.interfaces.operations.organisation.status import OrganisationStatusOutput
    from frasier.interfaces.operations.organisation.steps import StepOutput, VerdictOutput
    from frasier.interfaces.operations.organisation.waiting import InboxOutput
    from frasier.kernel.deliverable_kind import DeliverableKind
    from frasier.org.planning.missions import MissionStatus
    from typing import Literal
    from uuid import UUID


class OrganisationMethods(TypedCalls):
    """The operations of the organisation."""

    def status_get(
        self,
    ) -> Envelope[OrganisationStatusOutput]:
        """Show the state of everything. How everything stands: missions by status, open tasks, what waits for the
        founder, spend against the caps, workers, outages and other troubles.
        """
        return self._run("status_get", locals())

    def inbox_get(
        self,
    ) -> Envelope[InboxOutput]:
        """Show the inbox. What waits for the founder: questions with their options, decisions about boards and
        files, blocks, outages, effects in trouble; and the latest announcements.
        """
        return self._run("inbox_get", locals())

    def decide(
        self,
        question: str,
        answer: str,
        *,
        note: str | None = None,
    ) -> Envelope[WaitingAnswerOutput]:
        """Answer what waits for the founder. Answer a question, or decide about a board's move or a memory file;
        once. What was answered is refused.
        """
        return self._run("decide", locals())

    def mission_list(
        self,
        *,
        limit: int | None = None,
        status: Sequence[MissionStatus | str] | None = None,
    ) -> Page[MissionListOutput]:
        """List missions. Missions, newest first, with status, steps done, cost and the number of open questions
        to the founder.
        """
        return self._page("mission_list", locals())

    def mission_get(
        self,
        mission: str,
    ) -> Envelope[MissionOutput]:
        """Show a mission. One mission whole: its steps with status, phase, scores and costs, its plan and
        estimate, the expected end, sources, open questions and what holds it up.
        """
        return self._run("mission_get", locals())

    def mission_run(
        self,
        directive: str,
        *,
        kind: DeliverableKind | str | None = None,
        budget: float | None = None,
        documents: Sequence[InlineDocument] | None = None,
        uploads: Sequence[UUID | str] | None = None,
        sources: Sequence[str] | None = None,
        out: str | None = None,
        web: bool | None = None,
        with_earlier: bool | None = None,
        plan: bool | None = None,
        no_questions: bool | None = None,
        skip_unreadable: bool | None = None,
    ) -> Envelope[MissionRunOutput]:
        """Start a mission. Give the organisation a directive with the documents to work from. It is stored and
        answered at once, and worked on by the workers; mission_get shows how far it is, deliverable_get
        the result.
        """
        return self._run("mission_run", locals())

    def mission_pause(
        self,
        mission: str,
        *,
        note: str | None = None,
    ) -> Envelope[MissionStateOutput]:
        """Pause a mission. Pause a mission: a running step stops at its next checkpoint, and nothing is lost."""
        return self._run("mission_pause", locals())

    def mission_resume(
        self,
        mission: str,
        *,
        budget: float | None = None,
    ) -> Envelope[MissionStateOutput]:
        """Go on with a mission. Go on with a mission that was paused, and give it another budget if one is named."""
        return self._run("mission_resume", locals())

    def mission_cancel(
        self,
        mission: str,
        *,
        note: str | None = None,
    ) -> Envelope[MissionStateOutput]:
        """Cancel a mission. Cancel a mission; what it made is kept."""
        return self._run("mission_cancel", locals())

    def mission_retry(
        self,
        mission: str,
        *,
        note: str | None = None,
    ) -> Envelope[MissionStateOutput]:
        """Try a mission or a step again. Try again every part of a mission that failed, was cancelled or is
        blocked, or one step.
        """
        return self._run("mission_retry", locals())

    def step_get(
        self,
        step: str,
    ) -> Envelope[StepOutput]:
        """Show a step. One step of a mission: its instruction, versions with critique, reviews and verification,
        calls and costs. deliverable_get has the text of a version.
        """
        return self._run("step_get", locals())

    def step_approve(
        self,
        id: str,
        *,
        digest: str | None = None,
        note: str | None = None,
    ) -> Envelope[VerdictOutput]:
        """Approve a step or a plan. Approve the version of a step that waits for a verdict, in place of its
        reviewers, or a mission's plan.
        """
        return self._run("step_approve", locals())

    def step_reject(
        self,
        id: str,
        *,
        digest: str | None = None,
        reason: str | None = None,
    ) -> Envelope[VerdictOutput]:
        """Send a step or a plan back. Send a version of a step back with the reason, which its author is told; or
        a plan, which is made again with a reason and cancels the mission without one.
        """
        return self._run("step_reject", locals())

    def deliverable_get(
        self,
        mission: str,
        *,
        step: str | None = None,
        version: int | None = None,
    ) -> Envelope[DeliverableOutput]:
        """Read a deliverable. The result of a mission as Markdown, with the verdict and the passages of each
        statement, its sources and versions.
        """
        return self._run("deliverable_get", locals())

    def share_create(
        self,
        mission: str,
        *,
        days: int | None = None,
        version: int | None = None,
        latest: bool | None = None,
    ) -> Envelope[ShareCreateOutput]:
        """Share a deliverable. Make a link by which anybody may read one deliverable for some days, without a
        login and nothing else.
        """
        return self._run("share_create", locals())

    def share_list(
        self,
        *,
        mission: str | None = None,
        limit: int | None = None,
    ) -> Envelope[ShareListOutput]:
        """List share links. The links by which deliverables are shared, with their ends; never their secrets."""
        return self._run("share_list", locals())

    def share_revoke(
        self,
        share: str,
    ) -> Envelope[ShareRevokeOutput]:
        """Revoke a share link. Revoke a link at once: it shows nothing any more."""
        return self._run("share_revoke", locals())

    def say(
        self,
        text: str,
        *,
        documents: Sequence[InlineDocument] | None = None,
        uploads: Sequence[UUID | str] | None = None,
        attach: Sequence[str] | None = None,
    ) -> Envelope[MessageOutput]:
        """Say something to the chief of staff. A message to the chief of staff, stored at once and answered by a
        worker: message_get has the answer. Work that it asks for begins, a standing rule is recorded.
        """
        return self._run("say", locals())

    def mission_ask(
        self,
        mission: str,
        question: str,
    ) -> Envelope[MessageOutput]:
        """Ask about a mission. A question about a mission, answered from its evidence; message_get has the
        answer.
        """
        return self._run("mission_ask", locals())

    def mission_revise(
        self,
        mission: str,
        wish: str,
    ) -> Envelope[MessageOutput]:
        """Have a new version of a result made. Have a new version of a delivered result made from what was read
        for it; the version before it is kept.
        """
        return self._run("mission_revise", locals())

    def mission_steer(
        self,
        mission: str,
        change: str,
    ) -> Envelope[MessageOutput]:
        """Change what is not done yet of a mission. Say what shall be different of a running mission: what is
        done stays; message_get tells the changes.
        """
        return self._run("mission_steer", locals())

    def message_get(
        self,
        message: UUID | str,
    ) -> Envelope[MessageOutput]:
        """Read an answer. A message of the founder's to the chief of staff or about a mission, with its answer
        once there is one.
        """
        return self._run("message_get", locals())

    def agent_list(
        self,
        *,
        everyone: bool | None = None,
    ) -> Envelope[AgentListOutput]:
        """List agents. Who works in the organisation: role, team, open tasks and skills."""
        return self._run("agent_list", locals())

    def agent_get(
        self,
        agent: str,
    ) -> Envelope[AgentOutput]:
        """Show an agent. One agent: persona, skills, recent work and lessons."""
        return self._run("agent_get", locals())

    def directive_list(
        self,
    ) -> Envelope[DirectiveListOutput]:
        """List standing rules. The founder's standing rules in force, and which of them find no room in prompts."""
        return self._run("directive_list", locals())

    def directive_add(
        self,
        text: str,
    ) -> Envelope[DirectiveOutput]:
        """Record a standing rule. Record a rule for all work; it is in every prompt from now on."""
        return self._run("directive_add", locals())

    def directive_withdraw(
        self,
        directive: str,
    ) -> Envelope[DirectiveOutput]:
        """Withdraw a standing rule. Withdraw a standing rule: it is in no prompt from now on; its text is kept."""
        return self._run("directive_withdraw", locals())

    def cost_get(
        self,
        *,
        since: date | None = None,
        mission: str | None = None,
    ) -> Envelope[CostOutput]:
        """Show costs. What was spent in US dollars, by tier, model, mission and day, and how full the caps are."""
        return self._run("cost_get", locals())

    def event_list(
        self,
        *,
        limit: int | None = None,
        mission: str | None = None,
    ) -> Page[EventListOutput]:
        """List events. The newest events of the audit log, oldest first; of one mission with its tasks if it is
        named.
        """
        return self._page("event_list", locals())

    def event_verify(
        self,
        *,
        tasks: Literal["sample", "all"] | None = None,
    ) -> Envelope[EventVerifyOutput]:
        """Verify the audit log. Recompute every chain and seal of the audit log, and replay tasks from their
        events. Slow on a large log.
        """
        return self._run("event_verify", locals())

    def outbox_list(
        self,
        *,
        limit: int | None = None,
        sent: bool | None = None,
    ) -> Envelope[OutboxOutput]:
        """List effects. Publications and announcements on their way, in trouble or in doubt."""
        return self._run("outbox_list", locals())

    def outbox_resend(
        self,
        *,
        effect: str | None = None,
    ) -> Envelope[OutboxOutput]:
        """Try effects again. Try again at once what failed, is in doubt or waits for its next try."""
        return self._run("outbox_resend", locals())


OUTPUTS = {
    "agent_get": "frasier.interfaces.operations.organisation.people:AgentOutput",
    "agent_list": "frasier.interfaces.operations.organisation.people:AgentListOutput",
    "cost_get": "frasier.interfaces.operations.organisation.costs:CostOutput",
    "decide": "frasier.interfaces.operations.organisation.answers:WaitingAnswerOutput",
    "deliverable_get": "frasier.interfaces.operations.organisation.deliverables:DeliverableOutput",
    "directive_add": "frasier.interfaces.operations.organisation.directives:DirectiveOutput",
    "directive_list": "frasier.interfaces.operations.organisation.directives:DirectiveListOutput",
    "directive_withdraw": "frasier.interfaces.operations.organisation.directives:DirectiveOutput",
    "event_list": "frasier.interfaces.operations.organisation.events:EventListOutput",
    "event_verify": "frasier.interfaces.operations.organisation.events:EventVerifyOutput",
    "inbox_get": "frasier.interfaces.operations.organisation.waiting:InboxOutput",
    "message_get": "frasier.interfaces.operations.organisation.messages:MessageOutput",
    "mission_ask": "frasier.interfaces.operations.organisation.messages:MessageOutput",
    "mission_cancel": "frasier.interfaces.operations.organisation.runs:MissionStateOutput",
    "mission_get": "frasier.interfaces.operations.organisation.mission_page:MissionOutput",
    "mission_list": "frasier.interfaces.operations.organisation.missions:MissionListOutput",
    "mission_pause": "frasier.interfaces.operations.organisation.runs:MissionStateOutput",
    "mission_resume": "frasier.interfaces.operations.organisation.runs:MissionStateOutput",
    "mission_retry": "frasier.interfaces.operations.organisation.runs:MissionStateOutput",
    "mission_revise": "frasier.interfaces.operations.organisation.messages:MessageOutput",
    "mission_run": "frasier.interfaces.operations.organisation.runs:MissionRunOutput",
    "mission_steer": "frasier.interfaces.operations.organisation.messages:MessageOutput",
    "outbox_list": "frasier.interfaces.operations.organisation.outbox:OutboxOutput",
    "outbox_resend": "frasier.interfaces.operations.organisation.outbox:OutboxOutput",
    "say": "frasier.interfaces.operations.organisation.messages:MessageOutput",
    "share_create": "frasier.interfaces.operations.organisation.shares:ShareCreateOutput",
    "share_list": "frasier.interfaces.operations.organisation.shares:ShareListOutput",
    "share_revoke": "frasier.interfaces.operations.organisation.shares:ShareRevokeOutput",
    "status_get": "frasier.interfaces.operations.organisation.status:OrganisationStatusOutput",
    "step_approve": "frasier.interfaces.operations.organisation.steps:VerdictOutput",
    "step_get": "frasier.interfaces.operations.organisation.steps:StepOutput",
    "step_reject": "frasier.interfaces.operations.organisation.steps:VerdictOutput",
}
"""Where the output of each operation is defined."""

"""The operations of the organisation as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import date
    from frasier.interfaces.client.typed_calls import Page
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.organisation.costs import CostOutput
    from frasier.interfaces.operations.organisation.deliverables import DeliverableOutput
    from frasier.interfaces.operations.organisation.directives import DirectiveListOutput
    from frasier.interfaces.operations.organisation.events import (
        EventListOutput,
        EventVerifyOutput,
        TasksReplayed,
    )
    from frasier.interfaces.operations.organisation.messages import MessageOutput
    from frasier.interfaces.operations.organisation.missions import MissionListOutput, MissionOutput
    from frasier.interfaces.operations.organisation.outbox import OutboxOutput
    from frasier.interfaces.operations.organisation.people import AgentListOutput, AgentOutput
    from frasier.interfaces.operations.organisation.status import StatusOutput
    from frasier.interfaces.operations.organisation.steps import StepOutput
    from frasier.interfaces.operations.organisation.waiting import InboxOutput
    from frasier.org.planning.missions import MissionStatus
    from uuid import UUID


class OrganisationMethods(TypedCalls):
    """The operations of the organisation."""

    def status_get(
        self,
    ) -> Envelope[StatusOutput]:
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
        *,
        mission: str | None = None,
    ) -> Envelope[MissionOutput]:
        """Show a mission. One mission whole: its steps with status, phase, scores and costs, its plan and
        estimate, the expected end, sources, open questions and what holds it up.
        """
        return self._run("mission_get", locals())

    def step_get(
        self,
        step: str,
    ) -> Envelope[StepOutput]:
        """Show a step. One step of a mission: its instruction, versions with critique, reviews and verification,
        calls and costs. deliverable_get has the text of a version.
        """
        return self._run("step_get", locals())

    def deliverable_get(
        self,
        *,
        mission: str | None = None,
        step: str | None = None,
        version: int | None = None,
    ) -> Envelope[DeliverableOutput]:
        """Read a deliverable. The result of a mission as Markdown, with the verdict and the passages of each
        statement, its sources and versions.
        """
        return self._run("deliverable_get", locals())

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
        tasks: TasksReplayed | str | None = None,
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


OUTPUTS = {
    "agent_get": "frasier.interfaces.operations.organisation.people:AgentOutput",
    "agent_list": "frasier.interfaces.operations.organisation.people:AgentListOutput",
    "cost_get": "frasier.interfaces.operations.organisation.costs:CostOutput",
    "deliverable_get": "frasier.interfaces.operations.organisation.deliverables:DeliverableOutput",
    "directive_list": "frasier.interfaces.operations.organisation.directives:DirectiveListOutput",
    "event_list": "frasier.interfaces.operations.organisation.events:EventListOutput",
    "event_verify": "frasier.interfaces.operations.organisation.events:EventVerifyOutput",
    "inbox_get": "frasier.interfaces.operations.organisation.waiting:InboxOutput",
    "message_get": "frasier.interfaces.operations.organisation.messages:MessageOutput",
    "mission_get": "frasier.interfaces.operations.organisation.missions:MissionOutput",
    "mission_list": "frasier.interfaces.operations.organisation.missions:MissionListOutput",
    "outbox_list": "frasier.interfaces.operations.organisation.outbox:OutboxOutput",
    "status_get": "frasier.interfaces.operations.organisation.status:StatusOutput",
    "step_get": "frasier.interfaces.operations.organisation.steps:StepOutput",
}
"""Where the output of each operation is defined."""

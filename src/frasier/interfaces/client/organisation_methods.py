"""The operations of the organisation as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date
    from frasier.interfaces.client.typed_calls import ResultPage
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.organisation.costs import CostOutput
    from frasier.interfaces.operations.organisation.deliverables import DeliverableOutput
    from frasier.interfaces.operations.organisation.directives import DirectiveListOutput, DirectiveOutput
    from frasier.interfaces.operations.organisation.events import EventListOutput, EventVerifyOutput
    from frasier.interfaces.operations.organisation.given_files import InlineDocument
    from frasier.interfaces.operations.organisation.messages import MessageOutput
    from frasier.interfaces.operations.organisation.mission_page import MissionOutput
    from frasier.interfaces.operations.organisation.missions import MissionListOutput
    from frasier.interfaces.operations.organisation.outbox import OutboxOutput
    from frasier.interfaces.operations.organisation.policies import (
        PolicyHistoryOutput,
        PolicyListOutput,
        PolicyOutput,
    )
    from frasier.interfaces.operations.organisation.post_mortem import (
        PostMortemOutput,
        PostMortemTrendsOutput,
    )
    from frasier.interfaces.operations.organisation.routines import (
        RoutineListOutput,
        RoutineOutput,
        StandUpOutput,
    )
    from frasier.interfaces.operations.organisation.runs import MissionRunOutput, MissionStateOutput
    from frasier.interfaces.operations.organisation.shares import (
        ShareCreateOutput,
        ShareListOutput,
        ShareRevokeOutput,
    )
    from frasier.interfaces.operations.organisation.skill_packages import PackageListOutput, PackageOutput
    from frasier.interfaces.operations.organisation.skills import (
        SkillDiffOutput,
        SkillHistoryOutput,
        SkillListOutput,
        SkillOutput,
    )
    from frasier.interfaces.operations.organisation.status import OrganisationStatusOutput
    from frasier.interfaces.operations.organisation.steps import StepOutput, VerdictOutput
    from frasier.interfaces.operations.organisation.subscriptions import (
        RemovedOutput,
        SecretOutput,
        SubscriptionListOutput,
        SubscriptionOutput,
        TestOutput,
    )
    from frasier.interfaces.operations.organisation.telemetry import TelemetryOutput
    from frasier.interfaces.operations.organisation.waiting import InboxOutput
    from frasier.interfaces.operations.organisation.waiting_answers import WaitingAnswerOutput
    from frasier.kernel.deliverable_kind import DeliverableKind
    from frasier.kernel.mission_depth import MissionDepth
    from frasier.org.missions import MissionStatus
    from typing import Literal
    from uuid import UUID


class OrganisationMethods(TypedCalls):
    """The operations of the organisation."""

    def status_get(self) -> Envelope[OrganisationStatusOutput]:
        """Call `status_get`. How everything stands: missions by status, open tasks, what waits for the founder,
        spend against the caps, workers, outages and other troubles.
        """
        return self._run("status_get", "organisation.status:OrganisationStatusOutput", locals())

    def inbox_get(self) -> Envelope[InboxOutput]:
        """Call `inbox_get`. What waits for the founder: questions with their options, decisions about boards and
        files, blocks, outages, effects in trouble; and the latest announcements.
        """
        return self._run("inbox_get", "organisation.waiting:InboxOutput", locals())

    def decide(
        self,
        question: str,
        answer: str,
        *,
        note: str | None = None,
        budget: float | None = None,
        digest: str | None = None,
    ) -> Envelope[WaitingAnswerOutput]:
        """Call `decide`. Answer a question, or decide about a board's move or a memory file; once."""
        return self._run("decide", "organisation.waiting_answers:WaitingAnswerOutput", locals())

    def mission_list(
        self, *, limit: int | None = None, status: Sequence[MissionStatus | str] | None = None
    ) -> ResultPage[MissionListOutput]:
        """Call `mission_list`. Missions, newest first, with status, steps done, cost and the number of open
        questions to the founder.
        """
        return self._page("mission_list", "organisation.missions:MissionListOutput", locals())

    def mission_get(self, mission: str) -> Envelope[MissionOutput]:
        """Call `mission_get`. One mission whole: its steps with status, phase, scores and costs, its plan and
        estimate, the expected end, sources, open questions and what holds it up.
        """
        return self._run("mission_get", "organisation.mission_page:MissionOutput", locals())

    def mission_run(
        self,
        directive: str,
        *,
        kind: DeliverableKind | str | None = None,
        depth: MissionDepth | str | None = None,
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
        """Call `mission_run`. Give the organisation a directive with the documents to work from. It is stored and
        answered at once, and worked on by the workers; mission_get shows how far it is, deliverable_get
        the result.
        """
        return self._run("mission_run", "organisation.runs:MissionRunOutput", locals())

    def mission_pause(self, mission: str, *, note: str | None = None) -> Envelope[MissionStateOutput]:
        """Call `mission_pause`. Pause a mission: a running step stops at its next checkpoint, and nothing is
        lost.
        """
        return self._run("mission_pause", "organisation.runs:MissionStateOutput", locals())

    def mission_resume(self, mission: str, *, budget: float | None = None) -> Envelope[MissionStateOutput]:
        """Call `mission_resume`. Go on with a mission that was paused, and give it another budget if one is
        named.
        """
        return self._run("mission_resume", "organisation.runs:MissionStateOutput", locals())

    def mission_cancel(self, mission: str, *, note: str | None = None) -> Envelope[MissionStateOutput]:
        """Call `mission_cancel`. Cancel a mission; what it made is kept."""
        return self._run("mission_cancel", "organisation.runs:MissionStateOutput", locals())

    def mission_retry(self, mission: str, *, note: str | None = None) -> Envelope[MissionStateOutput]:
        """Call `mission_retry`. Try again every part of a mission that failed, was cancelled or is blocked, or
        one step.
        """
        return self._run("mission_retry", "organisation.runs:MissionStateOutput", locals())

    def step_get(self, step: str) -> Envelope[StepOutput]:
        """Call `step_get`. One step of a mission: its instruction, versions with critique, reviews and
        verification, calls and costs. deliverable_get has the text of a version.
        """
        return self._run("step_get", "organisation.steps:StepOutput", locals())

    def step_approve(
        self, id: str, *, digest: str | None = None, note: str | None = None
    ) -> Envelope[VerdictOutput]:
        """Call `step_approve`. Approve the version of a step that waits for a verdict, in place of its reviewers,
        or a mission's plan.
        """
        return self._run("step_approve", "organisation.steps:VerdictOutput", locals())

    def step_reject(
        self, id: str, *, digest: str | None = None, reason: str | None = None
    ) -> Envelope[VerdictOutput]:
        """Call `step_reject`. Send a version of a step back with the reason, which its author is told; or a plan,
        which is made again with a reason and cancels the mission without one.
        """
        return self._run("step_reject", "organisation.steps:VerdictOutput", locals())

    def deliverable_get(
        self, mission: str, *, step: str | None = None, version: int | None = None
    ) -> Envelope[DeliverableOutput]:
        """Call `deliverable_get`. The result of a mission as Markdown, with the verdict and the passages of each
        statement, its sources and versions.
        """
        return self._run("deliverable_get", "organisation.deliverables:DeliverableOutput", locals())

    def share_create(
        self, mission: str, *, days: int | None = None, version: int | None = None, latest: bool | None = None
    ) -> Envelope[ShareCreateOutput]:
        """Call `share_create`. Make a link by which anybody may read one deliverable for some days, without a
        login and nothing else.
        """
        return self._run("share_create", "organisation.shares:ShareCreateOutput", locals())

    def share_list(
        self, *, mission: str | None = None, limit: int | None = None
    ) -> Envelope[ShareListOutput]:
        """Call `share_list`. The links by which deliverables are shared, with their ends; never their secrets."""
        return self._run("share_list", "organisation.shares:ShareListOutput", locals())

    def share_revoke(self, share: str) -> Envelope[ShareRevokeOutput]:
        """Call `share_revoke`. Revoke a link at once: it shows nothing any more."""
        return self._run("share_revoke", "organisation.shares:ShareRevokeOutput", locals())

    def say(
        self,
        text: str,
        *,
        documents: Sequence[InlineDocument] | None = None,
        uploads: Sequence[UUID | str] | None = None,
        attach: Sequence[str] | None = None,
    ) -> Envelope[MessageOutput]:
        """Call `say`. A message to the chief of staff, stored at once and answered by a worker: message_get has
        the answer. Work that it asks for begins, a standing rule is recorded.
        """
        return self._run("say", "organisation.messages:MessageOutput", locals())

    def mission_ask(self, mission: str, question: str) -> Envelope[MessageOutput]:
        """Call `mission_ask`. A question about a mission, answered from its evidence; message_get has the answer."""
        return self._run("mission_ask", "organisation.messages:MessageOutput", locals())

    def mission_revise(self, mission: str, wish: str) -> Envelope[MessageOutput]:
        """Call `mission_revise`. Have a new version of a delivered result made from what was read for it; the
        version before it is kept.
        """
        return self._run("mission_revise", "organisation.messages:MessageOutput", locals())

    def mission_steer(self, mission: str, change: str) -> Envelope[MessageOutput]:
        """Call `mission_steer`. Say what shall be different of a running mission: what is done stays; message_get
        tells the changes.
        """
        return self._run("mission_steer", "organisation.messages:MessageOutput", locals())

    def message_get(self, message: str) -> Envelope[MessageOutput]:
        """Call `message_get`. A message of the founder's to the chief of staff or about a mission, with its
        answer once there is one.
        """
        return self._run("message_get", "organisation.messages:MessageOutput", locals())

    def skill_add(self, source: str, *, agents: Sequence[str] | None = None) -> Envelope[PackageOutput]:
        """Call `skill_add`. Read a SKILL.md folder without running anything of it, pin its hash, and scan it. It
        is not active.
        """
        return self._run("skill_add", "organisation.skill_packages:PackageOutput", locals())

    def skill_scan(self, skill: str) -> Envelope[PackageOutput]:
        """Call `skill_scan`. Run the gates of a machine over the stored files of a skill again; a flag
        quarantines it.
        """
        return self._run("skill_scan", "organisation.skill_packages:PackageOutput", locals())

    def skill_approve(self, skill: str, hash: str, answers: Mapping[str, str]) -> Envelope[PackageOutput]:
        """Call `skill_approve`. Record the founder's review of the files with a hash; the skill is active if
        nothing was found.
        """
        return self._run("skill_approve", "organisation.skill_packages:PackageOutput", locals())

    def skill_quarantine(self, skill: str, *, why: str | None = None) -> Envelope[PackageOutput]:
        """Call `skill_quarantine`. Give a skill of a third party to no prompt from now on; the work that used it
        is named.
        """
        return self._run("skill_quarantine", "organisation.skill_packages:PackageOutput", locals())

    def skill_packages(self) -> Envelope[PackageListOutput]:
        """Call `skill_packages`. The skills of third parties with their state, and what each gate said."""
        return self._run("skill_packages", "organisation.skill_packages:PackageListOutput", locals())

    def skill_package(self, skill: str) -> Envelope[PackageOutput]:
        """Call `skill_package`. One skill of a third party: its text and files, all findings of the gates, and
        the work that used it.
        """
        return self._run("skill_package", "organisation.skill_packages:PackageOutput", locals())

    def skill_list(self) -> Envelope[SkillListOutput]:
        """Call `skill_list`. The skills with the method in force of each, who has them, and accepted works with
        them.
        """
        return self._run("skill_list", "organisation.skills:SkillListOutput", locals())

    def skill_get(
        self, skill: str, *, version: int | None = None, uses: int | None = None
    ) -> Envelope[SkillOutput]:
        """Call `skill_get`. One skill: both texts of its method, their provenance, who has it, and the runs that
        were given it.
        """
        return self._run("skill_get", "organisation.skills:SkillOutput", locals())

    def skill_history(self, skill: str) -> Envelope[SkillHistoryOutput]:
        """Call `skill_history`. The versions of a skill: who wrote each, when, why and from what."""
        return self._run("skill_history", "organisation.skills:SkillHistoryOutput", locals())

    def skill_diff(
        self, skill: str, *, old: int | None = None, new: int | None = None
    ) -> Envelope[SkillDiffOutput]:
        """Call `skill_diff`. The lines in which two versions of a skill differ."""
        return self._run("skill_diff", "organisation.skills:SkillDiffOutput", locals())

    def skill_rollback(self, skill: str, version: int, *, why: str | None = None) -> Envelope[SkillOutput]:
        """Call `skill_rollback`. Put another version of a skill in force; prompts are given it from the next run
        on.
        """
        return self._run("skill_rollback", "organisation.skills:SkillOutput", locals())

    def directive_list(self) -> Envelope[DirectiveListOutput]:
        """Call `directive_list`. The founder's standing rules in force, and which of them find no room in
        prompts.
        """
        return self._run("directive_list", "organisation.directives:DirectiveListOutput", locals())

    def directive_add(self, text: str) -> Envelope[DirectiveOutput]:
        """Call `directive_add`. Record a rule for all work; it is in every prompt from now on."""
        return self._run("directive_add", "organisation.directives:DirectiveOutput", locals())

    def directive_withdraw(self, directive: str) -> Envelope[DirectiveOutput]:
        """Call `directive_withdraw`. Withdraw a standing rule: it is in no prompt from now on; its text is kept."""
        return self._run("directive_withdraw", "organisation.directives:DirectiveOutput", locals())

    def policy_list(self) -> Envelope[PolicyListOutput]:
        """Call `policy_list`. The founder's policies in force, each with its rules."""
        return self._run("policy_list", "organisation.policies:PolicyListOutput", locals())

    def policy_get(self, subject: str) -> Envelope[PolicyOutput]:
        """Call `policy_get`. One policy: each rule with its value, its default and what it means."""
        return self._run("policy_get", "organisation.policies:PolicyOutput", locals())

    def policy_set(
        self,
        subject: str,
        rules: Mapping[str, bool | int | float | str],
        *,
        why: str | None = None,
        version: int | None = None,
    ) -> Envelope[PolicyOutput]:
        """Call `policy_set`. Change rules of a policy; the version before it is kept."""
        return self._run("policy_set", "organisation.policies:PolicyOutput", locals())

    def policy_history(self, subject: str, *, limit: int | None = None) -> Envelope[PolicyHistoryOutput]:
        """Call `policy_history`. The versions of a policy: who changed what, when and why."""
        return self._run("policy_history", "organisation.policies:PolicyHistoryOutput", locals())

    def routine_stand_up(self, *, team: str | None = None) -> Envelope[StandUpOutput]:
        """Call `routine_stand_up`. Have a team hold today's stand-up, once a day and only where something
        happened; a worker carries it out.
        """
        return self._run("routine_stand_up", "organisation.routines:StandUpOutput", locals())

    def routine_list(
        self, *, mission: str | None = None, limit: int | None = None
    ) -> Envelope[RoutineListOutput]:
        """Call `routine_list`. The newest stand-ups, brainstorms, debates and mentorings with cost and outcome."""
        return self._run("routine_list", "organisation.routines:RoutineListOutput", locals())

    def routine_get(self, routine: str) -> Envelope[RoutineOutput]:
        """Call `routine_get`. One routine: who said what, what it cost, its outcome and what became of it."""
        return self._run("routine_get", "organisation.routines:RoutineOutput", locals())

    def cost_get(self, *, since: date | None = None, mission: str | None = None) -> Envelope[CostOutput]:
        """Call `cost_get`. What was spent in US dollars, by tier, model, mission and day, and how full the caps
        are.
        """
        return self._run("cost_get", "organisation.costs:CostOutput", locals())

    def telemetry_get(self, mission: str) -> Envelope[TelemetryOutput]:
        """Call `telemetry_get`. Where the time and the money of a mission went, from the rows that its runners
        stamped: for the mission and each task, run and phase the time in the queue, at work, and waiting
        for a model, a person, reviews or a lease; models, tokens and costs; retries and failures; and the
        critical path.
        """
        return self._run("telemetry_get", "organisation.telemetry:TelemetryOutput", locals())

    def post_mortem_get(self, mission: str) -> Envelope[PostMortemOutput]:
        """Call `post_mortem_get`. The post-mortem of a mission, quantitative only: critical path, work and
        waiting, costs per accepted deliverable and verified statement, retries, estimate against truth,
        agreement of reviewers, calibration against the founder, outliers, and what stands out by a stated
        rule. It is stored when the mission ends, and computed again where later facts have come, which it
        names.
        """
        return self._run("post_mortem_get", "organisation.post_mortem:PostMortemOutput", locals())

    def post_mortem_trends(
        self, *, since: date | None = None, limit: int | None = None
    ) -> Envelope[PostMortemTrendsOutput]:
        """Call `post_mortem_trends`. The post-mortems of the missions that ended last, over time: cost per
        accepted deliverable and per verified statement, waiting, retries, estimate against truth, each
        with its number of observations, interval, and earlier and later half; agreement and calibration
        of reviewers; and what stands out by a stated rule.
        """
        return self._run("post_mortem_trends", "organisation.post_mortem:PostMortemTrendsOutput", locals())

    def event_list(
        self, *, limit: int | None = None, mission: str | None = None
    ) -> ResultPage[EventListOutput]:
        """Call `event_list`. The newest events of the audit log, oldest first; of one mission with its tasks if
        it is named.
        """
        return self._page("event_list", "organisation.events:EventListOutput", locals())

    def event_verify(self, *, tasks: Literal["sample", "all"] | None = None) -> Envelope[EventVerifyOutput]:
        """Call `event_verify`. Recompute every chain and seal of the audit log, and replay tasks from their
        events. Slow on a large log.
        """
        return self._run("event_verify", "organisation.events:EventVerifyOutput", locals())

    def outbox_list(self, *, limit: int | None = None, sent: bool | None = None) -> Envelope[OutboxOutput]:
        """Call `outbox_list`. Publications and announcements on their way, in trouble or in doubt."""
        return self._run("outbox_list", "organisation.outbox:OutboxOutput", locals())

    def outbox_resend(self, *, effect: str | None = None) -> Envelope[OutboxOutput]:
        """Call `outbox_resend`. Try again at once what failed, is in doubt or waits for its next try."""
        return self._run("outbox_resend", "organisation.outbox:OutboxOutput", locals())

    def subscription_add(
        self, name: str, url: str, *, kinds: Sequence[str] | None = None
    ) -> Envelope[SecretOutput]:
        """Call `subscription_add`. Send the events from now on to an address, signed as Standard Webhooks says.
        The secret is shown this once.
        """
        return self._run("subscription_add", "organisation.subscriptions:SecretOutput", locals())

    def subscription_list(self) -> Envelope[SubscriptionListOutput]:
        """Call `subscription_list`. Who is sent events, and whether they arrive."""
        return self._run("subscription_list", "organisation.subscriptions:SubscriptionListOutput", locals())

    def subscription_get(self, name: str) -> Envelope[SubscriptionOutput]:
        """Call `subscription_get`. One subscription with its health."""
        return self._run("subscription_get", "organisation.subscriptions:SubscriptionOutput", locals())

    def subscription_pause(self, name: str) -> Envelope[SubscriptionOutput]:
        """Call `subscription_pause`. Deliver nothing until it is resumed; nothing is lost meanwhile."""
        return self._run("subscription_pause", "organisation.subscriptions:SubscriptionOutput", locals())

    def subscription_resume(self, name: str) -> Envelope[SubscriptionOutput]:
        """Call `subscription_resume`. Go on with what was not delivered, also after the receiver was gone; what
        had failed is tried again.
        """
        return self._run("subscription_resume", "organisation.subscriptions:SubscriptionOutput", locals())

    def subscription_remove(self, name: str) -> Envelope[RemovedOutput]:
        """Call `subscription_remove`. Remove a subscription with what it has not delivered."""
        return self._run("subscription_remove", "organisation.subscriptions:RemovedOutput", locals())

    def subscription_rotate_secret(self, name: str) -> Envelope[SecretOutput]:
        """Call `subscription_rotate_secret`. Make a new secret of a subscription, shown this once; the one before
        signs as well for a day.
        """
        return self._run("subscription_rotate_secret", "organisation.subscriptions:SecretOutput", locals())

    def subscription_test(self, name: str) -> Envelope[TestOutput]:
        """Call `subscription_test`. Send one event of the kind frasier.test at once, and tell what the receiver
        answers.
        """
        return self._run("subscription_test", "organisation.subscriptions:TestOutput", locals())

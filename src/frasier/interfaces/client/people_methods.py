"""The operations of agents, teams, personas, improvements and evaluations as methods; written by scripts/client.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.client.typed_calls import TypedCalls

if TYPE_CHECKING:
    from collections.abc import Sequence
    from frasier.interfaces.operations import Envelope
    from frasier.interfaces.operations.organisation.evaluations import (
        EvaluateOutput,
        EvaluationsOutput,
        QuotedWords,
    )
    from frasier.interfaces.operations.organisation.improvements import (
        ProposalListOutput,
        ProposalOutput,
        ProposalRunOutput,
    )
    from frasier.interfaces.operations.organisation.people import AgentListOutput, AgentOutput
    from frasier.interfaces.operations.organisation.personas import (
        PersonaDiffOutput,
        PersonaHistoryOutput,
        PersonaRollbackOutput,
    )
    from frasier.interfaces.operations.organisation.staff import StaffOutput, TeamListOutput, TeamOutput
    from frasier.interfaces.operations.organisation.upskilling import AgentUpskillOutput, TrialListOutput
    from frasier.kernel.evaluation_scale import Clarity, Usefulness
    from typing import Literal


class PeopleMethods(TypedCalls):
    """The operations of agents, teams, personas, improvements and evaluations."""

    def agent_list(self, *, everyone: bool | None = None) -> Envelope[AgentListOutput]:
        """Call `agent_list`. Who works in the organisation: role, team, open tasks and skills."""
        return self._run("agent_list", "organisation.people:AgentListOutput", locals())

    def agent_get(self, agent: str) -> Envelope[AgentOutput]:
        """Call `agent_get`. One agent: what its role may do, persona, skills, recent work and lessons."""
        return self._run("agent_get", "organisation.people:AgentOutput", locals())

    def agent_hire(
        self,
        title: str,
        *,
        role: Literal["strategy", "research", "content", "engineering", "qa", "growth", "knowledge"]
        | None = None,
        reason: str | None = None,
        for_tests: bool | None = None,
    ) -> Envelope[StaffOutput]:
        """Call `agent_hire`. Hire an agent with the title of a trade; whoever has been hired for it already is
        returned.
        """
        return self._run("agent_hire", "organisation.staff:StaffOutput", locals())

    def agent_rest(self, agent: str) -> Envelope[StaffOutput]:
        """Call `agent_rest`. Give an agent no work until it is woken; others get what it has not ended."""
        return self._run("agent_rest", "organisation.staff:StaffOutput", locals())

    def agent_wake(self, agent: str) -> Envelope[StaffOutput]:
        """Call `agent_wake`. Give work to a dormant agent again."""
        return self._run("agent_wake", "organisation.staff:StaffOutput", locals())

    def agent_retire(self, agent: str) -> Envelope[StaffOutput]:
        """Call `agent_retire`. Retire an agent for good; others get what it has not ended, and what it did is
        kept.
        """
        return self._run("agent_retire", "organisation.staff:StaffOutput", locals())

    def team_list(self) -> Envelope[TeamListOutput]:
        """Call `team_list`. The teams with their leads and members."""
        return self._run("team_list", "organisation.staff:TeamListOutput", locals())

    def team_get(self, team: str) -> Envelope[TeamOutput]:
        """Call `team_get`. One team with its members and their state."""
        return self._run("team_get", "organisation.staff:TeamOutput", locals())

    def team_activate(self, team: str) -> Envelope[TeamOutput]:
        """Call `team_activate`. Make a team active and wake its dormant agents."""
        return self._run("team_activate", "organisation.staff:TeamOutput", locals())

    def team_rest(self, team: str) -> Envelope[TeamOutput]:
        """Call `team_rest`. Make a team and its agents dormant; others get what they have not ended."""
        return self._run("team_rest", "organisation.staff:TeamOutput", locals())

    def persona_history(self, agent: str) -> Envelope[PersonaHistoryOutput]:
        """Call `persona_history`. Every version of an agent's persona: who wrote it, why, with what hypothesis,
        and when it was in force.
        """
        return self._run("persona_history", "organisation.personas:PersonaHistoryOutput", locals())

    def persona_diff(
        self, agent: str, *, old: int | None = None, new: int | None = None
    ) -> Envelope[PersonaDiffOutput]:
        """Call `persona_diff`. What differs between two versions of an agent's persona, sentence by sentence."""
        return self._run("persona_diff", "organisation.personas:PersonaDiffOutput", locals())

    def persona_rollback(
        self, agent: str, *, version: int | None = None, why: str | None = None
    ) -> Envelope[PersonaRollbackOutput]:
        """Call `persona_rollback`. Put an earlier version of an agent's persona in force again; nothing is
        deleted.
        """
        return self._run("persona_rollback", "organisation.personas:PersonaRollbackOutput", locals())

    def agent_upskill(
        self, agent: str, *, why: str | None = None, skill: str | None = None
    ) -> Envelope[AgentUpskillOutput]:
        """Call `agent_upskill`. Have a new version of an agent's persona, or of a skill, written from their
        rejected work; it comes into force only if a trial shows that it helps.
        """
        return self._run("agent_upskill", "organisation.upskilling:AgentUpskillOutput", locals())

    def trial_list(self, *, which: str | None = None, limit: int | None = None) -> Envelope[TrialListOutput]:
        """Call `trial_list`. The trials of new personas and skills: hypothesis, price, pairs, the exact test, and
        the report of those that ended.
        """
        return self._run("trial_list", "organisation.upskilling:TrialListOutput", locals())

    def proposal_run(self) -> Envelope[ProposalRunOutput]:
        """Call `proposal_run`. Have a colleague read the newest post-mortems and propose improvements; a worker
        carries it out.
        """
        return self._run("proposal_run", "organisation.improvements:ProposalRunOutput", locals())

    def proposal_list(
        self, *, state: Literal["", "proposed", "accepted", "refused"] | None = None, limit: int | None = None
    ) -> Envelope[ProposalListOutput]:
        """Call `proposal_list`. The newest improvement proposals: what they change, and what was decided."""
        return self._run("proposal_list", "organisation.improvements:ProposalListOutput", locals())

    def proposal_get(self, proposal: str) -> Envelope[ProposalOutput]:
        """Call `proposal_get`. One improvement proposal: the change, the figures behind it, its log, and what was
        measured afterwards.
        """
        return self._run("proposal_get", "organisation.improvements:ProposalOutput", locals())

    def proposal_accept(self, proposal: str, *, why: str | None = None) -> Envelope[ProposalOutput]:
        """Call `proposal_accept`. Accept a proposal: a policy has its next version, a persona is revised and
        tried, the rest is stored.
        """
        return self._run("proposal_accept", "organisation.improvements:ProposalOutput", locals())

    def proposal_refuse(self, proposal: str, *, why: str | None = None) -> Envelope[ProposalOutput]:
        """Call `proposal_refuse`. Refuse a proposal; it is kept with the reason."""
        return self._run("proposal_refuse", "organisation.improvements:ProposalOutput", locals())

    def artefact_evaluate(
        self,
        sha256: str,
        evidence: Sequence[QuotedWords],
        effect: str,
        usefulness: Usefulness | str,
        clarity: Clarity | str,
        *,
        useful: Sequence[str] | None = None,
        missing: Sequence[str] | None = None,
        unused: Sequence[str] | None = None,
        inaccuracies: Sequence[QuotedWords] | None = None,
    ) -> Envelope[EvaluateOutput]:
        """Call `artefact_evaluate`. Say how useful and clear a result of a mission was to the work for which you
        used it: quote the words that you judge, then what was of use, what was missing, what was not
        needed, what is wrong and where. Once for each version, which its SHA-256 names.
        """
        return self._run("artefact_evaluate", "organisation.evaluations:EvaluateOutput", locals())

    def evaluation_list(self, mission: str) -> Envelope[EvaluationsOutput]:
        """Call `evaluation_list`. How those who used the results of a mission's steps evaluated them, with
        evidence, and which evaluations are left out: of superseded versions, and by evaluators whose
        scores never vary.
        """
        return self._run("evaluation_list", "organisation.evaluations:EvaluationsOutput", locals())

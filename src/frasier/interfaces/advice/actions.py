"""Every action that advice may name: the command that takes it, and the tool where agents have one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import partial


class Reader(IntEnum):
    """The rights of whoever reads advice, each with those of the one before."""

    MEMBER = 0
    OBSERVER = 1
    FOUNDER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action of the product under the names by which its users reach it.

    `command` is what follows `frasier`; names in braces are its positional arguments, filled from the advice or shown
    in capitals; without a value, one with a question mark is left out. Other arguments become options: `--name`, or
    what `options` say. `tool` serves MCP and HTTP; it is empty where only somebody at the founder's machine may do it,
    and that is the founder, unless `members` may type the command, too. A tool is for everybody unless `whose` says
    otherwise.
    """

    command: str
    tool: str = ""
    members: bool = False
    whose: Reader = Reader.MEMBER
    options: Mapping[str, str] = field(default_factory=dict)


_founders = partial(Action, whose=Reader.FOUNDER)
_observers = partial(Action, whose=Reader.OBSERVER)

ACTIONS: Mapping[str, Action] = {
    # missions and the organisation: the founder's, and what an observer may read
    "mission.start": _founders(command="run {directive}", tool="mission_run"),
    "mission.resume": _founders(command="resume {mission}", tool="mission_resume"),
    "mission.retry": _founders(command="retry {mission}", tool="mission_retry"),
    "mission.cancel": _founders(command="cancel {mission}", tool="mission_cancel"),
    "step.show": _observers(command="steps show {step}", tool="step_get"),
    "mission.list": _observers(command="missions list", tool="mission_list"),
    "mission.ask": _founders(command="ask {mission} {question}", tool="mission_ask"),
    "mission.revise": _founders(command="revise {mission} {wish}", tool="mission_revise"),
    "mission.steer": _founders(command="steer {mission} {change}", tool="mission_steer"),
    "mission.show": _observers(command="missions show {mission}", tool="mission_get"),
    "mission.pause": _founders(command="pause {mission}", tool="mission_pause"),
    "deliverable.read": _observers(command="missions read {mission}", tool="deliverable_get"),
    "share.create": _founders(command="missions share {mission}", tool="share_create"),
    "share.list": _observers(command="missions shares {mission?}", tool="share_list"),
    "share.revoke": _founders(command="missions unshare {share}", tool="share_revoke"),
    "message.say": _founders(command="say {text}", tool="say"),
    "message.show": _observers(command="answer {message}", tool="message_get"),
    "agent.list": _observers(command="agents list", tool="agent_list"),
    "agent.show": _observers(command="agents show {agent}", tool="agent_get"),
    "agent.hire": _founders(command="agents hire {title}", tool="agent_hire"),
    "agent.rest": _founders(command="agents dormant {agent}", tool="agent_rest"),
    "agent.wake": _founders(command="agents wake {agent}", tool="agent_wake"),
    "agent.retire": _founders(command="agents retire {agent}", tool="agent_retire"),
    "persona.history": _observers(command="agents persona {agent} history", tool="persona_history"),
    "persona.diff": _observers(command="agents persona {agent} diff", tool="persona_diff"),
    "persona.rollback": _founders(command="agents persona {agent} rollback", tool="persona_rollback"),
    "agent.upskill": _founders(command="agents upskill {agent}", tool="agent_upskill"),
    "trial.show": _observers(command="agents trial {which}", tool="trial_list"),
    "team.list": _observers(command="teams list", tool="team_list"),
    "team.show": _observers(command="teams show {team}", tool="team_get"),
    "team.activate": _founders(command="teams activate {team}", tool="team_activate"),
    "team.rest": _founders(command="teams dormant {team}", tool="team_rest"),
    "skill.list": _observers(command="skills list", tool="skill_list"),
    "skill.show": _observers(command="skills show {skill}", tool="skill_get"),
    "skill.history": _observers(command="skills history {skill}", tool="skill_history"),
    "skill.diff": _observers(command="skills diff {skill}", tool="skill_diff"),
    "skill.packages": _observers(command="skills packages", tool="skill_packages"),
    "skill.package": _observers(command="skills package {skill}", tool="skill_package"),
    "skill.add": _founders(command="skills add {source}", tool="skill_add"),
    "skill.scan": _founders(command="skills scan {skill}", tool="skill_scan"),
    "skill.approve": _founders(command="skills approve {skill}", tool="skill_approve"),
    "skill.quarantine": _founders(command="skills quarantine {skill}", tool="skill_quarantine"),
    "skill.rollback": _founders(command="skills rollback {skill} {version}", tool="skill_rollback"),
    "routine.stand_up": _founders(command="routine stand-up", tool="routine_stand_up"),
    "routine.list": _observers(command="routine list", tool="routine_list"),
    "routine.show": _observers(command="routine show {routine}", tool="routine_get"),
    "proposal.run": _founders(command="proposals run", tool="proposal_run"),
    "proposal.list": _observers(command="proposals list", tool="proposal_list"),
    "proposal.show": _observers(command="proposals show {proposal}", tool="proposal_get"),
    "proposal.accept": _founders(command="proposals accept {proposal}", tool="proposal_accept"),
    "proposal.refuse": _founders(command="proposals refuse {proposal}", tool="proposal_refuse"),
    "cost.show": _observers(command="costs", tool="cost_get"),
    "telemetry.show": _observers(command="telemetry {mission}", tool="telemetry_get"),
    "artefact.evaluate": Action(command="evaluate {sha256} {file}", tool="artefact_evaluate"),
    "evaluation.list": _observers(command="evaluations {mission}", tool="evaluation_list"),
    "post_mortem.show": _observers(command="postmortem {mission}", tool="post_mortem_get"),
    "post_mortem.trends": _observers(command="postmortem", tool="post_mortem_trends"),
    "status.show": _observers(command="status", tool="status_get"),
    "event.verify": _observers(command="events verify", tool="event_verify"),
    "directive.list": _observers(command="directives list", tool="directive_list"),
    "directive.add": _founders(command="directives add {text}", tool="directive_add"),
    "directive.withdraw": _founders(command="directives withdraw {directive}", tool="directive_withdraw"),
    "policy.list": _observers(command="policy list", tool="policy_list"),
    "policy.show": _observers(command="policy show {subject}", tool="policy_get"),
    "policy.set": _founders(command="policy set {subject} {rules}", tool="policy_set"),
    "policy.history": _observers(command="policy history {subject}", tool="policy_history"),
    "inbox.show": _observers(command="inbox", tool="inbox_get"),
    "outbox.list": _observers(command="outbox list", tool="outbox_list"),
    "subscription.add": _founders(command="subscriptions add {name} {url}", tool="subscription_add"),
    "subscription.list": _observers(command="subscriptions list", tool="subscription_list"),
    "subscription.show": _observers(command="subscriptions show {name}", tool="subscription_get"),
    "subscription.pause": _founders(command="subscriptions pause {name}", tool="subscription_pause"),
    "subscription.resume": _founders(command="subscriptions resume {name}", tool="subscription_resume"),
    "subscription.remove": _founders(command="subscriptions remove {name}", tool="subscription_remove"),
    "subscription.test": _founders(command="subscriptions test {name}", tool="subscription_test"),
    "subscription.rotate_secret": _founders(
        command="subscriptions rotate-secret {name}", tool="subscription_rotate_secret"
    ),
    "outbox.resend": _founders(command="outbox resend {effect?}", tool="outbox_resend"),
    "approval.give": _founders(command="approve {id}", tool="step_approve"),
    "approval.refuse": _founders(command="reject {id}", tool="step_reject"),
    "question.decide": _founders(command="decide {question} {answer}", tool="decide"),
    "worker.start": Action(command="up"),
    "page.open": _founders(command="web"),
    "page.sessions": _founders(command="web sessions"),
    # looking after an installation
    "doctor.run": Action(command="doctor", members=True),
    "database.start": Action(command="db start", members=True),
    "database.url": Action(command="db url", members=True),
    "database.migrate": Action(command="db migrate", members=True),
    "event.tail": _observers(command="events tail", tool="event_list"),
    # boards
    "task.recover": Action(command="task recover", tool="task_recover"),
    "task.wait": Action(command="task wait", tool="task_wait"),
    "task.note": Action(command="task note", tool="task_note"),
    "task.list": Action(command="task list", tool="task_list"),
    "task.get": Action(command="task get {task}", tool="task_get"),
    "task.history": Action(command="task history {task}", tool="task_history"),
    "task.process": Action(command="task process {process}", tool="task_process"),
    "task.create": Action(command="task create {title}", tool="task_create"),
    "task.edit": Action(command="task edit {task}", tool="task_edit"),
    "task.claim": Action(command="task claim {task}", tool="task_claim"),
    "task.renew": Action(command="task renew {task}", tool="task_renew"),
    "task.deliver": Action(command="task deliver {task}", tool="task_deliver"),
    "task.move": Action(command="task move {task} {move}", tool="task_move"),
    "task.block": Action(command="task block {task}", tool="task_block"),
    "task.restore": Action(command="task restore {task}", tool="task_restore"),
    "task.check": Action(command="task check {task} {command}", tool="task_check"),
    "task.commands": Action(command="task commands", tool="task_commands"),
    "task.decisions": Action(command="task decisions", tool="task_decisions"),
    "task.decide": Action(command="task decide {decision} {answer}", tool="task_decide"),
    "board.make": Action(command="task board make {name}"),
    "board.list": Action(command="task board list", members=True),
    "member.add": Action(command="task member add {name}"),
    "member.list": Action(command="task member list", members=True),
    "command.declare": Action(command="task command declare {name} --folder {folder} -- {program}"),
    "command.enable": Action(command="task command enable {name}"),
    "command.waive": Action(command="task command waive {name}", options={"move": "--for"}),
    "command.list": Action(command="task command list", members=True),
    # memory
    "memory.context": Action(command="memory context {input}", tool="memory_context"),
    "memory.search": Action(command="memory recall {query}", tool="memory_search"),
    "memory.match_triggers": Action(command="memory triggers {prompt}", tool="memory_match_triggers"),
    "memory.get": Action(command="memory show {id}", tool="memory_get"),
    "memory.list": Action(command="memory list", tool="memory_list"),
    "memory.save": Action(command="memory save", tool="memory_save"),
    "memory.update": Action(command="memory update {id}", tool="memory_update"),
    "memory.delete": Action(command="memory delete {id}", tool="memory_delete"),
    "memory.versions": Action(command="memory versions {id}", tool="memory_versions"),
    "memory.revert": Action(command="memory revert {id} {version}", tool="memory_revert"),
    "memory.unarchive": Action(command="memory unarchive {id}", tool="memory_unarchive"),
    "memory.reinstate": Action(command="memory reinstate {id}", tool="memory_reinstate"),
    "memory.why": Action(command="memory why {id}", tool="memory_why"),
    "memory.link": Action(command="memory link {source} {relation} {target}", tool="memory_link"),
    "memory.unlink": Action(command="memory unlink {edge_id}", tool="memory_unlink"),
    "memory.correct": Action(command="memory correct {id}", tool="memory_correct"),
    "memory.correct_undo": Action(command="memory undo {correction_id}", tool="memory_correct_undo"),
    "memory.corrections": Action(command="memory corrections {id?}", tool="memory_corrections"),
    "memory.promote": Action(command="memory promote {id?}", tool="memory_promote"),
    "memory.preflight": Action(command="memory task begin {task}", tool="task_preflight"),
    "memory.postflight": Action(command="memory task finish {task}", tool="task_postflight"),
    "memory.scan": Action(command="memory scan", tool="memory_index_scan"),
    "memory.health": Action(command="memory health", tool="memory_health"),
    "memory.retry": Action(command="memory retry", tool="memory_retry_embeddings"),
    "memory.bulk_save": Action(command="memory import {memories}", tool="memory_bulk_save"),
    "memory.bulk_delete": Action(command="memory delete {ids}", tool="memory_bulk_delete"),
    "memory.graph_stats": Action(command="memory graph", tool="memory_graph_stats"),
    "memory.drop_extracted": Action(command="memory graph drop-automatic", tool="memory_drop_extracted"),
    "memory.validate": Action(command="memory validate {id}", tool="memory_validate"),
    "memory.outcome": Action(command="memory outcome {outcome} {ids}", tool="memory_outcome"),
    "memory.review": Action(command="memory review {id} {grade}", tool="memory_review"),
    "memory.cite": Action(command="memory cite {ids}", tool="memory_cite"),
    "memory.learning_history": Action(command="memory task history", tool="memory_learning_history"),
    "memory.confirm": Action(command="memory confirm {id?}", tool="memory_confirm"),
    "memory.stats": Action(command="memory stats", tool="memory_stats"),
    "memory.consolidate": Action(command="memory consolidate", tool="memory_consolidate"),
    "session.save": Action(command="memory session save", tool="session_save"),
    "session.recover": Action(command="memory session resume {session}", tool="session_recover"),
    "session.get": Action(command="memory session show {session}", tool="session_get"),
    "session.list": Action(command="memory session list", tool="session_list"),
    "checkpoint.create": Action(command="memory checkpoint create {name}", tool="checkpoint_create"),
    "checkpoint.list": Action(command="memory checkpoint list", tool="checkpoint_list"),
    "checkpoint.restore": Action(command="memory checkpoint restore {name}", tool="checkpoint_restore"),
    "checkpoint.delete": Action(command="memory checkpoint delete {name}", tool="checkpoint_delete"),
    "token.create": Action(command="memory token create {name}"),
    "token.list": Action(command="memory token list"),
    "token.revoke": Action(command="memory token revoke {name}"),
}
"""Actions by the names that advice gives them."""

FIELD_OPTIONS: Mapping[str, Mapping[str, str]] = {
    "create": {"acceptance_criteria": "--criterion", "description": "--description"},
    "claim": {"memory_query_session": "--session"},
}
"""The fields that are inputs of their own where a task is made or claimed, with their options at the command line."""

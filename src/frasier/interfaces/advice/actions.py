"""Every action that advice may name: the command that takes it, and the tool where agents have one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """An action of the product under the names by which its users reach it.

    `command` is what follows `frasier`; names in braces are its positional arguments, filled from the advice or shown
    in capitals; without a value, one with a question mark is left out. Other arguments become options: `--name`, or
    what `options` say. `tool` serves MCP and HTTP; it is empty where only somebody at the founder's machine may do it,
    and that is the founder, unless `members` may type the command, too.
    """

    command: str
    tool: str = ""
    members: bool = False
    options: Mapping[str, str] = field(default_factory=dict)


ACTIONS: Mapping[str, Action] = {
    # missions and the organisation: the founder's, at the command line
    "mission.start": Action(command="run {directive}"),
    "mission.resume": Action(command="resume {mission}"),
    "mission.retry": Action(command="retry {mission}"),
    "mission.cancel": Action(command="cancel {mission}"),
    "verdict.reject": Action(command="reject {target}"),
    "step.show": Action(command="steps show {step}"),
    "mission.list": Action(command="missions list"),
    "mission.ask": Action(command="ask {mission} {question}"),
    "mission.revise": Action(command="revise {mission} {wish}"),
    "mission.steer": Action(command="steer {mission} {change}"),
    "mission.show": Action(command="missions show {mission}"),
    "directive.list": Action(command="directives list"),
    "directive.add": Action(command="directives add {text}"),
    "directive.withdraw": Action(command="directives withdraw {directive}"),
    "inbox.show": Action(command="inbox"),
    "outbox.list": Action(command="outbox list"),
    "approval.give": Action(command="approve {id}"),
    "approval.refuse": Action(command="reject {id}"),
    "question.decide": Action(command="decide {question} {answer}"),
    # looking after an installation
    "doctor.run": Action(command="doctor", members=True),
    "database.url": Action(command="db url", members=True),
    "database.migrate": Action(command="db migrate", members=True),
    "event.tail": Action(command="events tail"),
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

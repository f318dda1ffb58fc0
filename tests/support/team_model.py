"""A reference model of a team's board in plain Python, written from its tables and the purpose of its gates.

A refused act raises Refusal with every error that is acceptable: the order of the checks is not part of the model. The
model never changes anything before it has refused.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from frasier.workflow import SYSTEM, Actor
from support.team_tables import (
    ALWAYS,
    TABLES,
    Table,
    belongs_to_other_move,
    includes_actor,
    is_nothing,
    is_reachable,
    judgements_in,
    leads_back,
    may_fill,
    missing_fields,
    next_role,
    roles_of,
    rows,
    set_fields,
    starts,
)

FAILED_RUNS_MAX = 5
APPROVAL = ("liaison_q1_approval", "liaison_q2_approval", "liaison_q3_approval")
COMPLETION = ("liaison_q1_complete", "liaison_q2_complete", "liaison_q3_complete")
PROOFS = {"memory_query": "memory_query_session", "memory_contribution": "memory_contribution_id"}
"""The field with the proof of each single-use gate."""
QUESTIONS = {"approval_questions": APPROVAL, "completion_questions": COMPLETION}
SAID_FOR = QUESTIONS | {"pull_request": ("pr_review_verdict", "pr_review_reasoning")}
"""The judgements that gates read; of those of a pull request there need be none."""
READ = SAID_FOR | {
    "memory_query": ("memory_query_session",),
    "memory_contribution": ("memory_contribution_id",),
    "dependencies": ("depends_on_reviewed",),
    "design": ("pdsa_ref",),
    "version": ("pdsa_ref", "design_version"),
    "rework_context": ("rework_context", "rework_reason"),
    "tests": ("test_pass_count", "test_total_count"),
    "changelog": ("changelog_ref",),
    "pull_request": ("pr_url", "pr_review_verdict", "pr_review_reasoning", "pr_merge_sha"),
}
"""All that gates read; of links they read every one."""
KINDS = {"text": str, "link": str, "role": str, "flag": bool, "number": int, "list": list}
ENGINE = "system:frasier"


class Refusal(Exception):
    """A refusal: `kinds` are the acceptable errors, `gates` the closed gates if nothing else is wrong."""

    def __init__(self, *kinds: str, gates: tuple[str, ...] = ()) -> None:
        super().__init__(", ".join([*kinds, *gates]))
        self.kinds = set(kinds)
        self.gates = gates


@dataclass(slots=True)
class Proof:
    """The member who searched the memory or saved a lesson, and when."""

    by: str
    at: int


@dataclass(slots=True)
class Judged:
    """The author of a judgement, and the judged fields with their values; a value is None once it was changed."""

    by: str
    of: frozenset[str]
    saw: dict[str, Any] | None
    changed: list[str] = field(default_factory=list)


@dataclass(slots=True)
class ModelDecision:
    slug: str
    transition: str
    version: int
    holds: dict[str, Any]
    answer: str | None = None
    used: bool = False
    withdrawn: bool = False


@dataclass(slots=True)
class ModelTask:
    slug: str
    table: Table
    status: str
    role: str
    fields: dict[str, Any]
    needs: frozenset[str] = frozenset()
    freed: set[str] = field(default_factory=set)
    since: int = 0
    holder: str | None = None
    expired: bool = False
    attempt: int = 0
    version: int = 1
    strikes: int = 0
    failures: int = 0
    place: tuple[str, str, str | None] | None = None
    reasons: list[dict[str, Any]] = field(default_factory=list)
    evidence: list[tuple[str, str, bool, int, dict[str, Any]]] = field(default_factory=list)
    log: list[tuple[str, int | None]] = field(default_factory=list)
    markers: list[str] = field(default_factory=list)
    judged: dict[str, Judged] = field(default_factory=dict)

    @property
    def outcome(self) -> str | None:
        return rows(self.table, "statuses").get(self.status, {}).get("outcome")

    @property
    def placed(self) -> ModelTask:
        """The task at the position that its block stores."""
        if self.place is None:
            return self
        status, role, holder = self.place
        return replace(self, status=status, role=role, holder=holder)

    @property
    def waits(self) -> int:
        return len(self.needs - self.freed)

    def text(self, name: str) -> str:
        value = self.fields.get(name)
        return value if isinstance(value, str) else ""

    @property
    def work(self) -> dict[str, Any]:
        """The fields that tests are run for."""
        declared = rows(self.table, "fields")
        return {name: self.fields[name] for name in self.fields if declared.get(name, {}).get("deliverable")}

    def newest(self, kind: str, subject: str = "") -> tuple[str, str, bool, int, dict[str, Any]] | None:
        found = [one for one in self.evidence if one[0] == kind and subject in {"", one[1]}]
        return found[-1] if found else None


@dataclass(slots=True)
class TeamModel:
    """One board. `clock` is the number of the act: a proof made for an act is as new as the act itself."""

    mode: str = "manual"
    mode_version: int = 1
    clock: int = 0
    tasks: dict[str, ModelTask] = field(default_factory=dict)
    sessions: dict[str, Proof] = field(default_factory=dict)
    memories: dict[str, Proof] = field(default_factory=dict)
    decisions: list[ModelDecision] = field(default_factory=list)
    used: dict[str, str] = field(default_factory=dict)
    """The task that each session or memory has served."""
    question: tuple[str, Table] = ("", {})
    """The move that lacked a decision, and the fields given with it."""

    # --- what can be done ---

    def create(
        self, board: str, process: str, slug: str, role: str, said: Table, needs: set[str], who: Actor
    ) -> None:
        table = TABLES[process]
        creation = table["creation"]
        turn = role or creation["roles"][0]
        wrong = self._unfit(table, said, who, turn)
        if not includes_actor(creation["actors"], who.kind.value, who.roles, ""):
            wrong.add("TransitionRefused")
        if turn not in creation["roles"] or (creation.get("parent") and not needs):
            wrong.add("InvalidInput")
        if any(is_nothing(said.get(name)) for name in creation["requires"]) or slug in self.tasks:
            wrong.add("InvalidInput")
        if needs - set(self.tasks):
            wrong.add("NotFound")
        if self._same_words(table, slug, stripped(said), set(said)):
            wrong.add("UsedElsewhere")
        if any(self.tasks[one].outcome == "cancelled" for one in needs & set(self.tasks)):
            wrong.add("InvalidInput")
        refuse(wrong)
        freed = {one for one in needs if self.tasks[one].outcome == "completed"}
        self.tasks[slug] = ModelTask(
            slug,
            table,
            table["initial"],
            turn,
            {"board": board},
            frozenset(needs),
            freed,
            self.clock,
        )
        set_fields(self.tasks[slug].fields, stripped(said))
        role_ = marker_role(who, turn, creation["actors"])
        note(self.tasks[slug], "created", f"TASK CREATED: {role_} {slug} ", moved=0)

    def edit(
        self, slug: str, said: Table, who: Actor, version: int | None = None, attempt: int | None = None
    ) -> None:
        task = self.tasks[slug]
        placed = task.placed
        wrong = self._unfit(task.table, said, who, placed.role) | self._lost(task, attempt)
        if not said:
            wrong.add("InvalidInput")
        if task.outcome:
            wrong.add("TransitionRefused")
        if version not in {None, task.version}:
            wrong.add("Stale")
        if who.kind in {"member", "founder"} and not all(
            self._may_change(placed, name, who) for name in said
        ):
            wrong.add("TransitionRefused")
        if placed.holder == who.name and attempt is None:
            wrong.add("TransitionRefused")
        refuse(wrong)
        fields, judged = self._settled(placed, said, who)
        emptied = task.fields.keys() - fields.keys()
        if self._same_words(task.table, slug, fields, set(said) | emptied):
            raise Refusal("UsedElsewhere")
        self._write(task, fields, judged)

    def _may_change(self, task: ModelTask, name: str, who: Actor) -> bool:
        """Return True if the actor may change the field: it acts at the task's position and may write the field."""
        field_ = rows(task.table, "fields").get(name, {})
        writers = set(field_.get("writers", ()))
        turn = task.role in writers or "owner" in writers
        fallen = [key for key, one in task.judged.items() if one.saw is None]
        moves = rows(task.table, "transitions")
        again = any(
            name in used_judgements(task.table, move)
            and not is_reachable(task.table, move, task.status, task.role)
            for move in (moves[key[5:]] for key in fallen if key.startswith("move "))
        )
        if who.kind == "founder":
            return turn or "founder" in writers or again
        new = task.attempt == 0 and who.roles & set(task.table["creation"]["actors"])
        return bool(new) or again or (turn and task.role in who.roles and task.holder in {None, who.name})

    def counted(self, slug: str, passed: int, total: int) -> None:
        """Write the result of a test run as the engine does; ended tasks are not changed."""
        if not self.tasks[slug].outcome:
            counts = {"test_pass_count": passed, "test_total_count": total}
            self._write(self.tasks[slug], *self._settled(self.tasks[slug], counts, None))

    def _write(self, task: ModelTask, fields: dict[str, Any], judged: dict[str, Judged]) -> None:
        if (fields, judged) == (task.fields, task.judged):
            return
        task.fields, task.judged = fields, judged
        task.version += 1
        task.log.append(("task.edit", task.version))

    # --- judgements ---

    def _settled(
        self, task: ModelTask, said: Table, who: Actor | None, clears: Collection[str] = ()
    ) -> tuple[dict[str, Any], dict[str, Judged]]:
        """Return the fields after a change, without judgements of changed fields, and the records of the judgements."""
        fields, judged = dict(task.fields), dict(task.judged)
        set_fields(fields, stripped(said))
        for name in clears:
            fields.pop(name, None)
        names = judgements_in(task.table)
        given = [name for name in names if name in said and name in fields]
        for name in names:
            if name not in fields and name in judged and judged[name].saw is not None:
                del judged[name]
        for key, one in list(judged.items()):
            changed = sorted(n for n in one.of if (one.saw or {}).get(n) != fields.get(n))
            if one.saw is not None and changed and key not in given:
                judged[key] = Judged(one.by, one.of, None, changed)
                fields.pop(key, None)
        for name in [name for name in names if name in fields and name not in judged and name not in given]:
            # Said when the task was made, before anything was there to judge.
            of = self._about(task, name, {}, task.fields)
            changed = sorted(one for one in of if task.fields.get(one) != fields.get(one))
            if changed:
                judged[name] = Judged("", of, None, changed)
                del fields[name]
        for name in given:
            of = self._about(task, name, judged, fields)
            judged[name] = Judged(str(who), of, {one: fields.get(one) for one in of})
        return fields, judged

    def _about(
        self, task: ModelTask, name: str, judged: Mapping[str, Judged], _fields: Table
    ) -> frozenset[str]:
        moves = [rule for rule in task.table["transitions"] if name in used_judgements(task.table, rule)]
        fallen = {key[5:] for key, one in judged.items() if key.startswith("move ") and one.saw is None}
        near = [rule for rule in moves if starts(rule, task.status, task.role) or rule["name"] in fallen]
        return frozenset(one for rule in near or moves for one in rule["judges"])

    def _short_of(self, rule: Table, table: Table, fields: Table, judged: Mapping[str, Judged]) -> set[str]:
        """Return the judgements in `fields` that were cleared or cover fewer fields than the move judges."""
        return {
            name
            for name in used_judgements(table, rule)
            if name in fields
            and not (
                name in judged
                and judged[name].saw is not None
                and set(rule.get("judges", ())) <= judged[name].of
            )
        }

    def _relied(
        self, task: ModelTask, rule: Table, fields: dict[str, Any], judged: dict[str, Judged], who: Actor
    ) -> list[Table]:
        """Return the past moves whose cleared judgements were all given again; raise Refusal if some were not."""
        over = rows(task.table, "statuses")[rule["to"]].get("outcome")
        if leads_back(rule) or over == "cancelled":
            return []
        moves = rows(task.table, "transitions")
        behind = [
            move
            for move in task.table["transitions"]
            if (one := judged.get(f"move {move['name']}")) and one.saw is None
            if move is not rule and not is_reachable(task.table, move, task.status, task.role)
        ]
        for move in behind:
            must = {name for name in judgements_in(task.table) if name in move.get("needs", ())}
            must |= {name for gate in move.get("gates", ()) for name in QUESTIONS.get(gate, ())}
            if (must - fields.keys()) | self._short_of(move, task.table, fields, judged):
                raise Refusal("JudgementCleared")
            if move.get("decision") and who.kind not in {"founder", "member"}:
                raise Refusal("JudgementCleared")
        return [moves[move["name"]] for move in behind]

    def _judge(
        self, task: ModelTask, names: Mapping[str, str], fields: Table, judged: dict[str, Judged]
    ) -> None:
        moves = rows(task.table, "transitions")
        for name, by in names.items():
            of = frozenset(moves[name]["judges"])
            judged[f"move {name}"] = Judged(by, of, {one: fields.get(one) for one in of})

    def claim(self, slug: str, said: Table, who: Actor, answer: str = "") -> None:
        task = self.tasks[slug]
        rule = rows(task.table, "transitions")[task.table["claim"]]
        wrong = self._illegal(task, rule, said, who)
        if task.waits:
            wrong.add("TransitionRefused")
        if task.status == "blocked":
            wrong = {"TaskBlocked"}
        refuse(wrong)
        fields, judged = self._permitted(task, rule, said, who, answer)
        self._use(task, rule, said)
        task.fields, task.judged = fields, judged
        task.status, task.holder, task.expired, task.since = rule["to"], who.name, False, self.clock
        task.attempt += 1
        note(task, rule["name"], f"TASK START: {marker_role(who, task.role)} claiming {slug} ")

    def renew(self, slug: str, who: Actor, attempt: int) -> None:
        task = self.tasks[slug]
        if (task.holder, task.attempt) != (who.name, attempt) or task.expired:
            raise Refusal("TaskBlocked" if self._keeps(task, attempt) else "LeaseLost")

    def move(
        self, slug: str, name: str, said: Table, who: Actor, attempt: int | None = None, answer: str = ""
    ) -> None:
        task = self.tasks[slug]
        wrong = self._lost(task, attempt)
        rule = rows(task.table, "transitions").get(name)
        if rule is None:
            raise Refusal("TransitionRefused", *wrong)
        wrong |= self._illegal(task, rule, said, who)
        ends = "outcome" in rows(task.table, "statuses")[rule["to"]]
        turn = next_role(task.table, rule, task.role, stripped(said))
        if (
            name == task.table["claim"]
            or turn is None
            or (who.kind == "member" and task.holder not in {None, who.name} and not ends)
            or (task.holder == who.name and attempt is None)
        ):
            wrong.add("TransitionRefused")
        refuse(wrong)
        fields, judged = self._permitted(task, rule, said, who, answer)
        self._use(task, rule, said)
        self._go(task, rule, fields, judged, turn or "", who)

    def _permitted(
        self, task: ModelTask, rule: Table, said: Table, who: Actor, answer: str
    ) -> tuple[dict[str, Any], dict[str, Judged]]:
        """Return the fields and judgements after the move; raise Refusal if it is not permitted."""
        clears = rule.get("clears", ())
        fields, judged = self._settled(task, said, who, clears)
        cleared = {name for name in judgements_in(task.table) if name in judged and judged[name].saw is None}
        if self._short_of(rule, task.table, fields, judged) | (set(rule.get("needs", ())) & cleared):
            raise Refusal("MissingFields")
        self._gates(task, rule, said, who, cleared)
        self._unused(task, rule, said, fields)
        used, again = [], {}
        for move in self._relied(task, rule, fields, judged, who):
            self._gates(task, move, said, who, cleared)
            part = {
                name: value
                for name, value in said.items()
                if name in {*move["judges"], *used_judgements(task.table, move)}
            }
            given = self._decide(task, move, part, who, answer)
            spoken = [
                judged[name].by
                for name in judgements_in(task.table)
                if name in used_judgements(task.table, move)
            ]
            again[move["name"]] = "founder:founder" if given else spoken[0]
            used.append(given)
        used.append(self._decide(task, rule, said, who, answer))
        if rule.get("judges"):
            again[rule["name"]] = "founder:founder" if used[-1] else str(who)
        self._judge(task, again, fields, judged)
        for given in filter(None, used):
            given.used = True
        return fields, judged

    def _unused(self, task: ModelTask, rule: Table, said: Table, left: Table) -> None:
        """Raise Refusal if a single-use proof or text serves another task."""
        if any(self.used.get(proof, task.slug) != task.slug for proof in self._proofs(task, rule, said)):
            raise Refusal("UsedElsewhere")
        touched = set(said) | set(rule.get("clears", ())) | (task.fields.keys() - left.keys())
        if self._same_words(task.table, task.slug, left, touched):
            raise Refusal("UsedElsewhere")

    def _use(self, task: ModelTask, rule: Table, said: Table) -> None:
        """Bind the proofs of a gate to this task."""
        self.used |= dict.fromkeys(self._proofs(task, rule, said), task.slug)

    def _proofs(self, task: ModelTask, rule: Table, said: Table) -> list[str]:
        held = task.fields | stripped(said)
        return [
            normalised_proof(name, held[name])
            for gate, name in PROOFS.items()
            if gate in rule.get("gates", ())
        ]

    def _same_words(self, table: Table, slug: str, after: Mapping[str, Any], touched: set[str]) -> bool:
        """Return True if a touched field that must be in the task's own words has the text of another task."""
        own = {name for name, one in rows(table, "fields").items() if one.get("own_words")}
        if not own & touched:
            return False
        ours = {
            letters_and_digits(after[name])
            for name in own
            if isinstance(after.get(name), str) and after[name].strip()
        }
        others = {
            letters_and_digits(other.text(name))
            for other in self.tasks.values()
            if other.slug != slug
            for name, one in rows(other.table, "fields").items()
            if one.get("own_words") and other.text(name)
        }
        return bool(ours & others)

    def _go(
        self,
        task: ModelTask,
        rule: Table,
        fields: dict[str, Any],
        judged: dict[str, Judged],
        turn: str,
        who: Actor = SYSTEM,
    ) -> None:
        before, role = task.status, task.role
        task.fields, task.judged = fields, judged
        self._see_version(task, rule)
        task.status, task.role, task.since = rule["to"], turn, self.clock
        task.holder, task.expired, task.place, task.reasons = None, False, None, []
        # Reopening says that it was not good enough, as every sending back does: the next version must answer.
        task.strikes += bool(rule.get("strike") or rule.get("reopens"))
        note(
            task,
            rule["name"],
            f"TASK {before}→{task.status}: {marker_role(who, role, rule['actors'])} {task.slug} ",
        )
        if task.outcome == "completed":
            task.markers.append(f"TASK SUMMARY: {marker_role(who, task.role)} {task.slug} ")
        for other in self.tasks.values():
            if task.slug not in other.needs:
                continue
            if rule.get("reopens"):
                other.freed.discard(task.slug)
            if task.outcome == "completed":
                other.freed.add(task.slug)
            elif task.outcome == "cancelled" and not other.outcome:
                may = set(rows(other.table, "transitions")["cancel"]["actors"])
                owner = min(roles_of(other.table) & may)
                self._pause(other, {"reason": None, "owner": owner, "by": ENGINE})

    def _see_version(self, task: ModelTask, rule: Table) -> None:
        """Record the versions handed in and sent back: they are not new afterwards."""
        version = version_in(task.text("pdsa_ref"))
        handed_in = rule.get("strike") or "version" in rule.get("gates", ())
        if version and handed_in and "design_version" in rows(task.table, "fields"):
            highest = max(version, version_in(task.text("design_version")) or version)
            task.fields["design_version"] = "v" + ".".join(map(str, highest))

    def block(self, slug: str, told: Mapping[str, str], who: Actor, attempt: int | None = None) -> None:
        task = self.tasks[slug]
        is_over = (
            task.holder is None or attempt != task.attempt
        )  # a lease that is over does not hinder a pause
        wrong = {"LeaseLost"} if attempt is not None and is_over and not self._keeps(task, attempt) else set()
        blockers, restorers = set(task.table["blockers"]), set(task.table["restorers"])
        if any(not said.strip() for said in told.values()) or task.outcome:
            wrong.add("TransitionRefused")
        if who.kind == "member" and (
            not who.roles & blockers or (task.holder not in {None, who.name} and not who.roles & restorers)
        ):
            wrong.add("TransitionRefused")
        if told["owner"] not in roles_of(task.table) | {"founder"}:
            wrong.add("TransitionRefused")
        if task.holder == who.name and attempt is None:
            wrong.add("TransitionRefused")
        refuse(wrong)
        self._pause(task, {"reason": told["reason"], "owner": told["owner"], "by": str(who)}, who)

    def _pause(self, task: ModelTask, reason: dict[str, Any], who: Actor = SYSTEM) -> None:
        role = task.role
        task.reasons.append(reason)
        if task.status != "blocked":
            task.place = (task.status, task.role, task.holder)
            task.status, task.role, task.holder = "blocked", reason["owner"], None
            task.version += 1
        note(task, "block", f"TASK BLOCKED: {marker_role(who, role)} {task.slug} ", moved=0)

    def restore(self, slug: str, who: Actor) -> None:
        task = self.tasks[slug]
        allowed = who.kind in ALWAYS or (who.kind == "member" and who.roles & set(task.table["restorers"]))
        if not allowed or task.place is None:
            raise Refusal("TransitionRefused")
        begins = task.place[2] is None and (
            task.place[0] == task.table["initial"]
            or rows(task.table, "statuses")[task.place[0]].get("claimable")
        )
        if begins and any(self.tasks[one].outcome in {"failed", "cancelled"} for one in task.needs):
            raise Refusal("TransitionRefused")
        task.status, task.role, task.holder = task.place
        task.place, task.reasons, task.failures = None, [], 0  # an expired lease comes back as expired
        note(
            task, "restore", f"TASK RESTORED: {marker_role(who, task.role, task.table['restorers'])} {slug} "
        )

    def recover(self) -> None:
        """Expire leases; block a task that nobody finishes for whoever may restore it."""
        for task in self.tasks.values():
            if task.holder is None or not task.expired:
                continue
            if task.failures + 1 < FAILED_RUNS_MAX:
                task.failures += 1
                rule = rows(task.table, "transitions")["release"]
                reason = f"attempt {task.attempt} of {task.holder} stopped renewing its lease"
                settled = self._settled(task, {"reason": reason}, None)
                self._go(task, rule, *settled, next_role(task.table, rule, task.role, {}) or "")
            else:
                owner = min(task.table["restorers"])
                self._pause(task, {"reason": None, "owner": owner, "by": ENGINE})

    def found(self, slug: str, kind: str, subject: str, *, holds: bool) -> None:
        task = self.tasks[slug]
        task.evidence.append((kind, subject, holds, task.attempt, task.work))
        task.log.append(("task.evidence", None))

    # --- the founder ---

    def ask(self, wanted: ModelDecision) -> None:
        same = self._same(wanted)
        if same is not None and not same.withdrawn:
            return
        if same is None:
            self.decisions.append(wanted)
        asked = same or wanted
        asked.withdrawn = False
        log = self.tasks[wanted.slug].log
        log.append(("task.decision_asked", wanted.version))
        for one in self.decisions:
            about = (one.slug, one.transition) == (wanted.slug, wanted.transition)
            if about and one is not asked and one.answer is None and not one.withdrawn:
                one.withdrawn = True
                log.append(("task.decision_withdrawn", one.version))

    def answer(self, number: int, who: Actor, *, approve: bool, comment: str) -> None:
        decision = self.decisions[number]
        task = self.tasks[decision.slug]
        wrong = set()
        if who.kind != "founder":
            wrong.add("NotAllowed")
        if not approve and not comment:
            wrong.add("InvalidInput")
        if decision.answer or decision.withdrawn or decision.version != task.version:
            wrong.add("Stale")
        refuse(wrong)
        decision.answer = "approved" if approve else "rejected"
        task.log.append((f"task.decision_{decision.answer}", decision.version))

    def set_mode(self, mode: str, seen: int, who: Actor) -> None:
        wrong = {"NotAllowed"} if who.kind != "founder" else set()
        if seen != self.mode_version:
            wrong.add("Stale")
        refuse(wrong)
        self.mode, self.mode_version = mode, seen + 1

    def decision_for(self, task: ModelTask, name: str, said: Table) -> ModelDecision:
        return ModelDecision(task.slug, name, task.version, {**task.fields, **stripped(said)})

    def _same(self, wanted: ModelDecision) -> ModelDecision | None:
        """Return the decision on the same question: this task, this version, this move and these fields."""
        for one in self.decisions:
            if (one.slug, one.transition, one.version, one.holds) == (
                wanted.slug,
                wanted.transition,
                wanted.version,
                wanted.holds,
            ):
                return one
        return None

    def _decide(
        self, task: ModelTask, rule: Table, said: Table, who: Actor, answer: str
    ) -> ModelDecision | None:
        """Return the decision that the move uses; None if it needs none. Raise Refusal if it is missing."""
        if not rule.get("decision") or who.kind != "member" or self.mode == "autonomous":
            return None
        self.question = rule["name"], said
        if self.mode == "semi":
            if not answer.strip():
                raise Refusal("DecisionNeeded")
            return None
        if self.mode == "auto-approval" and rule["to"] != "complete":
            return None
        given = self._same(self.decision_for(task, rule["name"], said))
        if given is None or given.answer != "approved" or given.used:
            raise Refusal("DecisionNeeded")
        return given

    # --- what all of it is made of ---

    def _lost(self, task: ModelTask, attempt: int | None) -> set[str]:
        if attempt is None or (task.holder is not None and attempt == task.attempt and not task.expired):
            return set()
        return {"TaskBlocked"} if self._keeps(task, attempt) else {"LeaseLost"}

    def _keeps(self, task: ModelTask, attempt: int | None) -> bool:
        """Return True if the task is blocked and its attempt continues afterwards."""
        return task.place is not None and task.place[2] is not None and attempt == task.attempt

    def opens(self, task: ModelTask, rule: Table) -> bool:
        """Return True if the move starts at the position; a revoking move also elsewhere, once a judgement was cleared."""
        moves = rows(task.table, "transitions")
        revoked = [moves[name] for name in rule.get("revokes", ())]
        return starts(rule, task.status, task.role) and (
            not revoked
            or any(starts(one, task.status, task.role) for one in revoked)
            or any(
                (given := task.judged.get(f"move {one['name']}")) is not None
                and given.saw is None
                and not is_reachable(task.table, one, task.status, task.role)
                for one in revoked
            )
        )

    def _illegal(self, task: ModelTask, rule: Table, said: Table, who: Actor) -> set[str]:
        wrong = set() if who.kind == "system" else self._unfit(task.table, said, who, task.role, rule["name"])
        if not self.opens(task, rule) or not includes_actor(
            rule["actors"], who.kind.value, who.roles, task.role
        ):
            wrong.add("TransitionRefused")
        if missing_fields(rule, said, task.fields):
            wrong.add("MissingFields")
        beside = said.keys() - {*rule.get("requires", ()), *rule.get("needs", ())}
        beside -= {name for gate in rule.get("gates", ()) for name in READ.get(gate, ())}
        if who.kind in {"member", "founder"} and not all(
            self._may_change(task, name, who) for name in beside
        ):
            wrong.add("TransitionRefused")
        return wrong

    def _unfit(self, table: Table, said: Table, who: Actor, turn: str, move: str = "") -> set[str]:
        declared, wrong = rows(table, "fields"), set()
        for name, value in said.items():
            if name not in declared:
                wrong.add("InvalidInput")
                continue
            kind = declared[name].get("kind", "text")
            if not may_fill(declared[name], who.kind.value, who.roles, turn):
                wrong.add("TransitionRefused")
            if belongs_to_other_move(table, name, move):
                wrong.add("SaidWithMove")
            told = value.strip() if isinstance(value, str) else value
            if (
                (value is not None and type(value) is not KINDS[kind])
                or (told and kind == "link" and not told.startswith("https://"))
                or (told and kind == "role" and told not in roles_of(table))
            ):
                wrong.add("InvalidInput")
        return wrong

    def _gates(
        self, task: ModelTask, rule: Table, said: Table, who: Actor, cleared: Collection[str] = ()
    ) -> None:
        after = ModelTask(**{name: getattr(task, name) for name in ModelTask.__slots__})
        after.fields = dict(task.fields)
        set_fields(after.fields, stripped(said))
        for name in cleared:
            after.fields.pop(name, None)
        closed = [name for name in rule.get("gates", ()) if not getattr(self, f"_{name}")(after, who)]
        if closed:
            raise Refusal("TransitionRefused", gates=tuple(closed))

    def _proved(self, proof: Proof | None, task: ModelTask, who: Actor) -> bool:
        return proof is not None and proof.by == who.name and proof.at >= task.since

    def _memory_query(self, task: ModelTask, who: Actor) -> bool:
        return self._proved(self.sessions.get(task.text("memory_query_session")), task, who)

    def _memory_contribution(self, task: ModelTask, who: Actor) -> bool:
        return self._proved(self.memories.get(task.text("memory_contribution_id")), task, who)

    def _dependencies(self, task: ModelTask, _who: Actor) -> bool:
        if task.needs:
            return all(self.tasks[needed].outcome == "completed" for needed in task.needs)
        return task.fields.get("depends_on_reviewed") is True

    def _links(self, task: ModelTask, _who: Actor) -> bool:
        kinds = rows(task.table, "fields")
        links = {
            name for name in task.fields if kinds.get(name, {}).get("kind") == "link" and task.text(name)
        }
        seen = [task.newest("link", task.text(name)) for name in links]
        return all(one is not None and one[2] for one in seen)

    def _tests(self, task: ModelTask, _who: Actor) -> bool:
        ran = task.newest("command")
        built = any(task.text(name) for name in ("implementation", "qa_tests", "qa_review"))
        return not built or (ran is not None and ran[2] and ran[3:] == (task.attempt, task.work))

    def _design(self, task: ModelTask, _who: Actor) -> bool:
        return task.role not in {"dev", "qa"} or bool(task.text("pdsa_ref"))

    def _version(self, task: ModelTask, _who: Actor) -> bool:
        version = version_in(task.text("pdsa_ref"))
        if version is None or not task.strikes:
            return version == (0, 0, 1)
        return version > max((0, 0, 1), version_in(task.text("design_version")) or (0, 0, 1))

    def _rework_context(self, task: ModelTask, _who: Actor) -> bool:
        said, given = task.text("rework_reason"), task.text("rework_context")
        return not task.strikes or (bool(given) and said[:50] in given)

    def _approval_questions(self, task: ModelTask, _who: Actor) -> bool:
        return self._answered(task, APPROVAL)

    def _completion_questions(self, task: ModelTask, _who: Actor) -> bool:
        return self._answered(task, COMPLETION)

    def _answered(self, task: ModelTask, questions: tuple[str, ...]) -> bool:
        answers = {" ".join(task.text(name).lower().split()) for name in questions}
        long_enough = min(len(task.text(name)) for name in questions) >= 20
        return len(answers) == len(questions) and long_enough

    def _changelog(self, task: ModelTask, _who: Actor) -> bool:
        return not task.text("pdsa_ref") or bool(task.text("changelog_ref"))

    def _pull_request(self, task: ModelTask, _who: Actor) -> bool:
        return not task.text("feature_branch") or (
            bool(task.text("pr_url"))
            and task.text("pr_review_verdict") == "merge"
            and len(task.text("pr_review_reasoning")) >= 50
            and re.fullmatch("[0-9a-f]{7,64}", task.text("pr_merge_sha")) is not None
        )


def marker_role(who: Actor, turn: str, open_to: Collection[str] = ()) -> str:
    """Return the role in a marker: the role whose turn it is if the actor has it, else one with which it may act."""
    if who.kind != "member":
        return who.kind.upper()
    may = turn in who.roles and (not open_to or turn in open_to or "owner" in open_to)
    able = [turn] if may else sorted(who.roles & set(open_to)) or sorted(who.roles)
    return able[0].upper()


def used_judgements(table: Table, rule: Table) -> set[str]:
    """Return the judgements that a move uses: those that it needs and those that its gates read."""
    named = {
        *rule.get("needs", ()),
        *(one for gate in rule.get("gates", ()) for one in SAID_FOR.get(gate, ())),
    }
    return named & set(judgements_in(table))


def refuse(wrong: set[str]) -> None:
    if wrong:
        raise Refusal(*wrong)


def normalised_proof(name: str, value: str) -> str:
    """Normalise a proof: a session keeps its name, and an id is equal however it is written."""
    return f"{name}: {value.strip() if name == 'memory_query_session' else value.strip().lower()}"


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text; the whole text if it has none."""
    return "".join(char for char in text.lower() if char.isalnum()) or "".join(text.split())


def stripped(said: Table) -> dict[str, Any]:
    """Strip texts, and remove blank items from lists."""
    return {name: cleaned(value) for name, value in said.items()}


def cleaned(value: Any) -> Any:
    if isinstance(value, list):
        return [one.strip() for one in value if isinstance(one, str) and one.strip()]
    return value.strip() if isinstance(value, str) else value


def version_in(text: str) -> tuple[int, ...] | None:
    """Return the last version that a text names."""
    found = re.findall(r"v(\d+)\.(\d+)\.(\d+)", text)
    return tuple(map(int, found[-1])) if found else None


def note(task: ModelTask, name: str, marker: str, *, moved: int = 1) -> None:
    """Record a move: one event with the new version, and one marker that begins with these words."""
    task.version += moved
    task.log.append((f"task.{name}", task.version))
    task.markers.append(marker)

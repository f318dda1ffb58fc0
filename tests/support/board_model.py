"""A reference model of the workflow engine in plain Python, for random histories."""

from __future__ import annotations

from dataclasses import dataclass, field

OPEN = ("pending", "active", "in_review", "blocked")
FAILED_RUNS_MAX = 5


@dataclass(slots=True)
class ModelTask:
    name: str
    needs: frozenset[str]
    priority: int = 0
    num: int = 0
    status: str = "pending"
    attempt: int = 0
    owner: str | None = None
    expired: bool = False
    delayed: bool = False
    held: bool = False
    strikes: int = 0
    failures: int = 0
    rounds: int = 0
    cascaded: bool = False
    place: tuple[str, str | None] | None = None
    reasons: int = 0
    moves: int = 1

    @property
    def open(self) -> bool:
        return self.status in OPEN


class Refusal(Exception):
    """A refusal by the model; its text is the name of the error that the engine must raise."""


@dataclass(slots=True)
class BoardModel:
    """A group of steps. `needs` are the blocking dependencies of a task; informing ones change nothing."""

    tasks: dict[str, ModelTask] = field(default_factory=dict)

    def pending(self, task: ModelTask) -> int:
        return sum(self.tasks[needed].status != "completed" for needed in task.needs)

    def ready(self, task: ModelTask) -> bool:
        return task.status == "pending" and not task.held and self.pending(task) == 0

    def below(self, name: str) -> list[ModelTask]:
        """Return all dependents along the blocking edges, nearest first."""
        reached = {name}
        for task in sorted(self.tasks.values(), key=lambda task: task.num):
            if task.needs & reached:
                reached.add(task.name)
        return sorted((self.tasks[dependent] for dependent in reached - {name}), key=lambda task: task.num)

    def path_length(self, task: ModelTask) -> int:
        """Return the number of tasks on the longest blocking path that begins with this one, whatever their states."""
        behind = (other for other in self.tasks.values() if task.name in other.needs)
        return 1 + max((self.path_length(other) for other in behind), default=0)

    def dead(self, task: ModelTask) -> bool:
        return any(self.tasks[needed].status in {"failed", "cancelled"} for needed in task.needs)

    # --- what can be done ---

    def claim(self, worker: str) -> ModelTask | None:
        able = [task for task in self.tasks.values() if self.ready(task) and not task.delayed]
        if not able:
            return None
        task = min(able, key=lambda task: (-task.priority, -self.path_length(task), task.num))
        task.status, task.owner, task.expired = "active", worker, False
        task.attempt += 1
        task.moves += 1
        return task

    def deliver(self, name: str, attempt: int) -> None:
        task = self._held(name, attempt)
        self._to(task, "in_review")

    def release(self, name: str, attempt: int, *, failed: bool, delayed: bool) -> None:
        task = self._held(name, attempt)
        self._to(task, "pending", delayed=delayed)
        task.failures += failed

    def approve(self, name: str) -> None:
        self._to(self._in(name, "in_review"), "completed")

    def reject(self, name: str) -> None:
        task = self._in(name, "in_review")
        self._to(task, "pending")
        task.strikes += 1

    def strike_out(self, name: str) -> None:
        task = self._in(name, "in_review")
        task.strikes += 1
        self._end(task, "failed")

    def fail(self, name: str) -> None:
        self._end(self._in(name, *OPEN), "failed")

    def cancel(self, name: str) -> None:
        self._end(self._in(name, *OPEN), "cancelled")

    def cancel_group(self) -> None:
        for task in self.tasks.values():
            if task.open:
                self._to(task, "cancelled")

    def block(self, name: str, attempt: int | None = None) -> None:
        task = self.tasks[name]
        if attempt is not None:
            self._held(name, attempt)
        self._in(name, *OPEN)
        task.reasons += 1
        task.moves += 1
        if task.status != "blocked":
            task.place = (task.status, task.owner)
            task.status, task.owner = "blocked", None

    def restore(self, name: str) -> None:
        task = self._in(name, "blocked")
        assert task.place
        task.status, task.owner = task.place
        task.expired = task.owner is not None
        task.place, task.reasons, task.failures, task.delayed = None, 0, 0, False
        task.moves += 1

    def retry(self, name: str) -> None:
        task = self._in(name, "failed", "cancelled")
        if self.dead(task):
            raise Refusal("TransitionRefused")
        self._reopen(task)
        for follower in self.below(name):
            if follower.status == "failed" and follower.cascaded and not self.dead(follower):
                self._reopen(follower)

    def hold(self, *, held: bool) -> None:
        for task in self.tasks.values():
            if task.open:
                task.held = held

    def expire(self, name: str) -> None:
        task = self.tasks[name]
        task.expired = task.owner is not None

    def recover(self) -> None:
        for task in self.tasks.values():
            if task.owner is None or not task.expired:
                continue
            if task.failures + 1 < FAILED_RUNS_MAX:
                self._to(task, "pending")
                task.failures += 1
            else:
                self.block(task.name)

    # --- what all of it is made of ---

    def _held(self, name: str, attempt: int) -> ModelTask:
        task = self.tasks[name]
        if task.owner is None or task.attempt != attempt:
            raise Refusal("LeaseLost")
        return task

    def _in(self, name: str, *statuses: str) -> ModelTask:
        task = self.tasks[name]
        if task.status not in statuses:
            raise Refusal("TransitionRefused")
        return task

    def _to(self, task: ModelTask, status: str, *, delayed: bool = False) -> None:
        task.status, task.owner, task.delayed = status, None, delayed
        task.place, task.reasons = None, 0
        task.moves += 1

    def _end(self, task: ModelTask, status: str) -> None:
        self._to(task, status)
        for follower in self.below(task.name):
            if follower.open:
                self._to(follower, "failed", delayed=follower.delayed)
                follower.cascaded = True

    def _reopen(self, task: ModelTask) -> None:
        self._to(task, "pending")
        task.strikes = task.failures = 0
        task.cascaded = task.held = False
        task.rounds += 1

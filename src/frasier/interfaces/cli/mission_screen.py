"""The screen of a mission: its steps, what each does and finds, what it waits for, and when it should end."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import TypeAlias

from rich.console import Group
from rich.text import Text

from frasier.interfaces.cli.icons import MARKS
from frasier.interfaces.cli.output import short, time_taken, usd
from frasier.interfaces.cli.plan_page import calls_in_words, plan_line
from frasier.interfaces.cli.waiting import how_to_go_on, questions_of, trouble_text
from frasier.kernel.humanize import plural
from frasier.kernel.text import strip_control
from frasier.overview import MissionProgress, PlanView, StepProgress

_TITLE_MIN = 20
Figures: TypeAlias = tuple[str, ...]
"""Agent, time, cost and score."""

_FIGURES = ("by", "time", "cost", "score")
_ASKING_S = 2.0  # shorter calls are not worth a remark


def render(progress: MissionProgress, *, width: int = 120, height: int | None = None) -> Group:
    """Return the screen as a Rich renderable that fits the width and, if there is one, the height."""
    below = _notices(progress)
    plan = [_plan(progress.plan)] if progress.plan else []
    if progress.plan and progress.plan.budget_warning:
        plan.append(Text(f"▲ {progress.plan.budget_warning}", style="yellow"))
    above = [_head(progress), _facts(progress, width), *plan, Text()]
    room = None if height is None else height - _lines_of([*above, *below], width) - 1
    return Group(*above, *_steps(progress.steps, width, room), *below)


def _head(progress: MissionProgress) -> Text:
    title = Text(strip_control(progress.title), style="bold", no_wrap=True, overflow="ellipsis")
    if progress.rehearsal:
        title.append("  rehearsal: no model is configured", style="yellow not bold")
    return title


def _facts(progress: MissionProgress, width: int) -> Text:
    spent = f"${progress.cost_usd:.4f}"
    if progress.budget_usd is not None:
        spent += f" of {usd(progress.budget_usd)}"
    facts = [time_taken(progress.seconds), calls_in_words(progress), spent]
    text = Text.assemble(
        (progress.status.replace("_", " "), "bold green" if progress.path else "bold cyan"),
        (f" · {' · '.join(facts)}", "dim"),
    )
    if progress.seconds_left is not None and not progress.over:
        left = f" · about {_roughly(progress.seconds_left)} left"
        ends_at = datetime.now().astimezone() + timedelta(seconds=progress.seconds_left)
        clock = f", until {ends_at:%H:%M}"
        text.append(left + clock if text.cell_len + len(left + clock) <= width else left, style="cyan")
    return text


def _plan(plan: PlanView) -> Text:
    return Text(f"plan: {plan_line(plan)}", style="dim", no_wrap=True, overflow="ellipsis")


def _roughly(seconds: float) -> str:
    """Format an estimated duration no more exactly than it is known."""
    return time_taken(max(round(seconds, -1), 10) if seconds < 90 else round(seconds / 60) * 60)


def _notices(progress: MissionProgress) -> list[Text]:
    """Return what the mission waits for, below an empty line."""
    lines = [
        Text(strip_control(f"▲ {trouble_text(trouble)}"), style="yellow")
        for trouble in progress.model_troubles
    ]
    lines += [Text(strip_control(f"■ {line}"), style="magenta") for line in questions_of(progress)]
    if not progress.attended and not progress.over and not progress.waits_for_founder:
        lines.append(Text(f"■ {how_to_go_on(short(progress.mission_id))}", style="yellow"))
    return [Text(), *lines] if lines else []


def _lines_of(parts: Sequence[Text], width: int) -> int:
    return sum(max(-(-len(part.plain) // width), 1) for part in parts)


def _steps(steps: Sequence[StepProgress], width: int, room: int | None) -> list[Text]:
    """Draw the steps. Where they do not fit, finished ones lose their details and then become one line, and after them
    those that have not begun.
    """
    figures = _figures(steps)
    room_of_titles = max(width - sum(map(len, figures[""])) - 2 * len(figures[""]), _TITLE_MIN)
    title_width = min(max((_title(step).cell_len for step in steps), default=0), room_of_titles)
    header = [_line(Text(), figures[""], title_width, style="dim")]
    blocks = {
        step.key: [_line(_title(step), figures[step.key], title_width), *_details(step)] for step in steps
    }
    folded: dict[str, list[str]] = {}
    for status in ("completed", "pending"):
        keys = [step.key for step in steps if step.status == status]
        # The count of a single step would take as much room as the step.
        for shrink in (_without_details, _without_rows)[: len(keys)]:
            if room is not None and sum(map(len, blocks.values())) + len(folded) + len(header) > room:
                shrink(blocks, keys)
                if shrink is _without_rows:
                    folded[status] = keys
    lines = [line for block in blocks.values() for line in block]
    done, rest = _count(folded, "completed", "done"), _count(folded, "pending", "to be done")
    return [*header, *done, *lines, *rest]


def _without_details(blocks: dict[str, list[Text]], keys: Sequence[str]) -> None:
    for key in keys:
        blocks[key] = blocks[key][:1]


def _without_rows(blocks: dict[str, list[Text]], keys: Sequence[str]) -> None:
    for key in keys:
        blocks[key] = []


def _count(folded: dict[str, list[str]], status: str, word: str) -> list[Text]:
    if status not in folded:
        return []
    sign, style = MARKS[status]
    return [Text.assemble((f"{sign} ", style), (f"{plural(len(folded[status]), 'step')} {word}", "dim"))]


def _figures(steps: Sequence[StepProgress]) -> dict[str, Figures]:
    """Return agent, time, cost and score of each step by its key, padded to common widths; "" has their names."""
    rows = {"": _FIGURES} | {
        step.key: (
            step.agent,
            "" if step.work.seconds is None or step.status == "pending" else time_taken(step.work.seconds),
            f"${step.work.cost_usd:.4f}" if step.work.calls else "",
            "" if step.score is None else f"{step.score:.1f}",
        )
        for step in steps
    }
    widths = [max(len(row[column]) for row in rows.values()) for column in range(4)]
    return {
        key: (row[0].ljust(widths[0]), *(row[column].rjust(widths[column]) for column in (1, 2, 3)))
        for key, row in rows.items()
    }


def _title(step: StepProgress) -> Text:
    sign, style = MARKS[step.status]
    return Text.assemble((f"{sign} ", style), (_tree(step), "dim"), strip_control(step.title))


def _line(title: Text, figures: Figures, title_width: int, *, style: str = "cyan") -> Text:
    """Draw a title on the left, cut where it must be, and figures on its right."""
    agent, *numbers = figures
    title.truncate(title_width, overflow="ellipsis", pad=True)
    title.append(f"  {agent}", style=style)
    title.append("".join(f"  {number}" for number in numbers), style="dim")
    title.no_wrap, title.overflow = True, "ellipsis"
    return title


def _details(step: StepProgress) -> list[Text]:
    """Draw the lines below a step: what it does and found last, what it waits for, or how it was approved."""
    if step.status == "completed":
        parts = [_approval(step)] if step.version else []
        return [_detail(step, part, "dim") for part in parts]
    state = step.phase or step.status.replace("_", " ")
    if step.status == "pending":
        return [_detail(step, state, "dim")]
    if step.status == "blocked":
        return []  # the reason stands below, with what to do about it
    _, style = MARKS[step.status]
    if step.work.asking and (step.work.asking_s or 0) >= _ASKING_S:
        state += f" · asks {step.work.asking} for {time_taken(step.work.asking_s or 0)}"
    found = [_detail(step, step.work.activity, "dim")] if step.work.activity else []
    return [_detail(step, state, style), *found]


def _detail(step: StepProgress, text: str, style: str) -> Text:
    line = Text(f"  {' ' * len(_tree(step))}", no_wrap=True, overflow="ellipsis")
    return line.append(strip_control(" ".join(text.split())), style=style)


def _tree(step: StepProgress) -> str:
    return "  " * max(step.level - 1, 0) + ("└ " if step.level else "")


def _approval(step: StepProgress) -> str:
    """Say how a finished step was approved."""
    by = [review.by for review in step.approvals]
    parts = [f"version {step.version}"]
    if step.verification is not None:
        parts.append(step.verification.headline)
    parts.append(f"approved by {', '.join(by)}")
    if step.degraded:
        parts.append("degraded")
    return " · ".join(parts)

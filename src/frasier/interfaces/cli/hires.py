"""Hires as the command line draws them: why, who decided, and what they cost."""

from __future__ import annotations

from typing import TYPE_CHECKING

from frasier.interfaces.cli.output import Page, ago, short, usd
from frasier.kernel.humanize import ended, plural

if TYPE_CHECKING:
    from frasier.overview import HireView


def add_hire(page: Page, hire: HireView) -> None:
    """Draw a hire: the reason, the decision, the mission, and the expected and the true cost."""
    page.prose(ended(hire.reason))
    page.line(hire.decision, (f"  {ago(hire.decided_at or hire.proposed_at)}", "dim"))
    if hire.mission:
        page.line(f"for the mission {hire.mission_title}", (f"  {short(hire.mission)}", "dim"))
    page.line(
        f"expected {usd(hire.expected_usd)} · writing the persona {usd(hire.writing_usd)} in"
        f" {plural(hire.writing_calls, 'call')} · work since then {usd(hire.work_usd)}"
    )
    page.line((f"{hire.persona_state}, version {hire.persona_version}", "dim"))

"""Outages as lines of a log: one where each begins and one where it ends, however often a service fails meanwhile."""

from __future__ import annotations

from frasier.interfaces.cli.outage_lines import OVER_AFTER_S, OutageLines

BEGINS = "An outage of kettle begins: It is cold."
OVER = "The outage of kettle is over: nothing waits for it any more."


def test_a_service_that_fails_now_and_then_has_one_outage():
    now = [0.0]
    lines = OutageLines(clock=lambda: now[0])
    assert list(lines.of({})) == []
    assert list(lines.of({"kettle": "It is cold."})) == [BEGINS]
    for fails in (True, False, False, True, True, False):
        now[0] += OVER_AFTER_S / 3
        assert list(lines.of({"kettle": "It is still cold."} if fails else {})) == []
    now[0] += OVER_AFTER_S
    assert list(lines.of({})) == [OVER]
    assert list(lines.of({})) == []
    assert list(lines.of({"kettle": "It is cold."})) == [BEGINS], "another outage"


def test_outages_of_several_services_are_told_apart():
    now = [0.0]
    lines = OutageLines(clock=lambda: now[0])
    assert len(list(lines.of({"kettle": "It is cold.", "oven": "It is off."}))) == 2
    now[0] += OVER_AFTER_S
    assert list(lines.of({"oven": "It is off."})) == [OVER]

"""Advice over HTTP: the method and the address of the resource, with everything that was advised in its place."""

from __future__ import annotations

import re

import pytest

from frasier.interfaces.advice import ACTIONS, HttpRequests, Reader
from frasier.interfaces.resources import RESOURCE_OF
from frasier.kernel.advice import Advice

FOUNDER = HttpRequests(Reader.FOUNDER)


@pytest.mark.parametrize(
    ("advice", "sentence"),
    [
        (Advice("mission.list"), "GET /api/v1/missions."),
        (Advice("mission.show", mission="last"), "GET /api/v1/missions/last."),
        (Advice("mission.pause", to="stop it"), "POST /api/v1/missions/{mission}/pause to stop it."),
        (Advice("task.get", task="kettle/tea"), "GET /api/v1/tasks/kettle%2Ftea."),
        (
            Advice("task.edit", task="tea", attempt=1),
            'PATCH /api/v1/tasks/tea with {"attempt": 1}.',
        ),
        (Advice("task.list", over_days=365), "GET /api/v1/tasks?over_days=365."),
        (Advice("memory.get", id="a?b#c"), "GET /api/v1/memories/a%3Fb%23c."),
        (Advice("memory.search", query="tea"), 'POST /api/v1/memories/search with {"query": "tea"}.'),
    ],
)
def test_advice_is_the_request_of_its_resource(advice: Advice, sentence: str) -> None:
    assert FOUNDER.advise(advice) == sentence


@pytest.mark.parametrize("action", [name for name, action in ACTIONS.items() if action.tool])
def test_every_action_with_an_operation_is_advised_as_a_request(action: str) -> None:
    resource = RESOURCE_OF[ACTIONS[action].tool]
    assert FOUNDER.advise(Advice(action)).startswith(f"{resource.method} {resource.path}")


def test_inputs_are_those_that_the_path_does_not_give() -> None:
    told = FOUNDER.explain_inputs("task_edit", ["task", "version", "fields"])
    assert told == "PATCH /api/v1/tasks/{task} takes version, fields."
    assert re.match(
        r"GET /api/v1/agents/\{agent\} takes nothing else", FOUNDER.explain_inputs("agent_get", ["agent"])
    )

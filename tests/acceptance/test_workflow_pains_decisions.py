"""What went wrong with who decides: each pain by its number or letter, and what the board does instead."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import httpx2
import pytest
from mcp import Client, StdioServerParameters
from pydantic import BaseModel, SecretStr

from frasier.board import (
    ApprovalMode,
    DecisionNeeded,
    add_member,
    board_upkeep,
    get_board,
    make_board,
    remove_member,
    set_mode,
)
from frasier.interfaces.operations.tasks.registry import TASK_OPERATIONS
from frasier.kernel.errors import InvalidInput, NotAllowed, Stale, TransitionRefused
from frasier.memory import issue_token, revoke_token
from frasier.settings import Settings
from frasier.workflow import FOUNDER, Actor, ActorKind
from support.board_team import BOARD, open_team
from support.cli import DEADLINE_S
from support.line_server import HELLO
from support.mcp_host import hosted
from support.task_walk import completion_move, create_reviewed_task, open_http_board, serving
from support.team import liaison_answers

SOURCE = Path(__file__).parents[2] / "src" / "frasier"
WITHOUT_VECTORS = {"FRASIER_MEMORY__EMBEDDING__PROVIDER": "none"}
APPROVAL = {"liaison_review": "As it was asked for.", **liaison_answers("tea", "approval")}
APPROVE = {"task": "tea", "move": "approve_design", "fields": APPROVAL}
STOPPED = {"reason": "The database is locked.", "owner": "liaison", "action": "unlock it"}
MEMBERS = ("lia", "anna", "dan", "quinn")


@pytest.fixture
async def manual(db):
    async with open_team(db, mode=ApprovalMode.MANUAL) as team:
        await team.designed()
        yield team


async def set_to(db, mode):
    async with db.transaction() as tx:
        await set_mode(tx, BOARD, mode, seen=None, actor=FOUNDER)


async def asked(team):
    """What waits for the founder, which is one decision."""
    [waiting] = (await team("boss", "task_decisions"))["decisions"]
    return waiting["decision"]


def test_pain_04_no_tool_takes_an_actor_as_an_argument():
    """Any text could be the actor once. Here nothing that is sent says who sends it."""

    def names(schema):
        for name, value in schema.get("properties", {}).items():
            yield name
            yield from names(value)

    says_who = re.compile(
        r"actor|\bas\b|^by$|author|agent|member|caller|user|person|identity|token|on_behalf"
    )
    # Whose turn it is first, whose turn is looked for, and who must end a pause: none says who is asking.
    about_others = {("task_create", "role"), ("task_list", "role"), ("task_block", "owner")}
    for name, tool in TASK_OPERATIONS.items():
        for argument in names(tool.input.model_json_schema()):
            assert not says_who.search(argument), f"{name} takes {argument}"
            if argument in {"role", "roles", "owner", "who", "name"}:
                assert (name, argument) in about_others | {("task_create", "name")}
        assert tool.input.model_config["extra"] == "forbid"


async def test_pain_04_who_acts_is_whose_token_it_is(team):
    """The same over HTTP: a name that is sent along is refused, and the record has the token's."""
    await team.ready()
    async with open_http_board(team) as wire:
        rita, stranger = await wire.token("rita", "liaison"), await wire.token("stranger")
        for claimed in ({"actor": "founder"}, {"as": "pdsa"}, {"by": "system"}, {"role": "pdsa"}):
            refused = await wire(rita, "task_block", task="tea", **STOPPED, **claimed)
            assert refused.status_code == 422
        refused = await wire(stranger, "task_block", task="tea", **STOPPED)
        assert (refused.status_code, refused.json()["error"]["code"]) == (403, "not_allowed")
        assert await team.place("tea") == ("ready", "pdsa")
        session = (await wire(rita, "memory_search", query="kettle", session="s-rita")).json()
        assert session["data"]["results"] == []
        as_designer = await wire(rita, "task_claim", task="tea", memory_query_session="s-rita")
        assert as_designer.status_code == 409
        assert "may not claim" in as_designer.json()["error"]["message"]
        assert (await wire(rita, "task_block", task="tea", **STOPPED)).status_code == 200
        events = (await wire(rita, "task_history", task="tea")).json()["data"]["events"]
    assert [event["by"] for event in events] == ["member:token:lia"] * 2 + ["member:token:rita"]


@pytest.mark.parametrize(
    "fields",
    [
        {"role": "liaison"},
        {"status": "complete"},
        {"human_confirmed": True},
        {"human_confirmed": True, "human_confirmed_via": "viz"},
        {"decided_by": "founder:founder"},
        {"approval_mode": "autonomous"},
        {"test_pass_count": 3},
        {"board": "other"},
    ],
    ids="+".join,
)
async def test_pain_05_neither_the_role_nor_a_confirmation_is_a_field_that_can_be_filled(manual, fields):
    version = (await manual("lia", "task_get", task="tea"))["version"]
    for who in (*MEMBERS, "boss"):
        refused = await manual.refused(who, "task_edit", task="tea", version=version, fields=fields)
        assert isinstance(refused, (InvalidInput, TransitionRefused))
        move = APPROVE | {"fields": APPROVAL | fields}
        if who != "boss":
            assert not isinstance(await manual.refused(who, "task_move", **move), DecisionNeeded)


async def test_pain_05_no_credential_of_an_agent_confirms_over_http(manual):
    """The endpoint took any API key once, and so the agents' own."""
    await manual.refused("lia", "task_move", **APPROVE)
    decision = await asked(manual)
    async with open_http_board(manual) as wire:
        for token, status in (
            ("", 401),
            ("frasier_sk-" + "A" * 43, 401),
            (await wire.token("stranger"), 403),
            (await wire.token("rita", "liaison"), 403),
            (await wire.token("founder", "pdsa"), 403),
        ):
            answer = await wire(token, "task_decide", decision=decision, approve=True)
            assert answer.status_code == status
        assert isinstance(await manual.refused("lia", "task_move", **APPROVE), DecisionNeeded)
        boss = await wire.token("thomas", founder=True)
        [shown] = (await wire(boss, "task_decisions")).json()["data"]["decisions"]
        assert (shown["board"], shown["criteria"]) == (BOARD, ["It whistles."])
        assert (await wire(boss, "task_decide", decision=decision, approve=True)).status_code == 200
        bare = await wire(await wire.token("ruth", "liaison"), "task_move", task="tea", move="approve_design")
    assert bare.status_code == 200, "what was approved goes with the decision"


async def test_pain_05_what_a_model_speaks_through_is_never_the_founder(manual, db, frasier):
    """Not even where the founder's own token got into its environment."""
    await manual.refused("lia", "task_move", **APPROVE)
    async with db.transaction() as tx:
        token = await issue_token(tx, "thomas", ["shared"], founder=True)
    async with Client(mcp_server(frasier, token)) as client:
        assert "task_decide" not in {tool.name for tool in (await client.list_tools()).tools}
    async with Client(mcp_server(frasier, token, "--tools", "task_decide")) as client:
        told = await client.call_tool("task_decide", {"decision": await asked(manual), "approve": True})
    assert told.is_error
    assert json.loads(told.content[0].text)["code"] == "not_allowed"
    assert isinstance(await manual.refused("lia", "task_move", **APPROVE), DecisionNeeded)


def mcp_server(frasier, token, *offered):
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "frasier", "mcp", *(offered or ("--all",))],
        env={**frasier._environment, **WITHOUT_VECTORS, "FRASIER_TOKEN": token},
        cwd=frasier.home,
    )


async def test_pain_06_an_approval_of_completion_does_not_complete_what_was_opened_again(team, db, tmp_path):
    """The click was never consumed: after reopening, the old one completed the task a second time."""
    await create_reviewed_task(team, tmp_path)
    await set_to(db, ApprovalMode.MANUAL)
    assert isinstance(await team.refused("lia", "task_move", **completion_move()), DecisionNeeded)
    [shown] = (await team("boss", "task_decisions"))["decisions"]
    assert (shown["tests"], set(shown["work"])) == (
        {"passed": 3, "total": 3},
        {"pdsa_ref", "design_version", "qa_tests", "implementation"},
    )
    ran = [one for one in shown["evidence"] if one["kind"] == "command"]
    assert [(one["subject"], one["holds"], one["of_this_work"]) for one in ran] == [("unit", True, True)]
    spent = shown["decision"]
    await team("boss", "task_decide", decision=spent, approve=True)
    await team("lia", "task_move", task="tea", move="complete")
    reason = {"rework_reason": "It leaks.", "rework_target_role": "dev"}
    await team("boss", "task_move", task="tea", move="reopen", fields=reason)
    attempt = await team.claim("dan", "tea")
    mended = {
        "implementation": "src/kettle.py, tight now",
        "rework_context": "They said: It leaks. It is tight now.",
    }
    await team.deliver("dan", "tea", attempt, **mended)
    await team("quinn", "task_check", task="tea", command="unit")
    await team("quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "Green again."})
    await team("anna", "task_move", task="tea", move="pass_design", fields={"pdsa_review": "As designed."})
    for _ in range(2):
        assert isinstance(await team.refused("lia", "task_move", **completion_move()), DecisionNeeded)
    again = await team.refused("boss", "task_decide", decision=spent, approve=True)
    assert isinstance(again, Stale)
    assert await asked(team) != spent


async def test_pain_06_a_founder_who_asks_for_rework_gets_it(manual):
    """The button for rework withdrew the confirmation that the rework needed."""
    await manual.refused("lia", "task_move", **APPROVE)
    await manual("boss", "task_decide", decision=await asked(manual), approve=False, comment="Too small.")
    assert "Too small." in (await manual.refused("lia", "task_move", **APPROVE)).message
    reject = {"task": "tea", "move": "reject_design", "fields": {"rework_reason": "Too small."}}
    await manual.refused("lia", "task_move", **reject)
    await manual("boss", "task_decide", decision=await asked(manual), approve=True)
    await manual("lia", "task_move", **reject)
    assert await manual.place("tea") == ("rework", "pdsa")
    other = await manual.designed("cup")
    await manual("boss", "task_move", **reject | {"task": other})
    assert await manual.place("cup") == ("rework", "pdsa")


async def test_pain_13_a_founder_who_is_slow_costs_nobody_their_work(manual, db):
    """After a day the designer's work went to rework, with the wrong role. Here it waits, and is reminded of."""
    await manual.refused("lia", "task_move", **APPROVE)
    decision = await asked(manual)
    before = await manual("lia", "task_get", task="tea")
    for _ in range(3):
        async with db.transaction() as tx:
            await tx.execute(
                "update board_decisions set asked_at = asked_at - interval '14 days',"
                " reminded_at = reminded_at - interval '14 days'"
            )
            await tx.execute("update workflow_tasks set since = since - interval '14 days'")
        for _, _, job in board_upkeep(db, manual.told):
            await job()
    after = await manual("lia", "task_get", task="tea")
    assert {name: after[name] for name in ("status", "role", "version", "fields")} == {
        name: before[name] for name in ("status", "role", "version", "fields")
    }
    assert len(manual.told.news) == 4, "asked once and reminded three times"
    await manual("boss", "task_decide", decision=decision, approve=True)
    await manual("lia", "task_move", **APPROVE)
    assert await manual.place("tea") == ("approved", "qa")


async def test_pain_e_a_liaison_alone_approves_and_completes_nothing(team, db, tmp_path):
    """Eight tasks were approved by the liaison itself. In a new board not one is, whatever it tries."""
    done = [await create_reviewed_task(team, tmp_path, f"done-{n}") for n in range(2)]
    designed = [await team.designed(f"drawn-{n}") for n in range(2)]
    async with db.transaction() as tx:
        assert (await make_board(tx, "fresh", actor=FOUNDER)).approval_mode is ApprovalMode.MANUAL
    await set_to(db, ApprovalMode.MANUAL)
    moves = [completion_move(task) for task in done] + [
        {
            "task": task,
            "move": "approve_design",
            "fields": {"liaison_review": f"{task} looks good.", **liaison_answers(task, "approval")},
        }
        for task in designed
    ]
    for given in moves * 2:
        refused = await team.refused("lia", "task_move", founder_answer="Thomas said yes.", **given)
        assert isinstance(refused, DecisionNeeded)
    assert len((await team("boss", "task_decisions"))["decisions"]) == len(moves)


async def test_pain_e_what_the_founder_says_is_kept_with_what_it_was_about(manual, db):
    """His words were lost: here they are a record, bound to the move, the version and what was shown."""
    await manual.refused("lia", "task_move", **APPROVE)
    decision = await asked(manual)
    await manual("boss", "task_decide", decision=decision, approve=True, comment="Yes, but make it blue.")
    async with db.transaction() as tx:
        cursor = await tx.execute("select * from board_decisions where id = %s", [decision])
        row = await cursor.fetchone()
    assert (row["transition"], row["comment"], row["answered_by"]) == (
        "approve_design",
        "Yes, but make it blue.",
        "founder:founder",
    )
    assert row["version"] == (await manual("lia", "task_get", task="tea"))["version"]
    assert row["shown"]["said"] == APPROVAL
    assert len(row["digest"]) == 64
    other = APPROVE | {"fields": APPROVAL | {"liaison_review": "Something else."}}
    assert isinstance(await manual.refused("lia", "task_move", **other), DecisionNeeded)
    await manual("lia", "task_move", **APPROVE)
    events = (await manual("lia", "task_history", task="tea"))["events"]
    assert [(one["what"], one.get("said")) for one in events if one["what"].startswith("decision")] == [
        ("decision_asked", None),
        ("decision_approved", "Yes, but make it blue."),
        ("decision_asked", None),
    ]


async def test_pain_e_the_mode_is_changed_by_the_founder_alone_on_what_they_saw(db):
    """A stale tab put it back to manual, and the record said "thomas"."""
    async with db.transaction() as tx:
        seen = (await make_board(tx, "fresh", actor=FOUNDER)).mode_version
    agent = Actor(ActorKind.MEMBER, "token:lia", frozenset({"liaison"}))
    with pytest.raises(NotAllowed):
        async with db.transaction() as tx:
            await set_mode(tx, "fresh", ApprovalMode.AUTONOMOUS, seen=seen, actor=agent)
    async with db.transaction() as tx:
        changed = await set_mode(tx, "fresh", ApprovalMode.SEMI, seen=seen, actor=FOUNDER)
    with pytest.raises(Stale, match="was changed meanwhile"):
        async with db.transaction() as tx:
            await set_mode(tx, "fresh", ApprovalMode.MANUAL, seen=seen, actor=FOUNDER)
    async with db.transaction() as tx:
        kept = await get_board(tx, "fresh")
        cursor = await tx.execute(
            "select actor, payload from events where stream = %s and kind = 'board.mode'", [kept.id]
        )
        [event] = await cursor.fetchall()
    assert (kept.approval_mode, kept.mode_by) == (changed.approval_mode, "founder:founder")
    assert (event["actor"], event["payload"]["to"]) == ("founder:founder", "semi")


async def test_pain_m_a_revoked_credential_is_refused_at_the_very_next_call_and_no_other_is(team, db):
    """All agents had one key, which could not be taken from one of them."""
    await team.ready()
    async with open_http_board(team) as wire:
        rita, olga = await wire.token("rita", "liaison"), await wire.token("olga", "pdsa")
        assert rita != olga
        for token in (rita, olga):
            assert (await wire(token, "task_recover")).status_code == 200
        async with db.transaction() as tx:
            await revoke_token(tx, "rita")
        assert (await wire(rita, "task_block", task="tea", **STOPPED)).status_code == 401
        assert (await wire(olga, "task_recover")).status_code == 200
        async with db.transaction() as tx:
            await remove_member(tx, "olga", actor=FOUNDER)
        assert (await wire(olga, "task_block", task="tea", **STOPPED)).status_code == 403
    assert await team.place("tea") == ("ready", "pdsa")


async def test_pain_m_a_program_that_is_running_with_a_revoked_credential_is_refused_too(team, db, frasier):
    """Over standard input the token is shown once, at the start; it is asked for at every call all the same."""
    await team.ready()
    async with db.transaction() as tx:
        token = await issue_token(tx, "rita", ["shared", f"board:{BOARD}"])
        await add_member(tx, "rita", ["liaison"], [BOARD], actor=FOUNDER)
    async with Client(mcp_server(frasier, token)) as client:
        asked = {"query": "kettle", "scopes": ["shared"]}
        for tool, arguments in {"task_recover": {}, "memory_search": asked}.items():
            assert not (await client.call_tool(tool, arguments)).is_error
        async with db.transaction() as tx:
            await revoke_token(tx, "rita")
        for tool, arguments in {"task_block": {"task": "tea", **STOPPED}, "memory_search": asked}.items():
            told = await client.call_tool(tool, arguments)
            assert told.is_error
            assert json.loads(told.content[0].text)["code"] == "not_allowed"
    assert await team.place("tea") == ("ready", "pdsa")


def test_pain_m_no_secret_stands_in_the_source_or_in_a_default():
    """A key that everybody knew was the default. Here a secret that nobody set is none."""

    def secrets(model):
        for name, field in model.model_fields.items():
            if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
                yield from secrets(field.annotation)
            elif "SecretStr" in str(field.annotation):
                value = field.get_default(call_default_factory=True)
                yield name, value.get_secret_value() if isinstance(value, SecretStr) else value

    found = list(secrets(Settings))
    assert len(found) >= 3
    assert not [name for name, value in found if value]
    written = [
        path for path in SOURCE.rglob("*") if path.suffix in {".py", ".sql", ".toml"} and path.is_file()
    ]
    assert not [
        path for path in written if re.search(r"frasier_sk-[A-Za-z0-9_-]{20}", path.read_text("utf-8"))
    ]


def test_pain_m_the_first_token_is_made_by_chance_and_can_decide_nothing(frasier):
    """Whoever starts the program for the first time gets a key of their own; it is no member's and no founder's."""
    with serving(frasier) as (base, said):
        [token] = set(re.findall(r"frasier_sk-[A-Za-z0-9_-]{43}", said))
        with httpx2.Client(base_url=base, timeout=DEADLINE_S) as client:
            for shown in ("frasier", "changeme", "frasier_sk-", "founder"):
                headers = {"Authorization": f"Bearer {shown}"}
                assert client.post("tools/task_list", json={}, headers=headers).status_code == 401
            headers = {"Authorization": f"Bearer {token}"}
            refused = client.post("tools/task_list", json={}, headers=headers)
            assert refused.status_code == 403
            assert "is no member" in refused.json()["error"]["message"]
    assert len(set(token.removeprefix("frasier_sk-"))) > 15


def test_pain_m_a_server_does_nothing_with_a_credential_that_is_none(frasier):
    with hosted(frasier, "mcp", FRASIER_TOKEN="changeme") as host:
        assert host.ask(HELLO)["result"]
        refused = host.call("task_list")
        code, errors = host.end()
    assert refused["code"] == "not_allowed"
    assert code == 3
    assert refused["message"] in errors
    assert "changeme" not in errors + str(refused)

"""The gates of the pdsa board, each met closed and open, through the tools that everybody uses."""

from __future__ import annotations

import sys
from dataclasses import replace

import pytest
from pydantic import SecretStr

from frasier.board import DeclaredCommand, declare_command, get_board, switch_command
from frasier.kernel.errors import InvalidInput, LeaseLost, NotAllowed, NotFound, Stale, TransitionRefused
from frasier.memory import EmbeddingSettings, MemorySettings, open_engine
from frasier.workflow import FOUNDER
from support.board_team import BOARD, DESIGN, DONE, WANTED
from support.embedding_server import EmbeddingServer, refusing
from support.team import liaison_answers


@pytest.fixture
def checked(db, tmp_path):
    """Runs a declared command that passes on the task, as the engine does."""
    script = tmp_path / "unit.py"
    script.write_text("print('3 passed in 0.01s')")

    async def run(team, task="tea", who="quinn"):
        async with db.transaction() as tx:
            board = await get_board(tx, BOARD)
            command = DeclaredCommand(
                name="unit",
                arguments=(sys.executable, str(script)),
                folder=tmp_path.resolve(),
                timeout_s=30,
                memory_mb=512,
            )
            await declare_command(tx, board.id, command, actor=FOUNDER)
            await switch_command(tx, board.id, "unit", enabled=True, actor=FOUNDER)
        return await team(who, "task_check", task=task, command="unit")

    return run


class TestCreation:
    async def test_a_task_begins_where_the_table_says_with_what_it_requires(self, team):
        made = await team(
            "lia", "task_create", name="tea", title="  A   kettle ", fields=WANTED, role="liaison", priority=3
        )
        assert (made["task"], made["status"], made["role"]) == ("kettle/tea", "pending", "liaison")
        assert (made["title"], made["fields"]["board"]) == ("A kettle", "kettle")

    @pytest.mark.parametrize(
        ("who", "arguments", "kind", "said"),
        [
            ("dan", {}, TransitionRefused, "dan may not create"),
            ("lia", {"fields": {"description": "x"}}, InvalidInput, "lacks acceptance_criteria"),
            ("lia", {"fields": WANTED | {"pdsa_ref": DESIGN}}, TransitionRefused, "may not fill pdsa_ref"),
            ("lia", {"fields": WANTED | {"role": "dev"}}, InvalidInput, "no field 'role'"),
            ("lia", {"fields": WANTED | {"constraints": 7}}, InvalidInput, "constraints must be a text"),
            ("lia", {"role": "dev"}, InvalidInput, "does not begin with 'dev'"),
            ("lia", {"name": "Tea Time"}, InvalidInput, "cannot be a task's name"),
            ("lia", {"process": "mission_step"}, InvalidInput, "No board works by"),
            ("lia", {"process": "pdsa_bug"}, InvalidInput, "must name the task that it is about"),
            ("lia", {"needs": ["nothing"]}, NotFound, "no task 'nothing'"),
            ("lia", {"board": "other"}, NotAllowed, "is no member of other"),
        ],
    )
    async def test_what_is_missing_or_not_allowed_is_told_and_nothing_is_made(
        self, team, who, arguments, kind, said
    ):
        given = {"name": "tea", "title": "A kettle", "fields": WANTED} | arguments
        refused = await team.refused(who, "task_create", **given)
        assert isinstance(refused, kind), refused
        assert said in refused.message
        assert (await team("lia", "task_list"))["tasks"] == []

    async def test_a_name_is_used_once_on_a_board(self, team):
        await team.create()
        assert (
            "already a task of that name"
            in (await team.refused("lia", "task_create", name="tea", title="t", fields=WANTED)).message
        )

    async def test_a_call_that_is_repeated_returns_the_task_that_it_made(self, team):
        given = {"title": "A kettle", "fields": WANTED, "priority": 3}
        await team("lia", "task_create", name="water", title="Water", fields=WANTED)
        wanted = given | {"name": "tea", "needs": ["water"]}
        made = await team.envelope("lia", "task_create", **wanted)
        assert made.summary == "kettle/tea is pending with pdsa."
        await team("lia", "task_edit", task="tea", version=1, fields={"description": "Something else."})
        again = await team.envelope("lia", "task_create", **wanted)
        assert again.summary == (
            "kettle/tea is yours already, added in these words; it is pending with pdsa."
        )
        assert (again.data["task"], again.data["version"]) == ("kettle/tea", 2)
        others = [
            ("lia", {"title": "Another kettle"}),
            ("lia", {"fields": WANTED | {"description": "It boils."}}),
            ("lia", {"priority": 4}),
            ("lia", {"needs": []}),
            ("anna", {}),
        ]
        for who, other in others:
            refused = await team.refused(who, "task_create", **wanted | other)
            assert "already a task of that name" in refused.message, (who, other)
        assert len((await team("lia", "task_list"))["tasks"]) == 2

    async def test_a_bug_names_what_it_was_found_in(self, team):
        await team.create()
        await team.create("leak", process="pdsa_bug", about=["tea"])
        assert await team.place("leak") == ("pending", "liaison")


class TestDependencies:
    async def test_a_task_without_any_is_looked_at_first(self, team):
        await team.create()
        closed = await team.refused("lia", "task_move", task="tea", move="ready")
        assert "dependencies: it depends on nothing, and depends_on_reviewed is not true" in closed.message
        await team("lia", "task_move", task="tea", move="ready", fields={"depends_on_reviewed": True})

    async def test_a_task_waits_for_what_it_needs(self, team):
        await team.create()
        await team.create("cup", needs=["tea"])
        closed = await team.refused("lia", "task_move", task="cup", move="ready")
        assert "it waits for tea" in closed.message


class TestMemory:
    async def test_a_claim_needs_a_search_that_really_was_made(self, team):
        await team.ready()
        lacking = await team.refused("anna", "task_claim", task="tea")
        assert lacking.message == "claim of tea lacks memory_query_session."
        assert (
            lacking.hint
            == "Search the memory within a session, and claim the task with the id of that session."
        )
        closed = await team.refused("anna", "task_claim", task="tea", memory_query_session="auto-claim")
        assert "nobody asked the memory in session 'auto-claim'" in closed.message

    async def test_somebody_elses_search_is_none(self, team):
        await team.ready()
        session = await team.asked("dan")
        closed = await team.refused("anna", "task_claim", task="tea", memory_query_session=session)
        assert "dan asked the memory" in closed.message

    async def test_a_search_from_before_the_task_was_there_to_be_taken_is_none(self, team):
        session = await team.asked("anna")
        await team.ready()
        closed = await team.refused("anna", "task_claim", task="tea", memory_query_session=session)
        assert "before tea was ready" in closed.message

    async def test_a_session_that_was_opened_and_not_asked_in_is_none(self, team):
        await team.ready()
        session = (await team("anna", "session_save", task="tea"))["session"]
        closed = await team.refused("anna", "task_claim", task="tea", memory_query_session=session)
        assert "nobody asked" in closed.message

    async def test_a_search_that_had_to_do_without_its_encoder_is_a_search(self, db, team):
        """What it found by words alone it found: an encoder that is down keeps nobody from taking a task."""
        await team.ready()
        with EmbeddingServer() as encoders:
            encoders.answer = refusing(500)
            down = EmbeddingSettings(
                provider="openai",
                model="m",
                base_url=encoders.base_url,
                api_key=SecretStr("sk-emb-0123456789abcdef"),
                dimension=8,
            )
            async with open_engine(db, MemorySettings(embedding=down)) as engine:
                without = replace(team, engine=engine)
                session = await without.asked("anna")
                await without("anna", "task_claim", task="tea", memory_query_session=session)
        assert await team.place("tea") == ("active", "pdsa")

    @pytest.mark.parametrize("given", ["", "m-1", "01a2033d-0000-7000-8000-000000000000"])
    async def test_a_contribution_is_a_memory_that_is_there(self, team, given):
        attempt = await team.claim("anna", await team.ready())
        fields = {"pdsa_ref": DESIGN, "memory_contribution_id": given}
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
        assert "memory_contribution_id" in closed.message or "nobody saved memory" in closed.message

    async def test_a_contribution_is_ones_own_and_of_this_work(self, team):
        await team.ready()
        early = await team.learned("anna")
        attempt = await team.claim("anna", "tea")
        for memory, said in (
            (await team.learned("dan"), "dan saved"),
            (early, "before tea was active"),
        ):
            fields = {"pdsa_ref": DESIGN, "memory_contribution_id": memory}
            closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
            assert said in closed.message


class TestLinksAndVersions:
    async def test_a_link_that_does_not_resolve_closes_the_move_and_is_looked_up_again(self, team):
        attempt = await team.claim("anna", await team.ready())
        team.links.broken.add(DESIGN)
        fields = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
        assert "pdsa_ref does not resolve (404)" in closed.message
        team.links.broken.clear()
        moved = await team("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
        assert (moved["status"], moved["role"]) == ("approval", "liaison")
        assert team.links.asked == [DESIGN, DESIGN]

    @pytest.mark.parametrize(
        "link", ["http://example.org/v0.0.1.md", "file:///etc/passwd", "v0.0.1.md", "https://"]
    )
    async def test_a_link_is_an_https_address(self, team, link):
        attempt = await team.claim("anna", await team.ready())
        closed = await team.refused(
            "anna",
            "task_deliver",
            task="tea",
            attempt=attempt,
            fields={"pdsa_ref": link, "memory_contribution_id": await team.learned("anna")},
        )
        assert "pdsa_ref must be an https address" in closed.message
        assert team.links.asked == []

    @pytest.mark.parametrize("name", ["design.md", "v0.0.2.md", "v1.0.0.md"])
    async def test_a_first_design_is_version_1(self, team, name):
        attempt = await team.claim("anna", await team.ready())
        fields = {
            "pdsa_ref": f"https://example.org/{name}",
            "memory_contribution_id": await team.learned("anna"),
        }
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
        assert "version:" in closed.message

    async def test_a_design_that_was_sent_back_has_a_new_version_and_quotes_what_was_said(self, team):
        await team.designed()
        reason = "The spout points at the cook, who would rather not be scalded by it."
        await team("lia", "task_move", task="tea", move="reject_design", fields={"rework_reason": reason})
        assert await team.place("tea") == ("rework", "pdsa")
        attempt = await team.claim("anna", "tea")
        again = {"pdsa_ref": DESIGN, "memory_contribution_id": await team.learned("anna")}
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=again)
        assert "needs a higher version" in closed.message
        assert "rework_context does not say" in closed.message
        again |= {"pdsa_ref": "https://example.org/v0.0.2.md", "rework_context": "Turned the spout around."}
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=again)
        assert "does not quote" in closed.message
        again["rework_context"] = f"They said: {reason[:50]} — it points away now."
        await team("anna", "task_deliver", task="tea", attempt=attempt, fields=again)
        assert await team.place("tea") == ("approval", "liaison")


class TestAnswers:
    async def test_a_liaison_answers_three_questions_for_this_very_task(self, team):
        await team.designed()
        await team.designed("cup")
        fields = {"liaison_review": "good"}
        closed = await team.refused("lia", "task_move", task="tea", move="approve_design", fields=fields)
        assert (
            "liaison_q1_approval, liaison_q2_approval, liaison_q3_approval have less than 20"
            in closed.message
        )
        assert closed.hint == (
            "Look at the task itself, and answer each question in 20 characters or more:"
            " liaison_q1_approval: the gap between what was asked for and the design;"
            " liaison_q2_approval: what lies outside of the team's control;"
            " liaison_q3_approval: what breaks if the design is wrong."
        )
        whole = await team.refused("lia", "task_move", task="tea", move="approve_design")
        assert "lacks liaison_review. It is not open yet either: approval_questions: " in whole.message
        assert whole.hint == f"liaison_review tells what the liaison says of it. {closed.hint}"
        assert whole.code == "transition_refused"
        same = dict.fromkeys(liaison_answers("tea", "approval"), "All of it looks perfectly fine.")
        closed = await team.refused(
            "lia", "task_move", task="tea", move="approve_design", fields=fields | same
        )
        assert "two of the answers are the same" in closed.message
        await team.approve("tea")
        copied = fields | liaison_answers("tea", "approval")
        closed = await team.refused("lia", "task_move", task="cup", move="approve_design", fields=copied)
        assert "liaison_q1_approval of cup is that of tea" in closed.message


class TestDeliveryAndTests:
    async def test_nothing_is_passed_or_completed_without_tests_that_the_engine_ran(self, team):
        await team.built()
        claimed = {"qa_review": "all green", "test_pass_count": 3, "test_total_count": 3}
        closed = await team.refused("quinn", "task_move", task="tea", move="pass_tests", fields=claimed)
        assert "may not fill test_" in closed.message
        closed = await team.refused(
            "quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "green"}
        )
        assert "tests: no tests were run" in closed.message

    async def test_what_has_a_branch_is_merged_and_what_was_designed_is_in_the_change_log(
        self, team, checked
    ):
        await team.built()
        await checked(team)
        await team("quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "green"})
        await team("anna", "task_move", task="tea", move="pass_design", fields={"pdsa_review": "as designed"})
        said = {**DONE, **liaison_answers("tea", "complete")}
        without = {name: value for name, value in said.items() if name != "changelog_ref"}
        closed = await team.refused("lia", "task_move", task="tea", move="complete", fields=without)
        assert "changelog: it was designed, and changelog_ref is empty" in closed.message
        new = {"pr_url": "https://example.org/pr/1"}
        nothing = await team.refused("lia", "task_move", task="tea", move="complete", fields=new)
        assert "lacks abstract_ref" in nothing.message
        for gate in ("changelog: it was designed", "completion_questions: liaison_q1_complete"):
            assert gate in nothing.message
        for gate in ("links", "tests"):  # one was not looked up for what is refused anyway, the other is open
            assert f"{gate}:" not in nothing.message
        await team("lia", "task_move", task="tea", move="complete", fields=said)
        assert await team.place("tea") == ("complete", "liaison")


class TestHolding:
    async def test_who_holds_a_task_names_its_attempt_and_nobody_else_writes(self, team):
        await team.built()
        await team(
            "quinn",
            "task_move",
            task="tea",
            move="send_back",
            fields={"rework_reason": "It does not whistle."},
        )
        attempt = await team.claim("dan", "tea")
        assert (
            "is active"
            in (await team.refused("dora", "task_claim", task="tea", memory_query_session="x")).message
        )
        closed = await team.refused(
            "dora", "task_move", task="tea", move="release", fields={"reason": "mine"}, attempt=attempt
        )
        assert "held by dan" in closed.message
        closed = await team.refused(
            "dora", "task_edit", task="tea", version=99, fields={"implementation": "x"}
        )
        assert isinstance(closed, Stale)
        version = (await team("dora", "task_get", task="tea"))["version"]
        closed = await team.refused(
            "dora", "task_edit", task="tea", version=version, fields={"implementation": "x"}
        )
        assert "held by dan" in closed.message
        assert isinstance(await team.refused("dan", "task_renew", task="tea", attempt=attempt + 1), LeaseLost)
        await team("dan", "task_renew", task="tea", attempt=attempt)

    async def test_two_edits_of_one_version_do_not_both_win(self, team):
        await team.ready()
        version = (await team("lia", "task_get", task="tea"))["version"]
        await team("lia", "task_edit", task="tea", version=version, fields={"constraints": "blue"})
        stale = await team.refused(
            "anna", "task_edit", task="tea", version=version, fields={"constraints": "red"}
        )
        assert isinstance(stale, Stale)
        assert (await team("lia", "task_get", task="tea"))["fields"]["constraints"] == "blue"


@pytest.mark.parametrize("text", ["nul \x00 here", "half \ud800 a character"])
@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("task_create", {"name": "cup", "title": None, "fields": WANTED}),
        ("task_create", {"name": "cup", "title": "t", "fields": WANTED, "needs": [None]}),
        ("task_edit", {"task": "tea", "version": 1, "fields": {"constraints": None}}),
        ("task_move", {"task": "tea", "move": "cancel", "fields": {"reason": "r"}, "note": None}),
        ("task_move", {"task": "tea", "move": "cancel", "fields": {"reason": None}}),
        ("task_block", {"task": "tea", "reason": None, "owner": "liaison", "action": "a"}),
        ("task_restore", {"task": "tea", "note": None}),
        ("task_get", {"task": None}),
        ("task_list", {"board": None}),
    ],
)
async def test_a_text_that_cannot_be_kept_is_refused_by_every_tool(team, tool, arguments, text):
    def broken(value):
        if isinstance(value, dict):
            return {name: broken(inner) for name, inner in value.items()}
        return [text] if value == [None] else text if value is None else value

    await team.create()
    refused = await team.refused("lia", tool, **broken(arguments))
    assert isinstance(refused, InvalidInput)
    assert "a text holds NUL or half a character" in refused.message

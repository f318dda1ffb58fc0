"""What was sent back: its reason stands, its answer is new, its version is higher, and it is tested as it is now."""

from __future__ import annotations

import pytest

from support.board_team import DESIGN, WANTED
from support.task_walk import completion_move, create_reviewed_task, declare_tests
from support.team import liaison_answers

SPOUT = "The spout points at the cook, who would rather not be scalded by it."
LID = "The lid falls into the tea whenever somebody pours the last cup of it."


async def version_of(team, task="tea"):
    return (await team("lia", "task_get", task=task))["version"]


async def sent_back(team, reason=SPOUT):
    """A design that was sent back and is taken again; gives the attempt."""
    await team("lia", "task_move", task="tea", move="reject_design", fields={"rework_reason": reason})
    return await team.claim("anna", "tea")


def design(version):
    return f"https://example.org/design/{version}.md"


class TestReason:
    @pytest.mark.parametrize("who", ["anna", "boss"])
    @pytest.mark.parametrize("reason", ["It is fine as it is, and needs no answer at all.", "", None])
    async def test_nobody_rewrites_what_was_said_against_it(self, team, who, reason):
        await team.designed()
        attempt = await sent_back(team)
        holds = {"attempt": attempt} if who == "anna" else {}
        refused = await team.refused(
            who,
            "task_edit",
            task="tea",
            version=await version_of(team),
            fields={"rework_reason": reason},
            **holds,
        )
        assert refused.code == "said_with_move"
        assert "rework_reason of tea is set with its move and cannot be changed" in refused.message
        assert "reject_design" in refused.hint
        assert (await team("lia", "task_get", task="tea"))["fields"]["rework_reason"] == SPOUT

    async def test_nor_is_it_said_anew_with_the_move_that_hands_the_work_in(self, team):
        await team.designed()
        attempt = await sent_back(team)
        mild = "Looks nice, and could be handed in again."
        fields = {
            "pdsa_ref": design("v0.0.2"),
            "memory_contribution_id": await team.learned("anna"),
            "rework_reason": mild,
            "rework_context": mild,
        }
        refused = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
        assert refused.code == "said_with_move"

    async def test_nor_is_it_there_before_anything_was_sent_back(self, team):
        fields = WANTED | {"rework_reason": "early"}
        given = {"name": "tea", "title": "A kettle", "fields": fields, "role": "liaison"}
        refused = await team.refused("lia", "task_create", **given)
        assert refused.code == "said_with_move"


class TestSecondRework:
    async def test_it_answers_what_was_said_this_time_with_a_version_that_is_higher_again(self, team):
        await team.designed()
        attempt = await sent_back(team)
        answer = f"They said: {SPOUT} It points away now."
        await team.deliver("anna", "tea", attempt, pdsa_ref=design("v0.0.2"), rework_context=answer)

        attempt = await sent_back(team, LID[:20])  # so short that it is quoted whole
        held = (await team("lia", "task_get", task="tea"))["fields"]
        assert "rework_context" not in held, "the answer to the first reason is none to the second"
        again = {"memory_contribution_id": await team.learned("anna")}
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=again)
        assert "rework_context does not say how this answers" in closed.message
        assert "needs a higher version than v0.0.2" in closed.message

        again |= {"rework_context": f"{LID[:20]} It is on a chain.", "pdsa_ref": design("v0.0.3")}
        await team("anna", "task_deliver", task="tea", attempt=attempt, fields=again)
        assert (await team("lia", "task_get", task="tea"))["fields"]["design_version"] == "v0.0.3"

    async def test_a_version_is_not_new_because_the_link_was_changed_while_it_was_looked_at(
        self, team, tmp_path
    ):
        await team.built()
        await declare_tests(team, tmp_path)
        await team("quinn", "task_check", task="tea", command="unit")
        await team("quinn", "task_move", task="tea", move="pass_tests", fields={"qa_review": "All green."})
        edit = {"task": "tea", "fields": {"pdsa_ref": design("v0.0.2")}}
        await team("anna", "task_edit", **edit, version=await version_of(team))
        await team("quinn", "task_check", task="tea", command="unit")
        said = {
            "qa_review": "All green again.",
            "liaison_review": "As asked for.",
            **liaison_answers("tea", "approval"),
        }
        for who, name in [("quinn", "qa_review"), *(("lia", one) for one in said if one != "qa_review")]:
            version = await version_of(team)
            await team(who, "task_edit", task="tea", version=version, fields={name: said[name]})
        await team(
            "anna", "task_move", task="tea", move="pass_design", fields={"pdsa_review": "As designed."}
        )
        back = {"rework_target_role": "pdsa", "rework_reason": SPOUT}
        await team("lia", "task_move", task="tea", move="send_back_to", fields=back)
        attempt = await team.claim("anna", "tea")
        fields = {
            "pdsa_ref": design("v0.0.2"),
            "rework_context": SPOUT,
            "memory_contribution_id": await team.learned("anna"),
        }
        closed = await team.refused("anna", "task_deliver", task="tea", attempt=attempt, fields=fields)
        assert "needs a higher version than v0.0.2" in closed.message

    async def test_the_highest_version_is_the_engines_to_tell(self, team):
        await team.designed()
        refused = await team.refused(
            "boss",
            "task_edit",
            task="tea",
            version=await version_of(team),
            fields={"design_version": "v0.0.0"},
        )
        assert "may not fill design_version" in refused.message


class TestWorkAfterItsTests:
    async def test_what_is_edited_after_its_tests_is_tested_again(self, team, tmp_path):
        await team.built()
        await declare_tests(team, tmp_path)
        await team("quinn", "task_check", task="tea", command="unit")
        fields = {"qa_tests": "tests/test_easier.py"}
        await team("quinn", "task_edit", task="tea", version=await version_of(team), fields=fields)
        passing = {"task": "tea", "move": "pass_tests", "fields": {"qa_review": "All green."}}
        closed = await team.refused("quinn", "task_move", **passing)
        assert "tests: the work was changed after the tests were run" in closed.message
        await team("quinn", "task_check", task="tea", command="unit")
        await team("quinn", "task_move", **passing)
        assert await team.place("tea") == ("review", "pdsa")

    async def test_also_what_is_changed_by_the_move_itself(self, team, tmp_path):
        await team.built()
        await declare_tests(team, tmp_path)
        await team("quinn", "task_check", task="tea", command="unit")
        fields = {"qa_review": "All green.", "qa_tests": "tests/test_easier.py"}
        closed = await team.refused("quinn", "task_move", task="tea", move="pass_tests", fields=fields)
        assert "the work was changed after the tests were run" in closed.message

    @pytest.mark.parametrize(
        ("who", "fields"),
        [
            ("dan", {"implementation": "src/other.py"}),
            ("dan", {"feature_branch": "quick-fix"}),
            ("quinn", {"qa_tests": "tests/test_easier.py"}),
            ("anna", {"pdsa_ref": f"{DESIGN}?other"}),
        ],
    )
    async def test_what_was_tested_is_nobodys_to_change_before_its_completion(
        self, team, tmp_path, who, fields
    ):
        await create_reviewed_task(team, tmp_path)
        version = await version_of(team)
        closed = await team.refused(who, "task_edit", task="tea", version=version, fields=fields)
        assert "tea is review with liaison" in closed.message
        await team("lia", "task_move", **completion_move())

    async def test_what_is_said_of_the_work_leaves_its_tests_as_they_are(self, team, tmp_path):
        await create_reviewed_task(team, tmp_path)
        fields = {"liaison_review": "Looked at it."}
        await team("lia", "task_edit", task="tea", version=await version_of(team), fields=fields)
        await team("lia", "task_move", **completion_move())
        assert await team.place("tea") == ("complete", "liaison")

    async def test_a_run_counts_for_what_was_there_when_it_began(self, team, tmp_path, db):
        """The work is edited while its tests are running."""
        await team.built()
        edit = 'update workflow_tasks set fields = fields || \'{"implementation": "src/other.py"}\''
        program = f"import psycopg\nwith psycopg.connect({db.url!r}) as c: c.execute({edit!r})\n"
        await declare_tests(team, tmp_path, f"{program}print('3 passed in 0.01s')")
        await team("quinn", "task_check", task="tea", command="unit")
        fields = {"qa_review": "All green."}
        closed = await team.refused("quinn", "task_move", task="tea", move="pass_tests", fields=fields)
        assert "the work was changed after the tests were run" in closed.message

"""The means of a run: whatever its role and process do not both declare is refused, at the place where runs get it."""

from __future__ import annotations

from dataclasses import replace
from uuid import UUID

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from frasier.kernel.errors import CapabilityRefused
from frasier.llm import Purpose, Request, Tier
from frasier.org.people import Capability, find_agent
from frasier.org.people.capabilities import declared_capabilities
from frasier.org.staffing import found
from frasier.store import Database
from frasier.work.run_capabilities import CAPABILITY_OF_PURPOSE, capabilities_of_run
from frasier.work.run_lease import Run
from frasier.workflow import Actor, ActorKind, Task
from support.board import claim_one, create_steps


class Means:
    """Something that a run may be given; it notes nothing, because being given it is what counts."""


MEANS = Means()


class CountedModel:
    """A gateway that counts the questions that reach it."""

    def __init__(self) -> None:
        self.asked = 0

    async def ask(self, *_arguments: object) -> None:
        self.asked += 1


async def obtain(run: Run, capability: Capability) -> None:
    """Get from a run every means that the capability stands for."""
    match capability:
        case Capability.RECALL_MEMORY:
            assert await run.memory() is MEANS
        case Capability.READ_SOURCES:
            assert await run.source_index() is MEANS
        case Capability.FETCH_PAGES:
            assert await run.pages() is MEANS
            assert await run.links() is MEANS
        case Capability.SEARCH_WEB:
            await run.require(capability)
        case _:
            async with run.fenced(capability):
                pass


def request(purpose: Purpose) -> Request:
    return Request(purpose=purpose, version=1, tier=Tier.T1, inputs=None, system="", sections=())  # type: ignore[arg-type]


@pytest.fixture
async def team_of_all_roles(db: Database) -> dict[str, UUID]:
    """An agent of each role, by the role's name; one is made of the role that only the chief of staff is founded with."""
    async with db.transaction() as tx:
        await found(tx)
        await tx.execute("update org_agents set role = 'strategy' where key = 'kestrel'")
        rows = await (await tx.execute("select id, role, kind from org_agents")).fetchall()
        agents = {row["role"]: row["id"] for row in rows if row["kind"] != "chief_of_staff"}
        agents["chief_of_staff"] = (await find_agent(tx, "frasier")).id
    return agents


async def run_of(db: Database, task: Task, model: CountedModel) -> Run:
    async with db.transaction() as tx:
        capabilities = await capabilities_of_run(tx, task, declared_capabilities())
    return Run(
        task,
        database=db,
        gateway=model,  # type: ignore[arg-type]
        memory=MEANS,  # type: ignore[arg-type]
        pages=MEANS,  # type: ignore[arg-type]
        links=MEANS,  # type: ignore[arg-type]
        worker=Actor(ActorKind.WORKER, "w1"),
        capabilities=capabilities,
    )


async def test_what_a_role_and_a_process_do_not_both_declare_is_refused(
    db: Database, team_of_all_roles: dict[str, UUID]
) -> None:
    table = declared_capabilities()
    await create_steps(db, ["only"])
    claimed = await claim_one(db)
    pairs = [
        (role, process, agent) for role, agent in team_of_all_roles.items() for process in table.processes
    ]
    assert {role for role, _, _ in pairs} >= {"chief_of_staff", "research", "content", "qa", "knowledge"}
    for role, process, agent in pairs:
        model = CountedModel()
        run = await run_of(db, replace(claimed, process=process, assignee=agent), model)
        declared = table.roles[role] & table.processes[process]
        for capability in Capability:
            if capability in declared:
                await obtain(run, capability)
                continue
            with pytest.raises(CapabilityRefused) as refused:
                await obtain(run, capability)
            assert refused.value.code == "capability_refused"
            assert refused.value.hint
            assert refused.value.facts == {"capability": str(capability), "process": process}
        for purpose, needed in CAPABILITY_OF_PURPOSE.items():
            if needed is not None and needed not in declared:
                with pytest.raises(CapabilityRefused):
                    await run.ask(request(purpose), "phase")
        assert model.asked == 0
    async with db.transaction() as tx:
        cursor = await tx.execute("select payload from events where kind = 'capability.refused'")
        events = [row["payload"] for row in await cursor.fetchall()]
    told = {(one["process"], one["agent"], one["capability"]) for one in events}
    assert told == {
        (process, str(agent), str(capability))
        for role, process, agent in pairs
        for capability in set(Capability) - (table.roles[role] & table.processes[process])
    }


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    has=st.frozensets(st.sampled_from(list(Capability))),
    withheld=st.lists(st.frozensets(st.sampled_from(list(Capability))), max_size=3),
)
def test_narrowing_only_ever_takes_away(
    has: frozenset[Capability], withheld: list[frozenset[Capability]]
) -> None:
    run = Run.__new__(Run)
    run.capabilities = has
    for one in withheld:
        before = run.capabilities
        run.narrow(one)
        assert run.capabilities == before - one


async def test_a_run_without_an_assignee_has_nothing(db: Database) -> None:
    await create_steps(db, ["only"])
    task = replace(await claim_one(db), assignee=None)
    async with db.transaction() as tx:
        assert await capabilities_of_run(tx, task, declared_capabilities()) == frozenset()

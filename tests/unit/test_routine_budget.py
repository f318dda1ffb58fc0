"""The budget of routines: what is held of it never exceeds it, however routines begin, spend and end."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from frasier.org.governance import RoutineRules
from frasier.org.governance.routine_budget import HeldMoney, allowance_usd_micros

MICROS = 1_000_000

rules = st.builds(
    RoutineRules,
    budget_usd=st.floats(0, 20),
    each_up_to_usd=st.floats(0, 2),
    share_of_mission=st.floats(0, 0.5),
)
# Each routine: a mission or none, the share of its cap that it spends, and whether it ends before the next begins.
held = st.lists(st.tuples(st.sampled_from([None, "a", "b"]), st.floats(0, 1), st.booleans()), max_size=30)
BUDGETS = {"a": 3 * MICROS, "b": MICROS // 2}


@given(rules, held)
@settings(max_examples=200)
def test_all_routines_together_stay_within_the_budget_and_the_share_of_each_mission(
    policy: RoutineRules, routines: list[tuple[str | None, float, bool]]
) -> None:
    begun: list[tuple[str | None, HeldMoney]] = []
    for mission, share, ends in routines:
        own = [money for of, money in begun if of == mission] if mission else None
        cap = allowance_usd_micros(
            policy,
            recent=[money for _, money in begun],
            of_mission=own,
            mission_usd_micros=BUDGETS[mission] if mission else 0,
        )
        assert 0 <= cap <= round(policy.each_up_to_usd * MICROS)
        money = HeldMoney(cap_usd_micros=cap, spent_usd_micros=int(cap * share), ended=ends)
        begun.append((mission, money))
    everybody_spent_all = [
        replace(money, spent_usd_micros=money.cap_usd_micros) for _, money in begun if not money.ended
    ]
    ended = [money for _, money in begun if money.ended]
    spent = sum(money.usd_micros for money in (*everybody_spent_all, *ended))
    assert spent <= round(policy.budget_usd * MICROS)
    for mission, budget in BUDGETS.items():
        of_mission = sum(money.usd_micros for of, money in begun if of == mission)
        assert of_mission <= budget * policy.share_of_mission


def test_without_a_budget_nothing_may_be_spent() -> None:
    assert allowance_usd_micros(RoutineRules(), recent=[]) == 0

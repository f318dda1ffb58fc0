"""Pairs of texts of which a gate may retire one, and pairs that share nearly every word and may both be true."""

import time
from uuid import UUID

import pytest

from frasier.memory import MemoryKind, NewMemory
from frasier.memory.admission.denial import denies
from frasier.memory.admission.save_gate import ExistingMemory, GateAction, decide
from support.machine_speed import scaled

SUBJECTS = [("red cable", "blue cable"), ("staging cluster", "production cluster"), ("garage", "cellar")]
PERSONS = [("I", "She"), ("I", "You"), ("He", "She"), ("We", "They"), ("You", "We")]
TIMES = [("before", "after"), ("during", "after"), ("until", "after")]
CASES = [
    ("when it rains", "when it snows"),
    ("in winter", "in summer"),
    ("as root", "as guest"),
    ("now", "then"),
]
QUANTITIES = [("All", "Some"), ("Some", "Most"), ("Some", "Some"), ("Both", "Few")]
VALUES = [("green", "yellow"), ("monthly", "weekly"), ("sugar", "salt"), ("landlord", "tenant")]
OWNERS = [("My", "Your"), ("His", "Her"), ("This", "That")]

REST = "Visitors sign the book. Lorries wait behind the silo until somebody opens. Bicycles stand near the canteen."

BOTH_TRUE = [
    *((f"Use the {one} at night.", f"Do not use the {other} at night.") for one, other in SUBJECTS),
    *((f"{one} must lock the cellar.", f"{other} must not lock the cellar.") for one, other in PERSONS),
    *((f"{one} brother should eat nuts.", f"{other} brother should not eat nuts.") for one, other in OWNERS),
    *((f"Always run it {one} the deploy.", f"Never run it {other} the deploy.") for one, other in TIMES),
    *((f"Use the long ramp {one}.", f"Do not use the long ramp {other}.") for one, other in CASES),
    *((f"{one} lamps are broken.", f"{other} lamps are not broken.") for one, other in QUANTITIES),
    *(
        (
            f"The {one} next to the wooden gate of the mill needs varnish from the shop in spring.",
            f"The {other} next to the wooden gate of the mill needs varnish from the shop in spring.",
        )
        for one, other in (*VALUES, *SUBJECTS)
    ),
    (
        "the office in lisbon always closes both doors at noon on fridays in the summer holidays",
        "the office in porto never closes both doors at noon on fridays in the summer holidays",
    ),
    ("The castle was open to the public.", "The castle is not open to the public."),
    ("We used Redis for the cache.", "We do not use Redis for the cache."),
    ("The oven is clean?", "The oven is not clean."),
    ("It may rain on Friday.", "It may not rain on Friday."),
    ("A server in Linz is up.", "A server in Linz is not up."),
    ("Use the ramp if it rains.", "Use the ramp if it does not rain."),
    ("The door that is locked leads down.", "The door that is not locked leads down."),
    ("The cook must pay the waiter.", "The waiter must not pay the cook."),
    ("It is not used on Sunday because it is loud.", "It is used on Sunday because it is not loud."),
    ("Anna eats meat and Boris does not eat meat.", "Anna does not eat meat and Boris eats meat."),
    ("Use more salt.", "Do not use salt."),
    ("Staging:\ncaching is enabled", "Production:\ncaching is not enabled"),
    ("Smoking in the tent is allowed.", "Smoking out of the tent is not allowed."),
    (
        f"Use the north gate. The guard keeps spare keys in the drawer. {REST}",
        f"Do not use the north gate. Keys lie in a drawer. {REST}",
    ),
    ("Ich mag Kaffee am Abend.", "Du magst Kaffee am Abend nicht."),
    ("Das Tor war offen.", "Das Tor ist nicht offen."),
    ("Ein Server läuft.", "Ein Server läuft nicht."),
    ("Manche Lampen sind kaputt.", "Manche Lampen sind nicht kaputt."),
    ("Die Tür, die verschlossen ist, führt hinab.", "Die Tür, die nicht verschlossen ist, führt hinab."),
    ("Les gens qui fument sortent.", "Les gens qui ne fument pas sortent."),
    ("Il peut entrer.", "Elle ne peut pas entrer."),
    ("Las lámparas que funcionan están aquí.", "Las lámparas que no funcionan están aquí."),
    ("Mi coche está cargado.", "Tu coche no está cargado."),
    ("Alcune lampade sono rotte.", "Alcune lampade non sono rotte."),
    ("Algumas lâmpadas estão boas.", "Algumas lâmpadas não estão boas."),
    ("De mensen die roken gaan naar buiten.", "De mensen die niet roken gaan naar buiten."),
    ("Mój rower jest gotowy.", "Twój rower nie jest gotowy."),
    ("насос работает зимой", "насос не работает летом"),
    ("左边的服务器不能重新启动", "右边的服务器可以重新启动"),
]

DENIED = [
    ("The bridge is open.", "The bridge is not open."),
    ("Use the north gate.", "Don't use the north gate."),
    ("Always lock the cellar door.", "Never lock the cellar door."),
    ("We deploy on Fridays.", "We never deploy on Fridays."),
    ("The nightly backup is enabled.", "The nightly backup is disabled."),
    ("Outgoing mail is allowed.", "Outgoing mail is denied."),
    ("Python 3.9 is supported.", "Python 3.9 is no longer supported."),
    ("I like olives.", "I don't like olives any more."),
    ("She has a cat.", "She has no cat."),
    ("The backup succeeded.", "The backup did not succeed."),
    ("Anna has been promoted.", "Anna has not been promoted."),
    ("The dog is nice. Use the lead.", "The dog is nice. Don't use the lead."),
    ("Anna isst Fleisch.", "Anna isst kein Fleisch."),
    ("Wir öffnen die Tür am Abend.", "Wir öffnen die Tür am Abend nicht."),
    ("Le serveur répond.", "Le serveur ne répond plus."),
    ("La puerta está abierta.", "La puerta no está abierta."),
    ("O trem parte.", "O trem não parte."),
    ("Il treno parte.", "Il treno non parte."),
    ("De deur is open.", "De deur is niet open."),
    ("Brama jest otwarta.", "Brama nie jest otwarta."),
    ("сервер готов к работе", "сервер не готов к работе"),
]


def verdict(old, new, **fields):
    saved = NewMemory(
        kind=MemoryKind.OBSERVATION, scope="shared", content=new, agent_id=UUID(int=1), **fields
    )
    there = ExistingMemory(
        id=UUID(int=9), kind=MemoryKind.OBSERVATION, scope="shared", content=old, agent_id=UUID(int=1), title="Mill",
        tags=("mill",),
    )  # fmt: skip
    return decide(saved, [there]).action


@pytest.mark.parametrize(("one", "other"), BOTH_TRUE)
def test_what_may_still_be_true_is_neither_retired_nor_replaced(one, other):
    for old, new in ((one, other), (other, one)):
        assert not denies(old, new)
        assert verdict(old, new) in {GateAction.CREATED, GateAction.LINKED}


@pytest.mark.parametrize(("one", "other"), DENIED)
def test_what_is_denied_is_retired_from_either_side(one, other):
    assert verdict(one, other) is GateAction.SUPERSEDED
    assert verdict(other, one) is GateAction.SUPERSEDED


@pytest.mark.parametrize(
    ("fields", "action"),
    [
        ({"title": "Mill", "tags": ("mill", "north")}, "superseded"),
        ({"title": "Barn"}, "linked"),
        ({"tags": ("barn",)}, "linked"),
    ],
)
def test_what_is_denied_under_another_title_or_other_labels_is_kept(fields, action):
    assert verdict("The northern gate is open.", "The northern gate is not open.", **fields) == action


@pytest.mark.parametrize("piece", ["It is on. ", "is it?\n", "use it; ", ". ", ", a not "])
def test_long_texts_are_compared_in_a_short_time(piece):
    old = piece * (100_000 // len(piece))
    began = time.process_time()
    denies(old, f"{old} Never.")
    denies(f"{old} Always.", "".join(f"It is not {number}. " for number in range(6_000)))
    assert time.process_time() - began < scaled(3)

"""Pairs of texts that say the same, and pairs that share nearly every word and do not."""

import pytest

from frasier.memory.admission.differences import differing_statements

OTHER = [
    # Operators, and names with signs.
    ("if (x > 0) { return total; }", "if (x < 0) { return total; }"),
    ("if (a == b) { retry(); }", "if (a != b) { retry(); }"),
    ("Retry while attempts <= limit.", "Retry while attempts >= limit."),
    ("return ready && warm;", "return ready || warm;"),
    ("if (ready) { start(); }", "if (!ready) { start(); }"),
    ("sum = price + tax", "sum = price * tax"),
    ("The loop ends at size(x) - 1.", "The loop ends at size(x) + 1."),
    ("C++ is the language of the driver.", "C is the language of the driver."),
    ("C++ is the language of the driver.", "C# is the language of the driver."),
    ("We write c++ in the driver.", "We write c# in the driver."),
    ("The fund is rated A+ by the agency.", "The fund is rated A by the agency."),
    # Numbers with their sign and unit.
    ("The balance of account Tarn is 500 EUR.", "The balance of account Tarn is -500 EUR."),
    ("Store it at −18 degrees.", "Store it at 18 degrees."),
    ("The shift begins at 9 am.", "The shift begins at 9 pm."),
    ("The shift begins at 9am.", "The shift begins at 9 p.m."),
    ("Logs are kept for 30 days.", "Logs are kept for 30 hours."),
    ("Die Frist beträgt 3 Tage.", "Die Frist beträgt 3 Wochen."),
    ("The parcel weighs 5 kg.", "The parcel weighs 5 g."),
    ("We use PostgreSQL 14.", "We use PostgreSQL 16."),
    ("The launch is on 2026-03-01.", "The launch is on 2026-04-15."),
    ("3 of 5 servers answered.", "5 of 3 servers answered."),
    # Names.
    ("Alice owns the deploy.", "Bob owns the deploy."),
    ("部署在东京进行。", "部署在大阪进行。"),
    ("Сервер стоит в Москве.", "Сервер стоит в Киеве."),
    # Negations.
    ("We deploy the shop on Fridays.", "We do not deploy the shop on Fridays."),
    ("We use Stripe for card payments.", "We no longer use Stripe for card payments."),
    ("We accept returns after a month.", "We don't accept returns after a month."),
    ("Alice can merge alone.", "Alice can't merge alone."),
    ("Alice can merge alone.", "Alice cannot merge alone."),
    ("The backup succeeded.", "The backup has not succeeded."),
    ("Use tabs in the makefiles.", "Never use tabs in the makefiles."),
    ("Der Release ist freigegeben.", "Der Release ist nicht freigegeben."),
    ("Der Gast darf den Keller betreten.", "Der Gast darf den Keller nicht betreten."),
    ("Wir haben eine Versicherung.", "Wir haben keine Versicherung."),
    ("El servidor está listo.", "El servidor no está listo."),
    ("Le serveur est prêt.", "Le serveur n'est pas prêt."),
    ("Le serveur répond la nuit.", "Le serveur ne répond pas la nuit."),
    ("Il server è pronto.", "Il server non è pronto."),
    ("O servidor está pronto.", "O servidor não está pronto."),
    ("De server is klaar.", "De server is niet klaar."),
    ("Serwer jest gotowy.", "Serwer nie jest gotowy."),
    ("сервер готов к работе", "сервер не готов к работе"),
    ("Use tabs but not spaces.", "Use not tabs but spaces."),
    (
        "Staging is enabled for all teams. The limit is 30 requests a minute. Logs are kept in Linz for the auditors.",
        "Staging is not enabled for all teams. The limit is 50 requests a minute. Logs are kept in Linz for the auditors.",
    ),
    ("The crane is old and was not repaired.", "The crane is not old and was repaired."),
    # Opposites.
    ("We ship with insurance.", "We ship without insurance."),
    ("The flag for caching is on.", "The flag for caching is off."),
    ("Keep the freezer above −18 degrees.", "Keep the freezer below −18 degrees."),
    ("Run it before the deploy.", "Run it after the deploy."),
    ("The nightly import succeeded.", "The nightly import failed."),
    ("The staging cluster is stable.", "The staging cluster is unstable."),
    ("The invoice of May is valid.", "The invoice of May is invalid."),
    ("Deploys are allowed.", "Deploys are denied."),
    ("It holds the maximum.", "It holds the minimum."),
    ("Wir liefern mit Versicherung.", "Wir liefern ohne Versicherung."),
    ("On livre avec assurance.", "On livre sans assurance."),
    ("Se entrega con seguro.", "Se entrega sin seguro."),
    # The order of what is related.
    ("Use tabs, never spaces, in the makefiles.", "Use spaces, never tabs, in the makefiles."),
    ("Server kestrel is faster than server merlin.", "Server merlin is faster than server kestrel."),
    (
        "Run the migration before the deployment of orion.",
        "Run the deployment of orion before the migration.",
    ),
    (
        "Run the migration before the deployment of orion.",
        "Before the migration run the deployment of orion.",
    ),
    (
        "The customer owes the supplier Vantor a refund.",
        "The supplier Vantor owes the customer a refund.",
    ),
    ("Alice reports to Boris.", "Boris reports to Alice."),
    ("Copy it from Alpha to Beta.", "Copy it from Beta to Alpha."),
    ("Alice manages Boris.", "Alice is managed by Boris."),
    ("The retry follows a > b.", "The retry follows b > a."),
    ("Anna liefert an Boris.", "Boris liefert an Anna."),
]

SAME = [
    ("The worker renews its lease.", "Worker renews the lease!"),
    ("Don't deploy on Friday.", "Do not deploy on Friday."),
    ("You can't merge alone.", "You cannot merge alone."),
    ("It holds 1,000 rows.", "It holds 1000 rows."),
    ("PostgreSQL keeps it", "postgresql keeps it"),
    ("The shift begins at 9 am.", "The shift begins at 9am."),
    ("Logs are kept for 30 days.", "30-day logs are kept."),
    ("Die Frist beträgt 3 Tage.", "Die Frist beträgt 3 Tage, immer noch."),
    ("Store it at −18 degrees.", "Store it at -18 degrees."),
    ("Never write to the second disk.", "Never ever write to the second disk."),
    ("We don't use Redis any more.", "We no longer use Redis."),
    (
        "Run the migration before the deployment of orion.",
        "Before the deployment of orion run the migration.",
    ),
    ("Use tabs, never spaces, in the makefiles.", "In the makefiles use tabs, never spaces."),
    ("Copy it from Alpha to Beta.", "Copy it to Beta from Alpha."),
    ("Yesterday the crane was repaired by Ann.", "Ann repaired the crane yesterday."),
    ("The janitor prunes old snapshots.", "Old snapshots are pruned by the janitor."),
    ("The capital of the region is Linz.", "Linz is the capital of the region."),
    ("In 2024 the shop sold 30 cranes.", "The shop sold 30 cranes in 2024."),
    ("Alice has 3 keys.", "Alice has 3 keys and Bob has 4."),
    ("The backup runs at night.", "The backup runs at night - quietly."),
    ("- Deploy from main\n- Tag it", "* Deploy from main\n* Tag it"),
    ("The cache is **warm** again.", "The cache is warm again."),
    ("> The cache is warm.", "The cache is warm."),
    ("Le serveur n’est pas prêt.", "Le serveur n'est pas encore prêt."),
    ("Der Release ist nicht freigegeben.", "Der Release ist noch nicht freigegeben."),
    ("El servidor no está listo.", "El servidor todavía no está listo."),
    ("A changelog entry is required.", "A changelog entry is required by us."),
    ("Notepad++ is the editor.", "The editor is Notepad++."),
    ("if (x > 0) { return total; }", "if (x > 0) {\n    return total;\n}"),
    ("sum = price + tax", "sum = price+tax"),
]


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_another_statement_is_told_apart_from_either_side(one, other):
    assert differing_statements(one, other)
    assert differing_statements(other, one)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_another_way_of_saying_it_states_the_same(one, other):
    assert differing_statements(one, other) == frozenset()

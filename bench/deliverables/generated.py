"""Large collections, generated instead of stored: sixty licence files, a hundred invoices, forty maintenance logs.

The functions are deterministic. `sources_of` returns the documents of any collection, stored or generated, and
`write_sources` puts them into a folder.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

COLLECTIONS = Path(__file__).resolve().parent / "collections"

_LICENCE_TEXTS = {
    "MIT": (
        "Permission is hereby granted, free of charge, to any person obtaining a copy of this software, to deal in"
        " the Software without restriction, subject to the condition that this notice is included in all copies."
    ),
    "Apache-2.0": (
        "Licensed under the Apache License, Version 2.0. You may not use this file except in compliance with the"
        " License. Modified files must carry prominent notices."
    ),
    "BSD-3-Clause": (
        "Redistribution and use in source and binary forms, with or without modification, are permitted. The name of"
        " the authors may not be used to endorse products."
    ),
    "ISC": "Permission to use, copy, modify, and distribute this software for any purpose is hereby granted.",
    "GPL-3.0-only": (
        "This program is free software under the GNU General Public License, version 3 and no other. Derived works"
        " must be distributed under the same licence."
    ),
    "LGPL-2.1-or-later": (
        "This library is under the GNU Lesser General Public License, version 2.1 or, at your option, any later"
        " version. Programs that merely link to it may have other terms."
    ),
    "AGPL-3.0-only": (
        "GNU Affero General Public License, version 3. Users who interact with a modified version over a network"
        " must be offered its source."
    ),
    "MPL-2.0": (
        "This Source Code Form is subject to the terms of the Mozilla Public License, v. 2.0. Modified files remain"
        " under it; files of your own need not."
    ),
}
COPYLEFT = frozenset({"GPL-3.0-only", "LGPL-2.1-or-later", "AGPL-3.0-only", "MPL-2.0"})

_FIRST = (
    "amber",
    "birch",
    "cobalt",
    "delta",
    "ember",
    "fable",
    "garnet",
    "hollow",
    "jasper",
    "kelp",
    "larch",
    "mica",
)
_SECOND = (
    "cache",
    "codec",
    "diff",
    "forms",
    "graph",
    "ledger",
    "lint",
    "mesh",
    "parse",
    "queue",
    "sync",
    "vault",
)
_SUPPLIERS = (
    "Alder Print Ltd",
    "Alder Paint Ltd",
    "Borrowdale Tools",
    "Caraway Foods",
    "Dunmore Fibre",
    "Estuary Cranes",
    "Fennimore Legal LLP",
    "Gannet Couriers",
    "Hartwood Timber",
    "Ivelet Water",
)


@dataclass(frozen=True)
class Component:
    """A component of the collection of licence files; without a licence, its file is missing."""

    name: str
    version: str
    licence: str | None


@dataclass(frozen=True)
class Invoice:
    """An invoice of the collection of invoices."""

    number: str
    supplier: str
    amount_cents: int
    issued: date
    due: date
    paid: date | None

    @property
    def overdue(self) -> bool:
        """Tell whether it was unpaid on 30 September 2026 and due before that day."""
        day = date(2026, 9, 30)
        return self.due < day and (self.paid is None or self.paid > day)


@dataclass(frozen=True)
class PressureTest:
    """A pressure test of the collection of maintenance logs."""

    plant: str
    day: date
    bar: float
    passed: bool


def components() -> list[Component]:
    """Return the sixty components, four of them without a licence."""
    chance = random.Random("licences")
    names = [f"{first}-{second}" for first in _FIRST for second in _SECOND]
    chance.shuffle(names)
    licences = ["MIT"] * 20 + ["Apache-2.0"] * 12 + ["BSD-3-Clause"] * 8 + ["ISC"] * 4
    licences += ["GPL-3.0-only"] * 3 + ["LGPL-2.1-or-later"] * 4 + ["AGPL-3.0-only"] * 2 + ["MPL-2.0"] * 3
    chance.shuffle(licences)
    versions = [f"{chance.randrange(6)}.{chance.randrange(20)}.{chance.randrange(10)}" for _ in range(60)]
    every: list[str | None] = [*licences, None, None, None, None]
    return [Component(*row) for row in zip(names[:60], versions, every, strict=True)]


def licence_files() -> dict[str, str]:
    """Return a licence file for each component; the unlicensed ones have a README that names no licence."""
    files = {}
    for index, component in enumerate(components()):
        header = f"{component.name} {component.version}\n"
        if component.licence is None:
            files[f"{component.name}/README.md"] = f"# {header}\nA small library. Issues are welcome.\n"
            continue
        text = _LICENCE_TEXTS[component.licence]
        identifier = f"SPDX-License-Identifier: {component.licence}\n" if index % 3 else ""
        years = f"Copyright (c) {2010 + index % 14}-{2024 + index % 3} the {component.name} authors\n"
        files[f"{component.name}/LICENSE"] = f"{header}{identifier}{years}\n{text}\n"
    return files


def invoices() -> list[Invoice]:
    """Return the ninety-nine invoices that the documents of the collection state."""
    chance = random.Random("invoices")
    rows = []
    for index in range(99):
        issued = date(2026, 4, 1) + timedelta(days=chance.randrange(170))
        due = issued + timedelta(days=chance.choice((14, 30, 45)))
        days = chance.choice((-4, 0, 3, 60, None)) if index % 9 else None
        paid = None if days is None or due > date(2026, 9, 20) else due + timedelta(days=days)
        number = f"{chance.choice('ABCDEH')}{20260 + index}"
        rows.append(
            Invoice(number, _SUPPLIERS[index % 10], chance.randrange(4_000, 900_000), issued, due, paid)
        )
    return rows


def invoice_documents() -> dict[str, str]:
    """Return a document for each invoice, in four forms, and the list of payments."""
    files = {}
    for index, row in enumerate(invoices()):
        amount = f"{row.amount_cents / 100:,.2f}"
        if index % 4 == 0:
            data = {"invoice": row.number, "supplier": row.supplier, "amount": row.amount_cents / 100}
            data |= {"currency": "GBP", "issued": row.issued.isoformat(), "due": row.due.isoformat()}
            files[f"invoice-{row.number}.json"] = json.dumps(data, indent=1) + "\n"
        elif index % 4 == 1:
            files[f"invoice-{row.number}.txt"] = (
                f"{row.supplier.upper()}\nINVOICE {row.number}          {row.issued:%d/%m/%Y}\n"
                f"Total: GBP {amount}\nPayable by {row.due:%d/%m/%Y}\n"
            )
        elif index % 4 == 2:
            days = (row.due - row.issued).days
            files[f"invoice-{row.number}.eml"] = (
                f"From: accounts@{row.supplier.split()[0].lower()}.example\nTo: payables@tarnhow.example\n"
                f"Date: {row.issued:%d} {row.issued:%b} {row.issued:%Y} 09:00 +0100\nSubject: Invoice {row.number}\n\n"
                f"{row.supplier}: please pay £{amount} within {days} days of the date of this mail.\n"
            )
        else:
            files[f"invoice-{row.number}.md"] = (
                f"# Invoice {row.number}\n\n| supplier | issued | due | amount |\n|---|---|---|---|\n"
                f"| {row.supplier} | {row.issued.isoformat()} | {row.due.isoformat()} | £{amount} |\n"
            )
    paid = [
        f"{row.paid.isoformat()};{row.number};{row.amount_cents / 100:.2f}" for row in invoices() if row.paid
    ]
    files["payments-until-2026-10-31.csv"] = "paid;invoice;amount_GBP\n" + "\n".join(sorted(paid)) + "\n"
    return files


def pressure_tests() -> list[PressureTest]:
    """Return the pressure tests of forty plants, one to three for each."""
    chance = random.Random("pressure")
    rows = []
    for plant in range(1, 41):
        for _ in range(chance.randrange(1, 4)):
            day = date(2026, 5, 20) + timedelta(days=chance.randrange(50))
            bar = round(chance.uniform(5.2, 7.4), 1)
            rows.append(PressureTest(f"PL-{plant:02d}", day, bar, bar >= 6.0))
    return rows


def maintenance_logs() -> dict[str, str]:
    """Return a log for each plant, with tests and other entries; the pressure is in bar or in kPa."""
    files: dict[str, str] = {}
    for plant in sorted({test.plant for test in pressure_tests()}):
        number = int(plant[3:])
        lines = [f"# Maintenance log of {plant}, limit of the pressure test: at least 6.0 bar (600 kPa)"]
        for test in sorted((t for t in pressure_tests() if t.plant == plant), key=lambda t: t.day):
            value = f"{test.bar * 100:.0f} kPa" if number % 3 == 0 else f"{test.bar} bar"
            lines.append(
                f"{test.day.isoformat()} pressure test: {value}, {'passed' if test.passed else 'FAILED'}"
            )
        lines.insert(1, f"2026-05-{2 + number % 17:02d} oil changed, filter checked, no findings")
        lines.append(f"2026-07-{12 + number % 15:02d} visual inspection passed")
        files[f"{plant.lower()}.log"] = "\n".join(lines) + "\n"
    return files


GENERATED: dict[str, Callable[[], dict[str, str]]] = {
    "licence-files-60": licence_files,
    "hundred-invoices": invoice_documents,
    "maintenance-logs": maintenance_logs,
}


def sources_of(collection: str, collections: Path = COLLECTIONS) -> dict[str, str]:
    """Return the documents of a collection by their file names."""
    if collection in GENERATED and collections == COLLECTIONS:
        return GENERATED[collection]()
    folder = collections / collection / "sources"
    paths = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text("utf-8") for path in paths}


def write_sources(collection: str, folder: Path, collections: Path = COLLECTIONS) -> None:
    """Write the documents of a collection into a folder."""
    for name, text in sources_of(collection, collections).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")

"""The units that belong to a number: 9 am is not 9 pm, and 30 days are not 30 hours."""

from __future__ import annotations

# Each line is a unit, with its other forms in six languages.
_UNITS = """
am a.m
pm p.m
ms millisecond milliseconds
second seconds sec secs s sekunde sekunden seconde secondes segundo segundos secondi
minute minutes min mins minuten minuto minutos minuti
hour hours hr hrs h stunde stunden heure heures hora horas ora ore uur uren
day days d tag tage tagen jour jours día días dia dias giorno giorni dag dagen
week weeks woche wochen semaine semaines semana semanas settimana settimane weken
month months monat monate monaten mois mes meses mese mesi maand maanden
year years yr yrs jahr jahre jahren ans année années año años ano anos anno anni jaar
mm
cm
m metre metres meter meters metern mètre mètres metro metros metri
km kilometre kilometres kilometer kilometers
mile miles mi
foot feet ft
inch inches
mg
g gram grams gramm
kg kilo kilos kilogram kilograms kilogramm
tonne tonnes ton tons
l litre litres liter liters
ml
byte bytes b
kb
mb
gb
tb
kib
mib
gib
tib
celsius
fahrenheit
kelvin
percent prozent pourcent
thousand tausend mille mil
million millions millionen
billion billions milliarden
"""
_LINES = [line.split() for line in _UNITS.strip().splitlines()]

UNITS = {form: forms[0] for forms in _LINES for form in forms}
"""The name of the unit that each form stands for."""

"""Words of four languages that planted faults are made of: months, numbers, units, negations and inventions."""

from __future__ import annotations


def _numbered(words: str, first: int) -> dict[str, int]:
    return {word: number for number, word in enumerate(words.split(), first)}


MONTHS = {
    "en": list(
        _numbered("January February March April May June July August September October November December", 1)
    ),
    "de": list(
        _numbered("Januar Februar März April Mai Juni Juli August September Oktober November Dezember", 1)
    ),
    "fr": list(
        _numbered("janvier février mars avril mai juin juillet août septembre octobre novembre décembre", 1)
    ),
    "es": list(
        _numbered(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre", 1
        )
    ),
}

SHORT_MONTHS = {
    **_numbered("jan feb mar apr may jun jul aug sep oct nov dec", 1),
    "ene": 1,
    "abr": 4,
    "ago": 8,
    "dic": 12,
    "mrz": 3,
    "okt": 10,
    "dez": 12,
    "mai": 5,
    "août": 8,
    "déc": 12,
}

_EN_TENS = {"twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80}
_EN_ONES = _numbered("one two three four five six seven eight nine", 1)
_DE_TENS = {"zwanzig": 20, "dreißig": 30, "vierzig": 40, "fünfzig": 50, "sechzig": 60, "siebzig": 70}
_DE_ONES = _numbered("ein zwei drei vier fünf sechs sieben acht neun", 1)

NUMBER_WORDS = {
    "en": {
        **_numbered(
            "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
            " seventeen eighteen nineteen",
            2,
        ),
        **_EN_TENS,
        "ninety": 90,
        **{
            f"{ten}-{unit}": tens + units
            for ten, tens in _EN_TENS.items()
            for unit, units in _EN_ONES.items()
        },
    },
    "de": {
        **_numbered(
            "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn"
            " siebzehn achtzehn neunzehn",
            2,
        ),
        **_DE_TENS,
        "achtzig": 80,
        "neunzig": 90,
        **{
            f"{unit}und{ten}": tens + units
            for ten, tens in _DE_TENS.items()
            for unit, units in _DE_ONES.items()
        },
    },
    "fr": {
        **_numbered(
            "deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept"
            " dix-huit dix-neuf vingt",
            2,
        ),
        "vingt-quatre": 24,
        "trente": 30,
        "trente-deux": 32,
        "quarante": 40,
        "cinquante": 50,
        "soixante": 60,
    },
    "es": {
        **_numbered(
            "dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis"
            " diecisiete dieciocho diecinueve veinte",
            2,
        ),
        "treinta": 30,
        "cuarenta": 40,
        "cincuenta": 50,
        "sesenta": 60,
    },
}
"""Number words from two on; the word for one is an article as well."""

APPROXIMATE = frozenset(
    _numbered(
        "about around roughly approximately nearly almost some rund etwa circa ca knapp gut fast ungefähr environ"
        " presque unos unas casi aproximadamente alrededor",
        0,
    )
)
"""Words before a number that is rounded."""

LOWER_BOUNDS = "at least|more than|no less than|mindestens|mehr als|au moins|plus de|al menos|más de"
UPPER_BOUNDS = (
    "at most|no more than|up to|less than|fewer than|within|maximum of|höchstens|weniger als|bis zu"
    "|innerhalb von|maximal|au plus|moins de|jusqu'à|ne dépasse pas|como máximo|máximo el|menos de|superar el|hasta"
)
THRESHOLDS = "over|above|under|below|beyond|longer than|über|unter|ab|desde"
"""Words before a number that may state a condition, so that neither a higher nor a lower one is surely false."""

_POINTS = {
    "en": "percentage points",
    "de": "Prozentpunkte",
    "fr": "points de pourcentage",
    "es": "puntos porcentuales",
}
_COMMON_UNITS = {
    "EUR": ("USD", "GBP", "CHF"),
    "GBP": ("EUR", "USD"),
    "USD": ("EUR", "CAD"),
    "€": ("$", "£"),
    "£": ("€", "$"),
    "$": ("€", "£"),
    "kg": ("g", "t"),
    "g": ("kg",),
    "km": ("m",),
    "m": ("km", "cm"),
    "mm": ("cm",),
    "cm": ("mm", "m"),
    "ms": ("s",),
    "GB": ("MB", "TB"),
    "MB": ("GB", "kB"),
    "kB": ("MB",),
    "kW": ("MW", "kWh"),
    "kWh": ("MWh", "kW"),
    "°C": ("°F", "K"),
    "l": ("ml", "m³"),
    "m²": ("km²", "m³"),
    "Ah": ("mAh",),
    "ppm": ("ppb",),
    "mg/kg": ("g/kg",),
    "lux": ("lumen",),
    "min": ("h",),
}
UNITS = {
    "en": {
        **_COMMON_UNITS,
        "%": ("percentage points",),
        "percent": ("percentage points",),
        "percentage points": ("%",),
        "US dollars": ("euros",),
        "seconds": ("minutes",),
        "minutes": ("seconds", "hours"),
        "hours": ("minutes", "days"),
        "working days": ("calendar days", "weeks"),
        "days": ("weeks", "hours"),
        "weeks": ("days", "months"),
        "months": ("weeks", "years"),
        "years": ("months",),
        "grams": ("kilograms",),
        "gigabytes": ("megabytes",),
    },
    "de": {
        **_COMMON_UNITS,
        "%": (_POINTS["de"],),
        "Prozent": (_POINTS["de"],),
        "Prozentpunkten": ("Prozent",),
        "Euro": ("Dollar", "Franken"),
        "Minuten": ("Stunden",),
        "Arbeitstage": ("Kalendertage",),
        "Tage": ("Wochen",),
        "Wochen": ("Tage", "Monate"),
        "Monate": ("Wochen", "Jahre"),
        "Monaten": ("Wochen",),
        "Jahre": ("Monate",),
        "Liter": ("Kubikmeter", "Milliliter"),
        "Kilogramm": ("Gramm",),
    },
    "fr": {
        **_COMMON_UNITS,
        "%": (_POINTS["fr"],),
        "pour cent": (_POINTS["fr"],),
        "jours": ("semaines",),
        "semaines": ("jours", "mois"),
        "mois": ("semaines", "ans"),
        "ans": ("mois",),
    },
    "es": {
        **_COMMON_UNITS,
        "%": (_POINTS["es"],),
        "por ciento": (_POINTS["es"],),
        "días": ("semanas",),
        "semanas": ("días", "meses"),
        "meses": ("semanas", "años"),
        "años": ("meses",),
        "toneladas": ("kilos", "quintales"),
        "litros": ("mililitros",),
    },
}
"""Units and what each may be changed into; none is the same amount."""

_EN_AUXILIARY = "is|are|was|were|can|may|must|will|could|should|has been|have been|had"
_DE_VERBS = (
    "ist|sind|war|waren|wird|werden|wurde|wurden|kann|darf|muss|beträgt|kostet|gilt|läuft|enthält|umfasst|bietet|dauert"
    "|leistet|liegt|stimmt|fand|erreichte|sank|stieg|verbrauchte|vergab|bewilligt|bedürfen|setzt|bindet"
)
_FR_VERBS = "sont|dure|coûte|prévoit|comprend|doit|peut|permet|verse|remplace|comptent|compte|propose"
_ES_VERBS = (
    "es|son|está|obliga|cumple|cuesta|pesa|dura|rige|cerró|llegó|pagan|entregan|entregó|quedan|tiene|da|hay"
    "|paga"
)

DROPPED_NEGATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"\bdoes not have\b", "has"),
        (r"\bdoes not apply\b", "applies"),
        (r"\bdoes not (\w+)\b", r"\1s"),
        (r"\b(do|did|is|are|was|were|has|have|had|can|may|must|will|could|should) not\b", r"\1"),
        (r"\bcannot\b", "can"),
        (r"\bNobody\b", "Everybody"),
        (r"\bnever\b", "always"),
        (r"\b(w|W)ithout\b", r"\1ith"),
        (r"\bnone of\b", "all of"),
        (r"\bNo (?!more|one|longer)(\w)", r"Some \1"),
        (r"\bno (evidence|data|role)\b", r"some \1"),
        (r"\bno (?!more|one|longer)(\w+s)\b", r"some \1"),
        (r"\bno (?!more|one|longer)(\w)", r"one \1"),
        (r"\bnot (?!only)", ""),
        (r"\brejected\b", "accepted"),
    ),
    "de": (
        (r"\bkein(e|en|er|em|es)?\b", r"ein\1"),
        (r"\bKein(e|en|er|em|es)?\b", r"Ein\1"),
        (r"\bohne\b", "mit"),
        (r"\bnie\b", "immer"),
        (r"\bnicht (?!nur|zuletzt)", ""),
    ),
    "fr": (
        (r"\bne (\w+) ni (.+?) ni ", r"\1 \2 et "),
        (r"\bn(?:e |['’])(\w+) (?:pas|plus|jamais)(?: encore)?\b", r"\1"),
        (r"\bsans\b", "avec"),
    ),
    "es": (
        (r"\bno (\w+) ni (.+?) ni ", r"\1 \2 y "),
        (r"\bNo se (\w)", r"Se \1"),
        (r"\btodavía no\b", "ya"),
        (r"\bnunca\b", "siempre"),
        (r"\bsin\b", "con"),
        (r"\bno (?=\w)", ""),
    ),
}
"""Patterns of a negation, and the affirmation in its place."""

ADDED_NEGATIONS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (rf"\b({_EN_AUXILIARY})\b", r"\1 not"),
        (
            r"\b(cover|include|cost|need|run|offer|permit|support|weigh|grant|belong|add|expire|last)s\b",
            r"does not \1",
        ),
        (r"\b(quotes|charges|transmits|begins|keeps|rejects|insists)\b", r"never \1"),
        (
            r"\b(listed|followed|included|shortened|started|opened|began|shrank|reduced|restarted)\b",
            r"never \1",
        ),
    ),
    "de": ((rf"\b({_DE_VERBS})\b( es| das(?= \d))?(?! zuletzt)", r"\1\2 nicht"),),
    "fr": ((r"\best\b", "n'est pas"), (rf"\b({_FR_VERBS})\b", r"ne \1 pas")),
    "es": ((rf"\b(se )?({_ES_VERBS})\b", r"no \1\2"),),
}
"""Patterns of a verb, and its negation; for statements without a negation."""

UNIVERSAL_WORDS: dict[str, tuple[tuple[str, str], ...]] = {
    "en": (
        (r"\bMost\b", "All"),
        (r"\bmost of the\b", "all of the"),
        (r"\bat least (?=\d|two|three)", "exactly "),
        (r"\b(is|are|was|can|may|must)(?= (?:be )?[a-z])", r"\1 never"),
        (r"\bOnly\b", "Not only"),
        (r"\bonly\b", "not only"),
        (r"\bevery (?!\d|ten\b|two\b|three\b|other\b)", "hardly any "),
        (r"\b(includes|permits|supports)\b", r"\1 only"),
        (r"\bexclusively\b", "not exclusively"),
    ),
    "de": (
        (r"\bmindestens (?=\d)", "genau "),
        (r"\bnur\b", "nicht nur"),
        (r"\bausschließlich\b", "nicht nur"),
        (r"\bimmer\b", "nie"),
        (r"\balle\b", "nicht alle"),
        (r"\b(ist|sind|wird|werden|darf|kann)\b(?! nicht|[,;.]| \[)", r"\1 nie"),
    ),
    "fr": (
        (r"\bau moins (?=\d|un)", "exactement "),
        (r"\bTous les\b", "Pas tous les"),
        (r"\bSeule\b", "Pas seulement"),
        (r"\best\b(?! pas)", "n'est jamais"),
        (r"\b(comprend|prévoit|verse)\b", r"ne \1 jamais"),
    ),
    "es": (
        (r"\btodos los\b", "no todos los"),
        (r"\b(cumple|cuesta|dura|llega|llegan|rige|es|está)\b", r"nunca \1"),
    ),
}
"""Patterns of a quantity or a frequency, and the all, only, never or exactly that the source does not say."""

NEGATIVE = {
    "en": r"\b(?:not|no|never|nobody|none|cannot|without|neither|nor|rejected|excluded)\b|n't",
    "de": r"\b(?:nicht|kein\w*|nie|niemand|ohne|weder)\b",
    "fr": r"\b(?:ne|pas|aucune?|jamais|sans|ni)\b|\bn['’]",
    "es": r"\b(?:no|nunca|ningun\w*|ningún|nadie|sin|ni)\b",
}

INCLUDING = {"en": "including", "de": "einschließlich", "fr": "y compris", "es": "incluido también"}

INVENTED_NAMES = {
    "person": ["Vera Holmquist", "Damian Wray", "Lucia Pontes", "Henrik Astor"],
    "organisation": ["Corvane Systems", "Bellweather Group", "Ostrander & Lisle", "Pellucid Trading"],
    "product": ["QX-77", "Mistral 9", "VR-310", "Delphin S"],
    "place": ["Eindhoven", "Grimsby", "Tarragona", "Rostock"],
    "country": ["Norway", "Hungary"],
    "street": ["Hatters Lane", "Mill Quay"],
}

GENERIC_SENTENCES = {
    "en": [
        "An independent auditor confirmed these figures.",
        "The parties agreed to keep the matter confidential.",
        "A further review is planned in 18 months.",
        "This saves about 230 hours of work a year.",
    ],
    "de": [
        "Ein unabhängiger Prüfer hat diese Angaben bestätigt.",
        "Die Beteiligten haben Vertraulichkeit vereinbart.",
        "Eine erneute Prüfung ist in 18 Monaten vorgesehen.",
        "Das spart rund 230 Arbeitsstunden im Jahr.",
    ],
    "fr": [
        "Un expert indépendant a confirmé ces indications.",
        "Les parties ont convenu de garder le silence.",
        "Un nouvel examen est prévu dans 18 mois.",
        "Cela épargne environ 230 heures de travail par an.",
    ],
    "es": [
        "Un experto independiente confirmó estos datos.",
        "Las partes acordaron guardar silencio.",
        "Está prevista otra revisión dentro de 18 meses.",
        "Así se ahorran unas 230 horas de trabajo al año.",
    ],
}
GENERIC_TAILS = {
    "en": ["a guided tour", "an extended guarantee"],
    "de": ["einer Führung", "einer erweiterten Garantie"],
    "fr": ["une visite guidée", "une garantie prolongée"],
    "es": ["una visita guiada", "una garantía ampliada"],
}

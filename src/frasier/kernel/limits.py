"""Hard limits, which no setting can raise. Each slice's settings stay below them."""

DIRECTIVE_CHARS_MIN = 8
DIRECTIVE_CHARS_MAX = 20_000
DELIVERABLE_CHARS_MIN = 40
DELIVERABLE_CHARS_MAX = 400_000
# So many words, with marks and headings, and some more than were asked for, stay below the characters.
DELIVERABLE_WORDS_MAX = 35_000
ANSWER_WORDS_MAX = 250
STEPS_PER_MISSION_MAX = 24
MEMORY_CHARS_MAX = 100_000
EVENT_PAYLOAD_BYTES_MAX = 64 * 1024
EFFECT_PAYLOAD_BYTES_MAX = 1024 * 1024

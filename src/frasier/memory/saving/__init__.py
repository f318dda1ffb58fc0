"""What is decided when something is saved: whether it may be, whether it is new, and what calls it again."""

from frasier.memory.saving.admission import Saved, admit_and_save
from frasier.memory.saving.contradiction import Contradiction, find_contradiction
from frasier.memory.saving.facts import differing_facts
from frasier.memory.saving.gate import Action, Admission, Candidate, Related, decide
from frasier.memory.saving.preflight import AnchorCheck, Finding, Severity, check_before_saving, refuse_errors
from frasier.memory.saving.similarity import similarity
from frasier.memory.saving.triggers import TriggerMatch, match_trigger_nums, match_triggers
from frasier.memory.saving.updating import update_memory
from frasier.memory.saving.versions import (
    AdmissionRecord,
    Version,
    admissions_of,
    reinstate,
    revert_to_version,
    versions_of,
)

__all__ = [
    "Action",
    "Admission",
    "AdmissionRecord",
    "AnchorCheck",
    "Candidate",
    "Contradiction",
    "Finding",
    "Related",
    "Saved",
    "Severity",
    "TriggerMatch",
    "Version",
    "admissions_of",
    "admit_and_save",
    "check_before_saving",
    "decide",
    "differing_facts",
    "find_contradiction",
    "match_trigger_nums",
    "match_triggers",
    "refuse_errors",
    "reinstate",
    "revert_to_version",
    "similarity",
    "update_memory",
    "versions_of",
]

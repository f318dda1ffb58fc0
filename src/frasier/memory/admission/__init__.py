"""The save path: preflight checks, the gate for duplicates and contradictions, versions and triggers."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.memory.admission.admit import Saved as Saved, admit_and_save as admit_and_save
    from frasier.memory.admission.contradiction import (
        Contradiction as Contradiction,
        find_contradiction as find_contradiction,
    )
    from frasier.memory.admission.key_words import differing_facts as differing_facts
    from frasier.memory.admission.save_gate import (
        GateAction as GateAction,
        Admission as Admission,
        ExistingMemory as ExistingMemory,
        Related as Related,
        decide as decide,
    )
    from frasier.memory.admission.dry_run import (
        AnchorCheck as AnchorCheck,
        PreflightFinding as PreflightFinding,
        Severity as Severity,
        check_before_saving as check_before_saving,
        refuse_errors as refuse_errors,
    )
    from frasier.memory.admission.similarity import similarity as similarity
    from frasier.memory.admission.triggers import (
        TriggerMatch as TriggerMatch,
        match_trigger_nums as match_trigger_nums,
        match_triggers as match_triggers,
    )
    from frasier.memory.admission.update import update_memory as update_memory
    from frasier.memory.admission.versions import (
        AdmissionRecord as AdmissionRecord,
        Version as Version,
        admissions_of as admissions_of,
        reinstate as reinstate,
        revert_to_version as revert_to_version,
        versions_of as versions_of,
    )
else:
    lazy_exports(__name__)

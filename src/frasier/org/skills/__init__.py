"""Skills: the methods that they are, who has them, and their growth by accepted work."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.skills.catalog import skill_set, skills_in
    from frasier.org.skills.expertise import (
        FITS_FROM,
        Expertise,
        is_generalist,
        read_expertise,
        share_known,
        title_key,
        trade_terms,
    )
    from frasier.org.skills.method_catalog import store_catalogue
    from frasier.org.skills.skill_choice import SkillChoice, choose_skills
    from frasier.org.skills.skill_versions import (
        SkillOrigin,
        SkillProvenance,
        SkillVersion,
        add_skill_version,
        lock_skill,
        render_skills,
        skill_in_force,
        skill_key,
        skill_version,
        put_version_in_force,
        skill_versions,
        skills_in_force,
    )
    from frasier.org.skills.store import (
        Skill,
        count_holders,
        holders_of,
        record_use,
        seed_founding_skills,
        seed_skills,
        skills_of,
    )
    from frasier.org.skills.third_party.gates import VettingGate, GateFinding, GateOutcome, GateResult
    from frasier.org.skills.third_party.human_review import REVIEW_QUESTIONS
    from frasier.org.skills.third_party.load_check import (
        capabilities_withheld,
        skills_withdrawn_from,
        withhold_unvetted,
    )
    from frasier.org.skills.third_party.rollback import roll_back_skill
    from frasier.org.skills.third_party.package import SkillPackage, parse_package
    from frasier.org.skills.third_party.packages import (
        PackageState,
        StoredPackage,
        files_of,
        get_package,
        list_packages,
        lock_newest_package,
        quarantine_skill,
        runs_with,
        store_package,
    )
    from frasier.org.skills.settings import SkillSettings
    from frasier.org.skills.third_party.scan import SkillVetting
    from frasier.org.skills.third_party.vetting import approve_package, current_gates, record_scan
    from frasier.org.skills.used_skills import note_used_skills, skills_used_by_task, uses_of_skill
else:
    lazy_exports(__name__)

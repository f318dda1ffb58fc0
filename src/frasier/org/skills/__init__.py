"""Skills of agents, and their growth by use."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.skills.expertise import (
        FITS_FROM,
        Expertise,
        is_generalist,
        read_expertise,
        share_known,
        title_key,
        trade_terms,
    )
    from frasier.org.skills.skills_prompt import render_skills
    from frasier.org.skills.store import Skill, record_use, seed_founding_skills, seed_skills, skills_of
else:
    lazy_exports(__name__)

"""Improvement of the organisation: trials of personas and skills, evaluations, post-mortems, and proposals."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.improvement.evaluation_starts import evaluations_are_to_come, start_evaluations
    from frasier.org.improvement.improvements import (
        accept_improvement,
        begin_reading,
        keep_up_improvements,
        measure_improvements,
        refuse_improvement,
    )
    from frasier.org.improvement.mark_reviews import mark_by_colleagues, mark_by_founder, mark_corrected
    from frasier.org.improvement.member_evaluations import evaluate_as_member, evaluated_version
    from frasier.org.improvement.persona_rollback import roll_back_persona
    from frasier.org.improvement.post_mortems import (
        NewPostMortem,
        StoredPostMortem,
        missions_ended_since,
        missions_without_post_mortem,
        store_post_mortem,
        stored_post_mortem,
    )
    from frasier.org.improvement.score_trends import read_score_trend
    from frasier.org.improvement.trial_subjects import MethodText, subject_of, work_with
    from frasier.org.improvement.trials import (
        conclude_pair,
        decide_about_trial,
        decision_of,
        drop_pair,
        end_overdue_trials,
        gain_of,
        propose_trial,
        refuse_candidate,
    )
    from frasier.org.improvement.upskilling import upskill_after_verdict, upskill_by_founder
    from frasier.org.improvement.watched_versions import read_following_work
else:
    lazy_exports(__name__)

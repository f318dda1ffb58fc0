"""Staffing: the founding of the organisation, hires, trials of new personas, and the assignment of work."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.org.staffing.affinity import (
        Affinity,
        affinity_to_team,
        choose_mentor,
        read_affinities,
        read_all_affinities,
    )
    from frasier.org.staffing.assignment import choose_agent
    from frasier.org.staffing.colleague_search import find_colleague
    from frasier.org.staffing.found_organisation import found
    from frasier.org.staffing.hires import (
        Hire,
        HirePersona,
        HireState,
        WantedColleague,
        decide_hire,
        end_hire,
        hire,
        hire_of,
        set_hire_persona,
        take_writing,
        was_refused,
    )
    from frasier.org.staffing.reviewer_choice import (
        AcceptedWork,
        ReviewerCandidate,
        ReviewerChoice,
        Subject,
        choose_reviewer,
        subject_of_work,
    )
    from frasier.org.staffing.preference import Workload
    from frasier.org.staffing.score_trend import SCORES_COMPARED, ScoreTrend, falls, trend_around, trend_of
    from frasier.org.staffing.trial_rule import TrialDecision, TrialVerdict, judge_pairs, pairs_until_look
    from frasier.org.staffing.trials import (
        PairState,
        Trial,
        TrialPair,
        TrialState,
        TrialTrigger,
        add_candidate,
        add_pairs,
        add_trial,
        end_trial,
        find_trials,
        kept_trial_of,
        lock_trial,
        open_trial_of,
        open_trial_of_skill,
        overdue_trials,
        pair_of_task,
        pairs_of,
        start_trial,
        store_comparison,
        trial_of_task,
        trials_of,
        void_pair,
    )
else:
    lazy_exports(__name__)

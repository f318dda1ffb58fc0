"""Model calls: by tier, within budgets, with every call in a ledger."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.llm.costs import (
        CallRecord,
        CapUse,
        CostLine,
        Costs,
        MissionSpend,
        TaskSpend,
        calls_of_mission,
        calls_of_task,
        cap_periods,
        caps_now,
        costs,
        spend_by_task,
        spend_before,
        spend_of_mission,
        spend_of_tasks,
        spends_of_missions,
        unanswered_calls,
        UsualReply,
        usual_replies,
    )
    from frasier.llm.untrusted_text import (
        FENCE_RULE,
        SKILL_RULE,
        bullets,
        colleague_sections,
        list_section,
        defuse,
        fenced,
        fenced_text,
        one_line,
        passage_lines,
        skill_sections,
        source_sections,
        statement_sections,
        verification_sections,
    )
    from frasier.llm.failure_advice import FAILURE_ADVICE
    from frasier.llm.gateway import Gateway
    from frasier.llm.prompt_budget import PromptTooLong, share_tokens
    from frasier.llm.money import plain_usd, to_usd_micros
    from frasier.llm.prices import Price
    from frasier.llm.improvement_inputs import ImproveInputs, MeasuredMission
    from frasier.llm.people_inputs import (
        ComparedText,
        CompareInputs,
        MethodInputs,
        PersonaInputs,
        RejectedWork,
        UpskillInputs,
    )
    from frasier.llm.prompt_inputs import (
        CarryingPassage,
        CheckedStatement,
        Citations,
        CoherenceInputs,
        ColumnToFill,
        DocumentEntry,
        ExtractInputs,
        CritiqueInputs,
        DecomposeInputs,
        GapsInputs,
        JudgeInputs,
        OutlinedSection,
        OutlineInputs,
        Passage,
        PlanInputs,
        Predecessor,
        ResultForm,
        ReviseInputs,
        SectionInputs,
        SelfTestInputs,
        StaffedRole,
        StatementToJudge,
        SkillMethod,
        StepBrief,
        SynthesizeInputs,
        Verification,
        WrittenSection,
    )
    from frasier.llm.providers.rehearsal.revocations import RevokedStatement, revoked_statements
    from frasier.llm.review_inputs import ReviewInputs, VersionBefore
    from frasier.llm.conversation_inputs import (
        AskInputs,
        ClassifyInputs,
        ConversationTurn,
        SteerInputs,
        StepOfMission,
        TalkInputs,
    )
    from frasier.llm.request_inputs import Inputs
    from frasier.llm.call_ledger import (
        CallState,
        answers_since,
        book_unknown,
        failures_of_tier,
        last_answer_to,
        silent_service,
    )
    from frasier.llm.message_sentences import Sentence, straighten_apostrophes
    from frasier.llm.evaluation_inputs import EvaluateInputs, UsedArtefact
    from frasier.llm.routine_inputs import RoutineOutcomeInputs, RoutineTurnInputs, SpokenTurn
    from frasier.llm.tier_routing import choose_tier
    from frasier.llm.standing_rule_form import (
        RULES_HEADING,
        is_wish,
        own_sentences,
        reads_like_rule,
        remove_sentences,
        rules_in,
        wants_work,
    )
    from frasier.llm.self_test import SelfTestResult, SelfTestStatus
    from frasier.llm.prices import is_loopback, models_without_price
    from frasier.llm.settings import OPENROUTER_URL, Caps, LlmSettings
    from frasier.llm.reservations import set_depth_budget, set_mission_budget
    from frasier.llm.tiers import Tier
    from frasier.llm.types import (
        Account,
        Guard,
        Message,
        Provider,
        ProviderCall,
        ProviderReply,
        Purpose,
        Reply,
        Request,
        Section,
    )
    from frasier.llm.unusable_replies import UNUSABLE_REPLIES_MAX
else:
    lazy_exports(__name__)

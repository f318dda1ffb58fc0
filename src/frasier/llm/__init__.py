"""Model calls: by tier, within budgets, with every call in a ledger."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.llm.costs import (
        CallRecord as CallRecord,
        CapUse as CapUse,
        CostLine as CostLine,
        Costs as Costs,
        MissionSpend as MissionSpend,
        calls_of_mission as calls_of_mission,
        calls_of_task as calls_of_task,
        caps_now as caps_now,
        costs as costs,
        spend_of_mission as spend_of_mission,
    )
    from frasier.llm.untrusted_text import (
        FENCE_RULE as FENCE_RULE,
        colleague_sections as colleague_sections,
        defuse as defuse,
        fenced as fenced,
        fenced_text as fenced_text,
        one_line as one_line,
        source_sections as source_sections,
    )
    from frasier.llm.gateway import Gateway as Gateway
    from frasier.llm.prompt_inputs import (
        Citations as Citations,
        ClassifyInputs as ClassifyInputs,
        CritiqueInputs as CritiqueInputs,
        DecomposeInputs as DecomposeInputs,
        GapsInputs as GapsInputs,
        Inputs as Inputs,
        Passage as Passage,
        PlanInputs as PlanInputs,
        Predecessor as Predecessor,
        ReviewInputs as ReviewInputs,
        ReviseInputs as ReviseInputs,
        SelfTestInputs as SelfTestInputs,
        StaffedRole as StaffedRole,
        SynthesizeInputs as SynthesizeInputs,
        TalkInputs as TalkInputs,
    )
    from frasier.llm.call_ledger import CallState as CallState, book_unknown as book_unknown
    from frasier.llm.message_sentences import (
        Sentence as Sentence,
        straighten_apostrophes as straighten_apostrophes,
    )
    from frasier.llm.tier_routing import choose_tier as choose_tier
    from frasier.llm.standing_rule_form import (
        is_wish as is_wish,
        own_sentences as own_sentences,
        reads_like_rule as reads_like_rule,
        remove_sentences as remove_sentences,
        rules_in as rules_in,
        wants_work as wants_work,
    )
    from frasier.llm.self_test import SelfTestResult as SelfTestResult, SelfTestStatus as SelfTestStatus
    from frasier.llm.settings import Caps as Caps, LlmSettings as LlmSettings
    from frasier.llm.reservations import set_mission_budget as set_mission_budget
    from frasier.llm.tiers import Tier as Tier
    from frasier.llm.types import (
        Account as Account,
        Guard as Guard,
        Message as Message,
        Provider as Provider,
        ProviderCall as ProviderCall,
        ProviderReply as ProviderReply,
        Purpose as Purpose,
        Reply as Reply,
        Request as Request,
        Section as Section,
    )
    from frasier.llm.unusable_replies import UNUSABLE_REPLIES_MAX as UNUSABLE_REPLIES_MAX
else:
    lazy_exports(__name__)

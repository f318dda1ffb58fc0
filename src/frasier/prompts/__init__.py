"""Prompts: the requests to models, one file per purpose, rendered from their typed inputs."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.prompts.ask_mission import ask_request
    from frasier.prompts.classify import classify_request
    from frasier.prompts.compare import compare_request
    from frasier.prompts.coherence import coherence_request
    from frasier.prompts.critique import critique_request
    from frasier.prompts.decompose import decompose_request
    from frasier.prompts.evaluate import evaluate_request
    from frasier.prompts.extract import (
        EXTRACT_VERSION,
        EXTRACT_REPLY_TOKENS,
        REHEARSED_EXTRACT_VERSION,
        TOKENS_PER_CELL,
        extract_request,
    )
    from frasier.prompts.gaps import gaps_request
    from frasier.prompts.judge import judge_request
    from frasier.prompts.outline import outline_request
    from frasier.prompts.persona import persona_request
    from frasier.prompts.plan import plan_request
    from frasier.prompts.review import review_request
    from frasier.prompts.revise import revise_request
    from frasier.prompts.routine_outcome import routine_outcome_request
    from frasier.prompts.routine_turn import routine_turn_request
    from frasier.prompts.section import REPLY_TOKENS_PER_WORD, TOKENS_PER_WORD, section_request
    from frasier.prompts.steer import steer_request
    from frasier.prompts.synthesize import synthesize_request
    from frasier.prompts.system import SystemParts, date_line, render_system
    from frasier.prompts.writing_rules import REPLY_TOKENS
    from frasier.prompts.method import method_request
    from frasier.prompts.improve import improve_request
    from frasier.prompts.upskill import upskill_request
    from frasier.prompts.answer_message import talk_request
else:
    lazy_exports(__name__)

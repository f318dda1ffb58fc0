"""The names of OpenTelemetry's semantic conventions for generative AI, which are still in development: one version."""

from __future__ import annotations

SCHEMA_URL = "https://opentelemetry.io/schemas/1.41.0"

OPERATION = "gen_ai.operation.name"
WORKFLOW = "gen_ai.workflow.name"
CONVERSATION = "gen_ai.conversation.id"
AGENT = "gen_ai.agent.name"
PROVIDER = "gen_ai.provider.name"
REQUEST_MODEL = "gen_ai.request.model"
FINISH_REASONS = "gen_ai.response.finish_reasons"
INPUT_TOKENS = "gen_ai.usage.input_tokens"
OUTPUT_TOKENS = "gen_ai.usage.output_tokens"
CACHED_TOKENS = "gen_ai.usage.cache_read.input_tokens"
ERROR = "error.type"

INVOKE_WORKFLOW = "invoke_workflow"
INVOKE_AGENT = "invoke_agent"
CHAT = "chat"

# Ours, for what the conventions have no name.
COST = "frasier.cost_microdollars"
STATUS = "frasier.status"
TASK = "frasier.task.id"
PROCESS = "frasier.task.process"
WAIT = "frasier.wait"
ATTEMPT = "frasier.run.attempt"
WORKER = "frasier.run.worker"
OUTCOME = "frasier.run.outcome"
PHASE = "frasier.phase"
FINISHED = "frasier.phase.finished"
PURPOSE = "frasier.call.purpose"
TIER = "frasier.call.tier"
TIER_ASKED = "frasier.call.tier_asked"
CALL_STATE = "frasier.call.state"

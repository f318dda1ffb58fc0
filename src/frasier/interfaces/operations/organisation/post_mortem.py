"""Read the post-mortem of a mission."""

from __future__ import annotations

from frasier.interfaces.operations import Layer, OperationContext, Output, Result
from frasier.interfaces.operations.organisation.missions import MissionInput
from frasier.interfaces.operations.organisation.services import declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.overview import PostMortem, read_post_mortem


class PostMortemOutput(Output):
    """The post-mortem of a mission: figures with their numbers of observations and intervals, and what stands out."""

    post_mortem: PostMortem


async def _get(context: OperationContext, request: MissionInput) -> Result[PostMortemOutput]:
    post_mortem = await services_of(context).in_transaction(read_post_mortem, request.mission)
    return Result(
        summary=f"{post_mortem.telemetry.title}: {plural(len(post_mortem.findings), 'finding')}.",
        data=PostMortemOutput(post_mortem=post_mortem),
    )


GET = declare_founders(
    _get,
    name="post_mortem_get",
    title="Show a mission's post-mortem",
    layer=Layer.DETAIL,
    about="The post-mortem of a mission, quantitative only: critical path, work and waiting, costs per accepted"
    " deliverable and verified statement, retries, estimate against truth, agreement of reviewers, calibration against"
    " the founder, outliers, and what stands out by a stated rule.",
    read_only=True,
    idempotent=True,
)

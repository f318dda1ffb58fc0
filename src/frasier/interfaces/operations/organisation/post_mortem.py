"""Read the post-mortem of a mission, and those of many over time."""

from __future__ import annotations

from datetime import UTC, date, datetime, time

from pydantic import Field

from frasier.interfaces.operations import Layer, OperationContext, Output, Result, StorableInput
from frasier.interfaces.operations.organisation.missions import MissionInput
from frasier.interfaces.operations.organisation.services import Limit, declare_founders, services_of
from frasier.kernel.humanize import plural
from frasier.overview import PostMortem, PostMortemTrends, read_post_mortem, read_post_mortem_trends


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
    " the founder, outliers, and what stands out by a stated rule. It is stored when the mission ends, and computed"
    " again where later facts have come, which it names.",
    read_only=True,
)


class PostMortemTrendsInput(StorableInput):
    """The missions whose post-mortems are compared."""

    since: date | None = Field(None, description="Only missions that ended from this day (UTC) on")
    limit: Limit = 50


class PostMortemTrendsOutput(Output):
    """Figures across missions, each with its number of observations and interval, earlier and later."""

    trends: PostMortemTrends


async def _trends(
    context: OperationContext, request: PostMortemTrendsInput
) -> Result[PostMortemTrendsOutput]:
    since = datetime.combine(request.since, time.min, UTC) if request.since else None
    trends = await services_of(context).in_transaction(
        read_post_mortem_trends, since=since, limit=request.limit
    )
    outstanding = sum(test.stands_out for test in trends.tests)
    return Result(
        summary=f"{plural(len(trends.missions), 'mission')}, {plural(outstanding, 'finding')}.",
        data=PostMortemTrendsOutput(trends=trends),
    )


TRENDS = declare_founders(
    _trends,
    name="post_mortem_trends",
    title="Compare post-mortems over time",
    layer=Layer.DETAIL,
    about="The post-mortems of the missions that ended last, over time: cost per accepted deliverable and per verified"
    " statement, waiting, retries, estimate against truth, each with its number of observations, interval, and earlier"
    " and later half; agreement and calibration of reviewers; and what stands out by a stated rule.",
    read_only=True,
)

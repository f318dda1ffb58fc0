"""The settings of work. The pipeline's defaults are those of the specification."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field


class PipelineSettings(BaseModel):
    """The bounds of one step's deep work.

    A step is given its best passages, at most `passages_max`, up to `passages_share` of the context of the T1 model,
    and first at most `passages_per_source` of one source. A draft is revised while any score is below `dimension_min`
    or their mean below `mean_min`, at most `revisions_max` times. With `judge`, a model judges whether passages carry
    the statements that cite them.
    """

    model_config = ConfigDict(frozen=True)

    passages_max: int = Field(default=400, ge=4, le=1_000)
    passages_share: float = Field(default=0.5, ge=0.1, le=0.8)
    passages_per_source: int = Field(default=5, ge=1, le=40)
    queries_max: int = Field(default=6, ge=1, le=20)
    pages_per_query: int = Field(default=3, ge=1, le=10)
    pages_max: int = Field(default=16, ge=1, le=60)
    rounds_max: int = Field(default=3, ge=1, le=5)
    revisions_max: int = Field(default=2, ge=0, le=4)
    dimension_min: float = Field(default=2.5, ge=1, le=5)
    mean_min: float = Field(default=3.0, ge=1, le=5)
    judge: bool = True


class WorkerSettings(BaseModel):
    """The settings of a worker.

    A lease lasts `lease_s` and is renewed three times in it. `concurrency` tasks run at once in one process. A service
    that is down is tried every `probe_s`, by one of the tasks that wait for it.
    """

    model_config = ConfigDict(frozen=True)

    concurrency: int = Field(default=8, ge=1, le=64)
    lease_s: float = Field(default=30.0, ge=0.5, le=3600)
    poll_s: float = Field(default=1.0, ge=0.05, le=60)
    retry_base_s: float = Field(default=5.0, ge=0, le=600)
    retry_max_s: float = Field(default=900.0, ge=0, le=86_400)
    probe_s: float = Field(default=60.0, ge=1, le=3600)


@dataclass(frozen=True, slots=True, kw_only=True)
class AvailableMeans:
    """The available means of work: real models or the rehearsal stand-in, and a web search or none."""

    rehearsal: bool
    web_search: bool

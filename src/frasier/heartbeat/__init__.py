"""The heartbeat: recurring jobs, each done by one process at a time."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.heartbeat.runner import Heartbeat, Job
else:
    lazy_exports(__name__)

"""The heartbeat: jobs that recur, each done by one process at a time. It knows no job by name."""

from frasier.heartbeat.runner import Heartbeat, Job

__all__ = ["Heartbeat", "Job"]

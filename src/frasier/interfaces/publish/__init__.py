"""Channels: the deliverable's folder always, announcements to a file, and webhooks for subscriptions to events."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.interfaces.publish.announcements import AnnouncementFile
    from frasier.interfaces.publish.folder import FolderChannel
    from frasier.interfaces.publish.otlp.export_job import telemetry_jobs
    from frasier.interfaces.publish.otlp.exporter import TelemetryExporter
    from frasier.interfaces.publish.webhook import WebhookChannel
    from frasier.interfaces.publish.webhook_delivery import subscribe_webhooks
else:
    lazy_exports(__name__)

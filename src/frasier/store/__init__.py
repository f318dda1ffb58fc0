"""PostgreSQL: the only store, and all access to it."""

from typing import TYPE_CHECKING

from frasier.kernel.lazy_exports import lazy_exports

if TYPE_CHECKING:
    from frasier.store.address import check_address as check_address, mask_address as mask_address
    from frasier.store.backup import restore_backup as restore_backup, write_backup as write_backup
    from frasier.store.connection import check_direct as check_direct, connect as connect
    from frasier.store.database import Database as Database
    from frasier.store.deferred import Connection as Connection, Tx as Tx
    from frasier.store.effects import (
        EFFECTS_CHANNEL as EFFECTS_CHANNEL,
        SENDER_GONE as SENDER_GONE,
        Effect as Effect,
        EffectState as EffectState,
        effects_of as effects_of,
        enqueue_effect as enqueue_effect,
        open_effects as open_effects,
        resend_effect as resend_effect,
    )
    from frasier.store.error_translation import DatabaseFull as DatabaseFull
    from frasier.store.event_feed import EventFeed as EventFeed, FeedBatch as FeedBatch
    from frasier.store.event_kinds import check_kinds as check_kinds, matches_kind as matches_kind
    from frasier.store.event_readers import (
        advance_reader as advance_reader,
        reader_cursor as reader_cursor,
    )
    from frasier.store.events import (
        Event as Event,
        EventCursor as EventCursor,
        EventEpochChanged as EventEpochChanged,
        append_event as append_event,
        current_cursor as current_cursor,
        events_of as events_of,
        events_of_kind as events_of_kind,
        events_of_each as events_of_each,
        has_unsettled_events as has_unsettled_events,
        make_event_partitions as make_event_partitions,
        newest_events as newest_events,
        read_events_after_stored as read_events_after_stored,
    )
    from frasier.store.idempotency import (
        IdempotentRequest as IdempotentRequest,
        OutcomeUnknown as OutcomeUnknown,
        RequestRunning as RequestRunning,
        StoredAnswer as StoredAnswer,
        purge_requests as purge_requests,
        run_once as run_once,
    )
    from frasier.store.home_permissions import close_home as close_home
    from frasier.store.id_search import find_row as find_row
    from frasier.store.inspection.health import (
        Condition as Condition,
        EventGuard as EventGuard,
        condition_of as condition_of,
        event_guard as event_guard,
    )
    from frasier.store.inspection.lists import (
        EffectCount as EffectCount,
        count_effects as count_effects,
        latest_effects as latest_effects,
        lease_holders as lease_holders,
    )
    from frasier.store.key_file import write_private as write_private
    from frasier.store.leader_lease import (
        drop_lease as drop_lease,
        hold_lease as hold_lease,
        take_lease as take_lease,
    )
    from frasier.store.migration_runner import (
        check_schema as check_schema,
        known_names as known_names,
        migrate as migrate,
        version_after as version_after,
        version_before as version_before,
    )
    from frasier.store.outbox import Channel as Channel, Outbox as Outbox
    from frasier.store.audit_seal import (
        SealKey as SealKey,
        AuditVerification as AuditVerification,
    )
    from frasier.store.precondition import Precondition as Precondition, on_condition as on_condition
    from frasier.store.process_identity import (
        application_name as application_name,
        holder_name as holder_name,
        process_has_ended as process_has_ended,
        process_name as process_name,
    )
    from frasier.store.rotated_file import older_part as older_part, open_to_append as open_to_append
    from frasier.store.rows import from_row as from_row, parameters_of as parameters_of
    from frasier.store.subscriptions.delivery import (
        Deliveries as Deliveries,
        Subscriber as Subscriber,
        SubscriberChannel as SubscriberChannel,
        SubscriberGone as SubscriberGone,
    )
    from frasier.store.subscriptions.dispatch import EventSubjects as EventSubjects
    from frasier.store.subscriptions.secret import SubscriptionSecrets as SubscriptionSecrets
    from frasier.store.subscriptions.subscription import (
        FailingSubscription as FailingSubscription,
        Subscription as Subscription,
        add_subscription as add_subscription,
        failing_subscriptions as failing_subscriptions,
        get_subscription as get_subscription,
        list_subscriptions as list_subscriptions,
        pause_subscription as pause_subscription,
        remove_subscription as remove_subscription,
        resume_subscription as resume_subscription,
        rotate_secret as rotate_secret,
    )
    from frasier.store.sql_statements import Statements as Statements
    from frasier.store.notify_listener import NotifyListener as NotifyListener, notify as notify
    from frasier.store.audit_log import AuditLog as AuditLog
    from frasier.store.database import InTransaction as InTransaction
    from frasier.store.effects import resend_effects as resend_effects
else:
    lazy_exports(__name__)

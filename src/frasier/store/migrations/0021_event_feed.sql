-- The epoch of events with timeline and database, and the notification that wakes whoever follows events.

\ir functions/event_epoch.sql
\ir functions/audit_log.sql

-- The rules of rows name what they call with its schema: pg_restore checks the rows of a dump without a search path.
\ir functions/effect_rules.sql
\ir functions/memory_rules.sql
\ir functions/task_rules.sql

-- What most transactions write for nobody to wait for, as functions: their calls go out together, in one statement. And
-- what made these writes slow.

-- The same key again changes nothing.
create function enqueue_effect(p_id uuid, p_kind text, p_key text, p_stream uuid, p_payload jsonb)
returns void language plpgsql as $$
begin
    insert into store_effects (id, kind, key, stream, payload) values (p_id, p_kind, p_key, p_stream, p_payload)
    on conflict (key) do nothing;
end $$;

-- A marker's postings are made later, by a job.
create function save_marker(
    p_id uuid, p_scope text, p_content text, p_agent_id uuid, p_task_id uuid, p_provenance jsonb, p_content_hash bytea
) returns void language plpgsql as $$
begin
    insert into memory_items (id, kind, scope, content, agent_id, task_id, provenance, content_hash)
    values (p_id, 'marker', p_scope, p_content, p_agent_id, p_task_id, p_provenance, p_content_hash);
end $$;

-- Counts a completed task off its dependants, which are locked in the order of their numbers, and wakes whoever listens
-- where one became ready.
create function satisfy_dependants(p_id uuid, p_channel text) returns void language plpgsql as $$
declare
    woken boolean;
begin
    with locked as materialized (
        select t.id from workflow_tasks t
        where t.id in (select d.task_id from workflow_dependencies d
                       where d.depends_on = p_id and d.kind = 'blocks' and not d.satisfied)
        order by t.num for no key update
    ), satisfied as (
        update workflow_dependencies d set satisfied = true from locked
        where d.depends_on = p_id and d.task_id = locked.id and not d.satisfied
        returning d.task_id
    ), counted as (
        update workflow_tasks t set pending_deps = t.pending_deps - 1, updated_at = now() from satisfied
        where t.id = satisfied.task_id returning t.ready
    )
    select coalesce(bool_or(ready), false) into woken from counted;
    if woken then
        perform pg_notify(p_channel, '');
    end if;
end $$;

-- What the store tells as a lost lease or as what somebody else was first at; whoever holds a task names the attempt.
create function refuse_move(p_id uuid, p_attempt integer) returns void language plpgsql as $$
declare
    task workflow_tasks;
begin
    select * into task from workflow_tasks where id = p_id;
    if p_attempt is not null and (task.lease_owner is null or task.attempt <> p_attempt) then
        raise exception using errcode = 'FR002',
            message = format('Attempt %s of %s does not hold the task any more.', p_attempt, task.slug),
            detail = 'What the attempt stored before stays; nothing was written now.',
            hint = 'Look at the task again; if it is free, it can be claimed anew.';
    end if;
    raise exception using errcode = 'FR001',
        message = format('%s was changed by somebody else first.', coalesce(task.slug, 'The task')),
        detail = 'What the others wrote is kept; nothing of yours was written.',
        hint = 'Look at it again and decide anew.';
end $$;

-- The guarded move of a task, whose new state is the caller's; whoever looked at another version moves nothing. Whoever
-- listens is woken where it can be claimed now.
create function move_task(
    p_id uuid, p_version integer, p_attempt integer, p_channel text, p_status text, p_role text, p_claimable boolean,
    p_delay_s double precision, p_strikes integer, p_failures integer, p_result_digest text, p_result_size integer,
    p_fields jsonb, p_failure text, p_outcome text
) returns void language plpgsql as $$
declare
    woken boolean;
begin
    update workflow_tasks set
        status = p_status, role = p_role, claimable = p_claimable, version = version + 1,
        since = now(), run_after = now() + make_interval(secs => p_delay_s), lease_owner = null, lease_until = null,
        strikes = p_strikes, failures = p_failures, result_digest = p_result_digest, result_size = p_result_size,
        fields = p_fields, failure = p_failure, outcome = p_outcome,
        ended_at = case when p_outcome is not null then now() end, updated_at = now()
    where id = p_id and version = p_version
    returning ready into woken;
    if not found then
        perform refuse_move(p_id, p_attempt);
    end if;
    if woken then
        perform pg_notify(p_channel, '');
    end if;
end $$;

-- What every memory, task and effect is, in one function each: as check constraints of their own, which PostgreSQL reads
-- and plans anew in each statement, the same rules took most of what a statement of one row takes. A memory's scope is told
-- without counted repetitions, which took as long as all the others. A rule that is neither true nor false does not apply,
-- as in a check.
create function memory_item_is_sound(m memory_items) returns boolean language plpgsql immutable as $$
begin
    return m.kind in ('lesson', 'directive', 'task', 'marker', 'conversation', 'approach', 'decision', 'passage',
                      'observation')
        and m.scope ~ '^[a-z][a-z0-9_-]*(:[a-z0-9][a-z0-9._-]*)?$'
        and char_length(split_part(m.scope, ':', 1)) <= 32 and char_length(split_part(m.scope, ':', 2)) <= 100
        and char_length(m.title) <= 500
        and char_length(m.content) between 1 and 100000
        and cardinality(m.tags) <= 32
        and m.tier in ('constitutional', 'critical', 'important', 'normal', 'temporary', 'deprecated')
        and m.importance between 1 and 10
        and jsonb_typeof(m.provenance) = 'object'
        and octet_length(m.content_hash) = 32
        and m.length >= 0
        -- What the founder directed neither fades nor disappears.
        and (m.kind <> 'directive'
             or (m.tier = 'constitutional' and m.expires_at is null and m.archived_at is null))
        and (m.tier <> 'temporary' or m.expires_at is not null)
        and (m.indexed or (m.length = 0 and m.term_keys = '{}'))
        and m.memory_type in ('working', 'episodic', 'prospective', 'implicit', 'declarative', 'procedural',
                              'semantic', 'autobiographical', 'meta-cognitive')
        and m.type_source in ('explicit', 'path', 'tier', 'keywords', 'default')
        and m.type_confidence between 0 and 1
        and cardinality(m.triggers) <= 50
        and (m.thread is null or char_length(m.thread) between 1 and 200)
        and (m.speaker is null or char_length(m.speaker) between 1 and 100)
        and m.version >= 1
        and (m.valid_from is null or m.valid_until is null or m.valid_until >= m.valid_from);
end $$;

create function workflow_task_is_sound(t workflow_tasks) returns boolean language plpgsql immutable as $$
begin
    return t.slug <> '' and t.title <> ''
        and t.pending_deps >= 0 and t.attempt >= 0 and t.failures >= 0 and t.strikes >= 0 and t.version > 0
        and jsonb_typeof(t.fields) = 'object'
        and t.lease_owner <> '' and t.last_holder <> ''
        and t.result_digest <> '' and t.result_size > 0
        and t.failure <> ''
        and t.outcome in ('completed', 'failed', 'cancelled')
        and (t.lease_owner is null) = (t.lease_until is null)
        and (not t.claimable or (t.lease_owner is null and t.ended_at is null and t.status <> 'blocked'))
        and (t.status = 'active') = (t.lease_owner is not null)
        and (t.outcome is not null) = (t.ended_at is not null)
        and (t.outcome is distinct from 'completed'
             or (t.result_digest is not null and t.result_size is not null))
        and (t.outcome is not distinct from 'failed') = (t.failure is not null)
        and (not t.cascaded or t.outcome is not distinct from 'failed');
end $$;

create function store_effect_is_sound(e store_effects) returns boolean language plpgsql immutable as $$
begin
    return e.kind <> '' and e.attempts >= 0
        and e.state in ('pending', 'sending', 'sent', 'unknown', 'failed')
        and (e.state = 'sending') = (e.lease_until is not null)
        and (e.state in ('sent', 'failed')) = (e.settled_at is not null)
        and (e.state = 'sent') = (e.receipt is not null)
        and (e.state not in ('unknown', 'failed') or e.error is not null);
end $$;

do $$
declare
    rule record;
begin
    for rule in select conname, conrelid::regclass as of from pg_constraint
                where contype = 'c'
                  and conrelid in ('memory_items'::regclass, 'workflow_tasks'::regclass, 'store_effects'::regclass) loop
        execute format('alter table %s drop constraint %I', rule.of, rule.conname);
    end loop;
end $$;
alter table memory_items add constraint memories_are_sound check (memory_item_is_sound(memory_items));
alter table workflow_tasks add constraint tasks_are_sound check (workflow_task_is_sound(workflow_tasks));
alter table store_effects add constraint effects_are_sound check (store_effect_is_sound(store_effects));

-- Appending an event without a search path of its own, whose change cost as much as the rest of it: everything that runs
-- with the owner's rights is named with its schema instead, operators and types too, so that nothing can stand in for it:
-- a temporary type is found before all others, and its check would run with these rights. What the digest is given is of
-- exactly its types, so that no other function of its name fits better. The digest's own names are resolved here and now.
create or replace function event_digest(
    previous bytea, stream uuid, seq integer, at timestamptz, kind text, actor text, payload jsonb
) returns bytea language sql stable
    return sha256(previous || convert_to(concat_ws(E'\n', stream, seq, (extract(epoch from at) * 1000000)::bigint,
        char_length(kind), kind, char_length(actor), actor, payload), 'UTF8'));

create or replace function append_event(p_stream uuid, p_kind text, p_actor text, p_payload jsonb)
returns bigint language plpgsql security definer as $$
declare
    moment pg_catalog.timestamptz := pg_catalog.clock_timestamp();
    head public.store_event_streams;
    event_id pg_catalog.int8;
begin
    update public.store_event_streams s set
        seq = s.seq operator(pg_catalog.+) 1,
        hash = public.event_digest(
            s.hash, s.stream, s.seq operator(pg_catalog.+) 1, moment, p_kind, p_actor, p_payload)
    where s.stream operator(pg_catalog.=) p_stream
    returning * into head;
    if not found then
        -- Somebody else may begin the stream at the same moment: then this event is the second.
        insert into public.store_event_streams as s (stream, seq, hash)
        values (p_stream, 1, public.event_digest(''::pg_catalog.bytea, p_stream, 1, moment, p_kind, p_actor, p_payload))
        on conflict (stream) do update set
            seq = s.seq operator(pg_catalog.+) 1,
            hash = public.event_digest(
                s.hash, s.stream, s.seq operator(pg_catalog.+) 1, moment, p_kind, p_actor, p_payload)
        returning * into head;
    end if;
    insert into public.events (stream, seq, at, kind, actor, payload, hash)
    values (p_stream, head.seq, moment, p_kind, p_actor, p_payload, head.hash)
    returning id into event_id;
    return event_id;
end $$;

-- Which declared commands must have ended well before a move is made. What is required cannot be taken away unseen.
create table workflow_required_commands (
    project_id uuid not null,
    command text not null,
    move text not null check (move <> ''),
    required_by text not null,
    required_at timestamptz not null default now(),
    primary key (project_id, move, command),
    foreign key (project_id, command) references workflow_commands (project_id, name)
);

-- A check is a run that says how it ended, and counts no tests. What was run has begun at some time: after the task came
-- to where it is, or before.
alter table workflow_evidence drop constraint workflow_evidence_kind_check;
alter table workflow_evidence
    add constraint workflow_evidence_kind_check check (kind in ('link', 'command', 'check')),
    add column began_at timestamptz;

-- What serves one task only: a session in which the memory was asked, a memory that was saved, and of each project the
-- words in which somebody judges the work, as the digest of what is left of them without case, space and punctuation.
create table workflow_used_once (
    kind text not null check (kind in ('session', 'memory', 'words')),
    key text not null check (key <> ''),
    task_id uuid not null references workflow_tasks on delete cascade,
    primary key (kind, key)
);
create index workflow_used_once_by on workflow_used_once (task_id, kind);

-- What was used before now belongs to the task that was there first.
insert into workflow_used_once (kind, key, task_id)
select 'session', btrim(t.fields ->> 'memory_query_session'), t.id
from workflow_tasks t join workflow_projects p on p.id = t.group_id
where btrim(t.fields ->> 'memory_query_session') <> '' order by t.num
on conflict do nothing;
insert into workflow_used_once (kind, key, task_id)
select 'memory', lower(btrim(t.fields ->> 'memory_contribution_id')), t.id
from workflow_tasks t join workflow_projects p on p.id = t.group_id
where btrim(t.fields ->> 'memory_contribution_id') <> '' order by t.num
on conflict do nothing;
-- Words in other alphabets are compared from now on: what is a letter there, the engine knows and this does not.
insert into workflow_used_once (kind, key, task_id)
select 'words', t.group_id || ':' || encode(sha256(convert_to(said.bare, 'UTF8')), 'hex'), t.id
from workflow_tasks t
join workflow_projects p on p.id = t.group_id
cross join lateral (
    select regexp_replace(lower(t.fields ->> f.name), '[^a-z0-9]', '', 'g') as bare
    from unnest(array['qa_review', 'pdsa_review', 'liaison_review', 'pr_review_reasoning', 'liaison_q1_approval',
                      'liaison_q2_approval', 'liaison_q3_approval', 'liaison_q1_complete', 'liaison_q2_complete',
                      'liaison_q3_complete']) as f (name)
    where octet_length(t.fields ->> f.name) = char_length(t.fields ->> f.name)) as said
where said.bare <> '' order by t.num
on conflict do nothing;

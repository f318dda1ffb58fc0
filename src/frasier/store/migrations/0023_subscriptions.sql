-- Who is sent events, each as one effect. `kind` says by what means; `kinds` are patterns of the kinds of events, all where
-- there are none. The secret is not here: it is derived from a key of the home, the id and the version.
create table store_subscriptions (
    id uuid primary key,
    name text not null unique check (name <> ''),
    kind text not null check (kind <> ''),
    target text not null check (target <> ''),
    kinds text[] not null default '{}',
    state text not null default 'active' check (state in ('active', 'paused', 'disabled')),
    secret_version integer not null default 1 check (secret_version > 0),
    -- Until when the secret before this one signs as well.
    previous_secret_until timestamptz,
    -- Tells whether the secret that is derived now is the one that the receiver has.
    secret_digest text not null,
    -- The cursor: the last event that was turned into an effect, or passed over.
    epoch bigint not null,
    xid bigint not null,
    event_id bigint not null,
    -- The number of effects so far, which is the place of the newest.
    effects bigint not null default 0,
    failing_since timestamptz,
    last_status text,
    last_attempt_at timestamptz,
    last_delivered_at timestamptz,
    created_at timestamptz not null default frasier_now()
);

-- Effects of one subscription and one stream are carried out one after the other, by their place.
alter table store_effects
    add column subscription_id uuid references store_subscriptions on delete cascade,
    add column place bigint,
    add constraint effects_of_a_subscription_have_a_place check ((subscription_id is null) = (place is null));
create index store_effects_in_order on store_effects (subscription_id, stream, place)
    where subscription_id is not null and state in ('pending', 'sending');
create index store_effects_failed on store_effects (subscription_id)
    where subscription_id is not null and state = 'failed';
create index store_effects_delivered on store_effects (settled_at)
    where subscription_id is not null and state = 'sent';

-- The rules of an effect, in one function for the reason given in memory_rules.sql.
create or replace function store_effect_is_sound(e store_effects) returns boolean language plpgsql immutable as $$
begin
    return e.kind <> '' and e.attempts >= 0
        and e.state in ('pending', 'sending', 'sent', 'unknown', 'failed')
        and (e.state = 'sending') = (e.lease_until is not null)
        and (e.state in ('sent', 'failed')) = (e.settled_at is not null)
        and (e.state = 'sent') = (e.receipt is not null)
        and (e.state not in ('unknown', 'failed') or e.error is not null);
end $$;

-- The rules of an effect; see rules.sql.
create or replace function store_effect_is_sound(e store_effects) returns boolean language plpgsql immutable as $$
begin
    return coalesce(public.refuse_row('store_effects', case
        when not (e.kind <> '') then 'kind_is_not_empty'
        when not (e.attempts >= 0) then 'attempts_are_counted'
        when not (e.state in ('pending', 'sending', 'sent', 'unknown', 'failed')) then 'state_is_known'
        when not ((e.state = 'sending') = (e.lease_until is not null)) then 'sending_means_a_lease'
        when not ((e.state in ('sent', 'failed')) = (e.settled_at is not null)) then 'settled_means_sent_or_failed'
        when not ((e.state = 'sent') = (e.receipt is not null)) then 'sent_means_a_receipt'
        when not (e.state not in ('unknown', 'failed') or e.error is not null) then 'trouble_has_an_error'
    end), true);
end $$;

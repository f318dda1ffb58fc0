-- The time of the transaction. Every statement and every default takes the time from here, because a test database offsets
-- it (test_clock.sql). PostgreSQL puts the body in the place of a call, so that it costs no more than its body.
create or replace function frasier_now() returns timestamptz language sql stable parallel safe
    return now();

-- The time of this moment, however long ago the transaction began.
create or replace function frasier_clock() returns timestamptz language sql volatile parallel safe
    return clock_timestamp() + (frasier_now() - now());

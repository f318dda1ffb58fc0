-- Refuses a row that breaks a rule of its table, as a check constraint of that name would; null where no rule is broken.
--
-- The tables that most transactions write have all their rules in one function each: as check constraints of their own,
-- which PostgreSQL reads and plans anew in each statement, the same rules took most of the time of a statement of one row.
-- Such a function is one expression, in which the first broken rule is named. A rule that is neither true nor false does
-- not apply, as in a check.
create or replace function refuse_row(p_table text, p_broken_rule text)
returns boolean language plpgsql immutable strict as $$
begin
    raise exception using errcode = 'check_violation', table = p_table, constraint = p_broken_rule,
        message = format('a row of %s breaks the rule %s', p_table, p_broken_rule);
end $$;

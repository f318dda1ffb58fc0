-- The budget of a mission of its depth, from its plan; it narrows the default one, and one of its own replaces both.
alter table llm_budgets
    alter column usd_micros drop not null,
    add column depth_usd_micros bigint check (depth_usd_micros >= 0);

-- The reader of a final step's result, and its form: its length in words (0 if none is wanted), layout and language.

alter table org_steps
    add column reader text not null default '',
    add column words integer not null default 0 check (words between 0 and 50000),
    add column format text not null default '',
    add column language text not null default '';

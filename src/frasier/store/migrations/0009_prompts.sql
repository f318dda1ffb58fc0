-- Prompts have versions, and a call tells what of its prompt came from the provider's cache.

alter table llm_calls
    add column prompt_version integer not null default 1 check (prompt_version >= 1),
    add column tokens_cached integer not null default 0 check (tokens_cached between 0 and tokens_in);

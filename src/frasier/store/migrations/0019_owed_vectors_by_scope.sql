-- Every recall counts the vectors that its scopes are owed: by an index, however many others are owed.
alter table memory_embedding_jobs add column scope text;
update memory_embedding_jobs j set scope = m.scope from memory_items m where m.num = j.memory_num;
alter table memory_embedding_jobs alter column scope set not null;
create index memory_embedding_jobs_scope on memory_embedding_jobs (space_id, scope) where not failed;

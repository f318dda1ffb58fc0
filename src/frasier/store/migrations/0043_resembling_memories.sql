-- A memory that resembles another one, which the save found by itself, neither supports it nor is its effect.
alter table memory_edges drop constraint memory_edges_relation_check;
alter table memory_edges add constraint memory_edges_relation_check check (
    relation in ('caused', 'enabled', 'supersedes', 'contradicts', 'derived_from', 'supports', 'resembles'));
update memory_edges set relation = 'resembles' where origin = 'gate' and relation = 'supports';

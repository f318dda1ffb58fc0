-- name: lock_spaces
-- Serialises opening and switching of spaces until the end of the transaction.
select pg_advisory_xact_lock(hashtext('frasier memory spaces'))

-- name: find_space
-- The space of one model.
select id, provider, model, dimension, state, projection from memory_spaces
where provider = %(provider)s::text and model = %(model)s::text and dimension = %(dimension)s::int

-- name: used_spaces
-- The searched space, and the one being filled to replace it.
select id, provider, model, dimension, state, projection from memory_spaces
where state <> 'retired' order by state

-- name: create_space
-- The first space is searched at once; any other is filled first.
insert into memory_spaces (provider, model, dimension, state, projection)
select %(provider)s::text, %(model)s::text, %(dimension)s::int,
    case when exists (select from memory_spaces where state = 'active') then 'building' else 'active' end,
    %(projection)s::bytea

-- name: reopen_space
-- Reopens a retired space, to be filled anew.
update memory_spaces
set state = case when exists (select from memory_spaces where state = 'active') then 'building' else 'active' end
where id = %(space)s::smallint and state = 'retired'

-- name: keep_projection
-- Stores the projection of a space; the first one stays, for all processes.
update memory_spaces set projection = %(projection)s::bytea
where id = %(space)s::smallint and projection is null

-- name: retire_building
-- Retires the spaces being filled, except for one.
update memory_spaces set state = 'retired' where state = 'building' and id <> %(space)s::smallint

-- name: retire_active
-- Retires the searched space.
update memory_spaces set state = 'retired' where state = 'active'

-- name: activate_space
-- Makes the filled space the searched one.
update memory_spaces set state = 'active' where id = %(space)s::smallint and state = 'building'

-- name: drop_retired_jobs
-- Deletes the embedding jobs of retired spaces.
delete from memory_embedding_jobs
where space_id in (select id from memory_spaces where state = 'retired')

-- name: drop_retired
-- Removes the retired spaces with their vectors and token states.
delete from memory_spaces where state = 'retired'

-- name: scopes
-- All scopes with memories.
select distinct scope from memory_items

-- name: all_spaces
-- Every space, retired or not.
select id from memory_spaces

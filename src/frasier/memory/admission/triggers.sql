-- name: match_phrases
-- The memories with a trigger among the phrases, those with most matches first. Vectors are not used.
select m.id, m.num, array_agg(t.phrase order by t.phrase) as phrases
from unnest(string_to_array(%(phrases)s::text, E'\n')) as input (phrase)
join memory_triggers t on t.phrase = input.phrase and t.scope = any(%(scopes)s::text[])
join memory_recallable m on m.id = t.memory_id and m.scope = t.scope
where (m.valid_from is null or m.valid_from <= frasier_now()) and (m.valid_until is null or m.valid_until > frasier_now())
group by m.id, m.num, m.importance
order by count(*) desc, m.importance desc, m.num limit %(limit)s::int

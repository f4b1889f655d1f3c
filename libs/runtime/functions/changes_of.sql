-- What differs between two objects, by the fields of the second: the `changes` of an event. Null where nothing does, or one
-- of them is.
create or replace function changes_of(before jsonb, after jsonb) returns json
language sql immutable strict parallel safe as $$
  select json_object_agg(a.key, json_build_object('before', before -> a.key, 'after', a.value))
  from jsonb_each(after) a where a.value is distinct from before -> a.key
$$;

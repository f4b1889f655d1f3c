-- What the product does by itself, as `by` of `write_event`: `job` says which part of it.
create or replace function by_system(job text) returns json language sql immutable parallel safe as $$
  select json_build_object(
    'actor', json_build_object('kind', 'system', 'id', job, 'name', null, 'credential_id', null, 'workspace_id', null),
    'request_id', null, 'address', null
  )
$$;

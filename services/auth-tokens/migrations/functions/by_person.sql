-- The same request as `by`, made by a person whom the operation itself has found out.
create or replace function by_person(by json, person text, email text, session text) returns json
language sql immutable as $$
  select json_build_object(
    'actor', json_build_object(
      'kind', 'user', 'id', person, 'name', email, 'credential_id', session, 'workspace_id', null
    ),
    'request_id', by -> 'request_id', 'address', by -> 'address'
  )
$$;

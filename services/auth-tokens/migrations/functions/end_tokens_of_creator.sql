-- A trigger's. However a membership ends, by an operation or by hand, the statement that ends it ends these tokens. A new
-- snapshot sees what was committed while that statement waited for its turn. In the order of their ids, as whoever writes
-- last uses locks them.
create or replace function end_tokens_of_creator() returns trigger
language plpgsql volatile set search_path from current as $$
declare
  token record;
begin
  for token in
    with ended as materialized (
      select t.id from api_tokens t
      where t.workspace_id = old.workspace_id and t.created_by = old.user_id and t.ends_with_creator
      order by t.id for update
    )
    delete from api_tokens t using ended where t.id = ended.id returning t.id, t.workspace_id
  loop
    perform write_event(
      token.id, 'events.api_tokens.revoked', jsonb_build_object('workspace_id', token.workspace_id),
      by_system('end_tokens_of_creator'), null
    );
  end loop;
  return null;
end $$;

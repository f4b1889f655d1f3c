-- A trigger's. However a trust ends, its tokens end before it. The row is locked by now: a new snapshot sees the tokens of exchanges
-- for which that waited. In the order of their ids, as whoever writes last uses locks them.
create or replace function end_tokens_of_trust() returns trigger
language plpgsql volatile set search_path from current as $$
begin
  with ended as materialized (
    select t.id from api_tokens t where t.workspace_id = old.workspace_id and t.ci_trust_id = old.id order by t.id for update
  )
  delete from api_tokens t using ended where t.id = ended.id;
  return old;
end $$;

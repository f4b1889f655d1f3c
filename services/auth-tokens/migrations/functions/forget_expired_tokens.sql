-- Of the tokens of a workspace that have expired, the 500 that did so last are kept, so that it can see them, and the last 100 of runs
-- of CI. A call forgets more than are created by one. In the order of their ids, as whoever writes last uses locks them.
create or replace function forget_expired_tokens(workspace text, at timestamptz) returns void language sql volatile as $$
  with old as materialized (
    select t.id from api_tokens t
    where t.id = any (array(
      select e.id from api_tokens e where e.workspace_id = workspace and e.expires_at <= at and e.ci_trust_id is null
      order by e.expires_at desc, e.id desc offset 500 limit 100
    )) or t.id = any (array(
      select e.id from api_tokens e where e.workspace_id = workspace and e.expires_at <= at and e.ci_trust_id is not null
      order by e.expires_at desc, e.id desc offset 100 limit 100
    ))
    order by t.id for update skip locked
  )
  delete from api_tokens t using old where t.id = old.id
$$;

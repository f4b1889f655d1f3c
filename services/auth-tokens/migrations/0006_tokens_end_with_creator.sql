-- Up Migration
alter table api_tokens add ends_with_creator boolean not null default false;
alter table api_tokens add check (not ends_with_creator or created_by is not null);
create index on api_tokens (workspace_id, created_by) where ends_with_creator;

-- However a membership ends, by an operation or by hand, the statement that ends it ends these tokens. A new snapshot sees
-- what was committed while that statement waited for its turn. In the order of their ids, as whoever writes last uses locks them.
create function end_tokens_of_creator() returns trigger language plpgsql volatile set search_path from current as $$
begin
  with ended as materialized (
    select t.id from api_tokens t
    where t.workspace_id = old.workspace_id and t.created_by = old.user_id and t.ends_with_creator
    order by t.id for update
  ), deleted as (
    delete from api_tokens t using ended where t.id = ended.id returning t.id, t.workspace_id
  )
  insert into outbox (aggregate_id, subject, payload)
  select id, 'events.api_tokens.revoked', jsonb_build_object('workspace_id', workspace_id) from deleted;
  return null;
end $$;
create trigger end_tokens_of_creator after delete on memberships
for each row execute function end_tokens_of_creator();

-- Down Migration
drop trigger end_tokens_of_creator on memberships;
drop function end_tokens_of_creator;
drop index api_tokens_workspace_id_created_by_idx;
alter table api_tokens drop ends_with_creator;

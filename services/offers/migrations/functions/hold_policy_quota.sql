-- As hold_quota: a policy's workspace is the one of its channel.
create or replace function hold_policy_quota() returns trigger
language plpgsql volatile set search_path from current as $$
begin
  perform take_quota('channel_policies', (select c.workspace_id from offer_channels c where c.id = new.offer_channel_id));
  return null;
end $$;

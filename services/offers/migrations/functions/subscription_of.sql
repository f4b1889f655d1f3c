-- Whether there is one for a side of the install: done; not_found; no_subscription.
create or replace function subscription_of(acting_workspace text, wanted_install text) returns text
language sql stable set search_path from current as $$
  select coalesce((
    select case when s.install_id is null then 'no_subscription' else 'done' end
    from installs i left join subscriptions s on s.install_id = i.id
    where i.id = wanted_install and acting_workspace in (i.workspace_id, i.customer_workspace_id)
  ), 'not_found')
$$;

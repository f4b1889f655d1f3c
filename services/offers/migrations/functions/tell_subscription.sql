-- Writes the events of what differs between two versions of a subscription, whose row is locked and holds the second one, and of what
-- time made of it.
create or replace function tell_subscription(was subscriptions, s subscriptions, now_ms bigint, by json) returns void
language plpgsql set search_path from current as $$
declare
  now_state text := subscription_state(s, now_ms);
  is_renewed boolean := coalesce(s.paid_through > was.paid_through, s.paid_through is not null and s.provider = 'manual'
    and was.paid_through is null) and (s.provider = 'manual' or was.read_at is not null);
  days integer;
  what text;
begin
  if s.provider = 'manual' and now_state = 'active' and s.paid_through * 1000 - now_ms <= 7 * 86400000 then
    days := case when s.paid_through * 1000 - now_ms <= 86400000 then 1 else 7 end;
  end if;
  update subscriptions set
    told_state = now_state, told_days = case when now_state = 'active' then days end,
    ended_at = case when now_state = 'ended' then coalesce(s.ended_at, s.cancel_at) end
  where install_id = s.install_id returning * into s;
  foreach what in array array[
    case when is_renewed then 'renewed' end,
    case when was.told_state <> now_state then case now_state when 'active' then 'recovered' else now_state end end,
    case when now_state <> 'ended' and was.cancel_at is null and s.cancel_at is not null then 'cancel_planned' end,
    case when now_state <> 'ended' and was.cancel_at is not null and s.cancel_at is null then 'cancel_withdrawn' end,
    case when s.problem = 'price_changed' and was.problem is distinct from s.problem then 'price_changed' end
  ] loop
    if what is not null then
      perform write_event(s.install_id, 'events.subscriptions.' || what, subscription_event(s), by, case
        when what not in ('renewed', 'price_changed') then changes_of(
          jsonb_build_object('state', was.told_state, 'cancel_at', was.cancel_at),
          jsonb_build_object('state', now_state, 'cancel_at', s.cancel_at)
        )
      end);
    end if;
  end loop;
  if days is not null and (is_renewed or was.told_days is null or was.told_days > days) then
    perform write_event(
      s.install_id, 'events.subscriptions.ends_soon', subscription_event(s) || jsonb_build_object('days', days),
      by_system('subscriptions'), null
    );
  end if;
end $$;

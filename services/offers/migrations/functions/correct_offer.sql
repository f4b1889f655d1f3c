-- `outcome`: corrected, unchanged (it has these values already), outdated (`if_match` is not its etag), too_few (`least_uses`
-- are redeemed or held), revoked. Under the lock of the row: none of its seats is taken or redeemed meanwhile (open_order.sql).
create or replace function correct_offer(
  wanted_workspace text, wanted text, if_match text, correction jsonb, now_ms bigint, by json,
  out outcome text, out least_uses bigint, out offer offers
) returns setof record language plpgsql set search_path from current as $$
declare
  before offers;
  growth bigint;
  most bigint;
begin
  select * into before from offers o where o.workspace_id = wanted_workspace and o.id = wanted for no key update;
  if not found then
    return;
  end if;
  offer := jsonb_populate_record(before, correction);
  -- They follow from the texts.
  before.words := offer.words;
  least_uses := coalesce(before.redeemed, 0) + case
    when offer.max_uses is null then 0
    -- held_seats counts to 1,000 where there was no limit.
    else (
      select count(*) from orders h
      where h.offer_id = wanted and is_under_way(h.state) and h.expires_at > now_ms
    )
  end;
  outcome := case
    when before.revoked_at is not null then 'revoked'
    when offer is not distinct from before then 'unchanged'
    when offer_etag(before) <> if_match then 'outdated'
    when offer.max_uses < least_uses then 'too_few'
    else 'corrected'
  end;
  if outcome <> 'corrected' then
    offer := before;
    return next;
    return;
  end if;
  update offers o set
    allowed_emails = offer.allowed_emails, customer = offer.customer, internal_note = offer.internal_note,
    notes = offer.notes, words = offer.words, expires_at = offer.expires_at, max_uses = offer.max_uses
  where o.id = wanted;
  -- As hold_offer_quotas counts what is created.
  growth := pg_column_size(offer) - pg_column_size(before);
  if growth > 0 then
    insert into quota_sums as s (workspace_id, slot, offers, offer_bytes)
    values (wanted_workspace, pg_backend_pid() % 32, 0, growth)
    on conflict (workspace_id, slot) do update set offer_bytes = s.offer_bytes + excluded.offer_bytes;
    select q.most into most from quota_limits q
    where q.quota = 'offer_bytes' and q.workspace_id in (wanted_workspace, '')
    order by q.workspace_id desc limit 1;
    if (select sum(s.offer_bytes) from quota_sums s where s.workspace_id = wanted_workspace) > most then
      raise exception 'quota offer_bytes' using errcode = 'SV002',
        detail = json_build_object('quota', 'offer_bytes', 'most', most)::text;
    end if;
  end if;
  perform write_event(
    wanted, 'events.offers.updated',
    jsonb_build_object('workspace_id', wanted_workspace, 'changed', (
      select coalesce(jsonb_agg(a.key order by a.key), '[]') from jsonb_each(to_jsonb(offer)) a
      where a.value is distinct from to_jsonb(before) -> a.key
    )),
    by, changes_of(to_jsonb(before), jsonb_build_object('expires_at', offer.expires_at, 'max_uses', offer.max_uses))
  );
  return next;
end $$;

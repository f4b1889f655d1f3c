-- Up Migration

-- What was deleted is not created anew under its id: processes remember versions and policies by their ids, as immutable.
create table retired_ids (
  id text primary key
);

-- After the insertion, which waits for a deletion that is under way: only then is its id here to be seen.
create function refuse_retired() returns trigger language plpgsql set search_path from current as $$
begin
  if exists (select from retired_ids r where r.id = new.id) then
    raise exception 'the id % is retired', new.id using errcode = 'SV001';
  end if;
  return null;
end $$;
create trigger retired after insert on packages for each row execute function refuse_retired();
create trigger retired after insert on package_versions for each row execute function refuse_retired();
create trigger retired after insert on products for each row execute function refuse_retired();
create trigger retired after insert on offer_channels for each row execute function refuse_retired();

-- Deletions look for what refers to their row, and so do the checks of foreign keys.
create index on products (workspace_id, package_id);
create index on offers (package_version_id);

-- Filters of the list of offers. A product or a channel belongs to one workspace.
create index on offers (product_id, id) where product_id is not null;
create index on offers (offer_channel_id, id) where offer_channel_id is not null;

alter table offers add revoked_at timestamptz;

-- How many seats of an offer are taken for good, and by orders that are under way.
create function redeemed_seats(offer text) returns bigint language sql stable as $$ select 0::bigint $$;
create function reserved_seats(offer text, now_ms bigint) returns bigint language sql stable as $$ select 0::bigint $$;

create function offer_state(
  revoked_at timestamptz, max_uses integer, redeemed bigint, expires_at bigint, now_ms bigint
) returns text language sql immutable as $$
  select case
    when revoked_at is not null then 'revoked'
    when redeemed >= max_uses then 'exhausted'
    when expires_at * 1000 <= now_ms then 'expired'
    else 'active'
  end
$$;

-- Down Migration
drop function offer_state, reserved_seats, redeemed_seats;
alter table offers drop revoked_at;
drop index offers_offer_channel_id_id_idx, offers_product_id_id_idx, offers_package_version_id_idx,
  products_workspace_id_package_id_idx;
drop trigger retired on offer_channels;
drop trigger retired on products;
drop trigger retired on package_versions;
drop trigger retired on packages;
drop function refuse_retired;
drop table retired_ids;

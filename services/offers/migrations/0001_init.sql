-- Up Migration

-- The catalogue. Every reference carries the workspace, so that no row can point into another one.
create table packages (
  id text primary key,
  workspace_id text not null,
  name text not null,
  created_at timestamptz not null default now(),
  unique (workspace_id, id)
);

create table package_versions (
  id text primary key,
  workspace_id text not null,
  package_id text not null,
  version text not null,
  -- The text that was checked and that `schema_hash` is of: it is compiled as it stands.
  input_schema text not null,
  schema_hash text not null check (schema_hash ~ '^[0-9a-f]{64}$'),
  created_at timestamptz not null default now(),
  unique (package_id, version),
  unique (workspace_id, id),
  unique (workspace_id, package_id, id),
  foreign key (workspace_id, package_id) references packages (workspace_id, id)
);

create table products (
  id text primary key,
  workspace_id text not null,
  name text not null,
  package_id text not null,
  current_version_id text,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  foreign key (workspace_id, package_id) references packages (workspace_id, id),
  foreign key (workspace_id, package_id, current_version_id)
    references package_versions (workspace_id, package_id, id)
);

create table offer_channels (
  id text primary key,
  workspace_id text not null,
  product_id text not null,
  name text not null,
  status text not null check (status in ('active', 'inactive')),
  last_policy integer not null default 0,
  active_policy integer,
  created_at timestamptz not null default now(),
  unique (workspace_id, id),
  unique (workspace_id, product_id, id),
  foreign key (workspace_id, product_id) references products (workspace_id, id)
);

create table channel_policies (
  offer_channel_id text not null references offer_channels,
  number integer not null check (number >= 1),
  policy jsonb not null,
  created_at timestamptz not null default now(),
  primary key (offer_channel_id, number),
  -- What an offer gets that asks for nothing the policy allows: no active channel refuses such an offer.
  constraint default_price check ((policy #>> '{pricing,kind}' = 'fixed' or (
    policy #> '{pricing,currencies}' @> (policy #> '{pricing,default_price,currency}')
    and policy #> '{pricing,intervals}' @> (policy #> '{pricing,default_price,interval}')
    and policy #> '{pricing,default_price,unit_amount}'
      between policy #> '{pricing,min_unit_amount}' and policy #> '{pricing,max_unit_amount}'
  )) is true),
  constraint default_mode check ((policy ->> 'default_commercial_mode' = 'paid' or (
    policy ->> 'default_commercial_mode' = 'non_billable_test' and policy ->> 'allow_non_billable_test' = 'true'
  )) is true)
);

alter table offer_channels
  add foreign key (id, active_policy) references channel_policies (offer_channel_id, number);

-- What offers are pinned to does not change.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a row of % is immutable', tg_table_name using errcode = 'integrity_constraint_violation';
end $$;
-- The empty update of a repeated publication is no change.
create trigger immutable before update on package_versions
  for each row when (old.* is distinct from new.*) execute function refuse_change();
create trigger immutable before update on channel_policies for each row execute function refuse_change();

create table offers (
  id text primary key,
  workspace_id text not null,
  short_hash text not null unique,
  product_id text,
  package_version_id text not null,
  offer_channel_id text,
  policy_number integer,
  allowed_emails text[] not null,
  field_values jsonb not null,
  customer jsonb,
  internal_note text,
  notes text,
  commercial_mode text,
  pricing_request jsonb,
  tier text,
  terms jsonb not null,
  -- Unix seconds, as sent, to the end of the year 9999. One that overflows in milliseconds would fail every list that it is in.
  expires_at bigint check (expires_at between 1 and 253402300799),
  max_uses integer check (max_uses between 1 and 10000),
  order_ttl_minutes integer not null check (order_ttl_minutes between 1 and 1440),
  created_by jsonb not null,
  created_at timestamptz not null,
  unique (workspace_id, id),
  check ((offer_channel_id is null) = (policy_number is null)),
  check (offer_channel_id is null or product_id is not null),
  foreign key (workspace_id, package_version_id) references package_versions (workspace_id, id),
  foreign key (workspace_id, product_id) references products (workspace_id, id),
  foreign key (workspace_id, product_id, offer_channel_id)
    references offer_channels (workspace_id, product_id, id),
  foreign key (offer_channel_id, policy_number) references channel_policies (offer_channel_id, number)
);

-- A fence names one attempt, for ever. Counted anew for each row, a key that was freed and reserved again would meet
-- an attempt of its earlier life that believes to hold it still.
create sequence fences;

-- A key belongs to one intent. Without an offer it is a reservation: the version stays bound, the lease says for how
-- long the request that made it may take, the fence which attempt may complete it, and `free_at` when it may be purged.
create table idempotency_keys (
  workspace_id text not null,
  key text not null,
  intent text not null,
  package_version_id text not null,
  fence bigint not null default nextval('fences'),
  lease_until timestamptz,
  free_at timestamptz,
  offer_id text,
  short_hash text,
  created_at timestamptz not null,
  primary key (workspace_id, key),
  check (num_nulls(offer_id, short_hash) in (0, 2)),
  check (num_nulls(lease_until, free_at) in (0, 2)),
  check ((offer_id is null) = (lease_until is not null)),
  foreign key (workspace_id, offer_id) references offers (workspace_id, id)
);

create table installs (
  id text primary key,
  workspace_id text not null,
  offer_id text not null,
  product_id text,
  package_version_id text not null,
  state text not null,
  created_at timestamptz not null,
  foreign key (workspace_id, offer_id) references offers (workspace_id, id),
  foreign key (workspace_id, product_id) references products (workspace_id, id),
  foreign key (workspace_id, package_version_id) references package_versions (workspace_id, id)
);
create index on installs (workspace_id, id);

-- Down Migration
drop table installs, idempotency_keys, offers, channel_policies, offer_channels, products, package_versions, packages cascade;
drop sequence fences;
drop function refuse_change;

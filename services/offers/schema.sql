-- The schema as the files of migrations/ make it. Written by `npm run schema`, which a test compares: change those files.

create sequence fences;

create table packages (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  created_at timestamptz not null default now(),
  creation_key text collate "C",
  creation_intent text collate "C",
  unique (workspace_id, id),
  check (num_nulls(creation_key, creation_intent) in (0, 2))
);
create unique index packages_workspace_id_creation_key_idx on packages (workspace_id, creation_key) where creation_key is not null;
create trigger quota after insert on packages for each row execute function hold_quota('packages', 'workspace_id');
create trigger retired after insert on packages for each row execute function refuse_retired();

create table package_versions (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  package_id text collate "C" not null,
  version text collate "C" not null,
  input_schema text collate "C" not null,
  schema_hash text collate "C" not null,
  instructions text collate "C",
  created_at timestamptz not null default now(),
  unique (package_id, version),
  unique (workspace_id, id),
  unique (workspace_id, package_id, id),
  check (schema_hash ~ '^[0-9a-f]{64}$'),
  foreign key (workspace_id, package_id) references packages(workspace_id, id)
);
create trigger immutable before update on package_versions for each row when (old.* is distinct from new.*) execute function refuse_change();
create trigger quota after insert on package_versions for each row execute function hold_quota('package_versions', 'workspace_id');
create trigger retired after insert on package_versions for each row execute function refuse_retired();

create table products (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  package_id text collate "C" not null,
  current_version_id text collate "C",
  created_at timestamptz not null default now(),
  creation_key text collate "C",
  creation_intent text collate "C",
  unique (workspace_id, id),
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  foreign key (workspace_id, package_id, current_version_id) references package_versions(workspace_id, package_id, id),
  foreign key (workspace_id, package_id) references packages(workspace_id, id)
);
create unique index products_workspace_id_creation_key_idx on products (workspace_id, creation_key) where creation_key is not null;
create index products_workspace_id_package_id_idx on products (workspace_id, package_id);
create trigger quota after insert on products for each row execute function hold_quota('products', 'workspace_id');
create trigger retired after insert on products for each row execute function refuse_retired();

create table offer_channels (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  product_id text collate "C" not null,
  name text collate "C" not null,
  status text collate "C" not null,
  last_policy integer not null default 0,
  active_policy integer,
  created_at timestamptz not null default now(),
  creation_key text collate "C",
  creation_intent text collate "C",
  unique (workspace_id, id),
  unique (workspace_id, product_id, id),
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  check (status in ('active', 'inactive')),
  foreign key (id, active_policy) references channel_policies(offer_channel_id, number),
  foreign key (workspace_id, product_id) references products(workspace_id, id)
);
create unique index offer_channels_workspace_id_creation_key_idx on offer_channels (workspace_id, creation_key) where creation_key is not null;
create trigger quota after insert on offer_channels for each row execute function hold_quota('offer_channels', 'workspace_id');
create trigger retired after insert on offer_channels for each row execute function refuse_retired();

create table channel_policies (
  offer_channel_id text collate "C" not null references offer_channels(id),
  number integer not null,
  policy jsonb not null,
  created_at timestamptz not null default now(),
  primary key (offer_channel_id, number),
  check (number >= 1),
  constraint default_mode check (((policy ->> 'default_commercial_mode') = 'paid' or (policy ->> 'default_commercial_mode') = 'non_billable_test' and (policy ->> 'allow_non_billable_test') = 'true') is true),
  constraint default_price check (((policy #>> '{pricing,kind}') = 'fixed' or (policy #> '{pricing,currencies}') @> (policy #> '{pricing,default_price,currency}') and (policy #> '{pricing,intervals}') @> (policy #> '{pricing,default_price,interval}') and (policy #> '{pricing,default_price,unit_amount}') >= (policy #> '{pricing,min_unit_amount}') and (policy #> '{pricing,default_price,unit_amount}') <= (policy #> '{pricing,max_unit_amount}')) is true)
);
create trigger immutable before update on channel_policies for each row execute function refuse_change();
create trigger quota after insert on channel_policies for each row execute function hold_policy_quota();

create table retired_ids (
  id text collate "C" primary key
);

create table offers (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  short_hash text collate "C" not null unique,
  product_id text collate "C",
  package_version_id text collate "C" not null,
  offer_channel_id text collate "C",
  policy_number integer,
  allowed_emails text[] collate "C" not null,
  allow_api_tokens boolean,
  field_values jsonb not null,
  customer jsonb,
  internal_note text collate "C",
  notes text collate "C",
  commercial_mode text collate "C",
  pricing_request jsonb,
  tier text collate "C",
  terms jsonb not null,
  expires_at bigint,
  max_uses integer,
  order_ttl_minutes integer not null,
  created_by jsonb not null,
  created_at timestamptz not null,
  redeemed integer,
  revoked_at timestamptz,
  cancelling boolean,
  words tsvector,
  unique (workspace_id, id),
  check ((offer_channel_id is null) = (policy_number is null)),
  check (offer_channel_id is null or product_id is not null),
  check (redeemed >= 0 and redeemed <= max_uses),
  check (expires_at >= 1 and expires_at <= '253402300799'),
  check (max_uses >= 1 and max_uses <= 10000),
  check (order_ttl_minutes >= 1 and order_ttl_minutes <= 1440),
  foreign key (offer_channel_id, policy_number) references channel_policies(offer_channel_id, number),
  foreign key (workspace_id, package_version_id) references package_versions(workspace_id, id),
  foreign key (workspace_id, product_id) references products(workspace_id, id),
  foreign key (workspace_id, product_id, offer_channel_id) references offer_channels(workspace_id, product_id, id)
);
create index offers_package_version_id_idx on offers (package_version_id);
create index offers_product_id_id_idx on offers (product_id, id) where product_id is not null;
create index offers_offer_channel_id_id_idx on offers (offer_channel_id, id) where offer_channel_id is not null;
create index offers_id_idx on offers (id) where cancelling;
create index offers_words on offers using gin (words) with (gin_pending_list_limit='256');
create trigger quota after insert on offers referencing new table as created for each statement execute function hold_offer_quotas();

create table idempotency_keys (
  workspace_id text collate "C" not null,
  key text collate "C" not null,
  intent text collate "C" not null,
  package_version_id text collate "C" not null,
  fence bigint not null default nextval('fences'),
  lease_until timestamptz,
  free_at timestamptz,
  offer_id text collate "C",
  short_hash text collate "C",
  created_at timestamptz not null,
  primary key (workspace_id, key),
  check (num_nulls(offer_id, short_hash) in (0, 2)),
  check (num_nulls(lease_until, free_at) in (0, 2)),
  check ((offer_id is null) = (lease_until is not null)),
  foreign key (workspace_id, offer_id) references offers(workspace_id, id)
);

create table orders (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  offer_id text collate "C" not null,
  customer_workspace_id text collate "C" not null,
  holder text collate "C" not null,
  user_id text collate "C",
  email text collate "C",
  state text collate "C" not null,
  field_values jsonb,
  cluster_id text collate "C",
  checkout_provider text collate "C",
  cancelled_by text collate "C",
  reason text collate "C",
  expires_at bigint not null,
  told_expires_at bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  words tsvector not null generated always as (order_words(workspace_id, customer_workspace_id, email, id)) stored,
  check (cancelled_by in ('customer', 'seller')),
  check ((state in ('open', 'cancelled', 'expired')) or field_values is not null),
  check (state <> 'awaiting_checkout' or checkout_provider is not null),
  check (checkout_provider in ('manual', 'stripe')),
  check (state in ('open', 'awaiting_approval', 'awaiting_checkout', 'completed', 'expired', 'rejected', 'cancelled')),
  foreign key (workspace_id, offer_id) references offers(workspace_id, id)
);
create unique index orders_one_for_each on orders (((offer_id || ' ') || holder)) where is_under_way(state);
create index orders_holding on orders (expires_at) where is_under_way(state);
create index orders_ending on orders (expires_at) where (state in ('awaiting_approval', 'awaiting_checkout')) and told_expires_at is distinct from expires_at;
create index orders_seats on orders (offer_id, expires_at) where is_under_way(state);
create index orders_under_way on orders (customer_workspace_id, id) where is_under_way(state);
create index orders_received_under_way on orders (workspace_id, id) where is_under_way(state);
create index orders_cluster on orders (customer_workspace_id, cluster_id) where cluster_id is not null and is_under_way(state);
create unique index orders_reference on orders (workspace_id, "right"(id, 8));
create index orders_offer_id_holder_id_idx on orders (offer_id, holder, id);
create index orders_offer_id_id_idx on orders (offer_id, id);
create index orders_workspace_id_id_idx on orders (workspace_id, id);
create index orders_workspace_id_customer_workspace_id_id_idx on orders (workspace_id, customer_workspace_id, id);
create index orders_words on orders using gin (words) with (gin_pending_list_limit='256');
create index orders_customer_workspace_id_id_idx on orders (customer_workspace_id, id);
create trigger checkout_ends after update of state on orders for each row when (old.state = 'awaiting_checkout' and new.state <> 'awaiting_checkout') execute function end_checkout();
create trigger quota after insert on orders for each row execute function hold_quota('orders_placed', 'customer_workspace_id');

create table checkout_sessions (
  order_id text collate "C" not null references orders(id),
  attempt integer not null,
  request jsonb not null,
  id text collate "C" unique,
  url text collate "C",
  state text collate "C" not null,
  amount bigint,
  subscription text collate "C",
  invoice text collate "C",
  begun_at bigint not null,
  ends_at bigint not null,
  due_at bigint,
  tries integer not null default 0,
  primary key (order_id, attempt),
  check ((state in ('open', 'closed')) or id is not null),
  check (state in ('open', 'processing', 'paid', 'cancel_due', 'refund_due', 'refunded', 'closed'))
);
create unique index checkout_sessions_one_at_a_time on checkout_sessions (order_id) where state in ('open', 'processing');
create index checkout_sessions_due_at_idx on checkout_sessions (due_at) where due_at is not null;

create table checkout_events (
  id text collate "C" primary key,
  order_id text collate "C" not null references orders(id),
  received_at timestamptz not null
);
create index checkout_events_order_id_idx on checkout_events (order_id);
create index checkout_events_received_at_idx on checkout_events (received_at);

create table installs (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  offer_id text collate "C" not null,
  order_id text collate "C" not null unique references orders(id),
  customer_workspace_id text collate "C" not null,
  product_id text collate "C",
  package_version_id text collate "C" not null,
  cluster_id text collate "C",
  field_values jsonb not null,
  field_values_size integer not null generated always as (octet_length(field_values::text)) stored,
  credential_hash text collate "C",
  state text collate "C" not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  unique (workspace_id, id),
  check (credential_hash ~ '^[0-9a-f]{64}$'),
  foreign key (workspace_id, offer_id) references offers(workspace_id, id),
  foreign key (workspace_id, package_version_id) references package_versions(workspace_id, id),
  foreign key (workspace_id, product_id) references products(workspace_id, id)
);
create index installs_customer_workspace_id_id_idx on installs (customer_workspace_id, id);
create index installs_workspace_id_offer_id_id_idx on installs (workspace_id, offer_id, id);
create index installs_workspace_id_product_id_id_idx on installs (workspace_id, product_id, id);
create index installs_workspace_id_package_version_id_id_idx on installs (workspace_id, package_version_id, id);
create index installs_of_cluster on installs (customer_workspace_id, cluster_id) where cluster_id is not null and removed_at is null;

create table subscriptions (
  install_id text collate "C" primary key,
  workspace_id text collate "C" not null,
  customer_workspace_id text collate "C" not null,
  provider text collate "C" not null,
  subscription text collate "C" unique,
  grace_days integer not null,
  first_paid_at bigint not null,
  paid_through bigint,
  confirmed_after bigint,
  status text collate "C",
  period_ends_at bigint,
  problem text collate "C",
  read_at bigint,
  known_at bigint not null,
  cancel_at bigint,
  ended_at bigint,
  end_reason text collate "C",
  wanted text collate "C",
  wants integer not null default 0,
  check_at bigint,
  tries integer not null default 0,
  claims integer not null default 0,
  told_state text collate "C" not null default 'active',
  told_days integer,
  turns_at bigint generated always as (
case
    when told_state = 'ended' then null::bigint
    when provider = 'stripe' and told_state = 'active' and (status in ('active', 'trialing')) then null::bigint
    else least(
    case
        when provider = 'manual' then cancel_at
        else null::bigint
    end,
    case told_state
        when 'active' then paid_through -
        case
            when provider = 'stripe' or told_days = 1 then 0
            when told_days = 7 then 86400
            else 7 * 86400
        end
        when 'past_due' then paid_through + grace_days * 86400
        else null::bigint
    end)
end) stored,
  check ((provider = 'stripe') = (subscription is not null)),
  check (end_reason in ('cancelled', 'payment_failed', 'payment_disputed', 'removed')),
  check (grace_days >= 0 and grace_days <= 60),
  check (problem in ('price_changed', 'unreadable', 'unknown_to_stripe')),
  check (provider in ('manual', 'stripe')),
  check (told_days in (7, 1)),
  check (wanted in ('cancel_at_period_end', 'cancel_now', 'resume')),
  foreign key (workspace_id, install_id) references installs(workspace_id, id)
);
create index subscriptions_check_at_idx on subscriptions (check_at) where check_at is not null;
create index subscriptions_unread on subscriptions (coalesce(read_at, known_at)) where provider = 'stripe' and ended_at is null;
create index subscriptions_turns_at_idx on subscriptions (turns_at) where turns_at is not null;
create index subscriptions_workspace_id_paid_through_idx on subscriptions (workspace_id, paid_through) where ended_at is null;
create index subscriptions_customer_workspace_id_paid_through_idx on subscriptions (customer_workspace_id, paid_through) where ended_at is null;

create table disputes (
  id text collate "C" primary key,
  received_at timestamptz not null,
  check_at bigint,
  tries integer not null default 0
);
create index disputes_check_at_idx on disputes (check_at) where check_at is not null;
create index disputes_received_at_idx on disputes (received_at);

create table install_readers (
  install_id text collate "C" not null references installs(id) on delete cascade,
  credential_hash text collate "C" not null,
  address text collate "C" not null,
  told_at timestamptz not null,
  primary key (install_id, credential_hash, address)
);

create table closed_clusters (
  customer_workspace_id text collate "C" not null,
  cluster_id text collate "C" not null,
  closed_at timestamptz not null default now(),
  removed boolean not null default false,
  primary key (customer_workspace_id, cluster_id)
);
create index closed_clusters_closed_at_idx on closed_clusters (closed_at) where not removed;

create table closed_workspaces (
  workspace_id text collate "C" primary key,
  until bigint not null
);

create table licence_keys (
  kid text collate "C" primary key,
  workspace_id text collate "C" not null,
  public_jwk jsonb not null,
  private_jwk text collate "C",
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((private_jwk is null) = (retired_at is not null))
);
create unique index licence_keys_signing on licence_keys (workspace_id) where retired_at is null;
create index licence_keys_workspace_id_retired_at_idx on licence_keys (workspace_id, retired_at);
create index licence_keys_retired_at_idx on licence_keys (retired_at) where retired_at is not null;

create table outbox (
  sequence bigint not null generated always as identity primary key,
  id uuid not null default gen_random_uuid(),
  aggregate_id text collate "C" not null,
  subject text collate "C" not null,
  payload json not null,
  actor json,
  request_id text collate "C",
  address text collate "C",
  changes json,
  created_at timestamptz not null default now(),
  check (subject ~ '^events\.[a-z_]+\.[a-z_]+$')
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=5000, autovacuum_vacuum_cost_delay=0);

create table quota_limits (
  quota text collate "C" not null,
  workspace_id text collate "C" not null,
  most bigint not null,
  primary key (quota, workspace_id),
  check (most >= 0)
);

create table quota_sums (
  workspace_id text collate "C" not null,
  slot smallint not null,
  offers bigint not null,
  offer_bytes bigint not null,
  primary key (workspace_id, slot)
) with (fillfactor=50);

create function advance_order(acting_workspace text, acting_holder text, wanted text, step text, detail jsonb, new_install text, now_ms bigint, by json, out outcome text, out view jsonb) returns record language plpgsql volatile;
create function by_system(job text) returns json language sql immutable;
create function cancel_order(acting_workspace text, wanted text, now_ms bigint, by json, out outcome text, out view jsonb) returns record language plpgsql volatile;
create function cancel_orders_of(offer text, most bigint, now_ms bigint) returns bigint language plpgsql volatile;
create function cancel_subscription(acting_workspace text, wanted_install text, at_once boolean, now_ms bigint, by json, out outcome text) returns text language plpgsql volatile;
create function changes_of(before jsonb, after jsonb) returns json language sql immutable;
create function close_cluster(workspace text, cluster text, out used_install text, out used_order text) returns record language plpgsql volatile;
create function close_workspace(workspace text, closed_until bigint, is_deleted boolean, out used_install text, out used_order text) returns record language plpgsql volatile;
create function cluster_lock(cluster text) returns bigint language sql immutable;
create function complete_order(o orders, new_install text, now_ms bigint, was text, by json) returns void language plpgsql volatile;
create function confirm_period(acting_workspace text, wanted_install text, seen bigint, until bigint, now_ms bigint, by json, out outcome text) returns text language plpgsql volatile;
create function correct_offer(wanted_workspace text, wanted text, if_match text, correction jsonb, now_ms bigint, by json, out outcome text, out least_uses bigint, out offer offers) returns setof record language plpgsql volatile;
create function end_checkout() returns trigger language plpgsql volatile;
create function expire_orders_of(offer text, max_uses integer, now_ms bigint) returns void language sql volatile;
create function grace_until(s subscriptions) returns bigint language sql immutable;
create function held_seats(offer text, now_ms bigint) returns bigint language sql stable;
create function hold_offer_quotas() returns trigger language plpgsql volatile;
create function hold_open(seller text, customer text, now_ms bigint) returns boolean language plpgsql volatile;
create function hold_policy_quota() returns trigger language plpgsql volatile;
create function hold_quota() returns trigger language plpgsql volatile;
create function is_under_way(state text) returns boolean language sql immutable;
create function offer_etag(o offers) returns text language sql stable;
create function offer_state(o offers, now_ms bigint) returns text language sql stable;
create function open_order(new_id text, wanted_hash text, customer_workspace text, wanted_holder text, ordering_user text, verified_email text, now_ms bigint, by json, out outcome text, out view jsonb) returns record language plpgsql volatile;
create function order_changes(was text, state text) returns json language sql immutable;
create function order_checkout(wanted text, provider text) returns jsonb language sql stable;
create function order_deadline(o offers, now_ms bigint) returns bigint language sql immutable;
create function order_event(seller text, customer text, offer text) returns jsonb language sql immutable;
create function order_reason(written_state text, written_reason text, now_state text) returns text language sql immutable;
create function order_reference(id text) returns text language sql immutable;
create function order_state(o orders, now_ms bigint) returns text language sql stable;
create function order_view(wanted text, now_ms bigint) returns jsonb language sql stable;
create function order_words(seller text, customer text, email text, id text) returns tsvector language sql immutable;
create function period_end(first_paid_at bigint, price_interval text, after bigint) returns bigint language sql stable;
create function plan_end(wanted_install text, at_once boolean, reason text, now_ms bigint, by json) returns void language plpgsql volatile;
create function quota_use(wanted text, workspace text, most bigint) returns bigint language plpgsql stable;
create function record_subscription(wanted_install text, claim integer, done_wants integer, claimed_until bigint, reading jsonb, next_check_at bigint, now_ms bigint) returns boolean language plpgsql volatile;
create function refuse_change() returns trigger language plpgsql volatile;
create function refuse_retired() returns trigger language plpgsql volatile;
create function remove_install(wanted_workspace text, wanted text, keep_subscription boolean, now_ms bigint, by json) returns setof installs language plpgsql volatile;
create function reserve_checkout(acting_workspace text, wanted text, asked jsonb, session_ends_at bigint, now_ms bigint, out outcome text, out session checkout_sessions) returns record language plpgsql volatile;
create function resume_subscription(acting_workspace text, wanted_install text, now_ms bigint, by json, out outcome text) returns text language plpgsql volatile;
create function revoke_offer(wanted_workspace text, wanted text, now_ms bigint, by json) returns setof offers language plpgsql volatile;
create function seats_left(offer text, max_uses integer, redeemed integer, now_ms bigint) returns boolean language sql stable;
create function settle_orders(ids text[], now_ms bigint) returns bigint language sql volatile;
create function settle_payment(paid jsonb, event_id text, new_install text, now_ms bigint, out outcome text) returns text language plpgsql volatile;
create function settle_refund(wanted text, wanted_attempt integer) returns void language plpgsql volatile;
create function settle_subscriptions(ids text[], now_ms bigint) returns bigint language sql volatile;
create function start_subscription(i installs, check_at bigint) returns setof subscriptions language sql volatile;
create function state_by_itself(offer text, state text, order_expires_at bigint, now_ms bigint) returns text language sql stable;
create function subscription_event(s subscriptions) returns jsonb language sql stable;
create function subscription_of(acting_workspace text, wanted_install text) returns text language sql stable;
create function subscription_state(s subscriptions, now_ms bigint) returns text language sql stable;
create function subscription_view(s subscriptions, now_ms bigint) returns jsonb language sql stable;
create function take_quota(wanted text, workspace text) returns void language plpgsql volatile;
create function tell_subscription(was subscriptions, s subscriptions, now_ms bigint, by json) returns void language plpgsql volatile;
create function unix_seconds(at timestamptz) returns bigint language sql stable;
create function whole_terms(written jsonb) returns jsonb language sql immutable;
create function workspace_lock(workspace text) returns bigint language sql immutable;
create function write_event(aggregate text, subject text, payload jsonb, by json, changes json) returns void language sql volatile;

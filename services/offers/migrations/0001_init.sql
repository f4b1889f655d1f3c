-- compatible_from: 0.1.0
-- What is for sale, what was offered, what was ordered, and what became of it. A foreign key within the workspace carries
-- the workspace, so that no row can point into another one.

-- Catalogue

create table packages (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  created_at timestamptz not null default now(),
  -- The Idempotency-Key that it was created with, and the hash of what was sent.
  creation_key text collate "C",
  creation_intent text collate "C",
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  unique (workspace_id, id)
);
create unique index on packages (workspace_id, creation_key) where creation_key is not null;

create table package_versions (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  package_id text collate "C" not null,
  version text collate "C" not null,
  -- The text that was checked and that `schema_hash` is of: it is compiled as it stands.
  input_schema text collate "C" not null,
  schema_hash text collate "C" not null check (schema_hash ~ '^[0-9a-f]{64}$'),
  -- Markdown, with its placeholders.
  instructions text collate "C",
  created_at timestamptz not null default now(),
  unique (package_id, version),
  unique (workspace_id, id),
  unique (workspace_id, package_id, id),
  foreign key (workspace_id, package_id) references packages (workspace_id, id)
);

create table products (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  name text collate "C" not null,
  package_id text collate "C" not null,
  current_version_id text collate "C",
  created_at timestamptz not null default now(),
  -- The Idempotency-Key that it was created with, and the hash of what was sent.
  creation_key text collate "C",
  creation_intent text collate "C",
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  unique (workspace_id, id),
  foreign key (workspace_id, package_id) references packages (workspace_id, id),
  foreign key (workspace_id, package_id, current_version_id)
    references package_versions (workspace_id, package_id, id)
);
create unique index on products (workspace_id, creation_key) where creation_key is not null;
-- Deletions look for what refers to their row, and so do the checks of foreign keys.
create index on products (workspace_id, package_id);

create table offer_channels (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  product_id text collate "C" not null,
  name text collate "C" not null,
  status text collate "C" not null check (status in ('active', 'inactive')),
  last_policy integer not null default 0,
  active_policy integer,
  created_at timestamptz not null default now(),
  -- The Idempotency-Key that it was created with, and the hash of what was sent.
  creation_key text collate "C",
  creation_intent text collate "C",
  check (num_nulls(creation_key, creation_intent) in (0, 2)),
  unique (workspace_id, id),
  unique (workspace_id, product_id, id),
  foreign key (workspace_id, product_id) references products (workspace_id, id)
);
create unique index on offer_channels (workspace_id, creation_key) where creation_key is not null;

create table channel_policies (
  offer_channel_id text collate "C" not null references offer_channels,
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

-- What was deleted is not created anew under its id: processes remember versions and policies by their ids, as immutable.
create table retired_ids (
  id text collate "C" primary key
);

-- Offers

create table offers (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  short_hash text collate "C" not null unique,
  product_id text collate "C",
  package_version_id text collate "C" not null,
  offer_channel_id text collate "C",
  policy_number integer,
  allowed_emails text[] collate "C" not null,
  -- Whether API tokens may order where any customer may. Null: no.
  allow_api_tokens boolean,
  field_values jsonb not null,
  customer jsonb,
  internal_note text collate "C",
  notes text collate "C",
  commercial_mode text collate "C",
  pricing_request jsonb,
  tier text collate "C",
  terms jsonb not null,
  -- Unix seconds, as sent, to the end of the year 9999. One that overflows in milliseconds would fail every list that it is in.
  expires_at bigint check (expires_at between 1 and 253402300799),
  max_uses integer check (max_uses between 1 and 10000),
  order_ttl_minutes integer not null check (order_ttl_minutes between 1 and 1440),
  created_by jsonb not null,
  created_at timestamptz not null,
  -- Changed only under the lock of the row, like all that concerns the seats of an offer (functions/open_order.sql).
  -- `redeemed`: orders that were completed; null: none yet. `cancelling`: orders are still to be written down as cancelled.
  redeemed integer,
  revoked_at timestamptz,
  cancelling boolean,
  -- By which it is found (src/search/scoped-words.ts).
  words tsvector,
  unique (workspace_id, id),
  check ((offer_channel_id is null) = (policy_number is null)),
  check (offer_channel_id is null or product_id is not null),
  check (redeemed between 0 and max_uses),
  foreign key (workspace_id, package_version_id) references package_versions (workspace_id, id),
  foreign key (workspace_id, product_id) references products (workspace_id, id),
  foreign key (workspace_id, product_id, offer_channel_id)
    references offer_channels (workspace_id, product_id, id),
  foreign key (offer_channel_id, policy_number) references channel_policies (offer_channel_id, number)
);
create index on offers (package_version_id);
-- Filters of the list of offers. A product or a channel belongs to one workspace.
create index on offers (product_id, id) where product_id is not null;
create index on offers (offer_channel_id, id) where offer_channel_id is not null;
create index on offers (id) where cancelling;
-- Searches read the list of what is not in order yet from its beginning to its end: 256 KB.
create index offers_words on offers using gin (words) with (gin_pending_list_limit = 256);

-- A fence names one attempt, for ever. Counted anew for each row, a key that was freed and reserved again would meet
-- an attempt of its earlier life that believes to hold it still.
create sequence fences;

-- A key belongs to one intent. Without an offer it is a reservation: the version stays bound, the lease says for how
-- long the request that made it may take, the fence which attempt may complete it, and `free_at` when it may be purged.
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
  foreign key (workspace_id, offer_id) references offers (workspace_id, id)
);

-- Orders

-- The states in which an order holds a seat. Here and not in functions/, since indexes hold what it said when they were
-- built: whoever changes it builds them anew in the same numbered file. The planner puts its text in place of the call, so
-- statements find these indexes by it.
create function is_under_way(state text) returns boolean language sql immutable parallel safe as $$
  select state in ('open', 'awaiting_approval', 'awaiting_checkout')
$$;

-- Words by which an order is found: the parts of its address and the two groups of its reference, each for the seller and for
-- the customer (src/search/scoped-words.ts). Here and not in functions/, since a column holds what it said when rows were written.
create function order_words(seller text, customer text, email text, id text) returns tsvector
language sql immutable parallel safe as $$
  select (
    replace(w.line, ' ', ' ' || right(seller, 8)) || replace(w.line, ' ', ' ' || right(customer, 8))
  )::tsvector
  from (
    select ' ' || translate(coalesce(email, ''), '@.!#$%&''*+/=?^_`{|}~-', repeat(' ', 21))
      || ' ' || left(right(id, 8), 4) || ' ' || right(id, 4) as line
  ) w
$$;

create table orders (
  id text collate "C" primary key,
  -- The seller's, as of every row here.
  workspace_id text collate "C" not null,
  offer_id text collate "C" not null,
  customer_workspace_id text collate "C" not null,
  -- The person or the API token that ordered.
  holder text collate "C" not null,
  user_id text collate "C",
  -- As it was verified when the order was made.
  email text collate "C",
  state text collate "C" not null check (state in (
    'open', 'awaiting_approval', 'awaiting_checkout', 'completed', 'expired', 'rejected', 'cancelled'
  )),
  -- As submitted, with the values that the seller locked.
  field_values jsonb,
  -- Written by the submission.
  cluster_id text collate "C",
  -- Who takes the payment: whoever the deployment had for it when the payment fell due.
  checkout_provider text collate "C" check (checkout_provider in ('manual', 'stripe')),
  -- Null where nobody did: its time passed, or its offer was revoked.
  cancelled_by text collate "C" check (cancelled_by in ('customer', 'seller')),
  -- Why it was rejected or cancelled.
  reason text collate "C",
  -- Unix milliseconds: until then it holds its seat.
  expires_at bigint not null,
  -- The `expires_at` of which an event has told that it is soon.
  told_expires_at bigint,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  words tsvector not null generated always as (order_words(workspace_id, customer_workspace_id, email, id)) stored,
  foreign key (workspace_id, offer_id) references offers (workspace_id, id),
  check (state in ('open', 'cancelled', 'expired') or field_values is not null),
  check (state <> 'awaiting_checkout' or checkout_provider is not null)
);

-- One order at a time for each who orders, whichever workspace it is for: asking twice takes one seat. One text, for which
-- no other index is of use: where most offers have one order, any index that begins with the offer seems as good, and is
-- read in full where one has many.
create unique index orders_one_for_each on orders ((offer_id || ' ' || holder)) where is_under_way(state);
create index orders_holding on orders (expires_at) where is_under_way(state);
create index orders_ending on orders (expires_at)
  where state in ('awaiting_approval', 'awaiting_checkout') and told_expires_at is distinct from expires_at;
create index orders_seats on orders (offer_id, expires_at) where is_under_way(state);
create index orders_under_way on orders (customer_workspace_id, id) where is_under_way(state);
create index orders_received_under_way on orders (workspace_id, id) where is_under_way(state);
create index orders_cluster on orders (customer_workspace_id, cluster_id)
  where cluster_id is not null and is_under_way(state);
-- The reference (functions/order_reference.sql): a seller finds the order of a payment by it.
create unique index orders_reference on orders (workspace_id, right(id, 8));
-- What somebody ordered last.
create index on orders (offer_id, holder, id);
create index on orders (offer_id, id);
create index on orders (workspace_id, id);
-- A seller's customers, and the orders of one.
create index on orders (workspace_id, customer_workspace_id, id);
create index orders_words on orders using gin (words) with (gin_pending_list_limit = 256);
create index on orders (customer_workspace_id, id);

-- Checkout

-- What was begun at Stripe to have an order paid.
create table checkout_sessions (
  order_id text collate "C" not null references orders,
  attempt integer not null,
  -- What Stripe is asked for, the same however often it is asked: order and attempt are its idempotency key.
  request jsonb not null,
  -- As Stripe calls it. Null until its answer is stored, and nobody is sent there to pay before that.
  id text collate "C" unique,
  url text collate "C",
  -- `open` can be paid; `processing`: the money is on its way, and is asked after each day; `closed` without having been
  -- paid. Where the money did not come, the subscription ends first, which would go on asking for it: `cancel_due`. Money
  -- that came when no seat was left for it, or that is not the price, goes back: `refund_due`, `refunded`.
  state text collate "C" not null check (
    state in ('open', 'processing', 'paid', 'cancel_due', 'refund_due', 'refunded', 'closed')
  ),
  -- Once it was paid; the subscription also where the money did not come.
  amount bigint,
  subscription text collate "C",
  invoice text collate "C",
  -- Unix milliseconds. `ends_at`: from then on Stripe takes no payment for it. `due_at`: when it is looked at whether
  -- something is to be done about it at Stripe; `tries` have been made.
  begun_at bigint not null,
  ends_at bigint not null,
  due_at bigint,
  tries integer not null default 0,
  primary key (order_id, attempt),
  check (state in ('open', 'closed') or id is not null)
);
-- Two that can be paid could both be paid.
create unique index checkout_sessions_one_at_a_time on checkout_sessions (order_id) where state in ('open', 'processing');
create index on checkout_sessions (due_at) where due_at is not null;

-- Messages about payments that were applied: Stripe may send each several times.
create table checkout_events (
  id text collate "C" primary key,
  order_id text collate "C" not null references orders,
  received_at timestamptz not null
);
create index on checkout_events (order_id);
create index on checkout_events (received_at);

-- Installs

create table installs (
  id text collate "C" primary key,
  workspace_id text collate "C" not null,
  offer_id text collate "C" not null,
  order_id text collate "C" not null unique references orders,
  customer_workspace_id text collate "C" not null,
  product_id text collate "C",
  package_version_id text collate "C" not null,
  cluster_id text collate "C",
  field_values jsonb not null,
  -- Bytes: pages of a list are bounded by them.
  field_values_size integer not null generated always as (octet_length(field_values::text)) stored,
  -- SHA-256 of what the install itself reads its values with.
  credential_hash text collate "C" check (credential_hash ~ '^[0-9a-f]{64}$'),
  state text collate "C" not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  unique (workspace_id, id),
  foreign key (workspace_id, offer_id) references offers (workspace_id, id),
  foreign key (workspace_id, product_id) references products (workspace_id, id),
  foreign key (workspace_id, package_version_id) references package_versions (workspace_id, id)
);
create index on installs (customer_workspace_id, id);
-- What the seller asks for, and the foreign keys of what the seller deletes.
create index on installs (workspace_id, offer_id, id);
create index on installs (workspace_id, product_id, id);
create index on installs (workspace_id, package_version_id, id);
-- What still refers to a cluster.
create index installs_of_cluster on installs (customer_workspace_id, cluster_id)
  where cluster_id is not null and removed_at is null;

-- What is paid for an install from its first payment on. Periods are Unix seconds, as Stripe has them.
create table subscriptions (
  install_id text collate "C" primary key,
  -- The seller's.
  workspace_id text collate "C" not null,
  customer_workspace_id text collate "C" not null,
  provider text collate "C" not null check (provider in ('manual', 'stripe')),
  -- As Stripe calls it.
  subscription text collate "C" unique,
  grace_days integer not null check (grace_days between 0 and 60),
  -- Periods are counted from it.
  first_paid_at bigint not null,
  -- Null: not known.
  paid_through bigint,
  -- Where a confirmed payment began, 0 for a null: the same confirmation again adds nothing.
  confirmed_after bigint,
  -- What Stripe said last.
  status text collate "C",
  period_ends_at bigint,
  problem text collate "C" check (problem in ('price_changed', 'unreadable', 'unknown_to_stripe')),
  read_at bigint,
  known_at bigint not null,
  -- Planned, until `ended_at` is there.
  cancel_at bigint,
  ended_at bigint,
  end_reason text collate "C" check (end_reason in ('cancelled', 'payment_failed', 'payment_disputed', 'removed')),
  -- What Stripe is still to be asked for; `wants` were written so far, and are its idempotency key.
  wanted text collate "C" check (wanted in ('cancel_at_period_end', 'cancel_now', 'resume')),
  wants integer not null default 0,
  -- Unix milliseconds, as `due_at` of checkout_sessions. Only the last of `claims` may write what it read.
  check_at bigint,
  tries integer not null default 0,
  claims integer not null default 0,
  -- What the events told last: the state, and that it ends in so many days.
  told_state text collate "C" not null default 'active',
  told_days integer check (told_days in (7, 1)),
  -- From when on time alone makes another state, or one of the days before it.
  turns_at bigint generated always as (case
    when told_state = 'ended' then null
    when provider = 'stripe' and told_state = 'active' and status in ('active', 'trialing') then null
    else least(
      case when provider = 'manual' then cancel_at end,
      case told_state
        when 'active' then paid_through - case
          when provider = 'stripe' or told_days = 1 then 0 when told_days = 7 then 86400 else 7 * 86400
        end
        when 'past_due' then paid_through + grace_days * 86400
      end
    )
  end) stored,
  check ((provider = 'stripe') = (subscription is not null)),
  foreign key (workspace_id, install_id) references installs (workspace_id, id)
);
create index on subscriptions (check_at) where check_at is not null;
create index subscriptions_unread on subscriptions (coalesce(read_at, known_at)) where provider = 'stripe' and ended_at is null;
create index on subscriptions (turns_at) where turns_at is not null;
-- Live ones of a seller and of a customer, those first that were paid least far.
create index on subscriptions (workspace_id, paid_through) where ended_at is null;
create index on subscriptions (customer_workspace_id, paid_through) where ended_at is null;

-- Disputes that Stripe has told of: once each, while Stripe may repeat itself.
create table disputes (
  id text collate "C" primary key,
  received_at timestamptz not null,
  -- Unix milliseconds; null: the seller was told, or it is about no install.
  check_at bigint,
  tries integer not null default 0
);
create index on disputes (check_at) where check_at is not null;
create index on disputes (received_at);

-- Who read the values of an install with its credential, and when the audit log was told of it: once a minute for each. The next one who
-- reads removes those that are older.
create table install_readers (
  install_id text collate "C" not null references installs on delete cascade,
  credential_hash text collate "C" not null,
  address text collate "C" not null,
  told_at timestamptz not null,
  primary key (install_id, credential_hash, address)
);

-- Clusters that are deleted, or soon will be: whether one is, is decided here, where the orders are, and for good. `removed`:
-- so it is in compute as well.
create table closed_clusters (
  customer_workspace_id text collate "C" not null,
  cluster_id text collate "C" not null,
  closed_at timestamptz not null default now(),
  removed boolean not null default false,
  primary key (customer_workspace_id, cluster_id)
);
create index on closed_clusters (closed_at) where not removed;

-- Workspaces that are deleted, or soon will be: none of their offers is ordered, and they order nothing. `until` (Unix ms) is far
-- away once auth-tokens has deleted it, and else ends by itself.
create table closed_workspaces (
  workspace_id text collate "C" primary key,
  until bigint not null
);

-- Licences

-- One key of a seller signs; retired ones are published for 400 days.
create table licence_keys (
  kid text collate "C" primary key,
  workspace_id text collate "C" not null,
  public_jwk jsonb not null,
  -- Sealed; deleted when the key is retired.
  private_jwk text collate "C",
  created_at timestamptz not null,
  retired_at timestamptz,
  check ((private_jwk is null) = (retired_at is not null))
);
create unique index licence_keys_signing on licence_keys (workspace_id) where retired_at is null;
create index on licence_keys (workspace_id, retired_at);
create index on licence_keys (retired_at) where retired_at is not null;

-- Events

-- Events that the service activity has yet to read, each written by the statement that makes the change. The sequence is drawn while
-- the row that changed is locked: of two changes of one aggregate the later one has the greater number.
create table outbox (
  sequence bigint generated always as identity primary key,
  -- The event's id is made of it and of `created_at`.
  id uuid not null default gen_random_uuid(),
  aggregate_id text collate "C" not null,
  subject text collate "C" not null check (subject ~ '^events\.[a-z_]+\.[a-z_]+$'),
  -- Written once and read once, as text.
  payload json not null,
  -- Who is behind it, by which request and from where: the address is for the audit log alone, and not in the stream.
  actor json,
  request_id text collate "C",
  address text collate "C",
  -- By field, before and after.
  changes json,
  created_at timestamptz not null default now()
) with (
  -- Every row goes soon after it came, so what counts is how many went and not which part of the table that is.
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000, autovacuum_vacuum_cost_delay = 0
);

-- Quotas

-- How many of each kind a workspace may have: the common number under '', which the service writes at its start, and those
-- of workspaces that the operator gave another one.
create table quota_limits (
  quota text collate "C" not null,
  workspace_id text collate "C" not null,
  most bigint not null check (most >= 0),
  primary key (quota, workspace_id)
);

-- How many offers a workspace has, and their bytes: counted as they come, since there may be very many. In slots, so that
-- connections that write at once do not wait for each other.
create table quota_sums (
  workspace_id text collate "C" not null,
  slot smallint not null,
  offers bigint not null,
  offer_bytes bigint not null,
  primary key (workspace_id, slot)
) with (fillfactor = 50);

/** Tables as they are after years, made by PostgreSQL itself. */
import type postgres from 'postgres'

export interface FillOptions {
  /** How many offers there shall be at least; all have a key, and one in ten has an order and its install: with `years` every one. */
  readonly offers: number
  /** How many API tokens, of as many workspaces divided by 50; with `years` of 20,000 at most, few of which have much. */
  readonly tokens: number
  /** Over how many years, up to now. Without: of offers one a second of this year, of events one a millisecond of this month. */
  readonly years?: number
  /** The workspace that is asked for its lists: it has a tenth of all offers and installs. */
  readonly workspace_id: string
  readonly product_id: string
  readonly package_version_id: string
}

// They sort before all that is made from now on, as what is old does.
const old = (prefix: string, number: string) => `'${prefix}_' || lpad(to_hex(${number}), 26, '0')`

const yearMs = 31_556_952_000

/** What is kept for days or weeks stays below this. */
const recent = (rows: number) => Math.min(rows, 1_000_000)

const months = (years: number) => Array.from({ length: years * 12 + 1 }, (_, month) => month)

/** A TypeID's text: ten digits of its time, and sixteen that name it, the last of which scatter. */
const datedId = `
  create or replace function pg_temp.dated_id(prefix text, ms bigint, number bigint) returns text language sql immutable as $$
    select prefix || '_' || ${[45, 40, 35, 30, 25, 20, 15, 10, 5, 0]
      .map(shift => `substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> ${shift} & 31)::int + 1, 1)`)
      .join(' || ')} || lpad(to_hex(number), 8, '0') || lpad(to_hex(number * 2654435761 % 4294967296), 8, '0')
  $$`

/**
 * Adds what is missing. Needs a superuser: foreign keys are not checked on the way, which would take longer than all
 * else; every reference holds nevertheless.
 */
export async function fillTables(sql: postgres.Sql, options: FillOptions): Promise<void> {
  const { offers, tokens, workspace_id, product_id, package_version_id, years } = options
  const workspaces = Math.min(Math.ceil(tokens / 50), years ? 20_000 : Number.POSITIVE_INFINITY)
  const clusters = years ? workspaces * 5 : Math.ceil(tokens / 5)
  const own = `n % 10 = 0`
  // With years a few have most of it, and most have little.
  const other = (factor: number) =>
    years
      ? `(${workspaces} * power((n::bigint * ${factor} % 99991) / 99991.0::float8, 4))::int + 1`
      : `n % ${workspaces} + 1`
  const workspace = `case when ${own} then '${workspace_id}' else ${old('ws', other(7919))} end`
  // The workspace gets 100,000 at most, two hundred times its quota: a list of a million does not end in time.
  const tokensOwner = `case when n > 1000000 then ${old('ws', other(7919))} else ${workspace} end`
  // It bought as much as it sold.
  const customer = `case when n % 10 = 1 then '${workspace_id}' else ${old('ws', years ? other(104_729) : `n % ${workspaces} + 2`)} end`
  const pick = (mine: string, prefix: string) =>
    `case when ${own} then '${mine}' else ${old(prefix, other(7919))} end`
  const ms = (number: string) =>
    `(${Date.now() - (years ?? 0) * yearMs} + ${number}::bigint * ${Math.floor(((years ?? 0) * yearMs) / offers)})`
  const at = years
    ? `to_timestamp(${ms('n')} / 1000.0)`
    : `timestamptz '2026-01-01' + n * interval '1 second'`
  const eventAt = years ? at : `date_trunc('month', now()) + n * interval '1 millisecond'`
  const dated = (prefix: string, number: string) =>
    years ? `pg_temp.dated_id('${prefix}', ${ms(number)}, ${number})` : old(prefix, number)
  const each = (to: number) => `from generate_series(1, ${to}) as n on conflict do nothing`
  const ordered = years ? 'true' : 'n % 100 < 10'
  /** Orders of the last days are under way, and a few of the others came to nothing. */
  const state = years
    ? `case when n > ${offers * 0.999} then (array['awaiting_approval', 'awaiting_checkout'])[1 + n / 10 % 2]
        when n / 10 % 100 = 7 then (array['cancelled', 'expired', 'rejected'])[1 + n % 3] else 'completed' end`
    : `'completed'`
  const completed = years ? `n <= ${offers * 0.999} and n / 10 % 100 <> 7` : ordered
  const provider = `(array['manual', 'stripe', null, null, null])[1 + n / 100 % 5]`
  const farMs = 4102444800000
  const terms = `'{"approval":"automatic","checkout":"none","support":null,"commercial_mode":"paid","price":{"currency":"eur","unit_amount":4900,"interval":"month"}}'::jsonb`
  const [found] = await sql`select count(*)::int as offers from offers.offers`
  const added = Math.max(0, offers - found?.offers)

  const statements = [
    `insert into auth_tokens.workspaces (id, name)
      select ${old('ws', 'n')}, 'workspace ' || n ${each(workspaces)}`,
    `insert into auth_tokens.users (id, email, password_hash)
      select ${old('user', 'n')}, 'user' || n || '@filled.example', 'none' ${each(workspaces)}`,
    `insert into auth_tokens.memberships (user_id, workspace_id, role)
      select ${old('user', 'n')}, ${old('ws', 'n')}, 'owner' ${each(workspaces)}`,
    `insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
      select ${old('sess', 'n')}, ${old('user', `n % ${workspaces} + 1`)}, sha256(('session ' || n)::bytea), now(),
        now() + interval '1 day' ${each(recent(tokens))}`,
    `insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_by, created_at, expires_at)
      select ${dated('tok', 'n')}, ${years ? tokensOwner : old('ws', other(7919))}, 'token ' || n, sha256(('token ' || n)::bytea),
        'abcd', ${old('user', other(7919))}, ${years ? at : 'now()'},
        ${years ? `case when n % 3 = 0 then ${at} + interval '1 year' end` : 'null'}
      ${each(tokens)}`,
    `insert into auth_tokens.api_token_uses (token_id, day, used)
      select id, current_date - (row_number() over () % 30)::int, 1 from auth_tokens.api_tokens
      limit ${recent(tokens)} on conflict do nothing`,
    ...['auth_tokens', 'offers'].map(
      schema => `insert into ${schema}.quota_limits (quota, workspace_id, most)
        select quota, '${workspace_id}', 1e12 from ${schema}.quota_limits where workspace_id = '' on conflict do nothing`,
    ),
    `insert into offers.packages (id, workspace_id, name)
      select ${old('pkg', 'n')}, ${old('ws', 'n')}, 'package' ${each(workspaces)}`,
    `insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
      select ${old('pkgv', 'n')}, ${old('ws', 'n')}, ${old('pkg', 'n')}, '1.0.0', '{"type":"object"}',
        encode(sha256('{"type":"object"}'), 'hex') ${each(workspaces)}`,
    `insert into offers.products (id, workspace_id, name, package_id, current_version_id)
      select ${old('prod', 'n')}, ${old('ws', 'n')}, 'product', ${old('pkg', 'n')}, ${old('pkgv', 'n')}
      ${each(workspaces)}`,
    `insert into offers.offer_channels (id, workspace_id, product_id, name, status)
      select ${old('och', 'n')}, ${old('ws', 'n')}, ${old('prod', 'n')}, 'channel', 'inactive'
      ${each(workspaces)}`,
    `insert into compute.clusters (id, workspace_id, name, etag, updated_at)
      select ${old('clus', 'n')}, ${old('ws', `n % ${workspaces} + 1`)}, 'cluster', md5(n::text), now()
      ${each(clusters)}`,
    `insert into compute.machine_counts (cluster_id, hour, least, most)
      select ${old('clus', 'n % 100 + 1')}, date_trunc('hour', now()) - n / 100 * interval '1 hour', 1, 5
      ${each(recent(tokens))}`,
    `insert into offers.closed_clusters (customer_workspace_id, cluster_id, removed)
      select ${old('ws', `n % ${workspaces} + 1`)}, ${old('clus', 'n')}, true
      ${each(clusters)}`,
    `insert into offers.closed_workspaces (workspace_id, until)
      select ${old('ws', years ? `n * 20` : 'n')}, 0
      ${each(years ? Math.ceil(workspaces / 20) : clusters)}`,
    `insert into offers.offers (
        id, workspace_id, short_hash, product_id, package_version_id, allowed_emails, field_values, customer,
        internal_note, notes, commercial_mode, pricing_request, terms, max_uses, order_ttl_minutes, created_by, created_at, words
      )
      select ${dated('offer', 'n')}, ${workspace}, substr(md5(n::text), 1, 20), ${pick(product_id, 'prod')},
        ${pick(package_version_id, 'pkgv')}, array['buyer' || n || '@example.com'], '{}',
        jsonb_build_object('display_name', 'Customer ' || n, 'external_id', 'crm-' || n), repeat('i', 110), repeat('n', 110),
        'paid', '{"currency":"eur","unit_amount":4900,"interval":"month"}', ${terms}, 5, 60,
        '{"kind":"internal","id":"fill"}', ${at},
        array_to_tsvector(array[right(${workspace}, 8) || 'customer', right(${workspace}, 8) || n])
      from generate_series(${found?.offers + 1}, ${offers}) as n`,
    `insert into offers.idempotency_keys (
        workspace_id, key, intent, package_version_id, offer_id, short_hash, created_at
      )
      select ${workspace}, md5(n || ' key')::uuid::text, encode(sha256(n::text::bytea), 'hex'),
        ${pick(package_version_id, 'pkgv')}, ${dated('offer', 'n')}, substr(md5(n::text), 1, 20), ${at}
      from generate_series(${found?.offers + 1}, ${offers}) as n`,
    `insert into offers.orders (
        id, workspace_id, offer_id, customer_workspace_id, holder, user_id, email, state, field_values, checkout_provider,
        expires_at, created_at, updated_at
      )
      select ${dated('order', 'n')}, ${workspace}, ${dated('offer', 'n')}, ${customer}, ${old('user', 'n')}, ${old('user', 'n')},
        'buyer' || n || '@example.com', ${state}, '{}', case when ${state} = 'awaiting_checkout' then 'manual' else ${provider} end,
        case when ${completed} then 1767225600000 else ${farMs} end, ${at}, ${at}
      from generate_series(${found?.offers + 1}, ${offers}) as n where ${ordered}`,
    // Some of each state, and few that something is to be done about.
    `insert into offers.checkout_sessions (order_id, attempt, request, id, state, subscription, begun_at, ends_at, due_at)
      select ${dated('order', 'n')}, 1, '{}', ${old('cs', 'n')},
        (array['closed', 'paid', 'open', 'processing', 'refunded'])[1 + n / 100 % 5],
        case when n / 100 % 5 = 1 then ${old('sub', 'n')} end, 1767225600000, 1767225600000,
        case when n / 100 % 5 in (2, 3) then ${farMs} end
      from generate_series(${found?.offers + 1}, ${offers}) as n
      where ${years ? `${completed} and (n / 100 % 5 = 1 or n % 1000 = 7)` : ordered}`,
    `insert into offers.installs (
        id, workspace_id, offer_id, order_id, customer_workspace_id, product_id, package_version_id, cluster_id, field_values,
        state, created_at
      )
      select ${dated('inst', 'n')}, ${workspace}, ${dated('offer', 'n')}, ${dated('order', 'n')}, ${customer},
        ${pick(product_id, 'prod')}, ${pick(package_version_id, 'pkgv')}, ${old('clus', years ? `n % ${clusters} + 1` : 'n')}, '{}', 'started', ${at}
      from generate_series(${found?.offers + 1}, ${offers}) as n where ${completed}`,
    // Most have ended; of the others few are overdue, which was told.
    `insert into offers.subscriptions (
        install_id, workspace_id, customer_workspace_id, provider, subscription, grace_days, first_paid_at, paid_through,
        status, read_at, known_at, ended_at, end_reason, check_at, told_state
      )
      select ${dated('inst', 'n')}, ${workspace}, ${customer}, ${provider},
        case when n / 100 % 5 = 1 then ${old('sub', 'n')} end, 7, extract(epoch from ${at})::bigint,
        extract(epoch from case told.state when 'active' then now() + interval '20 days' else ${at} + interval '1 month' end)::bigint,
        case when n / 100 % 5 = 1 then (array['canceled', 'active', 'past_due'])[array_position(array['ended', 'active', 'lapsed'], told.state)] end,
        case when n / 100 % 5 = 1 then extract(epoch from now())::bigint end, extract(epoch from ${at})::bigint,
        case told.state when 'ended' then extract(epoch from ${at} + interval '1 month')::bigint end,
        case told.state when 'ended' then 'cancelled' end,
        case when n / 100 % 5 = 1 and told.state <> 'ended' then ${farMs} end, told.state
      from generate_series(${found?.offers + 1}, ${offers}) as n cross join lateral (
        select case when n / 500 % 10 < 7 then 'ended' when n / 500 % 100 = 99 then 'lapsed' else 'active' end as state
      ) told
      where ${completed} and n / 100 % 5 < 2`,
    `insert into offers.licence_keys (kid, workspace_id, public_jwk, private_jwk, created_at, retired_at)
      select ${old('key', 'n')}, ${old('ws', `n % ${workspaces} + 1`)}, '{}', case when n <= ${workspaces} then 'sealed' end, ${at},
        case when n > ${workspaces} then ${at} end
      ${each(workspaces * 5)}`,
    ...months(years ?? 0).map(
      month => `select activity.make_partition(to_char(month, '"events_"YYYYMM'), month, month + interval '1 month')
        from (select date_trunc('month', now(), 'UTC') - interval '${month} months' as month) m`,
    ),
    // What reads events goes on after those that are added.
    ...['last', 'stream', 'mail'].map(
      reader => `update activity.${reader}_position set position = position + ${added}`,
    ),
    ...['webhook_wakes', 'webhook_endpoints'].map(
      reader => `update activity.${reader} set position = position + ${added}`,
    ),
    // Without years a day of a busy workspace in one month, and a little of everybody else.
    `insert into activity.events (
        position, workspace_id, id, type, aggregate_id, sequence, created_at, data, actor, actor_id, credential_id, audit_only
      )
      select p.position - ${offers} + n, ${workspace}, ${dated('evt', 'n')}, (array['offers.created', 'orders.created'])[1 + n % 2],
        ${dated('offer', 'n')}, n, ${eventAt},
        json_build_object('workspace_id', ${workspace}, 'product_id', ${pick(product_id, 'prod')}, 'customer_workspace_id', ${customer}), '{"kind":"user","id":null,"name":null,"credential_id":null,"workspace_id":null}', ${old('user', 'n % 1000')},
        ${old('sess', 'n % 1000')}, n % 20 = 0
      from generate_series(${found?.offers + 1}, ${offers}) as n, activity.last_position p on conflict do nothing`,
    `insert into activity.event_counts (workspace_id, type, day, count)
      select workspace_id, type, (created_at at time zone 'UTC')::date, count(*) from activity.events
      where not audit_only and created_at > now() - interval '91 days' group by 1, 2, 3
      on conflict (workspace_id, type, day) do update set count = excluded.count`,
    `insert into activity.members (user_id, workspace_id, since, sequence)
      select ${old('user', 'n')}, ${old('ws', 'n')}, 1, 1 ${each(workspaces)}`,
    `insert into activity.webhook_endpoints (
        id, workspace_id, url, event_types, description, secret, created_at, created_by, position, due_at, failing_since, is_full
      )
      select ${old('whe', 'n')}, case when n = 1 then '${workspace_id}' else ${old('ws', `n % ${workspaces} + 1`)} end, 'https://filled.example/', '["orders.*"]', '', 'v1.1.sealed', now(), ${old('user', 'n')}, 0,
        'infinity', case when n % 100 = 0 then now() end, true
      ${each(workspaces * 5)}`,
    `insert into activity.webhook_deliveries (
        endpoint_id, event_id, position, type, aggregate_id, body, state, event_created_at, next_at, created_at
      )
      select ${old('whe', `case when ${own} then 1 else n % ${workspaces} + 1 end`)}, ${dated('evt', 'n')}, n, 'orders.created', ${dated('order', 'n')}, '{}',
        (array['delivered', 'delivered', 'failed', 'pending'])[1 + n % 4], now(), 'infinity', now()
      ${each(recent(offers * 2))}`,
    `delete from offers.quota_sums`,
    `insert into offers.quota_sums (workspace_id, slot, offers, offer_bytes)
      select workspace_id, 0, count(*), sum(pg_column_size(o.*)) from offers.offers o group by 1`,
  ]
  const connection = await sql.reserve()
  try {
    await connection.unsafe(datedId)
    // Columns are made by functions, whose statements would be logged for each row.
    await connection`set auto_explain.log_min_duration = -1`
    await connection`set session_replication_role = replica`
    // Made at the end, an index takes a fraction of the time.
    const indexes = await connection<{ drop: string; create: string }[]>`
      select format('drop index %s', i.indexrelid::regclass) as drop, 
        replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') as create
      from pg_index i join pg_class c on c.oid = i.indrelid
      where not i.indisunique and not c.relispartition
        and i.indrelid = any (array['offers.offers', 'offers.orders', 'offers.installs', 'auth_tokens.api_tokens', 'activity.events']::regclass[])`
    for (const { drop } of indexes) await connection.unsafe(drop)
    for (const statement of statements) await connection.unsafe(statement)
    for (const { create } of indexes) await connection.unsafe(create)
    await connection`set session_replication_role = origin`
    await connection`reset auto_explain.log_min_duration`
    await connection.unsafe('vacuum (analyze)')
  } finally {
    connection.release()
  }
}

/** Tables as they are after years, made by PostgreSQL itself. */
import type postgres from 'postgres'

export interface FillOptions {
  /** How many offers there shall be at least; one in ten has an order and its install, all have a key. */
  readonly offers: number
  /** How many API tokens, of as many workspaces divided by 50. */
  readonly tokens: number
  /** The workspace that is asked for its lists: it has a tenth of all offers and installs. */
  readonly workspace_id: string
  readonly product_id: string
  readonly package_version_id: string
}

// They sort before all that is made from now on, as what is old does.
const old = (prefix: string, number: string) => `'${prefix}_' || lpad(to_hex(${number}), 26, '0')`

/**
 * Adds what is missing. Needs a superuser: foreign keys are not checked on the way, which would take longer than all
 * else; every reference holds nevertheless.
 */
export async function fillTables(sql: postgres.Sql, options: FillOptions): Promise<void> {
  const { offers, tokens, workspace_id, product_id, package_version_id } = options
  const workspaces = Math.ceil(tokens / 50)
  const own = `n % 10 = 0`
  const workspace = `case when ${own} then '${workspace_id}' else ${old('ws', `n % ${workspaces} + 1`)} end`
  // It bought as much as it sold.
  const customer = `case when n % 10 = 1 then '${workspace_id}' else ${old('ws', `n % ${workspaces} + 2`)} end`
  const pick = (mine: string, prefix: string) =>
    `case when ${own} then '${mine}' else ${old(prefix, `n % ${workspaces} + 1`)} end`
  const at = `timestamptz '2026-01-01' + n * interval '1 second'`
  const series = (table: string, to: number) =>
    `from generate_series((select count(*) from ${table}) + 1, ${to}) as n`
  const terms = `'{"approval":"automatic","checkout":"none","support":null,"commercial_mode":"paid","price":{"currency":"eur","unit_amount":4900,"interval":"month"}}'::jsonb`
  const [found] = await sql`select count(*)::int as offers from offers.offers`

  const statements = [
    `insert into auth_tokens.workspaces (id, name)
      select ${old('ws', 'n')}, 'workspace ' || n from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into auth_tokens.users (id, email, password_hash)
      select ${old('user', 'n')}, 'user' || n || '@filled.example', 'none' from generate_series(1, ${workspaces}) as n
      on conflict do nothing`,
    `insert into auth_tokens.memberships (user_id, workspace_id, role)
      select ${old('user', 'n')}, ${old('ws', 'n')}, 'owner' from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
      select ${old('sess', 'n')}, ${old('user', `n % ${workspaces} + 1`)}, sha256(('session ' || n)::bytea), now(),
        now() + interval '1 day' ${series('auth_tokens.sessions', tokens)}`,
    `insert into auth_tokens.api_tokens (id, workspace_id, name, hash, hint, created_at)
      select ${old('tok', 'n')}, ${old('ws', `n % ${workspaces} + 1`)}, 'token ' || n, sha256(('token ' || n)::bytea), 'abcd',
        now() ${series('auth_tokens.api_tokens', tokens)}`,
    `insert into offers.packages (id, workspace_id, name)
      select ${old('pkg', 'n')}, ${old('ws', 'n')}, 'package' from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
      select ${old('pkgv', 'n')}, ${old('ws', 'n')}, ${old('pkg', 'n')}, '1.0.0', '{"type":"object"}',
        encode(sha256('{"type":"object"}'), 'hex') from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into offers.products (id, workspace_id, name, package_id, current_version_id)
      select ${old('prod', 'n')}, ${old('ws', 'n')}, 'product', ${old('pkg', 'n')}, ${old('pkgv', 'n')}
      from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into offers.offer_channels (id, workspace_id, product_id, name, status)
      select ${old('och', 'n')}, ${old('ws', 'n')}, ${old('prod', 'n')}, 'channel', 'inactive'
      from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into compute.clusters (id, workspace_id, name, etag, updated_at)
      select ${old('clus', 'n')}, ${old('ws', `n % ${workspaces} + 1`)}, 'cluster', md5(n::text), now()
      ${series('compute.clusters', Math.ceil(tokens / 5))}`,
    `insert into compute.machine_counts (cluster_id, hour, least, most)
      select ${old('clus', 'n % 100 + 1')}, date_trunc('hour', now()) - n / 100 * interval '1 hour', 1, 5
      from generate_series(1, ${tokens}) as n on conflict do nothing`,
    `insert into offers.closed_clusters (customer_workspace_id, cluster_id, removed)
      select ${old('ws', `n % ${workspaces} + 1`)}, ${old('clus', 'n')}, true
      ${series('offers.closed_clusters', Math.ceil(tokens / 5))} on conflict do nothing`,
    `insert into offers.closed_workspaces (workspace_id, until)
      select ${old('ws', 'n')}, 0
      ${series('offers.closed_workspaces', Math.ceil(tokens / 5))} on conflict do nothing`,
    `insert into offers.offers (
        id, workspace_id, short_hash, product_id, package_version_id, allowed_emails, field_values, customer,
        internal_note, notes, commercial_mode, pricing_request, terms, max_uses, order_ttl_minutes, created_by, created_at, words
      )
      select ${old('offer', 'n')}, ${workspace}, substr(md5(n::text), 1, 20), ${pick(product_id, 'prod')},
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
        ${pick(package_version_id, 'pkgv')}, ${old('offer', 'n')}, substr(md5(n::text), 1, 20), ${at}
      from generate_series(${found?.offers + 1}, ${offers}) as n`,
    `insert into offers.orders (
        id, workspace_id, offer_id, customer_workspace_id, holder, state, field_values, expires_at, created_at, updated_at
      )
      select ${old('order', 'n')}, ${workspace}, ${old('offer', 'n')}, ${customer}, ${old('user', 'n')}, 'completed', '{}',
        1767225600000, ${at}, ${at}
      from generate_series(${found?.offers + 1}, ${offers}) as n where n % 100 < 10`,
    // Some of each state, and few that something is to be done about.
    `insert into offers.checkout_sessions (order_id, attempt, request, id, state, begun_at, ends_at, due_at)
      select ${old('order', 'n')}, 1, '{}', ${old('cs', 'n')},
        (array['paid', 'closed', 'open', 'processing', 'refunded'])[1 + n / 100 % 5], 1767225600000, 1767225600000,
        case when n / 100 % 5 in (2, 3) then 4102444800000 end
      from generate_series(${found?.offers + 1}, ${offers}) as n where n % 100 < 10`,
    `insert into offers.installs (
        id, workspace_id, offer_id, order_id, customer_workspace_id, product_id, package_version_id, cluster_id, field_values,
        state, created_at
      )
      select ${old('inst', 'n')}, ${workspace}, ${old('offer', 'n')}, ${old('order', 'n')}, ${customer},
        ${pick(product_id, 'prod')}, ${pick(package_version_id, 'pkgv')}, ${old('clus', 'n')}, '{}', 'started', ${at}
      from generate_series(${found?.offers + 1}, ${offers}) as n where n % 100 < 10`,
    `insert into offers.licence_keys (kid, workspace_id, public_jwk, private_jwk, created_at, retired_at)
      select ${old('key', 'n')}, ${old('ws', `n % ${workspaces} + 1`)}, '{}', case when n <= ${workspaces} then 'sealed' end, ${at},
        case when n > ${workspaces} then ${at} end
      from generate_series(1, ${workspaces * 5}) as n on conflict do nothing`,
    // A day of a busy workspace in one month, and a little of everybody else.
    `insert into activity.events (
        position, workspace_id, id, type, aggregate_id, sequence, created_at, data, actor, actor_id, credential_id, audit_only
      )
      select p.position - ${offers} + n, ${workspace}, ${old('evt', 'n')}, (array['offers.created', 'orders.created'])[1 + n % 2],
        ${old('offer', 'n')}, n, date_trunc('month', now()) + n * interval '1 millisecond',
        json_build_object('workspace_id', ${workspace}), '{"kind":"user","id":null,"name":null,"credential_id":null,"workspace_id":null}', ${old('user', 'n % 1000')},
        ${old('sess', 'n % 1000')}, n % 20 = 0
      from generate_series(1, ${offers}) as n, activity.last_position p on conflict do nothing`,
    `insert into activity.event_counts (workspace_id, type, day, count)
      select ${old('ws', `n % ${workspaces} + 1`)}, 'offers.created', current_date - (n / ${workspaces})::int, 1
      from generate_series(1, ${workspaces * 10}) as n on conflict do nothing`,
    `insert into activity.members (user_id, workspace_id, since, sequence)
      select ${old('user', 'n')}, ${old('ws', 'n')}, 1, 1 from generate_series(1, ${workspaces}) as n on conflict do nothing`,
    `insert into activity.webhook_endpoints (
        id, workspace_id, url, event_types, description, secret, created_at, created_by, position, due_at, failing_since, is_full
      )
      select ${old('whe', 'n')}, ${old('ws', `n % ${workspaces} + 1`)}, 'https://filled.example/', '["orders.*"]', '', 'v1.1.sealed', now(), ${old('user', 'n')}, 0,
        'infinity', case when n % 100 = 0 then now() end, true
      from generate_series(1, ${workspaces * 5}) as n on conflict do nothing`,
    `insert into activity.webhook_deliveries (
        endpoint_id, event_id, position, type, aggregate_id, body, state, event_created_at, next_at, created_at
      )
      select ${old('whe', `n % ${workspaces} + 1`)}, ${old('evt', 'n')}, n, 'orders.created', ${old('order', 'n')}, '{}',
        (array['delivered', 'delivered', 'failed', 'pending'])[1 + n % 4], now(), 'infinity', now()
      from generate_series(1, ${offers * 2}) as n on conflict do nothing`,
  ]
  const connection = await sql.reserve()
  try {
    await connection`set session_replication_role = replica`
    for (const statement of statements) await connection.unsafe(statement)
    await connection`set session_replication_role = origin`
    await connection.unsafe('vacuum (analyze)')
  } finally {
    connection.release()
  }
}

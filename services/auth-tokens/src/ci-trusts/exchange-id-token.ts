import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { maxCiAttempts } from '@svc/contract/auth-tokens/ci-trusts'
import type { Handler } from '@svc/contract/core/operation'
import { maskOf, permissionsIn } from '@svc/contract/core/permissions'
import { createApiToken as createSecret, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { manyIntoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { pinSets } from '@svc/runtime/trusted-workloads'
import { permissionNames } from '../api-tokens/narrowing.ts'
import { boundsOf, bucketOf } from '../credentials/attempts.ts'
import type { Deps } from '../deps.ts'

interface ExchangeIdTokenResult {
  /** Null: there is no trust. */
  readonly fits: boolean | null
  readonly can: string | null
  readonly minutes: number | null
}

/**
 * RFC 8693 for the run of a CI job. The trust is locked, so that whoever deletes it ends this token, or this finds no
 * trust. An ID token is good for one token: of two exchanges at once, the second waits for the note of the first.
 */
export const exchangeIdToken: Handler<typeof authTokens.operations.exchange_id_token, Deps> = async (
  { body: { workspace, issuer, token_hash, expires_at, claims, permissions } },
  _caller,
  { sql, now, workloads, eventWritten, call },
) => {
  const seconds = Math.floor(now() / 1000)
  const workload = workloads.find(one => one.issuer === issuer)
  if (!workload) return { body: { outcome: 'no_trust' } }
  const id = newId('tok')
  const secret = createSecret()
  const run = Object.fromEntries(
    workload.run.flatMap(name => {
      const value = claims[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  const label = Object.values(run).slice(0, 2).join(' ')
  const owner = claims[workload.owner] ?? ''
  // The same job again replaces its attempt.
  const origin = hashCredential(
    JSON.stringify([issuer, ...[...new Set(workload.must_pin.flat())].map(name => claims[name])]),
  )
  const {
    buckets,
    most,
    seconds: spans,
  } = boundsOf(
    ['ci_attempts_per_owner', bucketOf('ci_attempts_per_owner', `${workspace} ${issuer} ${owner}`)],
    ['ci_attempts_per_workspace', bucketOf('ci_attempts_per_workspace', workspace)],
  )
  const [outcome] = await sql<ExchangeIdTokenResult>`/* auth_tokens.exchange_id_token */
    with place as materialized (
      -- Before the trust, as whoever deletes the workspace locks them.
      select id as place from workspaces where id = ${workspace} and deleted_at is null for key share
    ), trust as materialized (
      select id, workspace_id, name, can, minutes,
        ${permissions === undefined} or to_jsonb(${permissions ?? []}::text[]) <@ ${permissionNames} as fits
      from ci_trusts t join place on place = t.workspace_id
      where issuer = ${issuer} and ${sql.json(claims)}::jsonb @> t.claims
        and exists (
          select from jsonb_to_recordset(${sql.json(pinSets(workload))}) as pins (names text[], texts jsonb)
          where t.claims ?& pins.names and t.claims @> pins.texts
        )
      order by (select count(*) from jsonb_object_keys(t.claims)) desc, id desc
      limit 1
      for no key update of t
    ), noted as (
      insert into used_id_tokens (hash, expires_at)
      select decode(${token_hash}, 'hex'), to_timestamp(${expires_at}) from trust where fits
      on conflict do nothing
      returning hash
    ), used as (
      update ci_trusts t set last_used_at = to_timestamp(${seconds}) from trust, noted where t.id = trust.id
    ), forgotten as materialized (
      select forget_expired_tokens(workspace_id, to_timestamp(${seconds})) from trust, noted
    ), created as (
      insert into api_tokens (
        id, workspace_id, name, hash, hint, created_at, expires_at, can, ci_trust_id, run
      )
      select ${id}, workspace_id, left(name || ': ' || ${label}, 250), decode(${hashCredential(secret)}, 'hex'),
        ${secret.slice(-4)}, to_timestamp(${seconds}), to_timestamp(${seconds}) + make_interval(mins => minutes),
        coalesce(${permissions ? maskOf(permissions) : null}::text, can), id, ${sql.json(run)}
      from trust, forgotten
      returning id, workspace_id, name, ci_trust_id, expires_at, can
    ), event as (
      ${manyIntoOutbox(fragment`by`)}
      ci_trust_id, 'events.ci_trusts.used', jsonb_build_object(
        'workspace_id', workspace_id, 'api_token_id', id, 'expires_at', unix_seconds(expires_at)
      )
      from created, lateral (
        select jsonb_build_object(
          'actor', jsonb_build_object(
            'kind', 'api_token', 'id', id, 'name', name, 'credential_id', id, 'workspace_id', workspace_id
          )::text,
          'request_id', ${call.by.request_id}::text, 'address', ${call.by.address}::text
        ) as by
      ) attribution
    ), unmatched as materialized (
      select id from workspaces
      where id = ${workspace} and deleted_at is null and not exists (select from trust)
    ), taken as materialized (
      select id, take_attempts(${buckets}::text[], ${most}::bigint[], ${spans}::bigint[], to_timestamp(${seconds})) as wait
      from unmatched
    ), attempt as (
      insert into ci_attempts (id, workspace_id, issuer, origin, owner, claims, attempted_at)
      select ${newId('run')}, id, ${issuer}, ${origin}, ${owner}, ${sql.json(claims)}, to_timestamp(${seconds})
      from taken where wait = 0
      on conflict (workspace_id, origin) do update set claims = excluded.claims, attempted_at = excluded.attempted_at
    ), dropped as (
      -- Of the owner with the most, so that a stranger's runs do not displace those of others.
      delete from ci_attempts where id = any (array(
        select a.id from (
          select id, row_number() over (order by crowd desc, attempted_at) as place, count(*) over () as kept
          from (
            select a.id, a.attempted_at, count(*) over (partition by a.owner) as crowd
            from ci_attempts a join taken on taken.wait = 0 and a.workspace_id = taken.id
            where a.origin <> ${origin}
          ) others
        ) placed join ci_attempts a using (id)
        where placed.place <= placed.kept - ${maxCiAttempts - 1}
        order by a.id for update of a skip locked
      ))
    )
    select (select fits from trust) as fits, (select can from created) as can, (select minutes from trust, created) as minutes`
  if (!outcome || outcome.fits === null) return { body: { outcome: 'no_trust' } }
  if (!outcome.fits) return { body: { outcome: 'invalid_scope' } }
  if (outcome.can === null || outcome.minutes === null) return { body: { outcome: 'used' } }
  eventWritten()
  return {
    body: {
      outcome: 'issued',
      access_token: secret,
      expires_in: outcome.minutes * 60,
      permissions: permissionsIn(outcome.can),
    },
  }
}

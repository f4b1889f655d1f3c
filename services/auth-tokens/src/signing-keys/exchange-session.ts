import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import {
  lessened,
  maskOf,
  permissions as all,
  permissionsIn,
  wholeAccount,
} from '@svc/contract/core/permissions'
import type { Handler } from '@svc/contract/core/operation'
import { jwtLifetimeSeconds } from '@svc/contract/auth-tokens/signing-keys'
import type { JWK } from 'jose'
import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { authTime, methods } from '../sessions/proof.ts'
import { endOfSession, isAlive } from '../sessions/session-lifetime.ts'

/** The client id in JWTs of credentials that no OAuth client has opened. */
const webClientId = 'svc-web'

interface ExchangeSessionResult {
  kid: string
  private_jwk: string | JWK
  client_known: boolean
  session: string | null
  user: string
  token: string | null
  token_workspace: string
  token_name: string
  client: string | null
  workspace_id: string | null
  can: string | null
  allowed_addresses: string[] | null
  ends_at: number | null
  auth_time: number
  amr: string[]
}

/**
 * RFC 8693, section 2: a session or an API token is the subject token, the answer a JWT of RFC 9068 that ends no
 * later than it and may no more (docs/specification.md, R88). That of an API token names its secret, so that it
 * ends with it at a rotation.
 */
export const exchangeSession: Handler<typeof authTokens.operations.exchange_session, Deps> = async (
  { body: { hash, client_id, scope } },
  _caller,
  { sql, now, publicUrl, recordUse, signJwt },
) => {
  const seconds = Math.floor(now() / 1000)
  const [outcome] = await sql<ExchangeSessionResult>`/* auth_tokens.exchange_session */
    select k.kid, k.private_jwk, s.id as session, s.user_id as user, t.id as token, t.workspace_id as token_workspace, t.name as token_name,
      s.client_id as client, s.workspace_id,
      case when t.id is null then s.can else t.can end as can, to_json(t.allowed_addresses) as allowed_addresses,
      ${client_id ?? null}::text is null
        or exists (select from oauth_clients where id = ${client_id ?? null}) as client_known,
      case when t.id is null then ${endOfSession} else unix_seconds(least(t.expires_at, r.expires_at)) end as ends_at,
      unix_seconds(${authTime}) as auth_time, to_jsonb(${methods}) as amr
    from signing_keys k
    left join sessions s on s.hash = decode(${hash}, 'hex') and ${isAlive(seconds)}
    left join retired_secrets r on r.hash = decode(${hash}, 'hex') and r.expires_at > to_timestamp(${seconds})
    left join api_tokens t on t.id = coalesce(r.token_id, (select c.id from api_tokens c where c.hash = decode(${hash}, 'hex')))
      and (t.expires_at is null or t.expires_at > to_timestamp(${seconds}))
    where k.state = 'active'`
  if (!outcome) throw new Error('There is no active signing key.')
  const { session, token, workspace_id, allowed_addresses: networks } = outcome
  const ends_at = outcome.ends_at ?? Number.POSITIVE_INFINITY
  if (!outcome.client_known) return { body: { outcome: 'invalid_client' } }
  if ((!session && !token) || ends_at <= seconds) return { body: { outcome: 'invalid_session' } }
  const subject = { kind: token ? 'api_token' : 'session', can: outcome.can ?? undefined }
  const isWhole = session !== null && subject.can === undefined
  const asked = typeof scope === 'object' ? maskOf(scope) : undefined
  const isWider =
    asked === undefined ? scope === wholeAccount && !isWhole : lessened(subject, asked) !== asked
  if (isWider) return { body: { outcome: 'invalid_scope' } }
  const permissions =
    isWhole && asked === undefined ? undefined : permissionsIn(lessened(subject, asked ?? maskOf(all)))
  // The gateway says it for others, as in resolve-credentials.ts.
  if (token && !networks) recordUse.apiToken(token, seconds)
  else if (session) recordUse.session(session, seconds)
  const exp = Math.min(seconds + jwtLifetimeSeconds, ends_at)
  const claims = {
    iss: publicUrl,
    aud: publicUrl,
    client_id: client_id ?? outcome.client ?? webClientId,
    iat: seconds,
    exp,
    jti: randomUUID(),
    ...(token
      ? { sub: token, token_hash: hash }
      : {
          sub: outcome.user,
          // By another name where it may less than its session: a gateway that knows no scopes refuses it.
          [asked === undefined ? 'sid' : 'narrowed_sid']: session ?? '',
          // RFC 9068, 2.2.1.
          auth_time: outcome.auth_time,
          ...(outcome.amr.length > 0 && { amr: outcome.amr }),
        }),
    // RFC 9068, 2.2.3.
    ...(permissions && { scope: permissions.join(' ') }),
  }
  const access_token = await signJwt(claims, outcome)
  return {
    body: {
      outcome: 'issued',
      access_token,
      ...(permissions && { permissions }),
      ...(workspace_id !== null && { workspace_id }),
      ...(token &&
        networks && {
          only_from: {
            networks,
            token: { id: token, workspace: outcome.token_workspace, name: outcome.token_name },
          },
        }),
      expires_in: exp - seconds,
    },
  }
}

import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { jwtLifetimeSeconds } from '@svc/contract/auth-tokens/signing-keys'
import type { JWK } from 'jose'
import { randomUUID } from 'node:crypto'
import type { Deps } from '../deps.ts'
import { endOfSession, isAlive } from '../sessions/session-lifetime.ts'

/** The client id in JWTs of sessions that no OAuth client has opened. */
const webClientId = 'svc-web'

interface ExchangeSessionResult {
  kid: string
  private_jwk: string | JWK
  client_known: boolean
  session: string | null
  user: string
  client: string | null
  ends_at: number
}

/** RFC 8693, section 2: the session is the subject token, the answer a JWT of RFC 9068 that ends no later than it. */
export const exchangeSession: Handler<typeof authTokens.operations.exchange_session, Deps> = async (
  { body: { hash, client_id } },
  _caller,
  { sql, now, publicUrl, recordUse, signJwt },
) => {
  const seconds = Math.floor(now() / 1000)
  const [outcome] = await sql<ExchangeSessionResult>`/* auth_tokens.exchange_session */
    select k.kid, k.private_jwk, s.id as session, s.user_id as user, s.client_id as client,
      ${client_id ?? null}::text is null
        or exists (select from oauth_clients where id = ${client_id ?? null}) as client_known,
      ${endOfSession} as ends_at
    from signing_keys k
    left join sessions s on s.hash = decode(${hash}, 'hex') and ${isAlive(seconds)}
    where k.state = 'active'`
  if (!outcome) throw new Error('There is no active signing key.')
  if (!outcome.client_known) return { body: { outcome: 'invalid_client' } }
  if (!outcome.session || outcome.ends_at <= seconds) return { body: { outcome: 'invalid_session' } }
  recordUse.session(outcome.session, seconds)
  const exp = Math.min(seconds + jwtLifetimeSeconds, outcome.ends_at)
  const claims = {
    iss: publicUrl,
    aud: publicUrl,
    sub: outcome.user,
    client_id: client_id ?? outcome.client ?? webClientId,
    iat: seconds,
    exp,
    jti: randomUUID(),
    sid: outcome.session,
  }
  const access_token = await signJwt(claims, outcome)
  return { body: { outcome: 'issued', access_token, expires_in: exp - seconds } }
}

import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Caller } from '@svc/contract/core/caller'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { byJson, intoOutbox } from '@svc/runtime/outbox/outbox'
import { type Fragment, fragment } from '@svc/runtime/sql-fragment'
import { provenBucket, provePassword, wrongPassword } from '../credentials/prove-password.ts'
import type { Deps } from '../deps.ts'
import { provingBy } from '../factors/challenges.ts'
import { proveFactor, refuseFactor } from '../factors/prove-factor.ts'
import { ownSessionPrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { methods, waitsWith } from './proof.ts'
import { isAlive } from './session-lifetime.ts'

/**
 * One statement accepts the proof and confirms the session. Recalled although nobody may do less afterwards: gateways
 * would go on refusing what is confirmed by now.
 */
export const confirmSession: Handler<typeof authTokens.operations.confirm_session, Deps> = async (
  { body: { code_hash, proof } },
  caller,
  deps,
) => {
  const { sql, now, recall, eventWritten, messageQueued, call } = deps
  const user = personOf(caller)
  const at = now() / 1000
  const { accept, amr, condition, refuse } =
    'password' in proof ? await byPassword(caller, proof, deps) : await byFactor(caller, proof, deps)
  const which = code_hash === undefined ? fragment`s.id = ${caller.id}` : waitsWith(code_hash, at)
  const [outcome] = await sql<{
    waits: boolean
    proven: boolean
    id: string | null
  }>`/* auth_tokens.confirm_session */
    with waiting as materialized (
      select s.id from sessions s where s.user_id = ${user} and ${isAlive(at)} and ${which}
    ), person as materialized (
      select u.id, u.email, u.password_hash from users u
      where u.id = ${user} and u.deleted_at is null and exists (select from waiting) for no key update
    ), asked as materialized (
      select id, email from person where ${condition}
    ), ${accept(fragment`asked`, byJson(call.by))}, confirmed as (
      update sessions s set
        auth_time = to_timestamp(${Math.floor(at)}), amr = array(select distinct unnest(${methods} || ${amr}::text[])),
        confirmation_hash = null, confirmation_expires_at = null
      from proven p
      where s.user_id = p.user_id and ${isAlive(at)} and ${which}
      returning s.id, s.user_id
    ), event as (
      ${intoOutbox(call.by)} id, 'events.sessions.confirmed', jsonb_build_object('user_id', user_id) from confirmed
    )
    select exists (select from waiting) as waits, exists (select from proven) as proven,
      (select id from confirmed) as id`
  if (outcome?.waits && !outcome.proven) return refuse()
  const id = outcome?.id
  if (!id) throw refusal(code_hash === undefined ? 'credential_invalid' : 'confirmation_closed')
  eventWritten()
  messageQueued()
  await recall(ownSessionPrincipal(user, id))
  return { body: { id } }
}

interface Proving {
  readonly amr: readonly string[]
  /** On a part with the locked person. */
  readonly condition: Fragment
  accept(person: Fragment, by: Fragment): Fragment
  refuse(): never
}

/** Who has a second factor proves that instead. */
async function byPassword(caller: Caller, { password }: { password: string }, deps: Deps): Promise<Proving> {
  const { person, hash } = await provePassword(caller, { password, path: 'password' }, deps)
  return {
    amr: ['pwd'],
    condition: fragment`password_hash = ${hash} and not (factors_now(id)).has_factor`,
    accept: asked => fragment`
      proven as materialized (select id as user_id, forget_attempts(${provenBucket(person)}) from ${asked})`,
    refuse() {
      throw wrongPassword('password')
    },
  }
}

async function byFactor(
  caller: Caller,
  proof: Parameters<typeof proveFactor>[1],
  deps: Deps,
): Promise<Proving> {
  const user = personOf(caller)
  const { amr, accept } = await proveFactor({ user, purpose: provingBy(caller.id) }, proof, deps)
  return { amr: [...amr, 'mfa'], condition: fragment`true`, accept, refuse: () => refuseFactor(user, deps) }
}

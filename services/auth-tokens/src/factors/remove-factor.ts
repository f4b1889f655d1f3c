import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { byJson, intoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'
import { provingBy } from './challenges.ts'
import { factorNotice } from './factor-notice.ts'
import { proveFactor, refuseFactor } from './prove-factor.ts'

export const removeFactor: Handler<typeof authTokens.operations.remove_factor, Deps> = async (
  { body: { id, proof } },
  caller,
  deps,
) => {
  const { sql, now, recall, eventWritten, messageQueued, call } = deps
  const user = personOf(caller)
  const by = byJson(call.by)
  const proven = await proveFactor({ user, purpose: provingBy(caller.id) }, proof, deps)
  const notice = id === 'totp' ? 'totp_removed' : 'passkey_removed'
  const [result] = await sql<{ kind: string | null }>`/* auth_tokens.remove_factor */
    with person as materialized (
      select id, email from users where id = ${user} and deleted_at is null for no key update
    ), ${proven.accept(fragment`person`, by)}, removed as materialized (
      -- The proof may have changed the same row in this statement: the function sees it as it is then.
      select user_id, remove_factor(user_id, ${id}) as kind from proven
    ), event as (
      ${intoOutbox(call.by)} user_id, 'events.factors.removed', jsonb_build_object('user_id', user_id, 'kind', kind)
      from removed where kind is not null
    )
    select kind, case when kind is not null then ${factorNotice(notice, by, now() / 1000)} end from removed`
  if (!result) return refuseFactor(user, deps)
  eventWritten()
  messageQueued()
  await recall(userPrincipal(user))
  if (result.kind === null) throw refusal('not_found', { path: ['id'], message: 'You have no such factor.' })
  return { body: undefined }
}

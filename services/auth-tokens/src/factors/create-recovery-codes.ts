import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { byJson, intoOutbox } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { personOf } from '../people/person.ts'
import { provingBy } from './challenges.ts'
import { factorNotice } from './factor-notice.ts'
import { proveFactor, refuseFactor } from './prove-factor.ts'
import { newRecoveryCodes } from './recovery-codes.ts'

export const createRecoveryCodes: Handler<typeof authTokens.operations.create_recovery_codes, Deps> = async (
  { body: { proof } },
  caller,
  deps,
) => {
  const { sql, now, eventWritten, messageQueued, call } = deps
  const user = personOf(caller)
  const by = byJson(call.by)
  const { codes, replace } = newRecoveryCodes()
  const proven = await proveFactor({ user, purpose: provingBy(caller.id) }, proof, deps)
  const [created] = await sql`/* auth_tokens.create_recovery_codes */
    with person as materialized (
      select id, email from users where id = ${user} and deleted_at is null for no key update
    ), ${proven.accept(fragment`person`, by)}, event as (
      ${intoOutbox(call.by)} user_id, 'events.factors.recovery_codes_created', jsonb_build_object('user_id', user_id)
      from proven
    )
    select ${replace(fragment`user_id`)}, ${factorNotice('recovery_codes_created', by, now() / 1000)} from proven`
  if (!created) return refuseFactor(user, deps)
  eventWritten()
  messageQueued()
  return { body: { recovery_codes: codes } }
}

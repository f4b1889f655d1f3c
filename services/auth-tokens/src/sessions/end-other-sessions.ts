import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { personOf } from '../people/person.ts'

/**
 * The person is locked first, as when a session is opened: a concurrent new session is ended as well, or is opened
 * afterwards. If sessions end each other concurrently, one remains. All of the person is recalled, so that a
 * repetition also recalls sessions whose process died before their recall.
 */
export const endOtherSessions: Handler<typeof authTokens.operations.end_other_sessions, Deps> = async (
  _input,
  caller,
  { sql, recall, eventWritten, call },
) => {
  const user = personOf(caller)
  const [others] = await sql<{ ended: number | null }>`/* auth_tokens.end_other_sessions */
    with person as materialized (
      select id from users where id = ${user} for no key update
    )
    select end_other_sessions(id, ${caller.id}, ${byJson(call.by)}) as ended from person`
  const ended = others?.ended ?? null
  if (ended === null) throw refusal('credential_invalid')
  if (ended > 0) eventWritten()
  await recall(userPrincipal(user))
  return { body: { ended } }
}

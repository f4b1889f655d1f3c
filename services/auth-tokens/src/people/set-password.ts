import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Handler } from '@svc/contract/core/operation'
import { byJson } from '@svc/runtime/outbox/outbox'
import { fragment } from '@svc/runtime/sql-fragment'
import { turnOf } from '../credentials/passwords.ts'
import { provenBucket, provePassword, wrongPassword } from '../credentials/prove-password.ts'
import { refuseWeakPassword } from '../credentials/refuse-weak-password.ts'
import type { Deps } from '../deps.ts'
import { userPrincipal } from '../leases/principals.ts'
import { queueNotice } from '../mail/queue-notice.ts'
import { passwordSet } from './person-events.ts'

/**
 * Ends all sessions but the one it is sent with, as end-other-sessions.ts; all of them if that one has ended meanwhile.
 * Links first, as whoever follows one locks them.
 */
export const setPassword: Handler<typeof authTokens.operations.set_password, Deps> = async (
  { body: { current_password, password } },
  caller,
  deps,
) => {
  const { sql, now, passwords, recall, eventWritten, messageQueued, call } = deps
  const { person, email, hash } = await provePassword(
    caller,
    { password: current_password, path: 'current_password' },
    deps,
  )
  await refuseWeakPassword(password, email)
  const newHash = await passwords.hash(password, call.deadline, turnOf(person, ''))
  const at = now() / 1000
  const by = byJson(call.by)
  const [changed] = await sql`/* auth_tokens.set_password */
    with links as (
      delete from verifications where email = ${email} returning hash
    ), person as (
      update users u set password_hash = ${newHash} from (select count(*) from links) ended
      where u.id = ${person} and u.password_hash = ${hash} returning u.id
    ), told as (
      ${passwordSet(by)} from person
    ), forgotten as (
      delete from known_browsers k using person where k.user_id = person.id
    )
    select coalesce(end_other_sessions(id, ${caller.id}, ${by}), end_other_sessions(id, id, ${by})),
      forget_attempts(${provenBucket(person)}), ${queueNotice({
        key: fragment`'password_changed ' || id || ' ' || ${at}::text`,
        notice: 'password_changed',
        person: fragment`id`,
        facts: fragment`jsonb_build_object('address', ${call.by.address}::text, 'at', ${Math.floor(at)}::bigint)`,
        at,
      })}
    from person`
  if (!changed) throw wrongPassword('current_password')
  eventWritten()
  messageQueued()
  await recall(userPrincipal(person))
  return { body: undefined }
}

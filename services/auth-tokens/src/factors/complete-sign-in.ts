import type { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { refusal } from '@svc/contract/core/errors'
import type { Handler } from '@svc/contract/core/operation'
import { fragment } from '@svc/runtime/sql-fragment'
import type { Deps } from '../deps.ts'
import { knownBrowser } from '../sessions/known-browsers.ts'
import { surplusOf } from '../sessions/new-session.ts'
import { openInBrowser } from '../sessions/open-in-browser.ts'
import { openPending } from '../sessions/pending-sign-in.ts'
import { byPerson } from '../sessions/session-events.ts'
import { provingAnew, provingBy } from './challenges.ts'
import { proveFactor, refuseFactor } from './prove-factor.ts'

/** One statement accepts the proof, ends the pending sign-in and opens the session. */
export const completeSignIn: Handler<typeof authTokens.operations.complete_sign_in, Deps> = async (
  { body: { hash, proof, origin, browser_hashes } },
  _caller,
  deps,
) => {
  const { sql, now, recall, eventWritten, messageQueued, call } = deps
  const at = now() / 1000
  const proven = await proveFactor(await askedOf(), proof, deps)
  const [browser] = await sql<{ known: string }>`/* auth_tokens.find_known_browser */
    ${knownBrowser(fragment`${proven.user}`, browser_hashes, at)}`
  const { session, answer, parts, columns } = openInBrowser({
    now: now(),
    origin,
    remembers: browser_hashes !== undefined,
    known: browser?.known ?? null,
    by: call.by,
    amr: [...(hash ? ['pwd'] : []), ...proven.amr, 'mfa'],
  })
  const isWaiting = hash
    ? fragment`(select user_id from ${openPending(hash, at)} for update) = id`
    : fragment`true`
  const [opened] = await sql<{ surplus_of: string | null }>`/* auth_tokens.complete_sign_in */
    with person as materialized (
      select id, email from users where id = ${proven.user} and deleted_at is null for no key update
    ), waiting as materialized (
      select id, email from person where ${isWaiting}
    ), ${proven.accept(fragment`waiting`, byPerson(call.by, session.id))}, admitted as materialized (
      select id, email from waiting join proven on proven.user_id = id
    ), ended as (
      delete from pending_sign_ins p using admitted where p.hash = decode(${hash ?? null}, 'hex')
    ), ${parts(fragment`admitted`)}
    select ${columns} from opened`
  if (!opened) return refuseFactor(proven.user, deps)
  eventWritten()
  messageQueued()
  await recall(...surplusOf(opened.surplus_of))
  return { body: answer }

  async function askedOf() {
    if (hash === undefined) return { user: undefined, purpose: provingAnew }
    const [pending] = await sql<{ user_id: string }>`/* auth_tokens.find_pending_sign_in */
      select user_id from ${openPending(hash, at)}`
    if (!pending) throw refusal('sign_in_ended')
    return { user: pending.user_id, purpose: provingBy(hash) }
  }
}

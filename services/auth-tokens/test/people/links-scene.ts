/** Shared by the tests of links that verify an address. */
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { password } from '@svc/testing/password'
import type { Person } from '../people-scene.ts'
import { type RunningService, internal } from '../running-service.ts'

export const origin = { address: '192.0.2.7', user_agent: 'test' }
export const invalidLink = '422 42211'

export function createLinks(service: RunningService) {
  let requests = 0
  const complete = (hash: string, chosen = password) =>
    service.ask('complete_verification', internal(), { body: { hash, password: chosen, origin } })

  /** A link as the sender of messages stores it. */
  async function newLink(email: string, lifetimeSeconds = 86_400) {
    const hash = hashCredential(createSessionToken())
    const now = service.clock.seconds()
    await service.sql`insert into auth_tokens.verifications (hash, email, created_at, expires_at)
      values (decode(${hash}, 'hex'), ${email}, to_timestamp(${now}), to_timestamp(${now + lifetimeSeconds}))`
    return hash
  }

  /** The user whose session it is; undefined if it is unknown or has ended. */
  async function userOf(token: unknown) {
    const lookups = [{ kind: 'session', hash: hashCredential(String(token)) }]
    const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
    return (body.callers as ({ user: string } | null)[])[0]?.user
  }

  return {
    newLink,
    complete,
    userOf,
    read: async (hash: string) =>
      (await service.ask('read_verification', internal(), { body: { hash } })).body.email,
    signIn: (email: string, chosen = password) =>
      service.ask('sign_in', internal(), { body: { email, password: chosen, origin } }),
    /** By default from a new address each time. */
    request: (email: string, address = `2001:db8:0:${(requests++).toString(16)}::1`) =>
      service.ask('request_verification', internal(), { body: { email, origin: { ...origin, address } } }),
    /** A device grant that the person with this address has approved, with a code that is not used yet. */
    async approvedGrant(email: string) {
      const { body } = await complete(await newLink(email))
      const user = String(await userOf(body.token))
      const caller = { kind: 'session', id: String(body.id), user } as Person
      const client_id = 'svc-cli'
      const { body: grant } = await service.ask('start_device_grant', internal(), {
        body: { client_id, origin },
      })
      const user_code_hash = hashCredential(String(grant.user_code).replace('-', ''))
      const { body: entered } = await service.ask('enter_user_code', caller, { body: { user_code_hash } })
      const grant_id = (entered.grant as { id: string }).id
      await service.ask('decide_device_grant', caller, { body: { grant_id, decision: 'approved' } })
      const device_code_hash = hashCredential(String(grant.device_code))
      return {
        poll: (from = origin) =>
          service.ask('poll_device_grant', internal(), {
            body: { device_code_hash, client_id, origin: from },
          }),
      }
    },
  }
}

export type Links = ReturnType<typeof createLinks>

// Chains of approval, exchange and change: whatever anybody chooses, nobody ends up with more than was there before.
import type { Caller } from '@svc/contract/core/caller'
import { maskOf, type Permission, permissions, permissionsIn } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { forFile } from '@svc/testing/for-file'
import { sized, unhurried } from '@svc/testing/size'
import fc from 'fast-check'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { internal, shareService } from '../running-service.ts'
import { approve, exchanged, gatewayOf, may } from './narrowing-scene.ts'

const service = forFile(shareService)
const runs = { numRuns: sized(25, 300) }

const some = fc.subarray([...permissions], { minLength: 1 })
const orAll = fc.option(some, { nil: undefined })

const isWithin = (
  less: readonly Permission[] | undefined,
  more: readonly Permission[] | undefined,
): boolean => more === undefined || (less?.every(name => more.includes(name)) ?? false)

async function lookUp(lookup: object): Promise<Caller | null> {
  const { body } = await service.ask('resolve_credentials', internal(), {
    body: { lookups: [lookup], checks_addresses: true },
  })
  return (body.callers as (Caller | null)[])[0] ?? null
}

let gateway: ReturnType<typeof gatewayOf>
beforeAll(() => {
  gateway = gatewayOf(service)
})
afterAll(() => gateway?.stop())

test('an approval gives what its person chose, and never more than was asked for', async () => {
  const workspace = await service.newWorkspace()
  const choice = fc.record({
    permissions: orAll,
    isBound: fc.boolean(),
    expires_in: fc.integer({ min: 60, max: 99_999 }),
  })
  await fc.assert(
    fc.asyncProperty(choice, choice, orAll, async (asked, chosen, scope) => {
      const limits = ({ isBound, ...rest }: typeof asked) => ({
        ...rest,
        ...(isBound && { workspace_id: workspace }),
      })
      const answer = await approve(service, workspace, limits(asked), limits(chosen))
      const { decided, session_token, expires_in, workspace_id } = answer
      const isWider =
        chosen.expires_in > asked.expires_in ||
        (chosen.permissions !== undefined && !isWithin(chosen.permissions, asked.permissions))
      expect(decided).toBe(isWider ? 'too_wide' : 'approved')
      if (isWider) return
      const granted = chosen.permissions ?? asked.permissions
      expect(expires_in).toBeLessThanOrEqual(chosen.expires_in)
      expect(workspace_id).toBe(asked.isBound || chosen.isBound ? workspace : undefined)
      const hash = hashCredential(String(session_token))
      const session = (await lookUp({ kind: 'session', hash, context: workspace })) as Caller & {
        can?: string
      }
      if (granted) expect(isWithin(permissionsIn(session.can ?? ''), granted)).toBe(true)
      expect(session.can === undefined).toBe(granted === undefined && workspace_id === undefined)
      const { outcome, access_token } = await exchanged(service, String(session_token), scope)
      const held = session.can === undefined ? undefined : permissionsIn(session.can)
      expect(outcome).toBe(scope && !isWithin(scope, held) ? 'invalid_scope' : 'issued')
      if (outcome !== 'issued') return
      const caller = await gateway.resolve(String(access_token), workspace, unhurried())
      expect(may(session)).toEqual(expect.arrayContaining(may(caller)))
    }),
    runs,
  )
})

test('a JWT of an API token may no more than the token could when it was exchanged, nor than it can now', async () => {
  const workspace = await service.newWorkspace()
  const owner = await service.newMember(workspace, 'owner')
  const { sql } = service
  await fc.assert(
    fc.asyncProperty(orAll, orAll, fc.array(orAll, { maxLength: 3 }), async (held, scope, changes) => {
      const created = await service.ask('create_api_token', owner, { body: { name: 'n', permissions: held } })
      const { id, token } = created.body as unknown as { id: string; token: string }
      const hash = hashCredential(token)
      const now = async () => may((await lookUp({ kind: 'api_token', hash })) as Caller)
      const before = await now()
      const { access_token } = await exchanged(service, token, scope)
      if (access_token) {
        for (const change of [held, ...changes]) {
          await sql`update auth_tokens.api_tokens set can = ${change ? maskOf(change) : null} where id = ${id}`
          const less = may(await gateway.resolve(String(access_token), workspace, unhurried()))
          expect(before).toEqual(expect.arrayContaining(less))
          expect(await now()).toEqual(expect.arrayContaining(less))
        }
      }
      await sql`delete from auth_tokens.api_tokens where id = ${id}`
    }),
    runs,
  )
})

describe('a time that was granted', () => {
  test('ends the session and its JWTs however much it is used', async () => {
    service.clock.stop()
    const workspace = await service.newWorkspace()
    const answer = await approve(service, workspace, {}, { expires_in: 3600 })
    const { session_token, expires_in } = answer
    expect(expires_in).toBe(3600)
    const hash = hashCredential(String(session_token))
    const end = service.clock.seconds() + 3600
    service.clock.offsetSeconds += 3500
    const session = (await lookUp({ kind: 'session', hash })) as Caller
    await Promise.all(service.uses.map(uses => uses.flush()))
    const issued = await service.ask('exchange_session', internal(), { body: { hash } })
    expect(decodeJwt(String(issued.body.access_token)).exp).toBe(end)
    service.clock.offsetSeconds += 100
    expect(await lookUp({ kind: 'session', hash })).toBeNull()
    const { kid } = JSON.parse(
      Buffer.from(String(issued.body.access_token).split('.')[0] ?? '', 'base64url').toString(),
    )
    expect(await lookUp({ kind: 'jwt', session: session.id, kid })).toBeNull()
    const again = await service.ask('exchange_session', internal(), { body: { hash } })
    expect(again.body).toEqual({ outcome: 'invalid_session' })
    // A row whose `expires_at` an earlier release has moved on.
    await service.sql`update auth_tokens.sessions set expires_at = expires_at + interval '1 day' where id = ${session.id}`
    expect(await lookUp({ kind: 'session', hash })).toBeNull()
  })

  test('is in the event of the approval, with permissions and workspace', async () => {
    const workspace = await service.newWorkspace()
    const chosen = { permissions: ['offers:read'], workspace_id: workspace, expires_in: 3600 }
    const { user } = await approve(service, workspace, {}, chosen)
    const [event] = await service.sql`
      select payload from auth_tokens.outbox
      where subject = 'events.device_grants.approved' and payload ->> 'user_id' = ${String(user)}`
    expect(event?.payload).toMatchObject({ granted: chosen })
  })
})

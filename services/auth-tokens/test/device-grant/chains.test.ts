// Whatever is made of an approved session, and of that again, may no more than the session: docs/specification.md, R84, R87, R88.
import { type Caller, maskOfCaller } from '@svc/contract/core/caller'
import { type Permission, permissions, permissionsIn } from '@svc/contract/core/permissions'
import { forFile } from '@svc/testing/for-file'
import { sized, unhurried } from '@svc/testing/size'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shareService } from '../running-service.ts'
import { approve, exchanged, gatewayOf, may } from './narrowing-scene.ts'

const service = forFile(shareService)
let gateway: ReturnType<typeof gatewayOf>
beforeAll(() => {
  gateway = gatewayOf(service)
})
afterAll(() => gateway?.stop())

interface Credential {
  readonly secret: string
  readonly is: 'session' | 'token' | 'jwt'
  readonly id?: string
  /** A JWT may no more than it. */
  readonly subject?: Credential
  /** What was asked for a JWT. */
  readonly scope?: readonly Permission[] | undefined
}

const some = fc.subarray([...permissions], { minLength: 1 })
const choice = fc.option(some, { nil: undefined })
const step = fc.record({
  by: fc.nat(9),
  /** Asks only for what it has. */
  modest: fc.boolean(),
  names: choice,
  does: fc.constantFrom('approve', 'exchange', 'create', 'update', 'rotate', 'wait'),
  seconds: fc.integer({ min: 1, max: 900 }),
})
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never

const eachStep = (['approve', 'create', 'update', 'exchange', 'rotate', 'exchange'] as const).map(
  (does, at): Step => ({ by: at === 5 ? 2 : 0, modest: true, names: undefined, does, seconds: 1 }),
)

const session = fc.oneof(
  choice,
  some.map(names => [...new Set<Permission>([...names, 'api_tokens:write'])]),
)

test('chains of approval, exchange, change, rotation and time never widen', async () => {
  const workspace = await service.newWorkspace()
  service.clock.stop()
  const succeeded = new Set<string>()

  const callerOf = ({ secret }: Credential): Promise<Caller | undefined> =>
    gateway.resolve(secret, workspace, unhurried()).catch(error => {
      if (error.tag !== 'Unauthorized') throw error
      return undefined
    })
  const mayNow = async (credential: Credential) => {
    const caller = await callerOf(credential)
    if (!caller) return []
    const { scope } = credential
    if (scope) expect(scope).toEqual(expect.arrayContaining(permissionsIn(maskOfCaller(caller) ?? '')))
    if (scope) expect(maskOfCaller(caller)).toBeDefined()
    return may(caller)
  }

  async function take({ by, modest, names, does, seconds }: Step, held: readonly Credential[]) {
    const actor = held[by % held.length] as Credential
    const caller = await callerOf(actor)
    if (does === 'wait') service.clock.offsetSeconds += seconds
    if (does === 'wait' || !caller) return undefined
    const mask = maskOfCaller(caller)
    const has = mask && permissionsIn(mask)
    const wanted = modest && has ? (names?.filter(name => has.includes(name)) ?? has) : names
    if (wanted?.length === 0) return undefined
    if (does === 'exchange') {
      const { access_token } = await exchanged(service, actor.secret, wanted)
      return access_token
        ? ({ is: 'jwt', secret: String(access_token), subject: actor, scope: wanted } as const)
        : undefined
    }
    if (does === 'approve') {
      const { session_token } = await approve(service, workspace, {}, { permissions: wanted }, caller)
      return session_token ? ({ is: 'session', secret: String(session_token) } as const) : undefined
    }
    const id = held.findLast(one => one.is === 'token')?.id
    if (does !== 'create' && !id) return undefined
    const { status, body } = await service.ask(`${does}_api_token` as 'create_api_token', caller, {
      params: id && does !== 'create' ? { id } : {},
      body: {
        ...(does === 'create' && { name: 'n', permissions: wanted }),
        ...(does === 'update' && { permissions: wanted ?? null }),
        ...(does === 'rotate' && { grace_seconds: seconds % 2 ? seconds : 0 }),
      },
    })
    if (status >= 300) return undefined
    if (does === 'update') succeeded.add(does)
    return does === 'update'
      ? undefined
      : ({ is: 'token', secret: String(body.token), id: String(body.id) } as const)
  }

  await fc.assert(
    fc.asyncProperty(session, fc.array(step, { minLength: 4, maxLength: 10 }), async (names, chain) => {
      service.clock.offsetSeconds = 0
      const { session_token } = await approve(service, workspace, {}, { permissions: names })
      const origin: Credential = { is: 'session', secret: String(session_token) }
      const held = [origin]
      const most = await mayNow(origin)
      for (const one of chain) {
        const made = await take(one, held)
        if (made) {
          held.push(made)
          succeeded.add(made.is === 'jwt' ? `exchange of a ${made.subject.is}` : one.does)
        }
        const now = new Map(await Promise.all(held.map(async one => [one, await mayNow(one)] as const)))
        for (const [{ subject }, operations] of now) {
          expect(most).toEqual(expect.arrayContaining(operations))
          if (subject) expect(now.get(subject)).toEqual(expect.arrayContaining(operations))
        }
      }
      await service.sql`delete from auth_tokens.api_tokens where workspace_id = ${workspace}`
    }),
    { numRuns: sized(8, 400), examples: [[undefined, eachStep]] },
  )
  service.clock.offsetSeconds = 0
  const all = ['approve', 'create', 'exchange of a session', 'exchange of a token', 'rotate', 'update']
  expect([...succeeded].sort()).toEqual(all)
})

// Gateways, the bus and auth-tokens at their worst: of what is sent after the reply to a revocation nothing is accepted.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { leaseMs } from '@svc/contract/auth-tokens/leases'
import type { Program } from '@svc/local/programs'
import { waitUntil } from '@svc/local/wait-until'
import { patience, sized } from '@svc/testing/size'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { expectRevoked, hammer } from '../../../services/gateway/test/hammer.ts'
import {
  asOwner,
  expectRefused,
  gateways,
  internal,
  newPerson,
  newSession,
  newToken,
  product,
  send,
  takeSigningKey,
  type Token,
  type Use,
  useOfKey,
  warm,
} from './scene.ts'

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
const rounds = Array.from({ length: sized(2, 50) }, (_, at) => at)
const workspace = () => product.dev.workspace_id

async function remove({ id }: Token, gateway = 0) {
  const began = performance.now()
  const { status } = await asOwner('DELETE', `/api_tokens/${id}`, gateway)
  return { status, ms: performance.now() - began }
}

const isGone = async ({ id }: Token) =>
  (await product.sql`select from auth_tokens.api_tokens where id = ${id}`).length === 0

/** It says and hears nothing until `thaw`, or the end of the test. */
function freeze(program: Program | undefined) {
  program?.kill('SIGSTOP')
  const thaw = () => program?.kill('SIGCONT')
  onTestFinished(thaw)
  return thaw
}

describe('while many use it', () => {
  /** @returns what is in use, how it ends, and what it is answered then */
  type Kind = (round: number) => Promise<[use: Use, end: () => Promise<unknown>, refusedWith: number]>
  const deleted = (path: string, round: number) => async () =>
    expect((await asOwner('DELETE', path, round % 2)).status).toBe(204)
  const kinds: Record<string, Kind> = {
    async 'a token that is deleted'(round) {
      const { id, use } = await newToken()
      return [use, deleted(`/api_tokens/${id}`, round), 401]
    },
    async 'a token that is rotated'(round) {
      const { id, use } = await newToken()
      const rotate = async () =>
        expect((await asOwner('POST', `/api_tokens/${id}/rotate`, round % 2)).status).toBe(200)
      return [use, rotate, 401]
    },
    async 'a session that is ended'(round) {
      const { id, use, useOfJwt } = await newSession(await newPerson('member'))
      const end = { ...useOfJwt, method: 'DELETE', path: `/sessions/${id}` }
      return [use, async () => expect(await send(end, round % 2)).toBe(204), 401]
    },
    async 'a member who is removed'(round) {
      const { user, email } = await newPerson('member')
      const { use } = await newSession({ user, email })
      return [use, deleted(`/workspaces/${workspace()}/members/${user}`, round), 403]
    },
    async 'a key that is removed'() {
      const key = takeSigningKey()
      const session = await newSession(await newPerson('member'))
      const body = { kid: key.kid }
      const end = () =>
        invoke(product.backoffice, authTokens, 'remove_signing_key', { caller: internal(), body })
      const use = useOfKey(key, session)
      await warm(use)
      return [use, end, 401]
    },
  }

  test.each(Object.entries(kinds))(
    'nothing is accepted of %s, sent after the reply',
    async (_name, kind) => {
      for (const round of rounds) {
        const [use, end, refusedWith] = await kind(round)
        expectRevoked(await hammer(product.baseUrls, use.headers, end), refusedWith)
      }
    },
    patience(sized(60_000, 600_000)),
  )

  test(
    'nothing is accepted as an admin who has become a member, sent after the reply',
    async () => {
      for (const round of rounds) {
        const { user, email } = await newPerson('admin')
        const { use } = await newSession({ user, email })
        const asAdmin: Use = {
          ...use,
          headers: { ...use.headers, 'content-type': 'application/json' },
          method: 'POST',
          path: '/api_tokens',
        }
        const outcomes: { sentAt: number; status: number }[] = []
        let stopped = false
        const asking = Array.from({ length: sized(4, 40) }, async (_, at) => {
          while (!stopped) {
            const sentAt = performance.now()
            outcomes.push({ sentAt, status: await send(asAdmin, at % 2) })
          }
        })
        const answered = (count: number) =>
          expect.poll(() => outcomes.length, { interval: 5 }).toBeGreaterThan(count)
        let repliedAt = 0
        try {
          await answered(20)
          const path = `/workspaces/${workspace()}/members/${user}`
          expect((await asOwner('PATCH', path, round % 2, { role: 'member' })).status).toBe(200)
          repliedAt = performance.now()
          await answered(outcomes.length + 40)
        } finally {
          stopped = true
          await Promise.all(asking)
        }
        const after = outcomes.filter(({ sentAt }) => sentAt > repliedAt)
        expect(after.length).toBeGreaterThan(0)
        expect(after.filter(({ status }) => status !== 403)).toEqual([])
        expect(outcomes.filter(({ status }) => status !== 403 && status !== 400)).toEqual([])
      }
    },
    patience(sized(60_000, 600_000)),
  )
})

test(
  'a revocation is answered within 50 ms where every gateway answers',
  async () => {
    const times: number[] = []
    for (let n = 0; n < sized(9, 100); n++) {
      const token = await newToken()
      await warm(token.use)
      const { status, ms } = await remove(token, n % 2)
      expect(status).toBe(204)
      times.push(ms)
    }
    expect(median(times)).toBeLessThan(patience(50))
  },
  patience(120_000),
)

test(
  'a gateway that is frozen is waited for, until its lease has ended, and accepts nothing afterwards',
  async () => {
    const token = await newToken()
    await warm(token.use)
    const thaw = freeze(product.stack.gateways[1])
    const frozenAt = performance.now()
    const { status, ms } = await remove(token)
    expect(status).toBe(204)
    expect(ms).toBeGreaterThan(1000)
    expect(ms).toBeLessThan(leaseMs + 500 + patience(500))
    const held = Array.from({ length: 20 }, () => send(token.use, 1))
    expect(await send(token.use, 0)).toBe(401)
    // What is revoked meanwhile is not held up any more: nobody waits twice for the same standstill.
    const second = await newToken()
    expect((await remove(second)).ms).toBeLessThan(patience(1000))
    await delay(Math.max(0, sized(4000, 10_000) - (performance.now() - frozenAt)))
    thaw()
    // After some seconds the bus has given the gateway up, and it has to come back first.
    const answers = await Promise.all(held)
    expect(answers.filter(status => status !== 401 && status !== 503)).toEqual([])
    await waitUntil('the gateway to be back', async () => (await send(token.use, 1)) !== 503)
    await expectRefused(token.use)
  },
  patience(60_000),
)

test(
  'auth-tokens dies between the change and its recall: what the repetition has answered is dead',
  async () => {
    const token = await newToken()
    await warm(token.use)
    // So that the recall is under way for long enough.
    const thaw = freeze(product.stack.gateways[1])
    const removing = remove(token)
    await waitUntil('the row to be gone', () => isGone(token), { everyMs: 1 })
    const replicas = product.stack.processes['auth-tokens']
    for (const replica of replicas) replica.kill('SIGKILL')
    thaw()
    const { status } = await removing
    expect(status).toBeGreaterThanOrEqual(500)
    await Promise.all(
      replicas.map(async replica => {
        await waitUntil(`the end of ${replica.name}`, () => !replica.running())
        await replica.start(patience(30_000))
      }),
    )
    let repeated = 0
    await waitUntil('the repetition', async () => {
      repeated = (await remove(token)).status
      return repeated < 500
    })
    expect(repeated).toBe(404)
    await expectRefused(token.use)
  },
  patience(90_000),
)

test(
  'the bus dies during a recall: what the repetition has answered is dead',
  async () => {
    const token = await newToken()
    await warm(token.use)
    const thaw = freeze(product.stack.gateways[1])
    const removing = remove(token)
    await waitUntil('the row to be gone', () => isGone(token), { everyMs: 1 })
    const { nats } = product.stack
    await nats?.kill('SIGKILL')
    thaw()
    expect((await removing).status).toBeGreaterThanOrEqual(500)
    await nats?.restart()
    let repeated = 0
    await waitUntil('the repetition', async () => {
      repeated = (await remove(token)).status
      return repeated < 500
    })
    expect(repeated).toBe(404)
    const statuses = async () => Promise.all(gateways().map(gateway => send(token.use, gateway)))
    // A gateway that is not back yet answers 503; no gateway answers 200.
    await waitUntil('every gateway to be back', async () => {
      const all = await statuses()
      expect(all).not.toContain(200)
      return all.every(status => status === 401)
    })
  },
  patience(90_000),
)

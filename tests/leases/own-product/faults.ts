// Gateways, the bus and auth-tokens at their worst: of what is sent after the reply to a revocation nothing is accepted.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { leaseMs, waitMarginMs } from '@svc/contract/auth-tokens/leases'
import type { Program } from '@svc/local/programs'
import { waitUntil } from '@svc/local/wait-until'
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
  own,
  product,
  send,
  takeSigningKey,
  type Token,
  type Use,
  useOfKey,
  warm,
} from './scene.ts'

/** A change by each gateway. */
const rounds = [0, 1]
const workspace = () => product.dev.workspace_id

const remove = async ({ id }: Token, gateway = 0) =>
  (await asOwner('DELETE', `/api_tokens/${id}`, gateway)).status

const isGone = async ({ id }: Token) =>
  (await product.sql`select from auth_tokens.api_tokens where id = ${id}`).length === 0

/** It says and hears nothing until `thaw`, or the end of the test. */
function freeze(program: Program | undefined) {
  program?.kill('SIGSTOP')
  const thaw = () => program?.kill('SIGCONT')
  onTestFinished(thaw)
  return thaw
}

/** Lets all leases last for an hour, for this test: whoever waits for one waits for longer than anything else takes. */
async function lengthenLeases(): Promise<void> {
  const lastFor = (seconds: number) => own.sql`
    update auth_tokens.lease_holders set until = clock_timestamp() + make_interval(secs => ${seconds})`
  onTestFinished(async () => void (await lastFor(leaseMs / 1000)))
  await lastFor(3600)
}

/** The gateways whose lease ended 250 ms ago, to a millisecond. */
async function pastHolders() {
  const rows = await product.sql`
    select id from auth_tokens.lease_holders
    where until + make_interval(secs => ${(waitMarginMs - 1) / 1000}) <= clock_timestamp()`
  return rows.map(({ id }) => id)
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

  test.each(Object.entries(kinds))('nothing is accepted of %s, sent after the reply', async (_name, kind) => {
    for (const round of rounds) {
      const [use, end, refusedWith] = await kind(round)
      expectRevoked(await hammer(product.baseUrls, use.headers, end), refusedWith)
    }
  })

  test('nothing is accepted as an admin who has become a member, sent after the reply', async () => {
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
      const asking = Array.from({ length: 40 }, async (_, at) => {
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
  })
})

test('a revocation waits for no lease where every gateway answers', async () => {
  for (const gateway of gateways()) {
    const token = await newToken()
    await warm(token.use)
    await lengthenLeases()
    expect(await remove(token, gateway)).toBe(204)
  }
})

test('a gateway that is frozen is waited for, until its lease has ended, and accepts nothing afterwards', async () => {
  const token = await newToken()
  await warm(token.use)
  const before = await pastHolders()
  const thaw = freeze(own.stack.gateways[1])
  expect(await remove(token)).toBe(204)
  expect((await pastHolders()).filter(id => !before.includes(id))).not.toEqual([])
  const held = Array.from({ length: 20 }, () => send(token.use, 1))
  expect(await send(token.use, 0)).toBe(401)
  expect(await remove(await newToken())).toBe(204)
  // Long enough for the bus to give the gateway up.
  await delay(10_000)
  thaw()
  // It may have to come back to the bus first.
  const answers = await Promise.all(held)
  expect(answers.filter(status => status !== 401 && status !== 503)).toEqual([])
  await waitUntil('the gateway to be back', async () => (await send(token.use, 1)) !== 503)
  await expectRefused(token.use)
})

test('auth-tokens dies between the change and its recall: what the repetition has answered is dead', async () => {
  const token = await newToken()
  await warm(token.use)
  // The recall must still be under way when what it needs dies.
  await lengthenLeases()
  const thaw = freeze(own.stack.gateways[1])
  let answered: number | undefined
  remove(token).then(
    status => {
      answered = status
    },
    () => {},
  )
  await waitUntil('the row to be gone', () => isGone(token), { everyMs: 1 })
  const replicas = own.stack.processes['auth-tokens']
  for (const replica of replicas) replica.kill('SIGKILL')
  await waitUntil('their end', () => replicas.every(replica => !replica.running()))
  // The gateway gives it up later.
  expect(answered).toBeUndefined()
  thaw()
  await Promise.all(replicas.map(replica => replica.start()))
  let repeated = 0
  await waitUntil('the repetition', async () => {
    repeated = await remove(token)
    return repeated < 500
  })
  expect(repeated).toBe(404)
  await expectRefused(token.use)
})

test('the bus dies during a recall: what the repetition has answered is dead', async () => {
  const token = await newToken()
  await warm(token.use)
  // The recall must still be under way when what it needs dies.
  await lengthenLeases()
  const thaw = freeze(own.stack.gateways[1])
  const removing = remove(token)
  await waitUntil('the row to be gone', () => isGone(token), { everyMs: 1 })
  const { nats } = own.stack
  await nats?.kill('SIGKILL')
  thaw()
  expect(await removing).toBeGreaterThanOrEqual(500)
  await nats?.restart()
  let repeated = 0
  await waitUntil('the repetition', async () => {
    repeated = await remove(token)
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
})

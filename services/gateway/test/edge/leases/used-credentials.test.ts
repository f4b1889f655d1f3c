// Last uses of credentials that nobody was asked about, on their way to auth-tokens.
import { maxUses } from '@svc/contract/auth-tokens/leases'
import { maskOf } from '@svc/contract/core/permissions'
import type { Caller } from '@svc/contract/core/caller'
import { beforeEach, expect, test } from 'vitest'
import { type UsedCredentials, createUsedCredentials } from '../../../src/edge/leases/used-credentials.ts'

const token = (id: string): Caller => ({ kind: 'api_token', id, workspace: 'ws_1', role: 'member' })
const session = (id: string): Caller => ({ kind: 'session', id, user: 'user_1' })
const jwt = (id: string): Caller => ({ kind: 'jwt', id, user: 'user_1' })

let uses: UsedCredentials
beforeEach(() => {
  uses = createUsedCredentials()
})

test('the last use of each token and session is told once', () => {
  uses.add(token('tok_1'), 10)
  uses.add(token('tok_1'), 12)
  uses.add(token('tok_1'), 11)
  uses.add(session('sess_1'), 10)
  expect(uses.take()).toEqual({
    api_tokens: [{ id: 'tok_1', at: 12 }],
    sessions: [{ id: 'sess_1', at: 10 }],
    refusals: [],
  })
  expect(uses.take()).toEqual({ api_tokens: [], sessions: [], refusals: [] })
})

test('the use of a JWT is one of its session; a JWT of an outside issuer has none', () => {
  uses.add(jwt('sess_1'), 10)
  uses.add(jwt('user_1'), 10)
  uses.add({ kind: 'internal', id: 'backoffice' }, 10)
  expect(uses.take()).toEqual({ api_tokens: [], sessions: [{ id: 'sess_1', at: 10 }], refusals: [] })
})

test('what could not be told is told later, and a newer use counts', () => {
  uses.add(token('tok_1'), 10)
  uses.add(session('sess_1'), 10)
  const lost = uses.take()
  uses.add(token('tok_1'), 20)
  uses.giveBack(lost)
  expect(uses.take()).toEqual({
    api_tokens: [{ id: 'tok_1', at: 20 }],
    sessions: [{ id: 'sess_1', at: 10 }],
    refusals: [],
  })
})

test('a message has no more of them than the contract allows, and the rest follows', () => {
  for (let n = 0; n < maxUses + 1; n++) {
    uses.add(token(`tok_${n}`), n)
    uses.add(session(`sess_${n}`), n)
  }
  const first = uses.take()
  expect([first.api_tokens.length, first.sessions.length]).toEqual([maxUses, maxUses])
  expect(uses.take()).toEqual({
    api_tokens: [{ id: `tok_${maxUses}`, at: maxUses }],
    sessions: [{ id: `sess_${maxUses}`, at: maxUses }],
    refusals: [],
  })
})

test('past a bound further ones are not gathered, and those that are known go on', () => {
  for (let n = 0; n < 60_000; n++) uses.add(token(`tok_${n}`), 1)
  uses.add(token('tok_0'), 2)
  const taken = []
  for (let batch = uses.take(); batch.api_tokens.length > 0; batch = uses.take()) {
    taken.push(...batch.api_tokens)
  }
  expect(taken).toHaveLength(50_000)
  expect(taken.find(({ id }) => id === 'tok_0')?.at).toBe(2)
})

test('permissions of a token travel with its last use, also of one that was looked up, and none is lost', () => {
  uses.add(token('tok_1'), 10)
  for (const permission of ['offers:read', 'orders:read', 'offers:read'] as const) {
    uses.used(token('tok_1'), permission)
  }
  uses.used(token('tok_2'), 'limits:read')
  uses.used(session('sess_1'), 'limits:read')
  const taken = uses.take()
  expect(taken).toEqual({
    api_tokens: [
      { id: 'tok_1', at: 10, used: maskOf(['offers:read', 'orders:read']) },
      { id: 'tok_2', at: expect.any(Number), used: maskOf(['limits:read']) },
    ],
    sessions: [],
    refusals: [],
  })
  uses.used(token('tok_1'), 'events:read')
  uses.giveBack(taken)
  expect(uses.take().api_tokens[0]?.used).toBe(maskOf(['offers:read', 'orders:read', 'events:read']))
  expect(uses.take().api_tokens).toEqual([])
})

test('a token that is refused is counted for each reason and address; people are not', () => {
  const how = { reason: 'role_too_low', request_id: 'req_1', address: '192.0.2.1' }
  uses.refused(token('tok_1'), how)
  uses.refused(token('tok_1'), { ...how, request_id: 'req_2' })
  uses.refused(token('tok_1'), { ...how, address: '192.0.2.2' })
  uses.refused(session('sess_1'), how)
  const { refusals } = uses.take()
  const refused = { token: 'tok_1', workspace: 'ws_1', name: null, ...how }
  expect(refusals).toEqual([
    { ...refused, count: 2 },
    { ...refused, address: '192.0.2.2', count: 1 },
  ])
  uses.refused(token('tok_1'), how)
  uses.giveBack({ api_tokens: [], sessions: [], refusals })
  expect(uses.take().refusals[0]?.count).toBe(3)
})

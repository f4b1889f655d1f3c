// Sessions of a person: listed, ended, expired; and a client that revokes its own token.
import { forFile } from '@svc/testing/for-file'
import type { Caller } from '@svc/contract/core/caller'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { absoluteLifetimeSeconds, slidingLifetimeSeconds } from '../../src/sessions/session-lifetime.ts'
import { internal, shareService } from '../running-service.ts'

const day = 86_400

const service = forFile(shareService)
beforeAll(async () => {
  await service.ask('put_oauth_client', internal(), { body: { id: 'other-cli', name: 'Other' } })
})
afterEach(() => {
  service.clock.offsetSeconds = 0
})

type Session = { id: string; token: string; expires_at: number }

async function open(user_id: string): Promise<Session> {
  const { body } = await service.ask('create_session', internal(), { body: { user_id } })
  return body as unknown as Session
}
const as = (user: string, id: string, kind: 'session' | 'jwt' = 'session'): Caller => ({ kind, id, user })
const list = async (caller: Caller, query: Record<string, string> = {}) => {
  const { status, body } = await service.ask('list_sessions', caller, { query })
  expect(status).toBe(200)
  return body as unknown as {
    data: { id: string; current: boolean; expires_at: number }[]
    next_cursor: string | null
  }
}
const ids = async (caller: Caller) => (await list(caller)).data.map(({ id }) => id)
const holder = async (token: string) => {
  const lookups = [{ kind: 'session', hash: hashCredential(token) }]
  const { body } = await service.ask('resolve_credentials', internal(), { body: { lookups } })
  return (body.callers as (Caller | null)[])[0] ?? null
}
const end = async (caller: Caller, id: string) => service.ask('end_session', caller, { params: { id } })

describe('the list', () => {
  test('shows where each was opened, newest first, and which one is current', async () => {
    const user = await service.newUser()
    const first = await open(user)
    const second = await open(user)
    await service.sql`
      update auth_tokens.sessions set client_id = 'svc-cli', address = '192.0.2.1', user_agent = 'cli/1'
      where id = ${first.id}`
    await open(await service.newUser())
    const { data, next_cursor } = await list(as(user, first.id))
    const common = {
      created_at: expect.any(Number),
      last_used_at: null,
      workspace_id: null,
      permissions: null,
      auth_time: expect.any(Number),
      amr: [],
    }
    expect(data).toEqual([
      {
        ...common,
        id: second.id,
        client: null,
        address: null,
        user_agent: null,
        expires_at: second.expires_at,
        current: false,
      },
      {
        ...common,
        id: first.id,
        client: { id: 'svc-cli', name: 'svc command line' },
        address: '192.0.2.1',
        user_agent: 'cli/1',
        expires_at: first.expires_at,
        current: true,
      },
    ])
    expect(next_cursor).toBeNull()
  })

  test('with a JWT, the session that was exchanged for it is the current one', async () => {
    const user = await service.newUser()
    const { id } = await open(user)
    expect((await list(as(user, id, 'jwt'))).data).toMatchObject([{ id, current: true }])
    // A JWT of an outside issuer has no session here.
    expect((await list(as(user, user, 'jwt'))).data).toMatchObject([{ id, current: false }])
  })

  test('pages without gaps or repetition while sessions are opened', async () => {
    const user = await service.newUser()
    const opened = (await Promise.all(Array.from({ length: 12 }, () => open(user)))).map(({ id }) => id)
    const seen: string[] = []
    let cursor: string | undefined
    do {
      const page = await list(as(user, 'none'), { limit: '5', ...(cursor && { cursor }) })
      seen.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor ?? undefined
      await open(user)
    } while (cursor)
    expect(seen).toEqual([...opened].sort().reverse())
  })

  test('omits a session from the same second on in which it is refused', async () => {
    service.clock.stop()
    const user = await service.newUser()
    const { id, token } = await open(user)
    service.clock.offsetSeconds = slidingLifetimeSeconds - 1
    expect(await ids(as(user, id))).toEqual([id])
    expect(await holder(token)).toMatchObject({ id })
    service.clock.offsetSeconds = slidingLifetimeSeconds
    expect(await ids(as(user, id))).toEqual([])
    expect(await holder(token)).toBeNull()
  })

  test('a session in constant use is extended, but ends after 180 days', async () => {
    service.clock.stop()
    const user = await service.newUser()
    const { id, token } = await open(user)
    const opened = service.clock.seconds()
    for (let days = 20; days < 180; days += 20) {
      service.clock.offsetSeconds = days * day
      expect(await holder(token)).toMatchObject({ id })
      await Promise.all(service.uses.map(uses => uses.flush()))
      const [session] = (await list(as(user, id))).data
      const expected = Math.min(days * day + slidingLifetimeSeconds, absoluteLifetimeSeconds) + opened
      expect(session?.expires_at).toBe(expected)
    }
    service.clock.offsetSeconds = absoluteLifetimeSeconds
    expect(await ids(as(user, id))).toEqual([])
    expect(await holder(token)).toBeNull()
  })

  test('even a session stored with a later expiry is listed as ending, and ends, on day 180', async () => {
    service.clock.stop()
    const user = await service.newUser()
    const { id, token } = await open(user)
    await service.sql`
      update auth_tokens.sessions set expires_at = now() + interval '400 days' where id = ${id}`
    const [session] = (await list(as(user, id))).data
    expect(session?.expires_at).toBe(service.clock.seconds() + absoluteLifetimeSeconds)
    service.clock.offsetSeconds = absoluteLifetimeSeconds
    expect(await ids(as(user, id))).toEqual([])
    expect(await holder(token)).toBeNull()
  })
})

describe('ending', () => {
  test('one of the caller’s own sessions: its token is refused from the reply on', async () => {
    const user = await service.newUser()
    const [one, other] = [await open(user), await open(user)]
    expect((await end(as(user, other.id), one.id)).status).toBe(204)
    expect(await holder(one.token)).toBeNull()
    expect(await ids(as(user, other.id))).toEqual([other.id])
  })

  test.each(['session', 'jwt'] as const)('`current` with a %s ends the current one', async kind => {
    const user = await service.newUser()
    const [one, other] = [await open(user), await open(user)]
    expect((await end(as(user, one.id, kind), 'current')).status).toBe(204)
    expect(await ids(as(user, other.id))).toEqual([other.id])
  })

  test('`current` with a JWT of an outside issuer is 404', async () => {
    const user = await service.newUser()
    const { id } = await open(user)
    expect((await end(as(user, user, 'jwt'), 'current')).status).toBe(404)
    expect(await ids(as(user, id))).toEqual([id])
  })

  test('someone else’s is answered exactly like one that never existed, and does nothing', async () => {
    const [user, stranger] = [await service.newUser(), await service.newUser()]
    const { id } = await open(user)
    const foreign = await end(as(stranger, newId('sess')), id)
    expect(foreign.status).toBe(404)
    expect(foreign).toEqual(await end(as(stranger, newId('sess')), newId('sess')))
    expect(await ids(as(user, id))).toEqual([id])
  })

  test('one of 20 concurrent requests ends it, the others get 404', async () => {
    const user = await service.newUser()
    const { id } = await open(user)
    const answers = await Promise.all(Array.from({ length: 20 }, () => end(as(user, id), id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, ...Array(19).fill(404)])
  })
})

describe('revoking by token (RFC 7009)', () => {
  const revoke = async (token: string, client_id?: string) => {
    const { status, body } = await service.ask('revoke_token', internal(), {
      body: { hash: hashCredential(token), client_id },
    })
    expect(status).toBe(200)
    return body.outcome
  }
  async function openFor(client: string | null) {
    const session = await open(await service.newUser())
    await service.sql`update auth_tokens.sessions set client_id = ${client} where id = ${session.id}`
    return session
  }

  test.each([
    ['the client that it was issued to', 'svc-cli', 'svc-cli', 'ended'],
    ['no client', 'svc-cli', undefined, 'ended'],
    ['no client, for a session of a browser', null, undefined, 'ended'],
    ['another client', 'svc-cli', 'other-cli', 'other_client'],
    ['a client, for a session of a browser', null, 'svc-cli', 'other_client'],
    ['an unregistered client', 'svc-cli', 'nobody', 'invalid_client'],
  ])('by %s', async (_who, issuedTo, by, outcome) => {
    const { token } = await openFor(issuedTo)
    expect(await revoke(token, by)).toBe(outcome)
    expect(await holder(token)).toEqual(outcome === 'ended' ? null : expect.anything())
  })

  test('an unknown token, with or without a client', async () => {
    expect(await revoke(createSessionToken())).toBe('unknown')
    expect(await revoke(createSessionToken(), 'svc-cli')).toBe('unknown')
    expect(await revoke(createSessionToken(), 'nobody')).toBe('invalid_client')
  })

  test('none of 20 concurrent revocations by its own client is answered as another client’s', async () => {
    const { token } = await openFor('svc-cli')
    const outcomes = await Promise.all(Array.from({ length: 20 }, () => revoke(token, 'svc-cli')))
    expect(new Set(outcomes.filter(outcome => outcome !== 'unknown'))).toEqual(new Set(['ended']))
    expect(await holder(token)).toBeNull()
  })
})

import { forFile } from '@svc/testing/for-file'
import { hashCredential } from '@svc/runtime/credential'
import { openDatabase } from '@svc/runtime/database'
import { sized } from '@svc/testing/size'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRecordUse } from '../../src/credentials/record-use.ts'
import { internal, shareService } from '../running-service.ts'

const day = 24 * 60 * 60

const service = forFile(shareService)
beforeEach(() => service.clock.stop())
afterEach(() => {
  service.clock.offsetSeconds = 0
})

const flush = () => Promise.all(service.uses.map(uses => uses.flush()))

/** Looks up the holders of credentials, as the gateway does; null for an unknown one. */
async function resolve(kind: 'api_token' | 'session', ...credentials: string[]) {
  const lookups = credentials.map(credential => ({ kind, hash: hashCredential(credential) }))
  const { body } = await service.ask('resolve_credentials', internal(), {
    body: { lookups, checks_addresses: true },
  })
  return body.callers as ({ id: string } | null)[]
}

async function newToken(expires_at?: number, allowed_addresses?: string[]) {
  const workspace = await service.newWorkspace()
  const { body } = await service.ask('create_api_token', internal(workspace), {
    body: { name: 'n', expires_at, allowed_addresses },
  })
  return { id: String(body.id), token: String(body.token) }
}

async function newSession() {
  const user_id = await service.newUser()
  const { body } = await service.ask('create_session', internal(), { body: { user_id } })
  return {
    id: String(body.id),
    user: user_id,
    token: String(body.token),
    expires_at: Number(body.expires_at),
  }
}

async function row(table: 'api_tokens' | 'sessions', id: string) {
  const [found] = await service.sql`
    select extract(epoch from last_used_at)::int as last_used_at, extract(epoch from expires_at)::int as expires_at,
      extract(epoch from created_at)::int as created_at
    from auth_tokens.${service.sql(table)} where id = ${id}`
  return found
}

describe('the last use of a token', () => {
  test('is left to the gateway where only that knows whether the address is accepted', async () => {
    const { id, token } = await newToken(undefined, ['203.0.113.0/24'])
    expect(await resolve('api_token', token)).toMatchObject([{ id }])
    const body = { hash: hashCredential(token) }
    expect((await service.ask('exchange_session', internal(), { body })).body.outcome).toBe('issued')
    await flush()
    expect((await row('api_tokens', id))?.last_used_at).toBeNull()
  })

  test('is not written by requests, and for all of them by one flush', async () => {
    const tokens = await Promise.all(Array.from({ length: sized(15, 50) }, () => newToken()))
    for (let at = 0; at < 3; at++) await resolve('api_token', ...tokens.map(({ token }) => token))
    expect((await row('api_tokens', tokens[0]?.id ?? ''))?.last_used_at).toBeNull()
    await flush()
    const ids = tokens.map(({ id }) => id)
    const used = await service.sql`
      select distinct extract(epoch from last_used_at)::int as at from auth_tokens.api_tokens where id in ${service.sql(ids)}`
    expect(used).toEqual([{ at: service.clock.seconds() }])
  })

  test('only moves forward', async () => {
    const { id, token } = await newToken()
    const began = service.clock.seconds()
    for (const offset of [1000, 500, 1000, 999]) {
      service.clock.offsetSeconds = offset
      await resolve('api_token', token)
      await flush()
    }
    expect((await row('api_tokens', id))?.last_used_at).toBeGreaterThanOrEqual(began + 1000)
  })

  test('is the latest of all replicas, whichever writes first', async () => {
    const { id, token } = await newToken()
    const seconds = service.clock.seconds()
    const [one, other] = service.uses
    one?.apiToken(id, seconds + 10)
    other?.apiToken(id, seconds + 20)
    await other?.flush()
    await one?.flush()
    expect((await row('api_tokens', id))?.last_used_at).toBe(seconds + 20)
    expect(await resolve('api_token', token)).toMatchObject([{ id }])
  })

  test('does not bring back a token that was revoked meanwhile', async () => {
    const { id, token } = await newToken()
    await resolve('api_token', token)
    await service.sql`delete from auth_tokens.api_tokens where id = ${id}`
    await flush()
    expect(await row('api_tokens', id)).toBeUndefined()
  })

  test('is written by concurrent replicas without a deadlock', async () => {
    const tokens = await Promise.all(Array.from({ length: sized(20, 40) }, () => newToken()))
    const ids = tokens.map(({ id }) => id)
    const seconds = service.clock.seconds()
    const rounds = sized(5, 10)
    for (let round = 1; round <= rounds; round++) {
      for (const id of ids) service.uses[0]?.apiToken(id, seconds + round)
      for (const id of [...ids].reverse()) service.uses[1]?.apiToken(id, seconds + round)
      await flush()
    }
    const used = await service.sql`
      select distinct extract(epoch from last_used_at)::int as at from auth_tokens.api_tokens where id in ${service.sql(ids)}`
    expect(used.map(({ at }) => at)).toEqual([seconds + rounds])
  })

  test('is written next time if it could not be written', async () => {
    const { id } = await newToken()
    const config = { DATABASE_POOL_SIZE: 1, DATABASE_QUEUE_LIMIT: 10 }
    const absent = openDatabase({ ...config, DATABASE_URL: 'postgres://svc@127.0.0.1:1/svc' })
    const present = openDatabase({ ...config, DATABASE_URL: service.databaseUrl })
    try {
      let database = absent
      const uses = createRecordUse(() => database.sql)
      const seconds = service.clock.seconds()
      uses.apiToken(id, seconds)
      await expect(uses.flush()).rejects.toMatchObject({ tag: 'Unavailable' })
      expect((await row('api_tokens', id))?.last_used_at).toBeNull()
      database = present
      await uses.flush()
      expect((await row('api_tokens', id))?.last_used_at).toBe(seconds)
    } finally {
      await Promise.all([absent.close(), present.close()])
    }
  })
})

describe('an expiring token', () => {
  test('is valid until the second of its expiry, and not in that second', async () => {
    const expires_at = service.clock.seconds() + 1000
    const { id, token } = await newToken(expires_at)
    service.clock.offsetSeconds += expires_at - service.clock.seconds() - 1
    expect(await resolve('api_token', token)).toMatchObject([{ id }])
    service.clock.offsetSeconds += expires_at - service.clock.seconds()
    expect(await resolve('api_token', token)).toEqual([null])
  })

  test('records no use once it has expired', async () => {
    const { id, token } = await newToken(service.clock.seconds() + 10)
    service.clock.offsetSeconds = 20
    await resolve('api_token', token)
    await flush()
    expect((await row('api_tokens', id))?.last_used_at).toBeNull()
  })
})

describe('a session', () => {
  test('is not shortened by an earlier use that is written late', async () => {
    const { id } = await newSession()
    const seconds = service.clock.seconds()
    service.uses[0]?.session(id, seconds + 10 * day)
    await flush()
    service.uses[1]?.session(id, seconds + 5 * day)
    await flush()
    expect(await row('sessions', id)).toMatchObject({
      last_used_at: seconds + 10 * day,
      expires_at: seconds + 40 * day,
    })
  })
})

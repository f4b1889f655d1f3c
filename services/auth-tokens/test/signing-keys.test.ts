// The keys that sign JWTs: made once however many replicas start, rotated without a moment in which a token that was
// issued is refused, removed with effect from the reply on.
import { hashCredential } from '@svc/runtime/credential'
import { openDatabase } from '@svc/runtime/database'
import { type JSONWebKeySet, calculateJwkThumbprint, createLocalJWKSet, decodeJwt, jwtVerify } from 'jose'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { purge } from '../src/purge.ts'
import { ensureSigningKeys, nextKeyKnownForSeconds, retiredForSeconds } from '../src/signing-keys.ts'
import { type Answer, type RunningService, internal, runService } from './running-service.ts'

const issuer = 'https://svc.test'
const day = 24 * 60 * 60

let service: RunningService
beforeAll(async () => {
  service = await runService()
})
afterAll(() => service?.stop())
beforeEach(() => {
  // Every rotation needs its time: the clock only moves on, by more than the keys before have lived.
  service.clock.offsetSeconds += 2 * retiredForSeconds
})

interface ListedKey {
  readonly kid: string
  readonly state: 'next' | 'active' | 'retired'
  readonly public_jwk: Record<string, string>
  readonly created_at: number
}

async function listed(): Promise<ListedKey[]> {
  const { status, body } = await service.ask('list_signing_keys', internal())
  expect(status).toBe(200)
  return body.keys as ListedKey[]
}

const kidOf = (keys: readonly ListedKey[], state: ListedKey['state']) =>
  keys.find(key => key.state === state)?.kid
const jwks = (keys: readonly ListedKey[]) =>
  createLocalJWKSet({ keys: keys.map(({ public_jwk }) => public_jwk) } as unknown as JSONWebKeySet)
const rotate = () => service.ask('rotate_signing_keys', internal())
const remove = (kid = '') => service.ask('remove_signing_key', internal(), { body: { kid } })
const states = async () => {
  const rows =
    await service.sql`select state from auth_tokens.signing_keys where state <> 'retired' order by state`
  return rows.map(({ state }) => state)
}

async function newSession() {
  const user = await service.newUser()
  const { body } = await service.ask('create_session', internal(), { body: { user_id: user } })
  const { id, token, expires_at } = body as unknown as { id: string; token: string; expires_at: number }
  return { user, id, token, expires_at, hash: hashCredential(token) }
}

const exchange = (hash: string, client_id?: string) =>
  service.ask('exchange_session', internal(), { body: { hash, ...(client_id && { client_id }) } })

const tokenOf = ({ status, body }: Answer) => {
  expect({ status, outcome: body.outcome }).toEqual({ status: 200, outcome: 'issued' })
  return body.access_token as string
}

const verify = (token: string, keys: readonly ListedKey[]) =>
  jwtVerify(token, jwks(keys), {
    issuer,
    audience: issuer,
    typ: 'at+jwt',
    algorithms: ['ES256'],
    currentDate: new Date(service.clock.seconds() * 1000),
  })

/** What a gateway asks of every request that brings a JWT whose signature is good. */
async function lookUp(session: string, kid = '') {
  const body = { lookups: [{ kind: 'jwt', session, kid }] }
  const answer = await service.ask('resolve_credentials', internal(), { body })
  expect(answer.status).toBe(200)
  return (answer.body.callers as unknown[])[0]
}

describe('the first keys', () => {
  test('are one that signs and one that is next, after two replicas have started at once', async () => {
    expect(await states()).toEqual(['active', 'next'])
  })

  test('are these two, too, where 40 starts find none', async () => {
    await service.sql`delete from auth_tokens.signing_keys`
    const config = { DATABASE_URL: service.databaseUrl, DATABASE_POOL_SIZE: 20, DATABASE_QUEUE_LIMIT: 100 }
    const databases = [openDatabase(config), openDatabase(config)]
    const seconds = service.clock.seconds()
    try {
      await Promise.all(
        Array.from({ length: 40 }, (_, at) => ensureSigningKeys(databases[at % 2]!.sql, seconds)),
      )
      expect(await states()).toEqual(['active', 'next'])
      const before = await listed()
      await ensureSigningKeys(databases[0]!.sql, seconds)
      expect(await listed()).toEqual(before)
    } finally {
      await Promise.all(databases.map(database => database.close()))
    }
  })

  test('are listed by their thumbprint, and without what is private', async () => {
    const keys = await listed()
    expect(keys.length).toBeGreaterThanOrEqual(2)
    for (const { kid, public_jwk } of keys) {
      expect(Object.keys(public_jwk).sort()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
      expect(public_jwk).toMatchObject({ kid, kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' })
      expect(await calculateJwkThumbprint(public_jwk)).toBe(kid)
    }
  })
})

describe('a rotation', () => {
  test('retires the active key, signs with the next one, and makes another', async () => {
    const before = await listed()
    const { status, body } = await rotate()
    expect(status).toBe(200)
    expect(body).toMatchObject({ retired: kidOf(before, 'active'), active: kidOf(before, 'next') })
    const after = await listed()
    expect(after.slice(0, 3).map(({ kid, state }) => [state, kid])).toEqual([
      ['next', body.next],
      ['active', body.active],
      ['retired', body.retired],
    ])
  })

  test('is refused until the next key is known everywhere, and tells when that is', async () => {
    expect((await rotate()).status).toBe(200)
    const { status, body } = await rotate()
    expect({ status, code: body.errors?.[0]?.code }).toEqual({ status: 409, code: 40907 })
    const [, seconds] = /in (\d+) seconds/.exec(body.errors?.[0]?.message ?? '') ?? []
    expect(Number(seconds)).toBeGreaterThan(nextKeyKnownForSeconds - 10)
    expect(Number(seconds)).toBeLessThanOrEqual(nextKeyKnownForSeconds)
    service.clock.offsetSeconds += Number(seconds) - 10
    expect((await rotate()).status).toBe(409)
    service.clock.offsetSeconds += 10
    expect((await rotate()).status).toBe(200)
  })

  test('of 50 at once happens once', async () => {
    const before = await listed()
    const answers = await Promise.all(Array.from({ length: 50 }, rotate))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.errors?.[0]?.code === 40907)).toHaveLength(49)
    expect(await states()).toEqual(['active', 'next'])
    expect(kidOf(await listed(), 'active')).toBe(kidOf(before, 'next'))
  })

  test('leaves no moment in which an issued token is refused, by who read the keys before it', async () => {
    const sessions = await Promise.all(Array.from({ length: 8 }, newSession))
    for (let round = 1; round <= 5; round++) {
      service.clock.offsetSeconds += nextKeyKnownForSeconds + 1
      const known = await listed()
      let rotated = false
      const tokens: { token: string; session: string }[] = []
      const issuing = sessions.map(async ({ hash, id }) => {
        for (let after = 0; after < 5; after += rotated ? 1 : 0) {
          tokens.push({ token: tokenOf(await exchange(hash)), session: id })
        }
      })
      const rotation = rotate().finally(() => (rotated = true))
      await Promise.all(issuing)
      expect((await rotation).status).toBe(200)
      const kids = new Set<string | undefined>()
      for (const { token, session } of tokens) {
        const { protectedHeader } = await verify(token, known)
        kids.add(protectedHeader.kid)
        expect(await lookUp(session, protectedHeader.kid)).toMatchObject({ kind: 'jwt', id: session })
      }
      expect(kids).toContain(kidOf(known, 'next'))
    }
  })

  test('keeps a retired key until all that it signed has expired', async () => {
    const { id, hash } = await newSession()
    const active = kidOf(await listed(), 'active')
    const token = tokenOf(await exchange(hash))
    expect((await rotate()).status).toBe(200)
    const retiredAt = service.clock.seconds()
    const database = openDatabase({
      DATABASE_URL: service.databaseUrl,
      DATABASE_POOL_SIZE: 1,
      DATABASE_QUEUE_LIMIT: 10,
    })
    try {
      const { exp = 0 } = decodeJwt(token)
      expect(retiredAt + retiredForSeconds).toBeGreaterThan(exp + 60)
      service.clock.offsetSeconds += exp - service.clock.seconds() - 5
      await purge(database.sql, exp + 10)
      await verify(token, await listed())
      expect(await lookUp(id, active)).toMatchObject({ id })
      await purge(database.sql, retiredAt + retiredForSeconds + 10)
      expect((await listed()).map(({ kid }) => kid)).not.toContain(active)
      expect(await states()).toEqual(['active', 'next'])
    } finally {
      await database.close()
    }
  })
})

describe('a key that is removed', () => {
  test('counts no more from the reply on, if it is retired', async () => {
    const { id, hash } = await newSession()
    const active = kidOf(await listed(), 'active')
    tokenOf(await exchange(hash))
    expect((await rotate()).status).toBe(200)
    expect(await lookUp(id, active)).toMatchObject({ id })
    expect((await remove(active)).status).toBe(200)
    expect(await lookUp(id, active)).toBeNull()
    expect((await listed()).map(({ kid }) => kid)).not.toContain(active)
    expect((await remove(active)).status).toBe(404)
  })

  test('is replaced, if it is the next one, by one that is not known anywhere yet', async () => {
    const next = kidOf(await listed(), 'next')
    expect((await remove(next)).status).toBe(200)
    const after = await listed()
    expect(after.map(({ kid }) => kid)).not.toContain(next)
    expect(kidOf(after, 'next')).toBeDefined()
    expect((await rotate()).status).toBe(409)
  })

  test('is not the one that signs', async () => {
    const before = await listed()
    const { status, body } = await remove(kidOf(before, 'active'))
    expect({ status, code: body.errors?.[0]?.code }).toEqual({ status: 409, code: 40908 })
    expect(await listed()).toEqual(before)
  })

  test('is removed once by 30 at once, while the keys are rotated', async () => {
    const next = kidOf(await listed(), 'next')
    const removals = await Promise.all(Array.from({ length: 30 }, () => remove(next)))
    expect(removals.map(({ status }) => status).sort()).toEqual([200, ...Array(29).fill(404)])
    expect(await states()).toEqual(['active', 'next'])

    service.clock.offsetSeconds += nextKeyKnownForSeconds + 1
    const second = kidOf(await listed(), 'next')
    const [rotations, others] = await Promise.all([
      Promise.all(Array.from({ length: 10 }, rotate)),
      Promise.all(Array.from({ length: 10 }, () => remove(second))),
    ])
    const count = (answers: Answer[], wanted: number) =>
      answers.filter(({ status }) => status === wanted).length
    // Whichever came first: the key signs, or it is gone and the new one is too young.
    expect(count(rotations, 200) + count(others, 200)).toBe(1)
    expect([...rotations, ...others].every(({ status }) => [200, 404, 409].includes(status))).toBe(true)
    expect(await states()).toEqual(['active', 'next'])
  })
})

describe('a session', () => {
  test('is exchanged for a JWT of ten minutes with the claims of RFC 9068', async () => {
    const { id, user, hash } = await newSession()
    const answer = await exchange(hash)
    expect(answer.body).toMatchObject({ outcome: 'issued', expires_in: 600 })
    const { payload, protectedHeader } = await verify(tokenOf(answer), await listed())
    const kid = kidOf(await listed(), 'active')
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid })
    const { iat = 0, jti, ...rest } = payload
    expect(rest).toEqual({
      iss: issuer,
      aud: issuer,
      sub: user,
      sid: id,
      client_id: 'svc-web',
      exp: iat + 600,
    })
    expect(Math.abs(iat - service.clock.seconds())).toBeLessThan(10)
    expect(jti).toMatch(/^[0-9a-f-]{36}$/)
    expect(decodeJwt(tokenOf(await exchange(hash))).jti).not.toBe(jti)
  })

  test.each([
    ['asked for', null, 'svc-cli', 'svc-cli'],
    ['of the session', 'svc-cli', undefined, 'svc-cli'],
    ['asked for, not of the session', 'svc-cli', 'other', 'other'],
  ])('names the client that is %s', async (_case, opened_for, asked, named) => {
    const { id, hash } = await newSession()
    await service.ask('put_oauth_client', internal(), { body: { id: 'other', name: 'Other' } })
    await service.sql`update auth_tokens.sessions set client_id = ${opened_for} where id = ${id}`
    expect(decodeJwt(tokenOf(await exchange(hash, asked))).client_id).toBe(named)
  })

  test('is not exchanged for a client that is not registered', async () => {
    const { hash } = await newSession()
    expect((await exchange(hash, 'nobody')).body).toEqual({ outcome: 'invalid_client' })
    expect((await exchange('0'.repeat(64), 'nobody')).body).toEqual({ outcome: 'invalid_client' })
  })

  test('that has a minute left makes a JWT of a minute, and one that has ended makes none', async () => {
    const { id, hash } = await newSession()
    const ends_at = service.clock.seconds() + 60
    await service.sql`update auth_tokens.sessions set expires_at = to_timestamp(${ends_at}) where id = ${id}`
    expect(decodeJwt(tokenOf(await exchange(hash))).exp).toBe(ends_at)
    service.clock.offsetSeconds += 61
    expect((await exchange(hash)).body).toEqual({ outcome: 'invalid_session' })
  })

  test('of 180 days makes no JWT that outlives it', async () => {
    const { id, hash } = await newSession()
    const created_at = service.clock.seconds() - 180 * day + 100
    await service.sql`update auth_tokens.sessions set created_at = to_timestamp(${created_at}) where id = ${id}`
    expect(decodeJwt(tokenOf(await exchange(hash))).exp).toBe(created_at + 180 * day)
    service.clock.offsetSeconds += 101
    expect((await exchange(hash)).body).toEqual({ outcome: 'invalid_session' })
  })

  test('that is unknown or was ended makes none', async () => {
    expect((await exchange('0'.repeat(64))).body).toEqual({ outcome: 'invalid_session' })
    const { id, hash } = await newSession()
    await service.ask('revoke_session', internal(), { body: { id } })
    expect((await exchange(hash)).body).toEqual({ outcome: 'invalid_session' })
  })

  test('is used by an exchange, and by the JWT', async () => {
    const { id, hash } = await newSession()
    const lastUse = async () => {
      await Promise.all(service.uses.map(uses => uses.flush()))
      const [row] = await service.sql`
        select extract(epoch from last_used_at)::int as at from auth_tokens.sessions where id = ${id}`
      return Number(row?.at)
    }
    await exchange(hash)
    const first = await lastUse()
    expect(Math.abs(first - service.clock.seconds())).toBeLessThan(10)
    service.clock.offsetSeconds += 500
    expect(await lookUp(id, kidOf(await listed(), 'active'))).toMatchObject({ id })
    expect((await lastUse()) - first).toBeGreaterThanOrEqual(500)
  })
})

// The claims and lifetime of a JWT for a session, and which sessions and clients get one.
import { decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { internal } from '../running-service.ts'
import { issuer, kidOf, signingScene, tokenOf } from './signing-scene.ts'

const day = 24 * 60 * 60

const scene = signingScene()
const { listed, newSession, exchange, verify, lookUp } = scene

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
      auth_time: iat,
    })
    expect(iat).toBe(scene.service.clock.seconds())
    expect(jti).toMatch(/^[0-9a-f-]{36}$/)
    expect(decodeJwt(tokenOf(await exchange(hash))).jti).not.toBe(jti)
  })

  test.each([
    ['requested', null, 'svc-cli', 'svc-cli'],
    ['the session’s', 'svc-cli', undefined, 'svc-cli'],
    ['requested, not the session’s', 'svc-cli', 'other', 'other'],
  ])('names the client that is %s', async (_case, opened_for, requested, named) => {
    const { id, hash } = await newSession()
    await scene.service.ask('put_oauth_client', internal(), { body: { id: 'other', name: 'Other' } })
    await scene.service.sql`update auth_tokens.sessions set client_id = ${opened_for} where id = ${id}`
    expect(decodeJwt(tokenOf(await exchange(hash, requested))).client_id).toBe(named)
  })

  test('is not exchanged for an unregistered client', async () => {
    const { hash } = await newSession()
    expect((await exchange(hash, 'nobody')).body).toEqual({ outcome: 'invalid_client' })
    expect((await exchange('0'.repeat(64), 'nobody')).body).toEqual({ outcome: 'invalid_client' })
  })

  test('with a minute left gets a JWT of a minute, and an ended one gets none', async () => {
    const { id, hash } = await newSession()
    const ends_at = scene.service.clock.seconds() + 60
    await scene.service
      .sql`update auth_tokens.sessions set expires_at = to_timestamp(${ends_at}) where id = ${id}`
    expect(decodeJwt(tokenOf(await exchange(hash))).exp).toBe(ends_at)
    scene.service.clock.offsetSeconds += 60
    expect((await exchange(hash)).body).toEqual({ outcome: 'invalid_session' })
  })

  test('near its 180th day gets no JWT that outlives it', async () => {
    const { id, hash } = await newSession()
    const created_at = scene.service.clock.seconds() - 180 * day + 100
    await scene.service
      .sql`update auth_tokens.sessions set created_at = to_timestamp(${created_at}) where id = ${id}`
    expect(decodeJwt(tokenOf(await exchange(hash))).exp).toBe(created_at + 180 * day)
    scene.service.clock.offsetSeconds += 100
    expect((await exchange(hash)).body).toEqual({ outcome: 'invalid_session' })
  })

  test('that is unknown or was ended gets none', async () => {
    expect((await exchange('0'.repeat(64))).body).toEqual({ outcome: 'invalid_session' })
    const { id, hash } = await newSession()
    await scene.service.sql`delete from auth_tokens.sessions where id = ${id}`
    expect((await exchange(hash)).body).toEqual({ outcome: 'invalid_session' })
  })

  test('counts as used by an exchange, and by use of the JWT', async () => {
    const { id, hash } = await newSession()
    const lastUse = async () => {
      await Promise.all(scene.service.uses.map(uses => uses.flush()))
      const [row] = await scene.service.sql`
        select extract(epoch from last_used_at)::int as at from auth_tokens.sessions where id = ${id}`
      return Number(row?.at)
    }
    await exchange(hash)
    const first = await lastUse()
    expect(first).toBe(scene.service.clock.seconds())
    scene.service.clock.offsetSeconds += 500
    expect(await lookUp(id, kidOf(await listed(), 'active'))).toMatchObject({ id })
    expect((await lastUse()) - first).toBe(500)
  })
})

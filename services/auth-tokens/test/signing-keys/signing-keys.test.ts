// The keys that sign JWTs: created once by any number of replicas, rotated without ever refusing an issued token, and removed
// with effect from the reply on.
import { openPool } from '@svc/testing/open-pool'
import { testSeal } from '@svc/testing/seal'
import { openDatabase } from '@svc/runtime/database'
import { sized } from '@svc/testing/size'
import { calculateJwkThumbprint, decodeJwt } from 'jose'
import { describe, expect, test } from 'vitest'
import { purge } from '../../src/purge.ts'
import {
  ensureSigningKeys,
  nextKeyKnownForSeconds,
  retiredForSeconds,
} from '../../src/signing-keys/signing-keys.ts'
import { type Answer, internal } from '../running-service.ts'
import { kidOf, signingScene, tokenOf } from './signing-scene.ts'

const scene = signingScene()
const { listed, newSession, exchange, verify, lookUp } = scene

const rotate = () => scene.service.ask('rotate_signing_keys', internal())
const remove = (kid = '') => scene.service.ask('remove_signing_key', internal(), { body: { kid } })
const states = async () => {
  const rows = await scene.service
    .sql`select state from auth_tokens.signing_keys where state <> 'retired' order by state`
  return rows.map(({ state }) => state)
}

describe('the first keys', () => {
  test('are an active and a next one, the same two when many concurrent starts find none', async () => {
    await scene.service.sql`delete from auth_tokens.signing_keys`
    const config = {
      DATABASE_URL: scene.service.databaseUrl,
      DATABASE_POOL_SIZE: sized(5, 20),
      DATABASE_QUEUE_LIMIT: 100,
    }
    const [one, other] = [openDatabase(config), openDatabase(config)]
    const seconds = scene.service.clock.seconds()
    try {
      const starts = Array.from({ length: sized(5, 20) }, () => [one, other]).flat()
      await Promise.all(starts.map(({ sql }) => ensureSigningKeys(sql, testSeal, seconds)))
      expect(await states()).toEqual(['active', 'next'])
      const before = await listed()
      await ensureSigningKeys(one.sql, testSeal, seconds)
      expect(await listed()).toEqual(before)
    } finally {
      await Promise.all([one.close(), other.close()])
    }
  })

  test('are listed by their thumbprint, without their private parts', async () => {
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
  test('retires the active key, signs with the next one, and creates another', async () => {
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

  test('is refused until the next key is known everywhere, with the time until then', async () => {
    expect((await rotate()).status).toBe(200)
    const { status, body } = await rotate()
    expect({ status, code: body.errors?.[0]?.code }).toEqual({ status: 409, code: 40907 })
    expect(body.errors?.[0]?.message).toContain(`in ${nextKeyKnownForSeconds} seconds`)
    scene.service.clock.offsetSeconds += nextKeyKnownForSeconds - 1
    expect((await rotate()).status).toBe(409)
    scene.service.clock.offsetSeconds += 1
    expect((await rotate()).status).toBe(200)
  })

  test('happens once when many are requested at once', async () => {
    const many = sized(20, 50)
    const before = await listed()
    const answers = await Promise.all(Array.from({ length: many }, rotate))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.errors?.[0]?.code === 40907)).toHaveLength(many - 1)
    expect(await states()).toEqual(['active', 'next'])
    expect(kidOf(await listed(), 'active')).toBe(kidOf(before, 'next'))
  })

  test('never makes verifiers that read the keys before it refuse an issued token', async () => {
    const sessions = await Promise.all(Array.from({ length: sized(4, 8) }, newSession))
    for (let round = 1; round <= sized(2, 5); round++) {
      scene.service.clock.offsetSeconds += nextKeyKnownForSeconds + 1
      const known = await listed()
      let rotated = false
      const tokens: { token: string; session: string }[] = []
      const issuing = sessions.map(async ({ hash, id }) => {
        for (let after = 0; after < sized(2, 5); after += rotated ? 1 : 0) {
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

  test('keeps a retired key until everything it signed has expired', async () => {
    const { id, hash } = await newSession()
    const active = kidOf(await listed(), 'active')
    const token = tokenOf(await exchange(hash))
    expect((await rotate()).status).toBe(200)
    const retiredAt = scene.service.clock.seconds()
    const database = openPool(scene.service.databaseUrl, 1, 10)
    try {
      const { exp = 0 } = decodeJwt(token)
      expect(retiredAt + retiredForSeconds).toBeGreaterThan(exp + 60)
      scene.service.clock.offsetSeconds += exp - scene.service.clock.seconds() - 5
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

describe('a removed key', () => {
  test('is not accepted from the reply on if it was retired', async () => {
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

  test('is replaced by a new one, not known anywhere yet, if it was the next one', async () => {
    const next = kidOf(await listed(), 'next')
    expect((await remove(next)).status).toBe(200)
    const after = await listed()
    expect(after.map(({ kid }) => kid)).not.toContain(next)
    expect(kidOf(after, 'next')).toBeDefined()
    expect((await rotate()).status).toBe(409)
  })

  test('cannot be the active one', async () => {
    const before = await listed()
    const { status, body } = await remove(kidOf(before, 'active'))
    expect({ status, code: body.errors?.[0]?.code }).toEqual({ status: 409, code: 40908 })
    expect(await listed()).toEqual(before)
  })

  test('is removed once by many concurrent requests, also while the keys are rotated', async () => {
    const many = sized(10, 30)
    const next = kidOf(await listed(), 'next')
    const removals = await Promise.all(Array.from({ length: many }, () => remove(next)))
    expect(removals.map(({ status }) => status).sort()).toEqual([200, ...Array(many - 1).fill(404)])
    expect(await states()).toEqual(['active', 'next'])

    scene.service.clock.offsetSeconds += nextKeyKnownForSeconds + 1
    const second = kidOf(await listed(), 'next')
    const [rotations, others] = await Promise.all([
      Promise.all(Array.from({ length: sized(5, 10) }, rotate)),
      Promise.all(Array.from({ length: sized(5, 10) }, () => remove(second))),
    ])
    const count = (answers: Answer[], wanted: number) =>
      answers.filter(({ status }) => status === wanted).length
    // Depending on which came first the key is active, or it is gone and the new one is too recent.
    expect(count(rotations, 200) + count(others, 200)).toBe(1)
    expect([...rotations, ...others].every(({ status }) => [200, 404, 409].includes(status))).toBe(true)
    expect(await states()).toEqual(['active', 'next'])
  })
})

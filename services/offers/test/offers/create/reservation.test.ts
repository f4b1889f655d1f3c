// docs/specification.md, R32: a reservation whose request never finished. The tests move the clock; only the two seconds for
// which one request waits for another are real, so the tests run concurrently.
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { takeOverKey } from '../../../src/offers/create/reservation.ts'
import { failing, shareBench, unaware } from '../../in-process.ts'
import { summaryOf } from '../../http.ts'
import { arrange, hour, leaseMs, minute } from './reservation-scene.ts'

const bench = forFile(shareBench)

test('a reservation binds key, intent and version, for a lease of 60 s and 24 h after it', async () => {
  const { crash, keyRow, offers, first, clock } = await arrange(bench)
  await crash()
  expect(await keyRow()).toMatchObject({
    package_version_id: first,
    intent: expect.stringMatching(/^[0-9a-f]{64}$/),
    lease_until: new Date(clock.ms + leaseMs),
    free_at: new Date(clock.ms + leaseMs + 24 * hour),
    offer_id: null,
  })
  expect(await offers()).toEqual([])
})

describe.concurrent('during the lease', () => {
  test.each(['crashed', 'met a fault'])(
    'after a request that %s, the retry waits 2 s and gets an offer on the bound version',
    async fate => {
      const { crash, create, moveOn, first, pinned } = await arrange(bench)
      if (fate === 'crashed') await crash()
      else
        await expect(create({ schemas: failing(bench.schemas, new Error('fault')) })).rejects.toThrow('fault')
      await moveOn()
      const began = performance.now()
      const retry = await create()
      const waited = performance.now() - began
      expect(retry).toMatchObject({ status: 201, replayed: null })
      expect(await pinned()).toEqual([first])
      expect(waited).toBeGreaterThan(1900)
      expect(await create()).toEqual({ ...retry, replayed: 'true' })
    },
  )

  test('the values are validated against the bound version, not the current one', async () => {
    const { crash, create, key, package_id, product_id, first, pinned } = await arrange(bench)
    await crash()
    const narrow = await bench.catalogue.version(package_id, { properties: { other: true } })
    await bench.catalogue.pin(product_id, narrow)
    const now = await create({ key: `not ${key}` })
    expect(summaryOf(now)).toEqual([422, [42209, 'field_values.region']])
    expect((await create()).status).toBe(201)
    expect(await pinned()).toEqual([first])
  })

  test('another intent is refused', async () => {
    const { crash, create, body } = await arrange(bench)
    await crash()
    expect(summaryOf(await create({ body: { ...body, notes: 'x' } }))).toEqual([
      409,
      [40901, 'Idempotency-Key'],
    ])
  })

  test('a retry with too little time left to take over gets 409 (40902): the first request is in progress', async () => {
    const { crash, create, keyRow } = await arrange(bench)
    await crash()
    expect(summaryOf(await create({ budgetMs: 1500 }))).toEqual([409, [40902, 'Idempotency-Key']])
    expect(await keyRow()).toMatchObject({ offer_id: null })
  })

  test('one of twenty concurrent retries takes over, and all get its offer', async () => {
    const { crash, create, offers } = await arrange(bench)
    await crash()
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()))
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(201))
    expect(new Set(answers.map(answer => answer.body.id)).size).toBe(1)
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
    expect(await offers()).toHaveLength(1)
  })

  test('one of two concurrent takeovers succeeds, and none from the end of the lease on', async () => {
    const { crash, key, keyRow, clock } = await arrange(bench)
    await crash()
    const use = { workspace: bench.workspace, key, intent: '' }
    const fence = Number((await keyRow())?.fence)
    const takeOver = (now: number) => takeOverKey(bench.database.sql, use, fence, now)
    expect(await takeOver(clock.ms + leaseMs)).toBeUndefined()
    const taken = await Promise.all([takeOver(clock.ms + leaseMs - 1), takeOver(clock.ms + leaseMs - 1)])
    expect(taken.filter(Boolean)).toHaveLength(1)
  })

  test('a takeover starts a new lease', async () => {
    const { crash, stall, clock, keyRow } = await arrange(bench)
    await crash()
    clock.ms += leaseMs - 1
    await stall()
    expect(await keyRow()).toMatchObject({
      lease_until: new Date(clock.ms + leaseMs),
      free_at: new Date(clock.ms + leaseMs + 24 * hour),
    })
  })
})

describe.concurrent('after the lease, without an offer', () => {
  test.each([
    ['at the moment the lease ends', leaseMs],
    ['1 h later', leaseMs + hour],
    ['23 h 59 m later', leaseMs + 23 * hour + 59 * minute],
    ['1 ms before the 24 h are over', leaseMs + 24 * hour - 1],
  ])('the key is refused %s, with the time from which it is free', async (_, later) => {
    const { crash, create, clock, body, product_id, offers } = await arrange(bench)
    await crash()
    const freeAt = Math.ceil((clock.ms + leaseMs + 24 * hour) / 1000)
    clock.ms += later
    for (const request of [body, { ...body, notes: 'another intent' }, { product_id }]) {
      const answer = await create({ body: request })
      expect(summaryOf(answer)).toEqual([409, [40903, 'Idempotency-Key']])
      expect(answer.body.errors?.[0]?.metadata).toMatchObject({ free_at: String(freeAt) })
    }
    expect(await offers()).toEqual([])
  })

  test('after 24 h the key can be used again, for any intent, on the version that is current then', async () => {
    const { crash, create, moveOn, clock, body, second: current, pinned } = await arrange(bench)
    await crash()
    await moveOn()
    clock.ms += leaseMs + 24 * hour
    const answer = await create({ body: { ...body, notes: 'another intent' } })
    expect(answer).toMatchObject({ status: 201, replayed: null })
    expect(await pinned()).toEqual([current])
  })

  test('after 24 h one of twenty concurrent requests creates the offer, and all get it', async () => {
    const { crash, create, clock, offers } = await arrange(bench)
    await crash()
    clock.ms += leaseMs + 24 * hour
    const kinds = [bench.schemas, unaware(bench.schemas)]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, at) => create({ schemas: kinds[at % 2] })),
    )
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.id}`)).size).toBe(1)
    expect(await offers()).toHaveLength(1)
  })

  test('an attempt that resumes after the key was used again is refused', async () => {
    const { stall, create, clock, body, offers } = await arrange(bench)
    const slow = await stall()
    clock.ms += leaseMs + 24 * hour
    expect((await create({ body: { ...body, notes: 'anew' } })).status).toBe(201)
    slow.release()
    expect(summaryOf(await slow.answer)).toEqual([409, [40901, 'Idempotency-Key']])
    expect(await offers()).toHaveLength(1)
  })
})

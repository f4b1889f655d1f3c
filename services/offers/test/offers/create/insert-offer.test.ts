// The one statement that writes an offer writes what was read before, or nothing: what has changed since is read again.
import { sized } from '@svc/testing/size'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Bench, held, shareBench } from '../../in-process.ts'
import { fixedPolicy, rangePolicy } from '../../catalogue.ts'
import { summaryOf } from '../../http.ts'
import { arrange } from './reservation-scene.ts'

let bench: Bench
beforeAll(async () => {
  bench = await shareBench()
})
afterAll(() => bench?.stop())

/** A request that has read everything, reserved nothing, and blocks before it writes. */
async function beforeWriting(request: object, key?: string) {
  const { schemas, reached, release } = held(bench.schemas)
  const answer = bench.create({ body: request, key, schemas: { ...schemas, isReady: () => true } })
  await reached
  return async () => {
    release()
    return answer
  }
}

const keyed: [string, (key: string) => string | undefined][] = [
  ['without a key', () => undefined],
  ['with a key', key => key],
]

describe.each(keyed)('%s', (_, choose) => {
  test('the version: the offer is pinned to the one that is current at the write', async () => {
    const { body, key, moveOn, second, pinned } = await arrange(bench)
    const write = await beforeWriting(body, choose(key))
    await moveOn()
    expect(summaryOf(await write())).toEqual([201])
    expect(await pinned()).toEqual([second])
  })

  test('the version: values that are invalid for the new one are refused, and nothing is stored', async () => {
    const { body, key, package_id, product_id, offers, keyRow } = await arrange(bench)
    const write = await beforeWriting(body, choose(key))
    await bench.catalogue.pin(product_id, await bench.catalogue.version(package_id, { properties: {} }))
    expect(summaryOf(await write())).toEqual([422, [42209, 'field_values.region']])
    expect([await offers(), await keyRow()]).toEqual([[], undefined])
  })

  test('an explicit version stays, whatever version the product switches to', async () => {
    const { body, key, moveOn, first, pinned } = await arrange(bench)
    const write = await beforeWriting({ ...body, package_version_id: first }, choose(key))
    await moveOn()
    expect(summaryOf(await write())).toEqual([201])
    expect(await pinned()).toEqual([first])
  })

  test('the policy: the offer has the terms of the one that is active at the write', async () => {
    const { body, key, product_id, offers } = await arrange(bench)
    const offer_channel_id = await bench.catalogue.channel(product_id, rangePolicy)
    const write = await beforeWriting({ ...body, offer_channel_id }, choose(key))
    await bench.catalogue.policy(offer_channel_id, fixedPolicy)
    expect(summaryOf(await write())).toEqual([201])
    expect(await offers()).toMatchObject([{ policy_number: 2, terms: { price: { unit_amount: 5000 } } }])
  })

  test('the channel: once it is inactive, no offer is created', async () => {
    const { body, key, product_id, offers, keyRow } = await arrange(bench)
    const offer_channel_id = await bench.catalogue.channel(product_id, rangePolicy)
    const write = await beforeWriting({ ...body, offer_channel_id }, choose(key))
    await bench.catalogue.setStatus(offer_channel_id, 'inactive')
    expect(summaryOf(await write())).toEqual([422, [42205, 'offer_channel_id']])
    expect([await offers(), await keyRow()]).toEqual([[], undefined])
  })
})

describe('a key that was free when the request read it', () => {
  test('a key that has an offer by now is answered with that offer', async () => {
    const { body, key, create, offers } = await arrange(bench)
    const write = await beforeWriting(body, key)
    const faster = await create()
    expect(await write()).toEqual({ ...faster, replayed: 'true' })
    expect(await offers()).toHaveLength(1)
  })

  test('a key that has an offer of another intent by now is a conflict', async () => {
    const { body, key, create, offers } = await arrange(bench)
    const write = await beforeWriting(body, key)
    expect((await create({ body: { ...body, notes: 'other' } })).status).toBe(201)
    expect(summaryOf(await write())).toEqual([409, [40901, 'Idempotency-Key']])
    expect(await offers()).toHaveLength(1)
  })

  test('a key that is reserved by now is decided by the holder of the reservation', async () => {
    const { body, key, stall, moveOn, first, pinned } = await arrange(bench)
    const write = await beforeWriting(body, key)
    const holder = await stall()
    await moveOn()
    const answer = write()
    holder.release()
    const { body: offer } = await holder.answer
    expect(await answer).toEqual({ status: 201, body: offer, replayed: 'true' })
    expect(await pinned()).toEqual([first])
  })
})

const writesAtOnce = sized(20, 200)
test(`one of ${writesAtOnce} concurrent first writes with one key creates the offer, and all return it`, async () => {
  const { body, key, offers } = await arrange(bench)
  const writes = await Promise.all(Array.from({ length: writesAtOnce }, () => beforeWriting(body, key)))
  const answers = await Promise.all(writes.map(write => write()))
  expect(new Set(answers.map(answer => `${answer.status} ${answer.body.id}`)).size).toBe(1)
  expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
  expect(await offers()).toHaveLength(1)
})

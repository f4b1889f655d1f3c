// A reservation whose request was slow, refused or overloaded: only its holder completes or frees it.
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { InputSchemaBusy } from '../../../src/input-schema/threads/busy.ts'
import { failing, shareBench, unaware } from '../../in-process.ts'
import { summaryOf } from '../../http.ts'
import { arrange, leaseMs, second } from './reservation-scene.ts'

const bench = forFile(shareBench)

describe.concurrent('a slow first attempt', () => {
  test('a slow first attempt and those that come meanwhile get one offer, which one of them made', async () => {
    const { stall, create, offers } = await arrange(bench)
    const slow = await stall()
    const others = Array.from({ length: 10 }, () => create())
    slow.release()
    const answers = await Promise.all([slow.answer, ...others])
    const [offer, ...more] = await offers()
    expect(more).toEqual([])
    expect(answers.map(({ status, body }) => [status, body.id])).toEqual(Array(11).fill([201, offer?.id]))
    expect(answers.filter(({ replayed }) => replayed === null)).toHaveLength(1)
  })

  test('does not write a second offer once it was taken over: it returns the existing one', async () => {
    const { stall, create, offers } = await arrange(bench)
    const slow = await stall()
    const retry = await create()
    slow.release()
    expect(await slow.answer).toEqual({ ...retry, replayed: 'true' })
    expect(await offers()).toHaveLength(1)
  })

  test('cannot complete after its lease', async () => {
    const { stall, clock, offers } = await arrange(bench)
    const slow = await stall()
    clock.ms += leaseMs
    slow.release()
    expect(summaryOf(await slow.answer)).toEqual([409, [40903, 'Idempotency-Key']])
    expect(await offers()).toEqual([])
  })

  test('cannot complete what another intent reserved after the key was freed', async () => {
    const { stall, create, clock, body, offers } = await arrange(bench)
    const expiring = { ...body, expires_at: Math.ceil(clock.ms / 1000) + 5 }
    const slow = await stall(expiring)
    // A retry takes over, is refused, and frees the key.
    clock.ms += 10 * second
    expect(summaryOf(await create({ body: expiring }))).toEqual([422, [42206, 'expires_at']])
    const another = await stall({ ...body, notes: 'other' })
    slow.release()
    expect(summaryOf(await slow.answer)).toEqual([409, [40901, 'Idempotency-Key']])
    another.release()
    expect((await another.answer).status).toBe(201)
    expect((await offers()).map(({ notes }) => notes)).toEqual(['other'])
  })

  test('cannot free what another request reserved after the key was freed', async () => {
    const { stall, create, product_id, keyRow } = await arrange(bench)
    const wrong = { product_id, field_values: { region: { value: 'nowhere', locked: true } } }
    const slow = await stall(wrong)
    expect(summaryOf(await create({ body: wrong }))).toEqual([422, [42209, 'field_values.region.value']])
    const another = await stall()
    slow.release()
    expect((await slow.answer).status).toBe(422)
    expect(await keyRow()).toMatchObject({ offer_id: null })
    another.release()
    expect((await another.answer).status).toBe(201)
  })
})

describe.concurrent('a refusal frees its reserved key', () => {
  test.each([
    ['a field value', { field_values: { region: { value: 'nowhere', locked: true } } }],
    ['a past expiry', { expires_at: 1 }],
  ])('%s', async (_, wrong) => {
    const { create, body, keyRow } = await arrange(bench)
    const refused = await create({ body: { ...body, ...wrong }, schemas: unaware(bench.schemas) })
    expect(refused.status).toBe(422)
    expect(await keyRow()).toBeUndefined()
    expect(await create()).toMatchObject({ status: 201, replayed: null })
  })

  test('so that each request that waited for it gets its own refusal', async () => {
    const { stall, create, body, keyRow } = await arrange(bench)
    const wrong = { ...body, expires_at: 1 }
    const slow = await stall(wrong)
    const others = Promise.all(Array.from({ length: 10 }, () => create({ body: wrong })))
    slow.release()
    const all = [await slow.answer, ...(await others)]
    expect(all.map(summaryOf)).toEqual(Array(11).fill([422, [42206, 'expires_at']]))
    expect(await keyRow()).toBeUndefined()
  })
})

describe.concurrent('a validation without room is 503', () => {
  const busy = () => failing(bench.schemas, new InputSchemaBusy('too many tasks are waiting'))

  test('the refusal frees the key, so that a retry works at any time', async () => {
    const { create, clock } = await arrange(bench)
    expect(summaryOf(await create({ schemas: busy() }))).toEqual([503, [50302, '']])
    clock.ms += leaseMs + second
    expect(await create()).toMatchObject({ status: 201, replayed: null })
  })

  test('but keeps the version that an earlier crashed request had bound', async () => {
    const { crash, create, moveOn, first, pinned } = await arrange(bench)
    await crash()
    await moveOn()
    expect(summaryOf(await create({ schemas: busy() }))).toEqual([503, [50302, '']])
    expect((await create()).status).toBe(201)
    expect(await pinned()).toEqual([first])
  })
})

test('a request that arrives too late is 503 even with an unused key, not a conflict', async () => {
  const { create, keyRow } = await arrange(bench)
  expect(summaryOf(await create({ budgetMs: 250 }))).toEqual([503, [50302, '']])
  expect(await keyRow()).toBeUndefined()
})

// Requests with one key in one process: one does the work, and the others get its result.
import { forFile } from '@svc/testing/for-file'
import { ApiError } from '@svc/contract/core/errors'
import { unhurried } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { createKeyTurns } from '../../../src/offers/create/key-turns.ts'
import { failing, latch, shareBench } from '../../in-process.ts'
import { summaryOf } from '../../http.ts'
import { arrange } from './reservation-scene.ts'

const bench = forFile(shareBench)

/** A key in one process, with the first request blocked in its work. */
async function scene() {
  const keyTurns = createKeyTurns()
  const { create, stall, ...arranged } = await arrange(bench)
  const ofProcess: typeof create = attempt => create({ keyTurns, ...attempt })
  const first = await stall(arranged.body, { keyTurns })
  return { ...arranged, create: ofProcess, first }
}

const mustNotRun = () => failing(bench.schemas, new Error('it did not wait'))

test('a hundred requests that come while the first one works do nothing, and get its offer', async () => {
  const { create, first, offers } = await scene()
  const others = Promise.all(Array.from({ length: 100 }, () => create({ schemas: mustNotRun() })))
  first.release()
  const { status, body, replayed } = await first.answer
  expect([status, replayed]).toEqual([201, null])
  expect(await others).toEqual(Array(100).fill({ status, body, replayed: 'true' }))
  expect(await offers()).toHaveLength(1)
})

test('another intent is refused once the first request has its offer', async () => {
  const { create, first, body } = await scene()
  const other = create({ body: { ...body, notes: 'other' }, schemas: mustNotRun() })
  first.release()
  expect((await first.answer).status).toBe(201)
  expect(summaryOf(await other)).toEqual([409, [40901, 'Idempotency-Key']])
})

test('a request that runs out of time while the first one works gets 409 (40902)', async () => {
  const { create, first } = await scene()
  expect(summaryOf(await create({ budgetMs: 350 }))).toEqual([409, [40902, 'Idempotency-Key']])
  first.release()
  expect((await first.answer).status).toBe(201)
})

test('when a request fails, those that waited for it run one after the other, and keys do not wait for each other', async () => {
  const turns = createKeyTurns()
  const use = { workspace: 'ws_a', key: 'k', intent: 'i' }
  const until = unhurried()
  const refused = new ApiError('Validation', 'no', {})
  const gates = [latch(), latch()]
  let working = 0
  let worked = 0
  const take = (offer: string | undefined, wanted = use) =>
    turns(wanted, until, async () => {
      expect(++working).toBe(1)
      await gates[worked++]?.opened
      working--
      if (!offer) throw refused
      return { id: offer, short_hash: '', replayed: false }
    })
  const answers = Promise.allSettled([take(undefined), take('second'), take('third'), take('fourth')])
  const elsewhere = { id: 'elsewhere', short_hash: '', replayed: false }
  expect(await turns({ ...use, workspace: 'ws_b' }, until, async () => elsewhere)).toBe(elsewhere)
  for (const gate of gates) gate.open()
  expect(await answers).toEqual([
    { status: 'rejected', reason: refused },
    { status: 'fulfilled', value: { id: 'second', short_hash: '', replayed: false } },
    ...Array(2).fill({ status: 'fulfilled', value: { id: 'second', short_hash: '', replayed: true } }),
  ])
  // Nothing is kept: the next request asks the database.
  expect(await turns(use, until, async () => elsewhere)).toBe(elsewhere)
})

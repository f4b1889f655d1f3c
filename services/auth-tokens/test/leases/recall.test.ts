// A recall ends when every gateway has given back what it kept, or its lease has ended: over a real database, with gateways
// that answer as each test says.
import { leaseMs, recallSubject, waitMarginMs } from '@svc/contract/auth-tokens/leases'
import type { ApiError } from '@svc/contract/core/errors'
import type { AskForRecall } from '@svc/bus/recalls'
import { openDatabase } from '@svc/runtime/database'
import { freePort } from '@svc/local/free-port'
import { patience } from '@svc/testing/size'
import { setTimeout as delay } from 'node:timers/promises'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createRecall } from '../../src/leases/recall.ts'
import { holdersScene } from './holders-scene.ts'

const scene = holdersScene()
const { newHolder, endsIn, renew, time } = scene

/** Whoever has not answered by then is struck out. */
const patienceMs = 150

interface Question {
  readonly subject: string
  readonly principals: readonly string[]
}
let asked: Question[]
beforeEach(() => {
  asked = []
})

const never = () => new Promise<boolean>(() => {})

/** A recall whose gateways answer their nth question like this. */
function recallWith(answer: (n: number, question: Question) => Promise<boolean>) {
  const ask: AskForRecall = (subject, message) => {
    const question = { subject, ...(message as { principals: string[] }) }
    asked.push(question)
    return answer(asked.filter(one => one.subject === subject).length, question)
  }
  const recall = createRecall({ database: scene.database, ask })
  return (principals: readonly string[], ms = patience(20_000)) => recall(principals, Date.now() + ms)
}

async function timed(work: Promise<unknown>): Promise<number> {
  const began = performance.now()
  await work
  return performance.now() - began
}

const isStruckOut = async (id: string) => {
  const [row] = await scene.admin`select struck_out from auth_tokens.lease_holders where id = ${id}`
  return row?.struck_out
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number

describe('where all answer', () => {
  test('it ends within 50 ms, and has asked everyone once', async () => {
    const holders = await Promise.all([newHolder(), newHolder(), newHolder()])
    const recall = recallWith(async () => true)
    const times: number[] = []
    for (let n = 0; n < 11; n++) times.push(await timed(recall([`user ${n}`])))
    expect(median(times)).toBeLessThan(patience(50))
    expect(asked).toHaveLength(11 * holders.length)
    expect(new Set(asked.map(({ subject }) => subject))).toEqual(new Set(holders.map(recallSubject)))
    for (const id of holders) expect(await isStruckOut(id)).toBe(false)
  })

  test('it ends at once where nobody has a lease, or nothing is to be recalled', async () => {
    const recall = recallWith(never)
    await recall(['user 1'])
    await newHolder()
    await recall([])
    expect(asked).toEqual([])
  })

  test('it does not end before the last of them has answered', async () => {
    const [slow = ''] = await Promise.all([newHolder(), newHolder()])
    let answered = false
    const recall = recallWith(async (_n, { subject }) => {
      if (subject === recallSubject(slow)) await delay(60)
      answered ||= subject === recallSubject(slow)
      return true
    })
    await recall(['user 1'])
    expect(answered).toBe(true)
  })

  test('a lost question is repeated, before its holder is struck out', async () => {
    const id = await newHolder()
    const recall = recallWith(async n => (n === 1 ? never() : true))
    expect(await timed(recall(['user 1']))).toBeLessThan(patience(patienceMs))
    expect(asked).toHaveLength(2)
    expect(await isStruckOut(id)).toBe(false)
  })

  test('that nobody listens is no answer: the question is repeated', async () => {
    await newHolder()
    await recallWith(async n => n === 3)(['user 1'])
    expect(asked).toHaveLength(3)
    expect(new Set(asked.map(({ principals }) => principals.join()))).toEqual(new Set(['user 1']))
  })

  test('many at once share few messages, and each of them is in one', async () => {
    await newHolder()
    const recall = recallWith(async () => true)
    const all = Array.from({ length: 100 }, (_, n) => `user ${n}`)
    await Promise.all(all.map(one => recall([one, 'member ws_1 user_1'])))
    expect(asked.length).toBeLessThanOrEqual(patience(5))
    expect(new Set(asked.flatMap(({ principals }) => principals))).toEqual(
      new Set([...all, 'member ws_1 user_1']),
    )
    for (const { principals } of asked) expect(new Set(principals).size).toBe(principals.length)
  })

  test('one that comes while another is under way asks for itself, and knows who has a lease by then', async () => {
    await newHolder()
    const recall = recallWith(async (_n, { principals }) => {
      if (principals.includes('user 1')) await delay(100)
      return true
    })
    const first = recall(['user 1'])
    await expect.poll(() => asked.length, { interval: 1 }).toBeGreaterThan(0)
    const later = await newHolder()
    await recall(['user 2'])
    const second = asked.filter(({ principals }) => principals.includes('user 2'))
    expect(second.map(({ subject }) => subject)).toContain(recallSubject(later))
    expect(second).toHaveLength(2)
    await first
  })
})

describe('where one does not answer', () => {
  test('it is struck out, its lease and 250 ms more are waited for, and no longer', async () => {
    const id = await newHolder()
    await endsIn(id, 1000)
    const [row] = await scene.admin`
      select (extract(epoch from until) * 1000)::float8 as until from auth_tokens.lease_holders`
    const ms = await timed(recallWith(never)(['user 1']))
    expect(await time()).toBeGreaterThanOrEqual(row?.until + waitMarginMs - 1)
    expect(ms).toBeLessThan(1500 + patience(500))
    expect(await isStruckOut(id)).toBe(true)
    expect(asked.length).toBeGreaterThan(4)
    expect(asked.length).toBeLessThan(20)
  })

  test('its answer ends the wait, although it is always slower than the pause between two questions', async () => {
    const id = await newHolder()
    const slow = () => delay(700, true)
    const ms = await timed(recallWith(slow)(['user 1']))
    expect(ms).toBeGreaterThanOrEqual(699)
    expect(ms).toBeLessThan(leaseMs)
    expect(await isStruckOut(id)).toBe(true)
  })

  test('an answer that came before it was struck out is not waited for', async () => {
    const id = await newHolder()
    const recall = recallWith(() => delay(100, true))
    expect(await timed(recall(['user 1']))).toBeLessThan(patience(patienceMs + 100))
    expect(await isStruckOut(id)).toBe(false)
  })

  test('recalls that come after it was struck out wait for it, too', async () => {
    const id = await newHolder()
    await endsIn(id, 800)
    const recall = recallWith(never)
    const first = recall(['user 1'])
    await expect.poll(() => isStruckOut(id), { interval: 5 }).toBe(true)
    await recall(['user 2'])
    const [row] = await scene.admin`
      select until + make_interval(secs => ${waitMarginMs / 1000}) <= clock_timestamp() as past
      from auth_tokens.lease_holders`
    expect(row?.past).toBe(true)
    await first
    asked = []
    await recall(['user 3'])
    expect(asked).toEqual([])
  })

  test('and renews nevertheless, its new lease need not be waited for: it begins without what was kept', async () => {
    const id = await newHolder()
    const { grant_id } = await renew(id)
    await endsIn(id, 500)
    const recalling = timed(recallWith(never)(['user 1']))
    await expect.poll(() => isStruckOut(id), { interval: 5 }).toBe(true)
    expect((await renew(id)).grant_id).not.toBe(grant_id)
    expect(await recalling).toBeLessThan(500 + waitMarginMs + patience(500))
  })

  test('that releases its lease is not waited for any longer', async () => {
    const id = await newHolder()
    const recall = recallWith(async () => {
      await scene.admin`delete from auth_tokens.lease_holders where id = ${id}`
      return never()
    })
    expect(await timed(recall(['user 1']))).toBeLessThan(patience(patienceMs + 250))
  })

  test('others are told meanwhile', async () => {
    const [frozen = '', other = ''] = await Promise.all([newHolder(), newHolder()])
    await endsIn(frozen, 600)
    const recall = recallWith((_n, { subject }) =>
      subject === recallSubject(frozen) ? never() : Promise.resolve(true),
    )
    await recall(['user 1'])
    expect(asked.filter(({ subject }) => subject === recallSubject(other))).toHaveLength(1)
    expect([await isStruckOut(frozen), await isStruckOut(other)]).toEqual([true, false])
  })

  test('a recall that cannot end before its deadline fails then, with an unknown outcome', async () => {
    await newHolder()
    const recall = recallWith(never)
    const began = performance.now()
    await expect(recall(['user 1'], 400)).rejects.toMatchObject({ tag: 'Timeout' })
    const ms = performance.now() - began
    expect(ms).toBeGreaterThanOrEqual(398)
    expect(ms).toBeLessThan(patience(800))
  })
})

test('a failover that nobody has seen is waited out, although nobody has a lease', async () => {
  await scene.admin`update auth_tokens.lease_timelines set seen_at = clock_timestamp() - interval '2.65 s'`
  onTestFinished(
    async () => void (await scene.admin`update auth_tokens.lease_timelines set seen_at = '-infinity'`),
  )
  const ms = await timed(recallWith(never)(['user 1']))
  expect(ms).toBeGreaterThan(500)
  expect(ms).toBeLessThan(patience(1200))
})

// The change was committed by then: "not executed" would be untrue, and clients would repeat it.
test('without the database the outcome of what was committed is unknown', async () => {
  const database = openDatabase({
    DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/none`,
    DATABASE_POOL_SIZE: 1,
    DATABASE_QUEUE_LIMIT: 0,
  })
  onTestFinished(() => database.close())
  const recall = createRecall({ database, ask: never })
  const failure = await recall(['user 1'], Date.now() + patience(5000)).catch((error: ApiError) => error)
  expect(failure).toMatchObject({ tag: 'Timeout' })
})

// A recall ends when every gateway has given back what it kept, or its lease has ended: over a real database, with gateways
// that answer as each test says.
import { openPool } from '@svc/testing/open-pool'
import { recallOfAll, recallSubject } from '@svc/contract/auth-tokens/leases'
import type { ApiError } from '@svc/contract/core/errors'
import { freePort } from '@svc/local/free-port'
import { onOwnClock } from '@svc/testing/own-clock'
import { unhurried } from '@svc/testing/size'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createRecall } from '../../src/leases/recall.ts'
import { deferred, never, patienceMs, recallScene } from './recall-scene.ts'

const { holders, newHolder, asked, toBeAsked, isStruckOut, isPast, toBeStruckOut, recallWith, waitBegins } =
  recallScene()
const { endsIn, renew, time } = holders

const tenMinutes = 600_000
const afterTheLease = () => Date.now() + 2 * tenMinutes

describe('where all answer', () => {
  test('it waits for nothing else, and has asked everyone once', async () => {
    const ids = await Promise.all([newHolder(), newHolder(), newHolder()])
    const recall = recallWith(async () => true)
    await onOwnClock(async () => {
      for (let n = 0; n < 3; n++) await recall([`user ${n}`])
    })
    expect(asked()).toHaveLength(3 * ids.length)
    expect(new Set(asked().map(({ holder }) => holder))).toEqual(new Set(ids))
    expect(new Set(asked().map(({ subject }) => subject))).toEqual(new Set([recallOfAll]))
    for (const id of ids) expect(await isStruckOut(id)).toBe(false)
  })

  test('it asks nobody where nobody has a lease, or nothing is to be recalled', async () => {
    const recall = recallWith(never)
    await recall(['user 1'])
    await newHolder()
    await recall([])
    expect(asked()).toEqual([])
  })

  test('it does not end before the last of them has answered', async () => {
    const [slow = ''] = await Promise.all([newHolder(), newHolder()])
    const { answer, answered } = deferred()
    const recall = recallWith(async (_n, { holder }) => holder !== slow || answered)
    let ended = false
    const recalling = recall(['user 1']).then(() => {
      ended = true
    })
    await toBeStruckOut(slow)
    expect(ended).toBe(false)
    answer(true)
    await recalling
  })

  test('a question that was lost, or that a gateway of the release before does not hear, is repeated to its holder alone', () =>
    onOwnClock(async clock => {
      const id = await newHolder()
      const recalling = recallWith(async n => (n === 1 ? never() : true))(['user 1'])
      await toBeAsked(1)
      clock.tick(75)
      await recalling
      expect(asked().map(({ subject }) => subject)).toEqual([recallOfAll, recallSubject(id)])
      expect(await isStruckOut(id)).toBe(false)
    }))

  test('that nobody listens is no answer: the question is repeated', async () => {
    await newHolder()
    await recallWith(async n => n === 3)(['user 1'])
    expect(asked()).toHaveLength(3)
    expect(new Set(asked().map(({ principals }) => principals.join()))).toEqual(new Set(['user 1']))
  })

  test('many at once share one message', async () => {
    await newHolder()
    const recall = recallWith(async () => true)
    const all = Array.from({ length: 100 }, (_, n) => `user ${n}`)
    await Promise.all(all.map(one => recall([one, 'member ws_1 user_1'])))
    expect(asked().map(({ principals }) => principals.toSorted())).toEqual([
      [...all, 'member ws_1 user_1'].sort(),
    ])
  })

  test('one that comes while another is under way asks for itself, and knows who has a lease by then', async () => {
    await newHolder()
    const { answer, answered } = deferred()
    let later = ''
    const recall = recallWith(async (_n, { holder, principals }) =>
      principals.includes('user 1') || holder === later ? answered : true,
    )
    const first = recall(['user 1'])
    await toBeAsked(1)
    later = await newHolder()
    const second = recall(['user 2'])
    await toBeStruckOut(later)
    expect(asked().filter(({ principals }) => principals.includes('user 2'))).not.toEqual([])
    answer(true)
    await Promise.all([first, second])
  })

  test('an acknowledgement counts for its holder alone, however often it comes', async () => {
    const [quick = '', silent = ''] = await Promise.all([newHolder(), newHolder()])
    let answer!: () => void
    const recall = createRecall({
      database: holders.database,
      openQuestion: (_message, acknowledged) => {
        answer = () => acknowledged(silent)
        const ask = () => {
          for (const id of [quick, quick, 'nobody']) acknowledged(id)
        }
        return { ask, end() {} }
      },
    })
    const recalling = recall(['user 1'], unhurried())
    await toBeStruckOut(silent)
    expect(await isStruckOut(quick)).toBe(false)
    answer()
    await recalling
  })
})

describe('where one does not answer', () => {
  test('it is struck out, its lease and 250 ms more are waited for, and no longer', () =>
    onOwnClock(async clock => {
      const id = await newHolder()
      await endsIn(id, tenMinutes)
      let ended = false
      const recalling = recallWith(never)(['user 1'], afterTheLease()).then(() => {
        ended = true
      })
      const ms = await waitBegins(clock)
      expect(await isStruckOut(id)).toBe(true)
      clock.tick(ms - 1)
      await time()
      expect(ended).toBe(false)
      clock.tick(1)
      await recalling
    }))

  test('its lease has ended by the clock of the database when the recall does', async () => {
    const id = await newHolder()
    await recallWith(async n => {
      if (n === 1) await endsIn(id, 400)
      return never()
    })(['user 1'])
    expect(await isPast(id)).toBe(true)
    expect(await isStruckOut(id)).toBe(true)
  })

  test('the question is repeated after 75 ms, and then less and less often', () =>
    onOwnClock(async clock => {
      const id = await newHolder()
      const { answer, answered } = deferred()
      const at: number[] = []
      const recalling = recallWith(() => {
        at.push(clock.now)
        return answered
      })(['user 1'])
      await waitBegins(clock)
      clock.tick(2000)
      const pauses = at.slice(1).map((later, n) => later - (at[n] ?? 0))
      expect(pauses.slice(0, 3)).toEqual([75, 225, 675])
      answer(true)
      await recalling
      expect(await isStruckOut(id)).toBe(true)
    }))

  test('its answer ends the wait, although it comes after further questions', async () => {
    const id = await newHolder()
    const { answer, answered } = deferred()
    const recalling = recallWith(n => (n === 1 ? answered : never()))(['user 1'])
    await toBeStruckOut(id)
    await toBeAsked(3)
    answer(true)
    await recalling
  })

  test('an answer that came before it was struck out is not waited for', () =>
    onOwnClock(async clock => {
      const id = await newHolder()
      const { answer, answered } = deferred()
      const recalling = recallWith(() => answered)(['user 1'])
      await toBeAsked(1)
      clock.tick(patienceMs - 1)
      answer(true)
      await recalling
      expect(await isStruckOut(id)).toBe(false)
    }))

  test('recalls that come after it was struck out wait for it, too', async () => {
    const id = await newHolder()
    const { answer, answered } = deferred()
    let shortened: Promise<unknown> | undefined
    const recall = recallWith(async (_n, { principals }) => {
      if (principals.includes('user 1')) return answered
      shortened ??= endsIn(id, 400)
      await shortened
      return never()
    })
    const first = recall(['user 1'])
    await toBeStruckOut(id)
    await recall(['user 2'])
    expect(await isPast(id)).toBe(true)
    answer(true)
    await first
    await recall(['user 3'])
    expect(asked().filter(({ principals }) => principals.includes('user 3'))).toEqual([])
  })

  test('a gateway that renews nevertheless need not be waited for: its new lease begins without cached results', () =>
    onOwnClock(async clock => {
      const id = await newHolder()
      const { grant_id } = await renew(id)
      await endsIn(id, tenMinutes)
      const recalling = recallWith(never)(['user 1'], afterTheLease())
      const ms = await waitBegins(clock)
      expect((await renew(id)).grant_id).not.toBe(grant_id)
      await endsIn(id, 10 * tenMinutes)
      clock.tick(ms)
      await recalling
    }))

  test('that releases its lease is not waited for any longer', async () => {
    const id = await newHolder()
    const recall = recallWith(async () => {
      await holders.admin`delete from auth_tokens.lease_holders where id = ${id}`
      return never()
    })
    await recall(['user 1'])
  })

  test('others are told meanwhile', async () => {
    const [frozen = '', other = ''] = await Promise.all([newHolder(), newHolder()])
    const { answer, answered } = deferred()
    const recall = recallWith(async (_n, { holder }) => (holder === frozen ? answered : true))
    const recalling = recall(['user 1'])
    await toBeStruckOut(frozen)
    expect(asked().filter(({ holder }) => holder === other)).toHaveLength(1)
    expect(await isStruckOut(other)).toBe(false)
    answer(true)
    await recalling
  })

  test('a recall that cannot end before its deadline fails with an unknown outcome', async () => {
    await newHolder()
    await expect(recallWith(never)(['user 1'], Date.now() + 400)).rejects.toMatchObject({ tag: 'Timeout' })
  })
})

test('a failover that nobody has seen is waited out, although nobody has a lease', async () => {
  await holders.admin`update auth_tokens.lease_timelines set seen_at = clock_timestamp() - interval '2.65 s'`
  onTestFinished(
    async () => void (await holders.admin`update auth_tokens.lease_timelines set seen_at = '-infinity'`),
  )
  await recallWith(never)(['user 1'])
  const [row] = await holders.admin`
    select seen_at + interval '3.249 s' <= clock_timestamp() as past from auth_tokens.lease_timelines`
  expect(row?.past).toBe(true)
})

// The change was committed by then: "not executed" would be untrue, and clients would repeat it.
test('without the database the outcome of what was committed is unknown', async () => {
  const database = openPool(`postgres://nobody@127.0.0.1:${await freePort()}/none`, 1, 0)
  onTestFinished(() => database.close())
  const recall = createRecall({ database, openQuestion: () => ({ ask() {}, end() {} }) })
  const failure = await recall(['user 1'], unhurried()).catch((error: ApiError) => error)
  expect(failure).toMatchObject({ tag: 'Timeout' })
})

// Leases of gateways in the database: of a renewal and a recall one comes first, and a failover is waited out.
import { bySystem } from '@svc/contract/core/actor'
import { leaseMs, waitMarginMs } from '@svc/contract/auth-tokens/leases'
import type { Call } from '@svc/contract/core/operation'
import { waitUntil } from '@svc/local/wait-until'
import { holdTransaction } from '@svc/testing/hold-transaction'
import { unhurried } from '@svc/testing/size'
import { randomUUID } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Deps } from '../../src/deps.ts'
import { holdLeases } from '../../src/leases/hold-leases.ts'
import { type RenewedLease, readHolders, renewLeases, strikeOut } from '../../src/leases/holders.ts'
import { createRenewLease } from '../../src/leases/renew-lease.ts'
import { purge } from '../../src/purge.ts'
import { internal } from '../running-service.ts'
import { holdersScene } from './holders-scene.ts'

const scene = holdersScene()
const { renew, newHolder, endsIn, untilOf, lengthen, renewing, time } = scene

const listed = async () => (await readHolders(scene.database.sql)).ids
const strike = async (id: string) => (await strikeOut(scene.database.sql, [id]))[0] as number
const goesOn = async ({ id, grant_id }: RenewedLease) => {
  await lengthen()
  expect((await renew(id)).grant_id).toBe(grant_id)
}
/** Runs it, between the times of the database's clock before and after. */
async function between<T>(work: () => Promise<T>) {
  const before = await time()
  const result = await work()
  return { before, result, after: await time() }
}

describe('a renewal', () => {
  test('gives 3 s from then on, by the clock of the database', async () => {
    const before = await time()
    const { until } = await renew(randomUUID())
    expect(until).toBeGreaterThanOrEqual(before + leaseMs - 1)
    expect(until).toBeLessThanOrEqual((await time()) + leaseMs + 1)
  })

  test('goes on with the grant while the lease has not ended', async () => {
    const id = randomUUID()
    const first = await renew(id)
    await lengthen()
    const second = await renew(id)
    expect(second.grant_id).toBe(first.grant_id)
    expect(second.until).toBeGreaterThanOrEqual(first.until)
    await goesOn(second)
  })

  test('begins another grant where the lease had ended, and goes on with that one', async () => {
    const id = randomUUID()
    const first = await renew(id)
    await endsIn(id, -1)
    const second = await renew(id)
    expect(second.grant_id).not.toBe(first.grant_id)
    await goesOn(second)
  })

  test('begins another grant where the holder was struck out, and goes on with that one', async () => {
    const id = randomUUID()
    const first = await renew(id)
    await strike(id)
    const second = await renew(id)
    expect(second.grant_id).not.toBe(first.grant_id)
    await goesOn(second)
  })

  test('begins another grant after a failover, which may have lost that the holder was struck out', async () => {
    const id = randomUUID()
    const first = await renew(id)
    await scene.admin`update auth_tokens.lease_holders set timeline = '00000000'`
    const second = await renew(id)
    expect(second.grant_id).not.toBe(first.grant_id)
    await goesOn(second)
  })

  test('that computed its end before it waited does not shorten the lease', async () => {
    const id = await newHolder()
    const until = await untilOf(id)
    expect((await renew(id)).until).toBe(until)
  })

  test('begins another grant where the row was purged', async () => {
    const [gone, short] = [await renew(randomUUID()), await renew(randomUUID())]
    await endsIn(gone.id, -61_000)
    await endsIn(short.id, -1)
    await purge(scene.database.sql, Date.now() / 1000)
    expect(await scene.admin`select id from auth_tokens.lease_holders`).toEqual([{ id: short.id }])
    expect((await renew(gone.id)).grant_id).not.toBe(gone.grant_id)
  })

  test('many renewals at once are one statement, and each gets its own grant', async () => {
    const renewLease = createRenewLease(scene.database)
    const ids = Array.from({ length: 20 }, () => randomUUID())
    const renewAll = () => Promise.all([...ids, ...ids].map(id => renewLease({ id, deadline: unhurried() })))
    const first = await renewAll()
    expect(first.map(({ id }) => id)).toEqual([...ids, ...ids])
    expect(new Set(first.map(({ grant_id }) => grant_id)).size).toBe(ids.length)
    await lengthen()
    expect((await renewAll()).map(({ grant_id }) => grant_id)).toEqual(first.map(({ grant_id }) => grant_id))
  })
})

describe('a recall', () => {
  test('has to ask whose lease has not ended 250 ms ago, struck out or not, and nobody else', async () => {
    const [held, past, struck] = [await newHolder(), await newHolder(), await newHolder()]
    await endsIn(past, -waitMarginMs)
    await strike(struck)
    expect(new Set(await listed())).toEqual(new Set([held, struck]))
  })

  test('waits for a holder that is struck out until its lease has ended, and 250 ms more', async () => {
    const id = await newHolder()
    const ends = (await untilOf(id)) + waitMarginMs
    const { before, result, after } = await between(() => strike(id))
    expect(result).toBeLessThanOrEqual(ends - before + 1)
    expect(result).toBeGreaterThanOrEqual(ends - after - 1)
    await endsIn(id, -5)
    expect(await strike(id)).toBe(waitMarginMs)
    expect(await strike(randomUUID())).toBe(0)
  })

  test('that reads during a renewal waits for it, and sees the lease that goes on', async () => {
    const id = await newHolder()
    const renewal = await renewing(id)
    const reading = listed()
    try {
      await renewal.someoneWaits()
    } finally {
      await renewal.commit()
    }
    expect(await reading).toEqual([id])
  })

  test('that comes before a renewal lets it see that the lease has ended meanwhile', async () => {
    const id = randomUUID()
    const { grant_id } = await renew(id)
    await endsIn(id, 1000)
    const until = await untilOf(id)
    const reading = await holdTransaction(
      scene.admin,
      tx => tx`select id from auth_tokens.lease_holders order by id for share`,
    )
    const renewing = renew(id)
    try {
      await reading.someoneWaits()
      await waitUntil('the end of the lease', async () => (await time()) > until)
    } finally {
      await reading.release()
    }
    expect((await renewing).grant_id).not.toBe(grant_id)
  })

  test('that strikes out during a renewal waits for the lease that was renewed', async () => {
    const id = await newHolder()
    const renewal = await renewing(id)
    const striking = strike(id)
    try {
      await renewal.someoneWaits()
    } finally {
      await renewal.commit()
    }
    expect(await striking).toBeGreaterThan(leaseMs + waitMarginMs)
    expect((await scene.admin`select struck_out from auth_tokens.lease_holders`)[0]?.struck_out).toBe(true)
  })

  test('a recall and renewals of many holders at once do not block each other for good', async () => {
    const ids = Array.from({ length: 50 }, () => randomUUID())
    const turns = Array.from({ length: 10 }, (_, at) => at)
    const shuffled = () => ids.toSorted(() => Math.random() - 0.5)
    const renewals = turns.map(() =>
      renewLeases(
        scene.database.sql,
        shuffled().map(id => ({ id, grant_id: randomUUID() })),
      ),
    )
    const reading = turns.map(listed)
    await expect(Promise.all([...renewals, ...reading])).resolves.toBeDefined()
    await lengthen()
    expect(await listed()).toHaveLength(ids.length)
  })
})

describe('a failover', () => {
  const forget = async () => {
    await scene.admin`delete from auth_tokens.lease_timelines`
    onTestFinished(async () => void (await known()))
  }
  const known = () => scene.admin`update auth_tokens.lease_timelines set seen_at = '-infinity'`
  const unknownMs = async () => (await readHolders(scene.database.sql)).unknown_ms
  const longest = leaseMs + waitMarginMs

  test('that was not seen before is waited out by every recall, from when it was first seen', async () => {
    expect(await unknownMs()).toBe(0)
    await forget()
    const { before, result, after } = await between(unknownMs)
    expect(result).toBeLessThanOrEqual(longest)
    expect(result).toBeGreaterThanOrEqual(longest - (after - before))
    await scene.admin`update auth_tokens.lease_timelines set seen_at = clock_timestamp() - interval '1 s'`
    expect(await unknownMs()).toBeLessThanOrEqual(longest - 1000)
    await scene.admin`update auth_tokens.lease_timelines set seen_at = clock_timestamp() - interval '3.25 s'`
    expect(await unknownMs()).toBe(0)
  })

  test('is seen by renewals, too, so that the wait has begun when the first recall comes', async () => {
    await forget()
    await newHolder()
    expect(await unknownMs()).toBeLessThanOrEqual(longest)
    expect(await scene.admin`select from auth_tokens.lease_timelines`).toHaveLength(1)
  })

  test('is waited out by all recalls that see it first, at once', async () => {
    await forget()
    const { before, result, after } = await between(() => Promise.all(Array.from({ length: 8 }, unknownMs)))
    for (const ms of result) expect(ms).toBeGreaterThanOrEqual(longest - (after - before))
    expect(await scene.admin`select from auth_tokens.lease_timelines`).toHaveLength(1)
  })

  test('is a new timeline: that of now is the one that the migration wrote down', async () => {
    const rows = await scene.admin`select timeline from auth_tokens.lease_timelines`
    expect(rows).toEqual([{ timeline: expect.stringMatching(/^[0-9A-F]{8}$/) }])
  })
})

describe('hold_leases', () => {
  const used: string[] = []
  const hold = (body: Parameters<typeof holdLeases>[0]['body']) => {
    const deps = {
      sql: scene.database.sql,
      renewLease: createRenewLease(scene.database),
      recordUse: {
        apiToken: (id: string, at: number) => void used.push(`${id} ${at}`),
        session: (id: string, at: number) => void used.push(`${id} ${at}`),
      },
      call: { deadline: unhurried(), request_id: 'test', by: bySystem('test') } satisfies Call,
    } as unknown as Deps
    const input = { params: {}, query: {}, headers: {}, body } as unknown as Parameters<typeof holdLeases>[0]
    return holdLeases(input, internal() as Parameters<typeof holdLeases>[1], deps)
  }

  test('answers the grant and its end, and records the uses that came with it', async () => {
    const holder = randomUUID()
    const { body } = await hold({
      holder,
      api_tokens: [{ id: 'tok_1', at: 10 }],
      sessions: [{ id: 'sess_1', at: 11 }],
    })
    expect(used).toEqual(['tok_1 10', 'sess_1 11'])
    await lengthen()
    const { grant_id, until } = await renew(holder)
    expect(body.grant).toBe(grant_id)
    expect(body.until_ms).toBeLessThanOrEqual(until)
    expect(Number.isInteger(body.until_ms)).toBe(true)
  })

  test('with a release ends the lease: nobody asks its holder any more', async () => {
    const holder = await newHolder()
    await hold({ holder, release: true })
    expect(await listed()).toEqual([])
    await hold({ holder, release: true })
  })
})

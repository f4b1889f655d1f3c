// The writer of offers alone: rows that PostgreSQL refuses, keys of two workspaces, and two processes at once.
import { openPool } from '@svc/testing/open-pool'
import { forFile } from '@svc/testing/for-file'
import { bySystem } from '@svc/contract/core/actor'
import { waitUntil } from '@svc/local/wait-until'
import { newId, newShortHash } from '@svc/runtime/id'
import { unhurried } from '@svc/testing/size'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { OfferRecord } from '../../../src/offers/create/offer-record.ts'
import type { NewOffer, WriteOfferResult } from '../../../src/offers/create/new-offer.ts'
import { type WriteOffer, createOfferWriter } from '../../../src/offers/create/write-offer.ts'
import { writersOf } from './gathering.ts'
import { shareBench } from '../../in-process.ts'

const bench = forFile(shareBench)
let url: string
let write: WriteOffer
/** An offer as it was written, and one for another workspace. */
let example: OfferRecord
let foreign: OfferRecord
let keys = 0

beforeAll(async () => {
  url = bench.url
  write = createOfferWriter(bench.database)
  const { product_id } = await bench.catalogue.twoVersions()
  const { body } = await bench.create({ body: { product_id } })
  const [row] = await bench.sql<{ record: OfferRecord }[]>`
    select to_jsonb(o) as record from offers.offers o where id = ${body.id ?? ''}`
  if (!row) throw new Error('no example')
  example = row.record
  foreign = await inNewWorkspace(example)
})

/** A copy of the offer in a new workspace, with the rows that it refers to. */
async function inNewWorkspace(offer: OfferRecord): Promise<OfferRecord> {
  const workspace_id = newId('ws')
  const [package_id, package_version_id] = [newId('pkg'), newId('pkgv')]
  await bench.sql`insert into offers.packages (id, workspace_id, name) values (${package_id}, ${workspace_id}, 'P')`
  await bench.sql`
    insert into offers.package_versions (id, workspace_id, package_id, version, input_schema, schema_hash)
    values (${package_version_id}, ${workspace_id}, ${package_id}, '1', '{}', ${'0'.repeat(64)})`
  return { ...offer, workspace_id, package_version_id, product_id: null }
}

interface OfferOptions {
  readonly key?: string
  readonly intent?: string
  readonly like?: OfferRecord
  readonly changes?: object
}

function newOffer({ key, intent = 'intent', like = example, changes }: OfferOptions = {}): NewOffer {
  const offer = { ...like, id: newId('offer'), short_hash: newShortHash(), ...changes }
  const use = key === undefined ? undefined : { workspace: offer.workspace_id, key, intent }
  return { offer, pinned: false, use, by: bySystem('test'), deadline: unhurried() }
}

const newKey = () => `key-${++keys}`
const times = <T>(count: number, make: (at: number) => T) =>
  Array.from({ length: count }, (_, at) => make(at))
const codeOf = (end: PromiseSettledResult<WriteOfferResult>) =>
  end.status === 'fulfilled' ? end.value.is : (end.reason as { code?: string }).code
const rowsOf = async (wanted: NewOffer[]) => {
  const rows = await bench.sql<{ id: string }[]>`
    select id from offers.offers where id = any(${wanted.map(({ offer }) => offer.id)}) order by id`
  return rows.map(({ id }) => id)
}
const idsOf = (wanted: NewOffer[]) => wanted.map(({ offer }) => offer.id).sort()

describe('a row that PostgreSQL refuses', () => {
  test.each<[string, string, object]>([
    ['an existing short_hash', '23505', { short_hash: 'as the example' }],
    ['an unknown version', '23503', { package_version_id: 'pkgv_unknown' }],
    ['a policy without a channel', '23514', { policy_number: 1 }],
    ['a number out of range', '23514', { max_uses: 0 }],
    ['a property of the wrong type', '22P02', { max_uses: 'many' }],
    ['a property that is missing', '23502', { terms: null }],
    ['a text that PostgreSQL cannot hold', '22P05', { notes: '\u0000' }],
  ])('%s (%s) fails alone, with and without a key: all others are written once', async (_, code, changes) => {
    const forged = 'short_hash' in changes ? { short_hash: example.short_hash } : changes
    const [badKey, goodKey] = [newKey(), newKey()]
    const good = times(20, at => newOffer(at % 2 ? { key: `${goodKey} ${at}` } : {}))
    const bad = [newOffer({ changes: forged }), newOffer({ changes: forged, key: badKey })]
    const all = [...good.slice(0, 7), ...bad, ...good.slice(7)]
    const ends = await Promise.allSettled(all.map(write))
    expect(ends.map(codeOf)).toEqual(all.map(one => (bad.includes(one) ? code : 'written')))
    expect(await rowsOf(all)).toEqual(idsOf(good))
    const written =
      await bench.sql`select offer_id from offers.idempotency_keys where key like ${`${goodKey} %`}`
    expect(written).toHaveLength(10)
    // The key of the refused offer is free.
    expect(await bench.keyRow(badKey)).toBeUndefined()
    expect(await write(newOffer({ key: badKey }))).toEqual({ is: 'written' })
  })

  test('one of two offers with the same short_hash is written', async () => {
    const short_hash = newShortHash()
    const all = times(2, () => newOffer({ changes: { short_hash } }))
    const ends = await Promise.allSettled(all.map(write))
    expect(ends.map(codeOf).sort()).toEqual(['23505', 'written'])
    expect(await rowsOf(all)).toHaveLength(1)
  })
})

describe('a key', () => {
  test('the key of one workspace is not that of another, even within one statement', async () => {
    const key = newKey()
    const all = [newOffer({ key, intent: 'here' }), newOffer({ key, intent: 'there', like: foreign })]
    expect(await Promise.all(all.map(write))).toEqual([{ is: 'written' }, { is: 'written' }])
    expect(new Set(await writersOf(bench, idsOf(all))).size).toBe(1)
  })

  test.each(['', "'", '"', '\\', '{}', 'ä', '😀', ' ', 'null'])('%j is stored unchanged', async text => {
    const own = newKey()
    const key = `${text}${own}${text}`
    const [first, second] = await Promise.all([
      write(newOffer({ key })),
      write(newOffer({ key, intent: 'other' })),
    ])
    expect([first?.is, second?.is]).toEqual(['written', 'taken'])
    const row = await bench.keyRow(key)
    expect(second).toMatchObject({ key: { intent: 'intent', offer_id: row?.offer_id } })
  })

  test('that is taken returns its row, both alone and together with other offers', async () => {
    const key = newKey()
    await write(newOffer({ key }))
    const alone = await write(newOffer({ key }))
    const [together] = await Promise.all([write(newOffer({ key })), write(newOffer())])
    expect(alone.is).toBe('taken')
    const keyOf = (outcome?: WriteOfferResult) => (outcome?.is === 'taken' ? outcome.key : undefined)
    const names = Object.keys(keyOf(alone) ?? {})
    expect(names).toContain('offer_id')
    expect(keyOf(together)).toMatchObject(keyOf(alone) ?? {})
  })
})

describe('two processes that write 250 offers each at the same time', () => {
  /** A writer with connections of its own. */
  function newProcess() {
    const database = openPool(url, 8)
    onTestFinished(() => database.close())
    return createOfferWriter(database)
  }

  test('with the same keys in opposite orders: no deadlock, one row for each key, and as many as acknowledged', async () => {
    const [one, two] = [newProcess(), newProcess()]
    const name = newKey()
    const shared = times(50, at => `${name} ${String(at).padStart(2, '0')}`)
    const half = () => times(250, at => newOffer(at % 2 ? {} : { key: shared[(at / 2) % 50] }))
    const [ascending, descending] = [half(), half().reverse()]

    // Both are in the middle of their keys when they meet.
    const middle = await bench.sql.reserve()
    await middle`begin`
    await middle`
      insert into offers.idempotency_keys
        (workspace_id, key, intent, package_version_id, lease_until, free_at, created_at)
      values (${bench.workspace}, ${shared[25] ?? ''}, '', '', now(), now(), now())`
    const ends = Promise.allSettled([...ascending.map(one), ...descending.map(two)])
    await waitUntil('both wait', async () => {
      const waiting = await bench.sql`select from pg_locks where not granted`
      return waiting.length >= 2
    })
    await middle`rollback`
    middle.release()

    const all = [...ascending, ...descending]
    const outcomes = (await ends).map(codeOf)
    expect([...new Set(outcomes)].sort()).toEqual(['taken', 'written'])
    const acknowledged = all.filter((_, at) => outcomes[at] === 'written')
    expect(await rowsOf(all)).toEqual(idsOf(acknowledged))
    expect(acknowledged).toHaveLength(250 + 50)

    const rows = await bench.sql<{ key: string; offer_id: string }[]>`
      select key, offer_id from offers.idempotency_keys 
      where key = any(${shared}) and workspace_id = ${bench.workspace} order by key`
    expect(rows.map(({ key }) => key)).toEqual(shared)
    const keyed = acknowledged.filter(({ use }) => use !== undefined)
    expect(rows.map(({ offer_id }) => offer_id).sort()).toEqual(idsOf(keyed))
    const taken = (await ends).flatMap((end, at) =>
      end.status === 'fulfilled' && end.value.is === 'taken' ? [[all[at], end.value.key] as const] : [],
    )
    for (const [wanted, key] of taken) {
      expect(key.offer_id).toBe(rows.find(row => row.key === wanted?.use?.key)?.offer_id)
    }

    // An offer caught in a deadlock is written alone; here there was none.
    const statements = new Set(await writersOf(bench, idsOf(acknowledged)))
    expect(statements.size).toBeLessThanOrEqual(2 * Math.ceil(250 / 64) + 2)
  })
})

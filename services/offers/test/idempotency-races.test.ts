// One key, many at once, over two gateways and two replicas; and replicas that are killed between two statements.
import { waitUntil } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import { startTestStack, type TestStack } from '@svc/testing/stack'
import type postgres from 'postgres'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Catalogue, catalogue, insertUnseenVersion, overBus } from './catalogue.ts'
import { type Answer, type Post, poster, told } from './http.ts'
import { isTooLate, timedAtOnce } from './timed-answers.ts'

let stack: TestStack
let own: Catalogue
let posts: Post[]
let keys = 0
const newKey = () => `key-${++keys}`

beforeAll(async () => {
  stack = await startTestStack({ replicas: { gateway: 2, offers: 2 } })
  own = catalogue(overBus(stack.backoffice, stack.dev.workspace_id))
  posts = stack.baseUrls.map(url => poster(url, stack.dev.api_token))
})
afterAll(() => stack?.stop())

const offersOf = async (product: string) =>
  stack.sql`select * from offers.offers where product_id = ${product} order by id`
const keyRow = async (key: string) => {
  const [row] = await stack.sql`select * from offers.idempotency_keys where key = ${key}`
  return row
}
const replicas = () => stack.stack.processes.offers

/** Sends all bodies with the key at once, by each gateway in turn. */
const atOnce = (bodies: object[], key: string): Promise<Answer[]> =>
  Promise.all(bodies.map((body, at) => posts[at % posts.length]?.(body, { key }) as Promise<Answer>))

/** As clients do: who was told to come again, as the machine was too slow, does. */
async function inTime(bodies: object[], key: string): Promise<Answer[]> {
  const answers = await timedAtOnce(posts, bodies, key)
  return answers.some(isTooLate) ? inTime(bodies, key) : answers
}

const field_values = { region: { value: 'eu', locked: true } }

/** A product whose current version has a schema that no replica has compiled. */
async function unseenProduct() {
  const package_id = await own.package()
  const version = await insertUnseenVersion(stack.sql, stack.dev.workspace_id, package_id)
  return { package_id, version, product_id: await own.product(package_id, version) }
}

async function startAnew() {
  await Promise.all(
    replicas().map(async replica => {
      await replica.stop()
      await replica.start()
    }),
  )
}

const many = sized(100, 500)

describe(`the same key ${many} times at once: one row, one id, all 201`, () => {
  test.each<[string, () => Promise<{ product_id: string; body: object }>]>([
    [
      'the version named',
      async () => {
        const { product_id, first } = await own.twoVersions()
        return { product_id, body: { product_id, package_version_id: first, field_values } }
      },
    ],
    [
      'the version of the product, without field values',
      async () => {
        const { product_id } = await own.twoVersions()
        return { product_id, body: { product_id } }
      },
    ],
    [
      'the version of the product, with field values',
      async () => {
        const { product_id } = await own.twoVersions()
        return { product_id, body: { product_id, field_values } }
      },
    ],
    [
      'the version of the product, with field values, on replicas that have just started',
      async () => {
        const { product_id } = await unseenProduct()
        await startAnew()
        return { product_id, body: { product_id, field_values } }
      },
    ],
  ])('%s', { timeout: 120_000 }, async (_, arrange) => {
    const { product_id, body } = await arrange()
    const key = newKey()
    const created: Answer[] = []
    let late = 0
    while (created.length < many) {
      const answers = await timedAtOnce(posts, Array(many - created.length).fill(body), key)
      expect(answers.filter(answer => answer.status !== 201 && !isTooLate(answer))).toEqual([])
      created.push(...answers.filter(({ status }) => status === 201))
      late += answers.filter(isTooLate).length
    }
    const [offer, ...others] = await offersOf(product_id)
    expect(others).toEqual([])
    expect(new Set(created.map(({ body }) => body.id))).toEqual(new Set([offer?.id]))
    const first = created.filter(({ replayed }) => replayed === null).length
    expect([1, late > 0 ? 0 : 1]).toContain(first)
    expect(await keyRow(key)).toMatchObject({ offer_id: offer?.id, lease_until: null })
  })
})

describe(`two intents, ${many / 2} times each at once: one wins, the others are 409`, () => {
  test.each<[string, () => Promise<{ product_id: string }>]>([
    ['a schema that is known', () => own.twoVersions()],
    ['a schema that no replica has seen', () => unseenProduct()],
  ])('%s', async (_, arrange) => {
    const { product_id } = await arrange()
    const key = newKey()
    const intents = ['one', 'two'].map(notes => ({ product_id, field_values, notes }))
    const answers = await atOnce(
      Array.from({ length: many }, (_, at) => intents[(at >> 1) % 2] as object),
      key,
    )
    const offers = await offersOf(product_id)
    expect(offers).toHaveLength(1)
    const winner = intents.findIndex(({ notes }) => notes === offers[0]?.notes)
    const expected = [[201], [409, [40901, 'Idempotency-Key']]]
    const wrong = answers.map(told).filter((outcome, at) => {
      const wanted = expected[(at >> 1) % 2 === winner ? 0 : 1]
      return JSON.stringify(outcome) !== JSON.stringify(wanted)
    })
    expect(wrong).toEqual([])
    expect(new Set(answers.flatMap(({ body }) => body.id ?? [])).size).toBe(1)
  })
})

test('while the product moves to and fro, no offer is pinned to a version that its values do not fit', async () => {
  const package_id = await own.package()
  const fits = await own.version(package_id, { properties: { a: true } })
  const fitsNot = await own.version(package_id, { properties: { b: true } })
  const product_id = await own.product(package_id, fits)
  const body = { product_id, field_values: { a: { value: 1, locked: true } } }
  let done = false
  const moving = (async () => {
    for (let at = 0; !done; at++) {
      const version = at % 2 ? fits : fitsNot
      await stack.sql`update offers.products set current_version_id = ${version} where id = ${product_id}`
    }
  })()
  const answers = await Promise.all(
    Array.from(
      { length: 300 },
      (_, at) => posts[at % 2]?.(body, at % 3 ? { key: newKey() } : {}) as Promise<Answer>,
    ),
  ).finally(() => {
    done = true
  })
  await moving
  const allowed = ['[201]', '[422,[42209,"field_values.a"]]']
  for (const answer of answers) expect(allowed).toContain(JSON.stringify(told(answer)))
  const offers = await offersOf(product_id)
  expect(offers).toHaveLength(answers.filter(({ status }) => status === 201).length)
  expect(offers.filter(offer => offer.package_version_id !== fits)).toEqual([])
})

describe('replicas killed with SIGKILL', () => {
  /** A transaction in which `work` is done and never committed; others wait for what it has locked. */
  async function hold(work: (tx: postgres.ReservedSql) => Promise<unknown>) {
    const tx = await stack.sql.reserve()
    await tx`begin`
    await work(tx)
    const [own] = await tx`select pg_backend_pid() as pid`
    return {
      someoneWaits: () =>
        waitUntil('someone waits', async () => {
          const waiting = await stack.sql`
            select from pg_stat_activity where ${own?.pid}::int = any(pg_blocking_pids(pid))`
          return waiting.length > 0
        }),
      async release() {
        await tx`rollback`
        tx.release()
      },
    }
  }

  /** Whoever writes the key's row waits until it is decided whether this one exists. */
  const holdKey = (key: string) =>
    hold(
      tx => tx`
        insert into offers.idempotency_keys
          (workspace_id, key, intent, package_version_id, lease_until, free_at, created_at)
        values (${stack.dev.workspace_id}, ${key}, '', '', now(), now(), now())`,
    )

  async function killAll() {
    for (const replica of replicas()) replica.kill('SIGKILL')
    await waitUntil('they are gone', async () => replicas().every(replica => !replica.running()))
  }

  const startAll = () => Promise.all(replicas().map(replica => replica.start()))

  /** A request whose client goes away without an answer. */
  function sendAndForget(body: object, key: string) {
    const gone = new AbortController()
    const answer = posts[0]?.(body, { key, signal: gone.signal })
    return async () => {
      gone.abort()
      await expect(answer).rejects.toThrow('aborted')
    }
  }

  test('between commit and reply: the retry gets the offer that was committed', async () => {
    const { product_id } = await own.twoVersions()
    const key = newKey()
    const held = await holdKey(key)
    const giveUp = sendAndForget({ product_id }, key)
    await held.someoneWaits()
    // PostgreSQL commits what it was sent; the replica that sent it stands still, and never learns of it.
    for (const replica of replicas()) replica.kill('SIGSTOP')
    await held.release()
    await waitUntil('the offer is in the table', async () => (await offersOf(product_id)).length === 1)
    await killAll()
    await giveUp()
    await startAll()

    const [offer] = await offersOf(product_id)
    const { id, short_hash } = offer ?? {}
    const retry = await posts[1]?.({ product_id }, { key })
    expect(retry).toEqual({ status: 201, body: { id, short_hash }, replayed: 'true' })
    expect(await offersOf(product_id)).toHaveLength(1)
  })

  test('between reservation and offer: the retry gets an offer on the bound version', async () => {
    const { product_id, package_id, version } = await unseenProduct()
    const key = newKey()
    const body = { product_id, field_values }
    const held = await holdKey(key)
    const giveUp = sendAndForget(body, key)
    await held.someoneWaits()
    const versions = await hold(tx => tx`lock table offers.package_versions in access exclusive mode`)
    await held.release()
    await waitUntil('the key is reserved', async () => (await keyRow(key)) !== undefined)
    await killAll()
    await versions.release()
    await giveUp()
    await startAll()
    expect(await keyRow(key)).toMatchObject({ package_version_id: version, offer_id: null })

    const next = await own.version(package_id)
    await own.pin(product_id, next)
    const [retry, again] = await inTime([body, body], key)
    expect([retry?.status, again?.status, retry?.body.id]).toEqual([201, 201, again?.body.id])
    expect(await offersOf(product_id)).toMatchObject([{ id: retry?.body.id, package_version_id: version }])
  })
})

// Requests with a key on replicas that are killed between two statements, and on replicas that have just started.
import { waitUntil } from '@svc/local/wait-until'
import { holdTransaction } from '@svc/testing/hold-transaction'
import type { TestStack } from '@svc/testing/stack/stack'
import { beforeAll, expect, test } from 'vitest'
import { type Catalogue, catalogue, insertUnseenVersion, overBus } from '../catalogue.ts'
import { scene } from '../checkout/checkout-scene.ts'
import { type Answer, type Post, poster } from '../http.ts'
import { oneOffer } from '../offers/create/one-offer.ts'
import { isTooLate, timedAtOnce } from '../offers/create/timed-answers.ts'
import { killAll, replicas, startAll } from './replicas.ts'

let stack: TestStack
let own: Catalogue
let posts: Post[]
let keys = 0
const newKey = () => `killed-${++keys}`
const many = 500

beforeAll(() => {
  ;({ stack } = scene)
  own = catalogue(overBus(stack.backoffice, stack.dev.workspace_id))
  posts = stack.baseUrls.map(url => poster(url, stack.dev.api_token))
})

const offersOf = async (product: string) =>
  stack.sql`select * from offers.offers where product_id = ${product} order by id`
const keyRow = async (key: string) => {
  const [row] = await stack.sql`select * from offers.idempotency_keys where key = ${key}`
  return row
}

/** Retries, as clients do, what a machine that was too slow refused. */
async function untilInTime(bodies: object[], key: string): Promise<Answer[]> {
  const answers = await timedAtOnce(posts, bodies, key)
  return answers.some(isTooLate) ? untilInTime(bodies, key) : answers
}

const field_values = { region: { value: 'eu', locked: true } }

/** A product whose current version has a schema that no replica has compiled. */
async function unseenProduct() {
  const package_id = await own.package()
  const version = await insertUnseenVersion(stack.sql, stack.dev.workspace_id, package_id)
  return { package_id, version, product_id: await own.product(package_id, version) }
}

async function restartAll() {
  await Promise.all(
    replicas().map(async replica => {
      await replica.stop()
      await replica.start()
    }),
  )
}

/** Holds a row with this key in a transaction: statements that write the key wait until it ends. */
const holdKey = (key: string) =>
  holdTransaction(
    stack.sql,
    tx => tx`
      insert into offers.idempotency_keys
        (workspace_id, key, intent, package_version_id, lease_until, free_at, created_at)
      values (${stack.dev.workspace_id}, ${key}, '', '', now(), now(), now())`,
  )

/** A request whose client disconnects before the answer. */
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
  // PostgreSQL commits the statement; the replica that sent it is stopped, and never learns of it.
  for (const replica of replicas()) replica.kill('SIGSTOP')
  await held.release()
  await waitUntil('the offer is in the table', async () => (await offersOf(product_id)).length === 1)
  await killAll()
  await giveUp()
  await startAll()

  const [offer] = await offersOf(product_id)
  const { id, short_hash } = offer ?? {}
  const retry = await posts.at(-1)?.({ product_id }, { key })
  expect(retry).toEqual({ status: 201, body: { id, short_hash }, replayed: 'true' })
  expect(await offersOf(product_id)).toHaveLength(1)
})

// With a schema that the replicas have not compiled.
test(`the same key ${many} times at once on replicas that have just started: one row, one id, all 201`, async () => {
  const { product_id } = await unseenProduct()
  await restartAll()
  await oneOffer(
    { stack, posts },
    { product_id, body: { product_id, field_values }, key: newKey(), times: many },
  )
})

test('between reservation and offer: the retry gets an offer on the bound version', async () => {
  const { product_id, package_id, version } = await unseenProduct()
  const key = newKey()
  const body = { product_id, field_values }
  const held = await holdKey(key)
  const giveUp = sendAndForget(body, key)
  await held.someoneWaits()
  const versions = await holdTransaction(
    stack.sql,
    tx => tx`lock table offers.package_versions in access exclusive mode`,
  )
  await held.release()
  await waitUntil('the key is reserved', async () => (await keyRow(key)) !== undefined)
  await killAll()
  await versions.release()
  await giveUp()
  await startAll()
  expect(await keyRow(key)).toMatchObject({ package_version_id: version, offer_id: null })

  const next = await own.version(package_id)
  await own.pin(product_id, next)
  const [retry, again] = await untilInTime([body, body], key)
  expect([retry?.status, again?.status, retry?.body.id]).toEqual([201, 201, again?.body.id])
  expect(await offersOf(product_id)).toMatchObject([{ id: retry?.body.id, package_version_id: version }])
})

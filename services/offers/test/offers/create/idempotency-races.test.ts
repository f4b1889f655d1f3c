// Many concurrent requests with one key, over two gateways and two replicas. With killed replicas: killed/one-key.ts.
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Catalogue, catalogue, insertUnseenVersion, overBus } from '../../catalogue.ts'
import { type Answer, type Post, poster, summaryOf } from '../../http.ts'
import { oneOffer } from './one-offer.ts'

const stack = forFile(joinProduct)
let own: Catalogue
let posts: Post[]
let keys = 0
const newKey = () => `key-${++keys}`

beforeAll(() => {
  own = catalogue(overBus(stack.backoffice, stack.dev.workspace_id))
  posts = stack.baseUrls.map(url => poster(url, stack.dev.api_token))
})

const offersOf = async (product: string) =>
  stack.sql`select * from offers.offers where product_id = ${product} order by id`
/** Sends all bodies with the key at once, alternating between the gateways. */
const atOnce = (bodies: object[], key: string): Promise<Answer[]> =>
  Promise.all(bodies.map((body, at) => posts[at % posts.length]?.(body, { key }) as Promise<Answer>))

const field_values = { region: { value: 'eu', locked: true } }

/** A product whose current version has a schema that no replica has compiled. */
async function unseenProduct() {
  const package_id = await own.package()
  const version = await insertUnseenVersion(stack.sql, stack.dev.workspace_id, package_id)
  return { package_id, version, product_id: await own.product(package_id, version) }
}

const many = sized(40, 500)

describe(`the same key ${many} times at once: one row, one id, all 201`, () => {
  test.each<[string, () => Promise<{ product_id: string; body: object }>]>([
    [
      'an explicit version',
      async () => {
        const { product_id, first } = await own.twoVersions()
        return { product_id, body: { product_id, package_version_id: first, field_values } }
      },
    ],
    [
      "the product's version, without field values",
      async () => {
        const { product_id } = await own.twoVersions()
        return { product_id, body: { product_id } }
      },
    ],
    [
      "the product's version, with field values",
      async () => {
        const { product_id } = await own.twoVersions()
        return { product_id, body: { product_id, field_values } }
      },
    ],
  ])('%s', async (_, arrange) => {
    const { product_id, body } = await arrange()
    await oneOffer({ stack, posts }, { product_id, body, key: newKey(), times: many })
  })
})

describe(`two intents, ${many / 2} times each at once: one wins, the other gets 409`, () => {
  test.each<[string, () => Promise<{ product_id: string }>]>([
    ['a compiled schema', () => own.twoVersions()],
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
    const wrong = answers.map(summaryOf).filter((outcome, at) => {
      const wanted = expected[(at >> 1) % 2 === winner ? 0 : 1]
      return JSON.stringify(outcome) !== JSON.stringify(wanted)
    })
    expect(wrong).toEqual([])
    expect(new Set(answers.flatMap(({ body }) => body.id ?? [])).size).toBe(1)
  })
})

test('while the product switches back and forth, no offer is pinned to a version for which its values are invalid', async () => {
  const package_id = await own.package()
  const accepts = await own.version(package_id, { properties: { a: true } })
  const refuses = await own.version(package_id, { properties: { b: true } })
  const product_id = await own.product(package_id, accepts)
  const body = { product_id, field_values: { a: { value: 1, locked: true } } }
  let done = false
  const moving = (async () => {
    for (let at = 0; !done; at++) {
      const version = at % 2 ? accepts : refuses
      await stack.sql`update offers.products set current_version_id = ${version} where id = ${product_id}`
    }
  })()
  const answers = await Promise.all(
    Array.from(
      { length: sized(60, 300) },
      (_, at) => posts[at % 2]?.(body, at % 3 ? { key: newKey() } : {}) as Promise<Answer>,
    ),
  ).finally(() => {
    done = true
  })
  await moving
  const allowed = ['[201]', '[422,[42209,"field_values.a"]]']
  for (const answer of answers) expect(allowed).toContain(JSON.stringify(summaryOf(answer)))
  const offers = await offersOf(product_id)
  expect(offers).toHaveLength(answers.filter(({ status }) => status === 201).length)
  expect(offers.filter(offer => offer.package_version_id !== accepts)).toEqual([])
})

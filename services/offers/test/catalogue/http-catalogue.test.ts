// The catalogue over HTTP: create, read, list and update.
import { forFile } from '@svc/testing/for-file'
import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { fixedPolicy, rangePolicy } from '../catalogue.ts'
import {
  made,
  newProduct,
  readAll,
  type Send,
  schema,
  startHttpScene,
  statusAndProblems,
} from '../http-scene.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let own: Send
let theirs: Send
beforeAll(() => {
  ;({ own, theirs } = scene)
})

const absent = (prefix: string) => `${prefix}_01h00000000000000000000000`
/** Sorted by id: ids that two replicas make in the same millisecond have no order of creation. */
const newestFirst = <T extends { id: string }>(items: T[]) => items.toSorted((a, b) => (a.id < b.id ? 1 : -1))
const sorted = (ids: string[]) => ids.toSorted().reverse()

/** A channel of a new product, with an active policy. */
async function newChannel(send: Send) {
  const product = await newProduct(send)
  const channel_id = await made(send, '/offer_channels', { product_id: product.product_id, name: 'Channel' })
  await send('POST', `/offer_channels/${channel_id}/policies`, { policy: rangePolicy, activate: true })
  return { ...product, channel_id }
}

describe('a created resource is returned the way it is read, listed newest first, and can be updated', () => {
  test('packages', async () => {
    const created = []
    for (const name of ['a', 'b', 'c', 'd', 'e']) created.push(await own('POST', '/packages', { name }))
    expect(created.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201])
    const [first] = created
    expect(first?.body).toEqual({
      id: expect.stringMatching(/^pkg_[0-9a-z]{26}$/),
      name: 'a',
      created_at: expect.any(Number),
    })
    expect((await own('GET', `/packages/${first?.body.id}`)).body).toEqual(first?.body)
    const listed = await readAll(own, '/packages')
    expect(listed.slice(0, 5)).toEqual(newestFirst(created.map(({ body }) => body)))
    const renamed = await own('PATCH', `/packages/${first?.body.id}`, { name: 'z' })
    expect(renamed).toEqual({ status: 200, body: { ...first?.body, name: 'z' } })
    expect((await own('GET', `/packages/${first?.body.id}`)).body).toEqual(renamed.body)
  })

  test('package versions, listed without their schemas and instructions', async () => {
    const id = await made(own, '/packages', { name: 'versions' })
    expect((await own('GET', `/packages/${id}/versions`)).body).toEqual({ data: [], next_cursor: null })
    const versions = []
    for (const version of ['1', '2', '3']) {
      versions.push((await own('POST', `/packages/${id}/versions`, { version, input_schema: schema })).body)
    }
    const [first] = versions
    expect(first).toEqual({
      id: expect.stringMatching(/^pkgv_/),
      package_id: id,
      version: '1',
      created_at: expect.any(Number),
      input_schema: schema,
      instructions: null,
    })
    expect((await own('GET', `/package_versions/${first?.id}`)).body).toEqual(first)
    const listed = newestFirst(versions).map(({ input_schema, instructions, ...version }) => version)
    expect(await readAll(own, `/packages/${id}/versions`)).toEqual(listed)
  })

  test('products, whose current version can change, and can be none', async () => {
    const { package_id, version_id, product_id } = await newProduct(own)
    const path = `/products/${product_id}`
    const { body } = await own('GET', path)
    expect(body).toEqual({
      id: product_id,
      name: 'Product',
      package_id,
      current_package_version_id: version_id,
      created_at: expect.any(Number),
    })
    const versions = `/packages/${package_id}/versions`
    const next = await made(own, versions, { version: '2', input_schema: schema })
    expect((await own('PATCH', path, { current_package_version_id: next })).body).toEqual({
      ...body,
      current_package_version_id: next,
    })
    expect((await own('PATCH', path, { name: 'New' })).body).toEqual({
      ...body,
      name: 'New',
      current_package_version_id: next,
    })
    await own('PATCH', path, { current_package_version_id: null })
    expect((await own('GET', path)).body.current_package_version_id).toBeNull()
    expect(statusAndProblems(await own('POST', '/offers', { product_id }))).toEqual([422, '42202 product_id'])
    const bare = await made(own, '/products', { name: 'Bare', package_id })
    const listed = await readAll(own, '/products')
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual(sorted([bare, product_id]))
  })

  test('channels, of all products or of one product', async () => {
    const { product_id } = await newProduct(own)
    const { body } = await own('POST', '/offer_channels', { product_id, name: 'Web' })
    expect(body).toEqual({
      id: expect.stringMatching(/^och_/),
      product_id,
      name: 'Web',
      status: 'active',
      active_policy: null,
      created_at: expect.any(Number),
    })
    const path = `/offer_channels/${body.id}`
    expect((await own('PATCH', path, { status: 'inactive' })).body).toEqual({ ...body, status: 'inactive' })
    expect((await own('PATCH', path, { name: 'Shop' })).body).toMatchObject({
      name: 'Shop',
      status: 'inactive',
    })
    const ids = [body.id]
    for (const name of ['b', 'c']) ids.unshift(await made(own, '/offer_channels', { product_id, name }))
    const other = await newProduct(own)
    const elsewhere = await made(own, '/offer_channels', { product_id: other.product_id, name: 'd' })
    const ofProduct = await readAll(own, `/offer_channels?product_id=${product_id}`)
    expect(ofProduct.map(({ id }) => id)).toEqual(sorted(ids))
    expect(ofProduct).toContainEqual((await own('GET', path)).body)
    const all = await readAll(own, '/offer_channels')
    expect(all.slice(0, 4).map(({ id }) => id)).toEqual(sorted([elsewhere, ...ids]))
  })

  test('policies, which are numbered and immutable, and one of which is active', async () => {
    const { product_id } = await newProduct(own)
    const id = await made(own, '/offer_channels', { product_id, name: 'Policies' })
    const path = `/offer_channels/${id}/policies`
    expect((await own('GET', path)).body).toEqual({ data: [], next_cursor: null })
    const active = async () => (await own('GET', `/offer_channels/${id}`)).body.active_policy
    const policies = [rangePolicy, fixedPolicy, { ...rangePolicy, support: 'other' }]
    for (const [at, policy] of policies.entries()) {
      const { status, body } = await own('POST', path, { policy, activate: at === 1 })
      expect({ status, body }).toEqual({
        status: 201,
        body: {
          offer_channel_id: id,
          number: at + 1,
          active: at === 1,
          policy,
          created_at: expect.any(Number),
        },
      })
    }
    expect(await active()).toBe(2)
    const listed = await readAll(own, path)
    expect(listed.map(({ number, active }) => [number, active])).toEqual([
      [3, false],
      [2, true],
      [1, false],
    ])
    expect(listed.map(({ policy }) => policy)).toEqual(policies.toReversed())
    for (const one of listed)
      expect(await own('GET', `${path}/${one.number}`)).toMatchObject({ status: 200, body: one })
    for (const number of [3, 1, 1]) {
      expect(await own('POST', `${path}/${number}/activate`)).toMatchObject({
        status: 200,
        body: { id, active_policy: number },
      })
      expect(await active()).toBe(number)
    }
    for (const number of ['4', '0', '01', '-1', 'x', '9999999999']) {
      expect(statusAndProblems(await own('GET', `${path}/${number}`)), number).toEqual([404, '40402'])
      expect(statusAndProblems(await own('POST', `${path}/${number}/activate`)), number).toEqual([
        404,
        '40402',
      ])
    }
    expect(await active()).toBe(1)
  })
})

describe('a published version', () => {
  test('is returned when the same content is published again, also ten times at once', async () => {
    const id = await made(own, '/packages', { name: 'again' })
    const body = { version: '1.0.0', input_schema: schema }
    const rounds = sized(2, 5)
    for (let round = 0; round < rounds; round++) {
      const version = { ...body, version: `1.0.${round}` }
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => own('POST', `/packages/${id}/versions`, version)),
      )
      expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
    }
    expect(await readAll(own, `/packages/${id}/versions`)).toHaveLength(rounds)
  })

  test('cannot be published with another schema: the refusal names the existing one', async () => {
    const { package_id, version_id } = await newProduct(own)
    const changed = await own('POST', `/packages/${package_id}/versions`, {
      version: '1.0.0',
      input_schema: { properties: {} },
    })
    expect(statusAndProblems(changed)).toEqual([409, '40905 version'])
    expect(changed.body.errors).toMatchObject([{ metadata: { id: version_id } }])
    expect((await own('GET', `/package_versions/${version_id}`)).body.input_schema).toEqual(schema)
  })

  test('with the same properties in another order is another schema', async () => {
    const { package_id } = await newProduct(own)
    const input_schema = Object.fromEntries(Object.entries(schema).reverse())
    const changed = await own('POST', `/packages/${package_id}/versions`, { version: '1.0.0', input_schema })
    expect(statusAndProblems(changed)).toEqual([409, '40905 version'])
  })

  test('is one of those that are published at once under one name, and stays', async () => {
    const id = await made(own, '/packages', { name: 'at once' })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        own('POST', `/packages/${id}/versions`, {
          version: '1.0.0',
          input_schema: { properties: { [`p${n}`]: true } },
        }),
      ),
    )
    const refused = answers.filter(({ status }) => status !== 201)
    expect(refused.map(statusAndProblems)).toEqual(Array(9).fill([409, '40905 version']))
    const [kept] = answers.filter(({ status }) => status === 201)
    expect((await own('GET', `/package_versions/${kept?.body.id}`)).body).toEqual(kept?.body)
  })

  test('policies published at once get different numbers, each its own', async () => {
    const { channel_id } = await newChannel(own)
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        own('POST', `/offer_channels/${channel_id}/policies`, {
          policy: { ...fixedPolicy, support: `s${n}` },
          activate: true,
        }),
      ),
    )
    for (const [n, { body }] of answers.entries()) {
      const { policy } = (await own('GET', `/offer_channels/${channel_id}/policies/${body.number}`)).body
      expect(policy).toMatchObject({ support: `s${n}` })
    }
    const numbers = answers.map(({ body }) => Number(body.number)).sort((a, b) => a - b)
    expect(numbers).toEqual(Array.from({ length: 20 }, (_, n) => n + 2))
    const listed = await readAll(own, `/offer_channels/${channel_id}/policies`, 10)
    expect(listed.filter(({ active }) => active).map(({ number }) => number)).toEqual([21])
  })
})

describe('references', () => {
  test("to unknown ids are refused with their paths, and so are those to another workspace's ids", async () => {
    const foreign = await newChannel(theirs)
    const mine = await newProduct(own)
    const otherPackage = await newProduct(own)
    const name = 'x'
    for (const [package_id, version_id, product_id] of [
      [foreign.package_id, foreign.version_id, foreign.product_id],
      [absent('pkg'), absent('pkgv'), absent('prod')],
      ['nonsense', 'nonsense', 'nonsense'],
    ] as const) {
      const { package_id: known } = mine
      expect(statusAndProblems(await own('POST', '/products', { name, package_id }))).toEqual([
        422,
        '42201 package_id',
      ])
      const pinned = { name, package_id: known, current_package_version_id: version_id }
      expect(statusAndProblems(await own('POST', '/products', pinned))).toEqual([
        422,
        '42201 current_package_version_id',
      ])
      const move = { current_package_version_id: version_id }
      expect(statusAndProblems(await own('PATCH', `/products/${mine.product_id}`, move))).toEqual([
        422,
        '42201 current_package_version_id',
      ])
      expect(statusAndProblems(await own('POST', '/offer_channels', { name, product_id }))).toEqual([
        422,
        '42201 product_id',
      ])
      expect((await own('GET', `/offer_channels?product_id=${product_id}`)).body.data).toEqual([])
    }
    const current_package_version_id = otherPackage.version_id
    for (const answer of [
      await own('PATCH', `/products/${mine.product_id}`, { current_package_version_id, name: 'no' }),
      await own('POST', '/products', { name, package_id: mine.package_id, current_package_version_id }),
    ]) {
      expect(statusAndProblems(answer)).toEqual([422, '42203 current_package_version_id'])
    }
    expect((await own('GET', `/products/${mine.product_id}`)).body).toMatchObject({
      name: 'Product',
      current_package_version_id: mine.version_id,
    })
  })
})

describe('bodies', () => {
  const defaultPrice = { currency: 'eur', interval: 'month', unit_amount: 100 }

  test.each<[string, string, object, unknown[]]>([
    ['a package without a name', '/packages', {}, [400, '40002 name']],
    ['an empty name', '/packages', { name: '' }, [400, '40002 name']],
    ['a name of 201 characters', '/packages', { name: 'x'.repeat(201) }, [400, '40002 name']],
    ['an id chosen by the client', '/packages', { name: 'x', id: 'pkg_1' }, [400, '40002 id']],
    ['a product without a package', '/products', { name: 'x' }, [400, '40002 package_id']],
    [
      'an unknown status',
      '/offer_channels',
      { name: 'x', product_id: 'p', status: 'open' },
      [400, '40002 status'],
    ],
    [
      'a policy without a price',
      '/offer_channels/x/policies',
      { policy: { ...fixedPolicy, pricing: undefined } },
      [400, '40002 policy.pricing'],
    ],
    [
      'an empty range',
      '/offer_channels/x/policies',
      { policy: { ...rangePolicy, pricing: { ...rangePolicy.pricing, min_unit_amount: 300 } } },
      [400, '40002 policy.pricing.max_unit_amount'],
    ],
    [
      'a range without a default',
      '/offer_channels/x/policies',
      { policy: { ...rangePolicy, pricing: { ...rangePolicy.pricing, default_price: undefined } } },
      [400, '40002 policy.pricing.default_price'],
    ],
    ...(
      [
        ['unit_amount', 99],
        ['unit_amount', 201],
        ['currency', 'usd'],
        ['interval', 'year'],
      ] as const
    ).map(([field, value]): [string, string, object, unknown[]] => [
      `a default outside its range: ${field} ${value}`,
      '/offer_channels/x/policies',
      {
        policy: {
          ...rangePolicy,
          pricing: { ...rangePolicy.pricing, default_price: { ...defaultPrice, [field]: value } },
        },
      },
      [400, `40002 policy.pricing.default_price.${field}`],
    ]),
    [
      'tests as the default where tests are not allowed',
      '/offer_channels/x/policies',
      { policy: { ...rangePolicy, default_commercial_mode: 'non_billable_test' } },
      [400, '40002 policy.default_commercial_mode'],
    ],
  ])('%s', async (_, path, body, expected) => {
    expect(statusAndProblems(await own('POST', path, body))).toEqual(expected)
  })

  test.each(['/packages/x', '/products/x', '/offer_channels/x'])('an empty update of %s', async path => {
    expect((await own('PATCH', path, {})).status).toBe(400)
  })
})

test('a program on the bus without a workspace is refused', async () => {
  const caller = { kind: 'internal', id: 'test' } as const
  const asked = invoke(scene.stack.backoffice, offers, 'create_package', { caller, body: { name: 'x' } })
  await expect(asked).rejects.toMatchObject({ status: 403 })
})

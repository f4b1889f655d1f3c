// The bus-only operations that fill the catalogue, and what the database refuses regardless of the caller.
import { ApiError } from '@svc/contract/core/errors'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { sized } from '@svc/testing/size'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Catalogue,
  type CatalogueOperation,
  catalogue,
  exampleSchema,
  fixedPolicy,
  overBus,
  rangePolicy,
} from '../catalogue.ts'
import { problemsIn } from '../http.ts'

let stack: Product
let own: Catalogue
let theirs: Catalogue
beforeAll(async () => {
  stack = await joinProduct()
  own = catalogue(overBus(stack.backoffice, stack.dev.workspace_id))
  theirs = catalogue(overBus(stack.backoffice, stack.dev.other_workspace_id))
})
afterAll(() => stack?.stop())

/** Status, codes and paths of the reply when our workspace calls the operation. */
async function answer(
  name: CatalogueOperation,
  body: object,
): Promise<[number | string, ...[number, string][]]> {
  try {
    await overBus(stack.backoffice, stack.dev.workspace_id)(name, body)
    return [200]
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { errors } = error.body as { errors: [] }
    return [(error.body as { _tag: string })._tag, ...problemsIn(errors)]
  }
}

const exists = (path: string) => ['Conflict', [40905, path]]
const unknown = (path: string) => ['Unprocessable', [42201, path]]

describe('put_package', () => {
  test('creates it, and renames it', async () => {
    const id = newId('pkg')
    for (const name of ['One', 'Two']) {
      expect(await answer('put_package', { id, name })).toEqual([200])
      expect(await stack.sql`select name from offers.packages where id = ${id}`).toEqual([{ name }])
    }
  })

  test("does not touch another workspace's package", async () => {
    const id = await theirs.package()
    expect(await answer('put_package', { id, name: 'Mine' })).toEqual(exists('id'))
    expect(await stack.sql`select name from offers.packages where id = ${id}`).toEqual([{ name: 'Package' }])
  })
})

describe('put_product', () => {
  test('creates it, and renames it without changing its current version', async () => {
    const { product_id, package_id, first } = await own.twoVersions()
    expect(await answer('put_product', { id: product_id, package_id, name: 'New' })).toEqual([200])
    expect(
      await stack.sql`select name, current_version_id from offers.products where id = ${product_id}`,
    ).toEqual([{ name: 'New', current_version_id: first }])
  })

  test("refuses to change its package, and refuses another workspace's package and product", async () => {
    const { product_id } = await own.twoVersions()
    const other = { name: 'x', package_id: await own.package() }
    expect(await answer('put_product', { id: product_id, ...other })).toEqual(exists('id'))
    const foreign = { name: 'x', package_id: await theirs.package() }
    expect(await answer('put_product', { id: newId('prod'), ...foreign })).toEqual(unknown('package_id'))
    const theirProduct = await theirs.product(foreign.package_id)
    expect(await answer('put_product', { id: theirProduct, ...other })).toEqual(exists('id'))
  })
})

describe('publish_package_version', () => {
  const version = async (rest: object = {}) => ({
    id: newId('pkgv'),
    package_id: await own.package(),
    version: '1.0.0',
    input_schema: exampleSchema,
    ...rest,
  })

  test('the same content is accepted again, also ten times at once', async () => {
    for (let round = 0; round < sized(1, 20); round++) {
      const body = await version()
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => answer('publish_package_version', body)),
      )
      expect(answers).toEqual(Array(10).fill([200]))
      expect(await answer('publish_package_version', body)).toEqual([200])
      expect(await stack.sql`select from offers.package_versions where id = ${body.id}`).toHaveLength(1)
    }
  })

  test('different content is refused, and changes nothing', async () => {
    const body = await version()
    expect(await answer('publish_package_version', body)).toEqual([200])
    const row = () => stack.sql`select * from offers.package_versions where id = ${body.id}`
    const before = await row()
    const changes = [
      { version: '1.0.1' },
      { input_schema: { properties: {} } },
      { package_id: await own.package() },
      // Different text is different content, even if it means the same.
      { input_schema: Object.fromEntries(Object.entries(exampleSchema).reverse()) },
    ]
    for (const change of changes) {
      expect(await answer('publish_package_version', { ...body, ...change })).toEqual(exists('id'))
    }
    expect(await row()).toEqual(before)
  })

  test('when different contents are published at once under one id, one wins and stays', async () => {
    const body = await version()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        answer('publish_package_version', {
          ...body,
          input_schema: { properties: { [`p${n}`]: true } },
        }),
      ),
    )
    expect(answers.filter(([status]) => status === 200)).toHaveLength(1)
    expect(answers.filter(([status]) => status !== 200)).toEqual(Array(9).fill(exists('id')))
  })

  test('a version name is unique within its package', async () => {
    const body = await version()
    expect(await answer('publish_package_version', body)).toEqual([200])
    expect(await answer('publish_package_version', { ...body, id: newId('pkgv') })).toEqual(exists('version'))
    expect(await answer('publish_package_version', await version())).toEqual([200])
  })

  test("refuses another workspace's package, and the id of another workspace's version", async () => {
    const package_id = await theirs.package()
    expect(await answer('publish_package_version', await version({ package_id }))).toEqual(
      unknown('package_id'),
    )
    const id = await theirs.version(package_id)
    expect(await answer('publish_package_version', await version({ id }))).toEqual(exists('id'))
  })

  const property = (schema: unknown) => ({ properties: { a: schema } })
  let deep: object = {}
  for (let level = 0; level < 20; level++) deep = { items: deep }

  test.each<[string, object, string]>([
    ['no properties', { type: 'object' }, 'properties'],
    ['a type other than object', { type: 'array', properties: {} }, 'type'],
    ['an unknown type', property({ type: 'text' }), 'properties.a.type'],
    ['an invalid pattern', property({ pattern: '(' }), 'properties.a.pattern'],
    ['a pattern that needs backtracking', property({ pattern: '(?=x)y' }), 'properties.a.pattern'],
    ['a remote reference', property({ $ref: 'https://example.com/s.json' }), 'properties.a.$ref'],
    ['a reference to nothing', property({ $ref: '#/$defs/none' }), 'properties.a.$ref'],
  ])('refuses a schema with %s, with the path into the schema', async (_, input_schema, path) => {
    const body = await version({ input_schema })
    expect(await answer('publish_package_version', body)).toEqual([
      'Unprocessable',
      [42210, `input_schema.${path}`],
    ])
    expect(await stack.sql`select from offers.package_versions where id = ${body.id}`).toEqual([])
  })

  test.each<[string, object]>([
    ['nested too deeply', property(deep)],
    ['too long', property({ description: 'x'.repeat(70_000) })],
    [
      'too many properties',
      { properties: Object.fromEntries(Array.from({ length: 201 }, (_, n) => [n, true])) },
    ],
  ])('refuses a schema: %s', async (_, input_schema) => {
    const [tag, problem] = await answer('publish_package_version', await version({ input_schema }))
    expect([tag, problem?.[0]]).toEqual(['Unprocessable', 42210])
  })
})

describe('set_current_version', () => {
  test('refuses a version of another package, and anything of another workspace', async () => {
    const { product_id, first } = await own.twoVersions()
    const foreign = await theirs.twoVersions()
    const otherPackage = await own.version(await own.package())
    for (const body of [
      { product_id, package_version_id: otherPackage },
      { product_id, package_version_id: foreign.first },
      { product_id, package_version_id: newId('pkgv') },
      { product_id: foreign.product_id, package_version_id: foreign.second },
      { product_id: foreign.product_id, package_version_id: first },
      { product_id: newId('prod'), package_version_id: first },
    ]) {
      expect(await answer('set_current_version', body)).toEqual(unknown('package_version_id'))
    }
    const products = await stack.sql`
      select current_version_id from offers.products where id in (${product_id}, ${foreign.product_id})`
    expect(products.map(row => row.current_version_id).sort()).toEqual([first, foreign.first].sort())
  })
})

describe('put_offer_channel', () => {
  test('creates it, renames it and changes its status without changing its policy', async () => {
    const { product_id } = await own.twoVersions()
    const id = await own.channel(product_id, rangePolicy)
    expect(await answer('put_offer_channel', { id, product_id, name: 'New', status: 'inactive' })).toEqual([
      200,
    ])
    expect(
      await stack.sql`select name, status, active_policy from offers.offer_channels where id = ${id}`,
    ).toEqual([{ name: 'New', status: 'inactive', active_policy: 1 }])
  })

  test("refuses to change its product, and refuses another workspace's product and channel", async () => {
    const rest = { name: 'x', status: 'active' }
    const { product_id } = await own.twoVersions()
    const foreign = await theirs.twoVersions()
    const id = await own.channel((await own.twoVersions()).product_id)
    expect(await answer('put_offer_channel', { id, product_id, ...rest })).toEqual(exists('id'))
    expect(
      await answer('put_offer_channel', { id: newId('och'), product_id: foreign.product_id, ...rest }),
    ).toEqual(unknown('product_id'))
    const theirChannel = await theirs.channel(foreign.product_id)
    expect(await answer('put_offer_channel', { id: theirChannel, product_id, ...rest })).toEqual(exists('id'))
  })
})

describe('publish_channel_policy', () => {
  test('numbers 20 policies published at once from 1 to 20; the last one is active', async () => {
    const id = await own.channel((await own.twoVersions()).product_id)
    const published = await Promise.all(
      Array.from({ length: 20 }, (_, n) => own.policy(id, { ...rangePolicy, support: `s${n}` })),
    )
    const numbers = published.map(output => (output as { number: number }).number)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, n) => n + 1))
    expect(
      await stack.sql`select last_policy, active_policy from offers.offer_channels where id = ${id}`,
    ).toEqual([{ last_policy: 20, active_policy: 20 }])
    const rows = await stack.sql`
      select number, policy from offers.channel_policies where offer_channel_id = ${id} order by number`
    for (const { number, policy } of rows) {
      expect(policy).toEqual({ ...rangePolicy, support: `s${numbers.indexOf(number)}` })
    }
  })

  test("refuses an unknown channel, and another workspace's channel", async () => {
    const foreign = await theirs.channel((await theirs.twoVersions()).product_id)
    for (const offer_channel_id of [foreign, newId('och')]) {
      expect(await answer('publish_channel_policy', { offer_channel_id, policy: fixedPolicy })).toEqual(
        unknown('offer_channel_id'),
      )
    }
  })
})

test('a call without a workspace is refused', async () => {
  const nowhere = overBus(stack.backoffice, undefined as never)
  await expect(nowhere('put_package', { id: newId('pkg'), name: 'x' })).rejects.toMatchObject({ status: 403 })
})

test('ten concurrent puts of the same package, version, product or channel all succeed', async () => {
  const tenTimes = async (name: Parameters<typeof answer>[0], body: object) => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => answer(name, body)))
    expect(answers).toEqual(Array(10).fill([200]))
  }
  for (let round = 0; round < sized(1, 20); round++) {
    const [package_id, product_id] = [newId('pkg'), newId('prod')]
    await tenTimes('put_package', { id: package_id, name: 'P' })
    const version = { id: newId('pkgv'), package_id, version: '1', input_schema: exampleSchema }
    await tenTimes('publish_package_version', version)
    await tenTimes('put_product', { id: product_id, name: 'P', package_id })
    await tenTimes('put_offer_channel', {
      id: newId('och'),
      product_id,
      name: 'C',
      status: 'active',
    })
  }
})

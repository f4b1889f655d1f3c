// Every change of the catalogue is told once, by the statement that makes it, and nothing else is.
import { ApiError } from '@svc/contract/errors'
import { events, type EventType } from '@svc/contract/events'
import { offers } from '@svc/contract/offers'
import { parseInput } from '@svc/contract/validate'
import { newId } from '@svc/runtime/id'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDeps } from '../src/deps.ts'
import { handlers } from '../src/handlers.ts'
import { type CatalogueOperation, fixedPolicy, rangePolicy } from './catalogue.ts'
import { type Bench, startBench } from './in-process.ts'

let bench: Bench
let wakes = 0

beforeAll(async () => {
  bench = await startBench()
})
afterAll(() => bench?.stop())

type Input = { params?: Record<string, string>; body?: object }

async function run(
  name: CatalogueOperation,
  { params = {}, body }: Input,
  workspace = bench.workspace,
): Promise<Record<string, unknown>> {
  const { database, schemas } = bench
  const deps = createDeps({ database, now: Date.now, schemas, eventWritten: () => void wakes++ })
  const input = parseInput(offers.operations[name], {
    params,
    query: new URLSearchParams(),
    headers: {},
    body,
  })
  const handler = handlers[name] as (input: unknown, caller: unknown, deps: unknown) => Promise<unknown>
  const caller = { kind: 'user', id: 'user_test', workspace, role: 'owner' }
  const reply = await handler(input, caller, deps({ deadline: Date.now() + 5000, request_id: 'test' }))
  return ((reply as { body?: object }).body ?? {}) as Record<string, unknown>
}

/** Takes what is in the outbox: type, aggregate and data, in order; data are as the contract says. */
async function told(): Promise<unknown[][]> {
  const rows = await bench.sql`
    with taken as (delete from offers.outbox returning *)
    select substr(subject, 8) as type, aggregate_id, payload from taken order by sequence`
  return rows.map(({ type, aggregate_id, payload }) => {
    events[type as EventType].parse(payload)
    const { workspace_id, ...data } = payload
    expect(workspace_id).toBe(bench.workspace)
    return [type, aggregate_id, data]
  })
}

const input_schema = { type: 'object', properties: { seats: { type: 'integer' } } }
const done = new Set<string>()

/** Runs it, and expects just these events and, where there are some, that the relay was woken. */
async function expectTold(name: CatalogueOperation, input: Input, ...expected: unknown[][]) {
  done.add(name)
  await told()
  wakes = 0
  const answer = await run(name, input)
  const id = typeof answer.id === 'string' ? answer.id : (input.params?.id ?? '')
  expect([name, await told()]).toEqual([name, expected.map(([type, of = id, data = {}]) => [type, of, data])])
  if (expected.length > 0) expect(wakes).toBe(1)
  return id
}

test('every write operation of the catalogue tells what it changed, and nothing when it is repeated', async () => {
  await overHttp()
  await ofTheBackOffice()
  const writing = Object.keys(offers.operations).filter(
    name => /package|product|channel|version/.test(name) && !/^(get|list)_/.test(name),
  )
  expect([...done].sort()).toEqual(writing.sort())
})

async function overHttp() {
  const package_id = await expectTold('create_package', { body: { name: 'One' } }, ['packages.created'])
  const ofPackage = { params: { id: package_id } }
  const renamed = { ...ofPackage, body: { name: 'Two' } }
  await expectTold('update_package', renamed, ['packages.updated'])
  await expectTold('update_package', renamed)
  const v1 = { ...ofPackage, body: { version: '1.0.0', input_schema } }
  const version = await expectTold('create_package_version', v1, [
    'package_versions.created',
    undefined,
    { package_id },
  ])
  await expectTold('create_package_version', v1)

  const data = { package_id, current_package_version_id: version }
  const product_id = await expectTold('create_product', { body: { name: 'One', ...data } }, [
    'products.created',
    undefined,
    data,
  ])
  const ofProduct = { params: { id: product_id } }
  const unpinned = { package_id, current_package_version_id: null }
  for (const [body, after] of [
    [{ name: 'Two' }, data],
    [{ current_package_version_id: null }, unpinned],
    [{ name: 'Three', current_package_version_id: version }, data],
  ]) {
    await expectTold('update_product', { ...ofProduct, body }, ['products.updated', undefined, after])
    await expectTold('update_product', { ...ofProduct, body })
  }

  const active = { product_id, status: 'active' }
  const channel = await expectTold('create_offer_channel', { body: { name: 'One', ...active } }, [
    'offer_channels.created',
    undefined,
    active,
  ])
  const ofChannel = { params: { id: channel } }
  for (const [body, status] of [
    [{ name: 'Two' }, 'active'],
    [{ status: 'inactive' }, 'inactive'],
  ] as const) {
    await expectTold('update_offer_channel', { ...ofChannel, body }, [
      'offer_channels.updated',
      undefined,
      { product_id, status },
    ])
    await expectTold('update_offer_channel', { ...ofChannel, body })
  }
  const published = (policy_number: number) => ['offer_channels.policy_published', channel, { policy_number }]
  const activated = (policy_number: number) => ['offer_channels.policy_activated', channel, { policy_number }]
  const policy = (activate: boolean) => ({ ...ofChannel, body: { policy: rangePolicy, activate } })
  await expectTold('create_channel_policy', policy(true), published(1), activated(1))
  await expectTold('create_channel_policy', policy(false), published(2))
  const second = { params: { id: channel, number: '2' } }
  await expectTold('activate_channel_policy', second, activated(2))
  await expectTold('activate_channel_policy', second)

  await expectTold('delete_offer_channel', ofChannel, ['offer_channels.deleted', channel, { product_id }])
  await expectTold('delete_product', ofProduct, ['products.deleted'])
  await expectTold('delete_package', ofPackage, ['packages.deleted'])
}

async function ofTheBackOffice() {
  const [pkg, v1, v2, prod, och] = [newId('pkg'), newId('pkgv'), newId('pkgv'), newId('prod'), newId('och')]
  const put = async (name: CatalogueOperation, body: object, ...expected: unknown[][]) => {
    await expectTold(name, { body }, ...expected)
    await expectTold(name, { body })
  }
  await put('put_package', { id: pkg, name: 'One' }, ['packages.created'])
  await put('put_package', { id: pkg, name: 'Two' }, ['packages.updated'])
  for (const id of [v1, v2]) {
    await put('publish_package_version', { id, package_id: pkg, version: id, input_schema }, [
      'package_versions.created',
      id,
      { package_id: pkg },
    ])
  }
  const product = (version: string | null) => [prod, { package_id: pkg, current_package_version_id: version }]
  const inPackage = { id: prod, package_id: pkg }
  await put('put_product', { ...inPackage, name: 'One' }, ['products.created', ...product(null)])
  for (const version of [v1, v2]) {
    await put('set_current_version', { product_id: prod, package_version_id: version }, [
      'products.updated',
      ...product(version),
    ])
  }
  await put('put_product', { ...inPackage, name: 'Two' }, ['products.updated', ...product(v2)])
  const channel = (name: string, status: string) => ({ id: och, product_id: prod, name, status })
  const told = (what: string, status: string) => [`offer_channels.${what}`, och, { product_id: prod, status }]
  await put('put_offer_channel', channel('One', 'active'), told('created', 'active'))
  await put('put_offer_channel', channel('One', 'inactive'), told('updated', 'inactive'))
  await put('put_offer_channel', channel('Two', 'inactive'), told('updated', 'inactive'))
  await expectTold(
    'publish_channel_policy',
    { body: { offer_channel_id: och, policy: fixedPolicy } },
    ['offer_channels.policy_published', och, { policy_number: 1 }],
    ['offer_channels.policy_activated', och, { policy_number: 1 }],
  )
}

test('what is refused tells nothing', async () => {
  const { package_id, first, second, product_id } = await bench.catalogue.twoVersions()
  const channel = await bench.catalogue.channel(product_id, rangePolicy)
  const foreign = newId('ws')
  const unused = await bench.catalogue.package()
  await bench.catalogue.version(unused)
  await told()
  wakes = 0
  const mine = { params: { id: package_id } }
  const nowhere = { params: { id: 'none' } }
  const other = { type: 'object', properties: {} }
  const refused: [CatalogueOperation, Input, string?][] = [
    ['update_package', { ...nowhere, body: { name: 'x' } }],
    ['update_package', { ...mine, body: { name: 'x' } }, foreign],
    ['delete_package', mine],
    ['delete_package', nowhere],
    ['create_package_version', { ...nowhere, body: { version: '1', input_schema } }],
    ['create_package_version', { ...mine, body: { version: first, input_schema: other } }],
    ['create_product', { body: { name: 'x', package_id: 'none' } }],
    ['create_product', { body: { name: 'x', package_id: unused, current_package_version_id: first } }],
    ['update_product', { ...nowhere, body: { name: 'x' } }],
    [
      'update_product',
      { params: { id: product_id }, body: { name: 'x', current_package_version_id: 'none' } },
    ],
    ['delete_product', { params: { id: product_id } }],
    ['create_offer_channel', { body: { name: 'x', product_id: 'none' } }],
    ['update_offer_channel', { params: { id: channel }, body: { name: 'x' } }, foreign],
    ['delete_offer_channel', { params: { id: channel } }, foreign],
    ['create_channel_policy', { ...nowhere, body: { policy: rangePolicy, activate: true } }],
    ['activate_channel_policy', { params: { id: channel, number: '7' } }],
    ['put_package', { body: { id: package_id, name: 'x' } }, foreign],
    ['put_product', { body: { id: product_id, name: 'x', package_id: unused } }],
    ['put_product', { body: { id: newId('prod'), name: 'x', package_id: 'none' } }],
    ['publish_package_version', { body: { id: first, package_id, version: '9', input_schema } }],
    [
      'publish_package_version',
      { body: { id: newId('pkgv'), package_id, version: second, input_schema: other } },
    ],
    ['set_current_version', { body: { product_id, package_version_id: 'none' } }],
    [
      'put_offer_channel',
      { body: { id: channel, product_id: 'none', name: 'x', status: 'active' } },
      foreign,
    ],
    ['publish_channel_policy', { body: { offer_channel_id: 'none', policy: rangePolicy } }],
  ]
  for (const [name, input, workspace] of refused) {
    const answer = await run(name, input, workspace).catch(error => error)
    expect([name, answer instanceof ApiError, await told()]).toEqual([name, true, []])
  }
  expect(wakes).toBe(0)
})

test('of changes at the same moment each is told, in the order in which they were made', async () => {
  const { first, second, product_id, package_id } = await bench.catalogue.twoVersions()
  await told()
  await Promise.all(
    Array.from({ length: 60 }, (_, n) => {
      const current_package_version_id = n % 2 ? first : second
      return n % 3
        ? run('update_product', { params: { id: product_id }, body: { current_package_version_id } })
        : run('set_current_version', { body: { product_id, package_version_id: current_package_version_id } })
    }),
  )
  const versions = (await told()).map(
    ([, , data]) => (data as Record<string, unknown>).current_package_version_id,
  )
  // One that is told twice in a row was no change, or the change between them was not told.
  expect(versions.filter((version, at) => version === (at === 0 ? first : versions[at - 1]))).toEqual([])
  expect(versions.length).toBeGreaterThan(1)
  const [row] = await bench.sql`select current_version_id from offers.products where id = ${product_id}`
  expect(versions.at(-1)).toBe(row?.current_version_id)

  const channel = await bench.catalogue.channel(product_id)
  await told()
  await Promise.all(
    Array.from({ length: 20 }, () =>
      run('publish_channel_policy', { body: { offer_channel_id: channel, policy: rangePolicy } }),
    ),
  )
  expect(await told()).toEqual(
    Array.from({ length: 20 }, (_, at) => [
      ['offer_channels.policy_published', channel, { policy_number: at + 1 }],
      ['offer_channels.policy_activated', channel, { policy_number: at + 1 }],
    ]).flat(),
  )

  const id = newId('prod')
  await Promise.all(
    Array.from({ length: 20 }, (_, n) => run('put_product', { body: { id, package_id, name: `${n}` } })),
  )
  const types = (await told()).map(([type]) => type)
  expect(types).toEqual(['products.created', ...Array(19).fill('products.updated')])
})

// What is sold: packages, versions, products, channels and their policies, against the running product, with pipes.
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliScene, rowsOf } from './cli-scene.ts'
import { svc } from './svc-here.ts'

const scene = cliScene()
const { owner, json, api } = scene

const schema = { type: 'object', properties: { seats: { type: 'integer' } } }
const policy = {
  approval: 'manual',
  checkout: 'none',
  pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 900 },
  allow_non_billable_test: true,
}

const details = async (args: readonly string[]) => {
  const { code, out, err } = await svc(args, owner())
  expect(code).toBe(0)
  expect(err).toMatch(args[1] === 'create' ? /^Idempotency-Key: \S+\n$/ : /^$/)
  return Object.fromEntries(rowsOf(out))
}
const deleted = async (noun: string, id: string) =>
  expect(await svc([noun, 'delete', id], owner())).toEqual({ code: 0, out: '', err: `Deleted ${id}.\n` })

test('a package is created, listed, shown, renamed and deleted', async () => {
  const { id = '', name } = await details(['packages', 'create', '--name', 'Acme Sync'])
  expect(name).toBe('Acme Sync')
  expect(await json(['packages', 'get', id])).toEqual(await api(`/packages/${id}`))
  expect(await json(['packages', 'list'])).toEqual(await api('/packages'))
  expect(await details(['packages', 'update', id, '--name', 'Acme Sync 2'])).toMatchObject({
    name: 'Acme Sync 2',
  })
  await deleted('packages', id)
  expect((await svc(['packages', 'get', id], owner())).code).toBe(4)
})

test('a version is published from a file or standard input, once for each name', async () => {
  const { id: package_ } = await json(['packages', 'create', '--name', 'versioned'])
  const file = join(scene.dir, 'schema.json')
  await writeFile(file, JSON.stringify(schema))
  const publish = ['versions', 'publish', package_, '--name', '1.4.0', '--schema']
  const { id = '', ...shown } = await details([...publish, file])
  expect(shown).toMatchObject({
    version: '1.4.0',
    package_id: package_,
    input_schema: JSON.stringify(schema),
  })
  expect(await json([...publish, '-'], owner(), JSON.stringify(schema))).toMatchObject({ id })
  const changed = await svc([...publish, '-'], owner(), JSON.stringify({ ...schema, required: ['seats'] }))
  expect(changed).toMatchObject({ code: 5, err: expect.stringContaining('request id: ') })
  expect(await json(['versions', 'get', id])).toEqual(await api(`/package_versions/${id}`))
  expect(await json(['versions', 'list', package_])).toEqual(await api(`/packages/${package_}/versions`))
  const [names, row] = rowsOf((await svc(['versions', 'list', package_], owner())).out)
  expect([names, row?.slice(0, 2)]).toEqual([
    ['id', 'version', 'created_at'],
    [id, '1.4.0'],
  ])
})

test('a schema that cannot be used is refused with the place of each fault', async () => {
  const { id } = await json(['packages', 'create', '--name', 'refused'])
  const publish = ['versions', 'publish', id, '--name', '1', '--schema', '-']
  const refused = await svc(publish, owner(), '{"type":"object","properties":{"a":{"type":"what"}}}')
  expect(refused.code).toBe(8)
  expect(refused.err).toMatch(/^ {2}field: input_schema/m)
  expect((await svc(publish, owner(), '[]')).err).toBe('svc: Standard input is not a JSON object.\n')
})

test('a product is created, shown, renamed, given another version or none, and deleted', async () => {
  const { id: package_ } = await json(['packages', 'create', '--name', 'sold'])
  const publish = ['versions', 'publish', package_, '--schema', '-', '--name']
  const { id: first } = await json([...publish, '1'], owner(), JSON.stringify(schema))
  const { id: second } = await json([...publish, '2'], owner(), JSON.stringify(schema))
  const created = await details([
    ...['products', 'create', '--name', 'Acme', '--package', package_, '--current-version', first],
  ])
  const { id = '' } = created
  expect(created).toMatchObject({ name: 'Acme', package_id: package_, current_package_version_id: first })
  expect(await json(['products', 'get', id])).toEqual(await api(`/products/${id}`))
  expect((await json(['products', 'list', '--limit', '1'])).data).toMatchObject([{ id }])
  expect(await details(['products', 'update', id, '--name', 'Acme 2'])).toMatchObject({ name: 'Acme 2' })
  const set = async (...version: string[]) =>
    (await json(['products', 'update', id, ...version])).current_package_version_id
  expect([
    await set('--current-version', second),
    await set('--no-current-version'),
    await set('--current-version', first),
  ]).toEqual([second, null, first])
  expect(await svc(['products', 'update', id, '--current-version', 'latest'], owner())).toMatchObject({
    code: 8,
    err: expect.stringContaining('field: current_package_version_id'),
  })
  expect(await svc(['packages', 'delete', package_], owner())).toMatchObject({ code: 5 })
  await deleted('products', id)
})

test('a channel is created, listed, changed and deleted; its policies are published and made active', async () => {
  const { product_id } = scene.dev
  const { id = '', ...created } = await details([
    ...['channels', 'create', '--product', product_id, '--name', 'Resellers', '--status', 'inactive'],
  ])
  expect(created).toMatchObject({ name: 'Resellers', status: 'inactive', active_policy: '-' })
  expect(await json(['channels', 'get', id])).toEqual(await api(`/offer_channels/${id}`))
  const { data } = await json(['channels', 'list', '--product', product_id])
  expect(data.map((one: { id: string }) => one.id)).toContain(id)
  expect((await json(['channels', 'list', '--product', 'prod_none'])).data).toEqual([])
  expect(await json(['channels', 'update', id, '--status', 'active', '--name', 'Partners'])).toMatchObject({
    status: 'active',
    name: 'Partners',
  })

  const publish = ['channels', 'policies', 'publish', id, '--policy', '-']
  expect(await json([...publish, '--activate'], owner(), JSON.stringify(policy))).toMatchObject({
    number: 1,
    active: true,
  })
  const file = join(scene.dir, 'policy.json')
  await writeFile(file, JSON.stringify({ ...policy, approval: 'automatic' }))
  const second = await details([...publish.slice(0, -1), file])
  expect(second).toMatchObject({ number: '2', active: 'false' })
  expect(JSON.parse(second.policy ?? '')).toMatchObject({ approval: 'automatic', support: null })
  expect(await json(['channels', 'policies', 'activate', id, '2'])).toMatchObject({ active_policy: 2 })
  expect(await json(['channels', 'policies', 'list', id])).toEqual(
    await api(`/offer_channels/${id}/policies`),
  )
  const [, newest, oldest] = rowsOf((await svc(['channels', 'policies', 'list', id], owner())).out)
  expect([newest?.slice(0, 2), oldest?.slice(0, 2)]).toEqual([
    ['2', 'true'],
    ['1', 'false'],
  ])
  const refused = await svc(publish, owner(), JSON.stringify({ ...policy, approval: 'sometimes' }))
  expect(refused).toMatchObject({ code: 7, err: expect.stringContaining('field: policy.approval') })
  expect((await svc(['channels', 'policies', 'activate', id, '9'], owner())).code).toBe(4)
  await deleted('channels', id)
})

test.each([
  [
    'a number that is none',
    ['channels', 'policies', 'activate', 'och_1', '../1'],
    'Give a number from 1 on.',
  ],
  ['a change of nothing', ['channels', 'update', 'och_1'], 'Give --name or --status.'],
  ['no schema', ['versions', 'publish', 'pkg_1', '--name', '1'], "required option '--schema <path>'"],
])('usage: %s', async (_, args, said) => {
  const { code, out, err } = await svc(args, owner())
  expect([code, out]).toEqual([2, ''])
  expect(err).toContain(said)
})

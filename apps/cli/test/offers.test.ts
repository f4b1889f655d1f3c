// Offers against the running product, with pipes: bodies, exit statuses and error messages.
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { cliScene, rowsOf } from './cli-scene.ts'
import { svc } from './svc-here.ts'
import { svcProcess } from './svc-process.ts'

const scene = cliScene()
const { owner, json, api } = scene

test('are created from flags, shown, listed and revoked', async () => {
  const created = await svc(
    [
      ...[
        'offers',
        'create',
        '--product',
        scene.dev.product_id,
        '--notes',
        'Welcome.',
        '--max-uses',
        'unlimited',
      ],
      ...['--allow-email', 'a@example.com', '--allow-email', 'b@example.com', '--expires-at', '30d'],
      ...[
        '--field',
        'seats=5',
        '--locked-field',
        'region=eu',
        '--customer-name',
        'Acme',
        '--customer-id',
        '7',
      ],
      ...[
        '--price',
        '900',
        '--currency',
        'eur',
        '--interval',
        'month',
        '--order-ttl-minutes',
        '30',
        '--json',
      ],
    ],
    owner(),
  )
  expect(created).toMatchObject({ code: 0, err: expect.stringMatching(/^Idempotency-Key: [\w-]{36}\n$/) })
  const { id } = JSON.parse(created.out)
  const shown = await json(['offers', 'get', id])
  const { url, ...offer } = shown
  expect(offer).toEqual(await api(`/offers/${id}`))
  expect(url).toBe(`${new URL(scene.dev.base_url).origin}/i/${offer.short_hash}`)
  expect(JSON.parse(created.out)).toMatchObject({ id, url })
  const [first] = (await json(['offers', 'list', '--product', scene.dev.product_id])).data
  expect(first).toMatchObject({ id, url })
  expect(shown).toMatchObject({
    state: 'active',
    notes: 'Welcome.',
    seats: { max_uses: null },
    allowed_emails: ['a@example.com', 'b@example.com'],
    field_values: { seats: { value: 5, locked: false }, region: { value: 'eu', locked: true } },
    customer: { display_name: 'Acme', external_id: '7' },
    pricing_request: { unit_amount: 900, currency: 'eur', interval: 'month' },
    order_ttl_minutes: 30,
    product_id: scene.dev.product_id,
  })
  expect(shown.expires_at).toBeGreaterThan(Date.now() / 1000 + 29 * 86_400)
  const listed = await svc(
    ['offers', 'list', '--product', scene.dev.product_id, '--state', 'active'],
    owner(),
  )
  const [names, ...rows] = rowsOf(listed.out)
  expect(names).toEqual(['id', 'short_hash', 'state', 'seats', 'expires_at', 'customer', 'url'])
  expect(rows.find(([one]) => one === id)).toEqual([
    id,
    shown.short_hash,
    'active',
    '0/unlimited',
    expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
    'Acme',
    `${new URL(scene.dev.base_url).origin}/i/${shown.short_hash}`,
  ])
  expect(await json(['offers', 'revoke', id, '--yes'])).toMatchObject({ id, state: 'revoked' })
  const after = await svc(['offers', 'get', id], owner())
  expect(after.out).toContain('\nstate\trevoked\n')
})

test('the same key creates one offer, and says so; with another body it is a conflict', async () => {
  const args = [
    'offers',
    'create',
    '--product',
    scene.dev.product_id,
    '--idempotency-key',
    'order-1',
    '--json',
  ]
  const first = await svc(args, owner())
  const again = await svc(args, owner())
  expect(again.out).toBe(first.out)
  expect(again.err).toContain('This key was used before')
  const changed = await svc([...args, '--notes', 'Other.'], owner())
  expect(changed.code).toBe(5)
  expect(changed.err).toContain('(40901)')
  expect(JSON.parse(changed.out)).toMatchObject({ _tag: 'Conflict', errors: [{ code: 40901 }] })
  const [found] = (await json(['offers', 'list', '--idempotency-key', 'order-1'])).data
  expect(found.id).toBe(JSON.parse(first.out).id)
})

test('from a file, from standard input, and with flags on top', async () => {
  const file = join(await mkdtemp(join(scene.dir, 'offer-')), 'offer.json')
  const body = {
    product_id: scene.dev.product_id,
    notes: 'From a file.',
    field_values: { seats: { value: 1, locked: false } },
  }
  await writeFile(file, JSON.stringify(body))
  const fromFile = await json(['offers', 'create', '--file', file])
  const args = ['offers', 'create', '--file', '-', '--notes', 'A flag.', '--field', 'company=Acme', '--json']
  const piped = await svcProcess(args, owner(), JSON.stringify(body))
  expect(piped.code).toBe(0)
  const fromInput = JSON.parse(piped.out)
  expect((await json(['offers', 'get', fromFile.id])).notes).toBe('From a file.')
  expect(await json(['offers', 'get', fromInput.id])).toMatchObject({
    notes: 'A flag.',
    field_values: { seats: { value: 1 }, company: { value: 'Acme' } },
  })
})

test('each line of a file becomes an offer, once however often the command runs', async () => {
  const file = join(await mkdtemp(join(scene.dir, 'offers-')), 'offers.jsonl')
  const lines = [{ notes: 'one' }, { notes: 'twice' }, { notes: 'twice' }, { notes: 7 }]
  const run = async (text: string) => {
    await writeFile(file, text)
    const args = ['offers', 'create', '--from', file, '--product', scene.dev.product_id, '--json']
    const { code, out, err } = await svc(args, owner())
    const outcomes = out.split('\n').filter(line => line.startsWith('{"line"'))
    return { code, err, outcomes: outcomes.map(line => JSON.parse(line)) }
  }
  const text = `${lines.map(line => JSON.stringify(line)).join('\n\n')}\n`
  const first = await run(text)
  expect(first.code).toBe(8)
  expect(first.err).toContain('1 of 4 lines were refused.')
  expect(first.outcomes.map(({ line, outcome }) => [line, outcome])).toEqual([
    [1, 'created'],
    [3, 'created'],
    [5, 'created'],
    [7, 'refused'],
  ])
  expect(first.outcomes[3].errors).toMatchObject([{ code: 40002, path: ['notes'] }])
  const ids = first.outcomes.slice(0, 3).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  const again = await run(text.replace('7', '"seven"'))
  expect(again.code).toBe(0)
  expect(again.outcomes.map(({ outcome }) => outcome)).toEqual([
    'existing',
    'existing',
    'existing',
    'created',
  ])
  expect(again.outcomes.slice(0, 3).map(({ id }) => id)).toEqual(ids)
  const broken = await run(`${text}{`)
  expect([broken.code, broken.outcomes]).toEqual([2, []])
  expect(broken.err).toContain('Line 8 is not JSON')
})

test('a preview shows version, terms and warnings, and creates nothing', async () => {
  const { product_id, offer_channel_id } = scene.dev
  const count = async () =>
    (await json(['offers', 'list', '--product', product_id, '--limit', '100'])).data.length
  const before = await count()
  const args = ['offers', 'preview', '--product', product_id, '--channel', offer_channel_id]
  const { code, out, err } = await svc([...args, '--order-ttl-minutes', '30'], owner())
  expect(code).toBe(0)
  expect(err).toMatch(/^Warning: An order has 30 minutes/)
  expect(rowsOf(out).map(([name]) => name)).toContain('package_version_id')
  expect(await count()).toBe(before)
})

test('a list continues where it ended, by hand or automatically', async () => {
  const env = owner()
  for (const _ of [1, 2, 3]) await json(['offers', 'create', '--product', scene.dev.product_id])
  const first = await svc(['offers', 'list', '--limit', '1'], env)
  const cursor = /There are more: use --cursor (\S+) or --all\./.exec(first.err)?.[1] ?? ''
  const second = await svc(['offers', 'list', '--limit', '1', '--cursor', cursor], env)
  const all = await svc(['offers', 'list', '--limit', '2', '--all'], env)
  expect(all.err).toBe('')
  const ids = rowsOf(all.out)
    .slice(1)
    .map(([id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
  expect(ids.slice(0, 2)).toEqual([rowsOf(first.out)[1]?.[0], rowsOf(second.out)[1]?.[0]])
  const { out } = await svc(['offers', 'list', '--limit', '2', '--all', '--json'], env)
  const bodies = out
    .split(/^}\n/m)
    .filter(Boolean)
    .map(one => JSON.parse(`${one}}`))
  expect(bodies.flatMap(({ data }) => data.map(({ id }: { id: string }) => id))).toEqual(ids)
  expect(bodies.at(-1).next_cursor).toBeNull()
})

test('create prints what get warns of, after the id', async () => {
  const { product_id, offer_channel_id } = scene.dev
  const short = ['--channel', offer_channel_id, '--order-ttl-minutes', '30']
  const args = ['offers', 'create', '--product', product_id, ...short]
  const { code, out, err } = await svc(args, owner())
  expect(code).toBe(0)
  expect(rowsOf(out).map(([name]) => name)).toEqual(['id', 'short_hash', 'url'])
  const [[, id = ''] = []] = rowsOf(out)
  const [, ...notes] = err.split('\n')
  expect(notes.join('\n')).toMatch(/^Warning: An order has 30 minutes/)
  expect((await svc(['offers', 'get', id], owner())).err).toBe(notes.join('\n'))
})

test('what cannot be processed has a status of its own', async () => {
  const { code, err } = await svc(
    ['offers', 'create', '--product', 'prod_00000000000000000000000000'],
    owner(),
  )
  expect(code).toBe(8)
  expect(err).toContain('(42201)')
})

test('a refusal names every field, only on standard error', async () => {
  const { code, out, err } = await svc(
    ['offers', 'create', '--product', scene.dev.product_id, '--notes', 'n'.repeat(501), '--max-uses', '0'],
    owner(),
  )
  expect([code, out]).toEqual([7, ''])
  expect(err).toContain('field: notes\n')
  expect(err).toContain('field: max_uses\n')
  expect(err).toMatch(/request id: \S+\n$/)
})

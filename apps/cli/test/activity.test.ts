// What happened, and where it is sent, against the running product, with pipes.
import { waitUntil } from '@svc/local/wait-until'
import { startReceiver } from '@svc/testing/webhook-receiver'
import { describe, expect, onTestFinished, test } from 'vitest'
import { cliScene, rowsOf } from './cli-scene.ts'
import { start, svc } from './svc-here.ts'

const scene = cliScene()
const { owner, json, api } = scene

const newToken = () => json(['tokens', 'create', '--name', 'seen'])
const createOffer = (token: string) =>
  json(['offers', 'create', '--product', scene.dev.product_id], { ...owner(), SVC_TOKEN: token })

describe('webhooks', () => {
  test('an endpoint is created, changed, paused, resumed, rotated, tested and deleted', async () => {
    const receiver = await startReceiver()
    onTestFinished(receiver.stop)
    const created = await svc(
      ['webhooks', 'create', '--url', receiver.url, '--type', 'orders.*', '--type', 'offers.created'],
      owner(),
    )
    expect(created.code).toBe(0)
    expect(created.err).toMatch(/^Idempotency-Key: \S+\nCopy the secret now: it won’t be shown again.\n$/)
    const values = Object.fromEntries(rowsOf(created.out))
    expect(values).toMatchObject({
      url: receiver.url,
      state: 'active',
      event_types: 'orders.* offers.created',
      secret: expect.stringMatching(/^whsec_/),
    })
    const { id = '', secret = '' } = values

    const listed = await svc(['webhooks', 'list'], owner())
    expect(listed.out).toContain(id)
    expect(listed.out).not.toContain('whsec_')
    const get = () => json(['webhooks', 'get', id])
    expect(await get()).toEqual(await api(`/webhook_endpoints/${id}`))
    expect(Object.fromEntries(rowsOf((await svc(['webhooks', 'get', id], owner())).out))).not.toHaveProperty(
      'secret',
    )

    const changed = await json(['webhooks', 'update', id, '--type', 'offers.*', '--description', 'ours'])
    expect(changed).toMatchObject({ url: receiver.url, event_types: ['offers.*'], description: 'ours' })
    expect(await svc(['webhooks', 'update', id], owner())).toMatchObject({
      code: 2,
      err: expect.stringContaining('Give --url, --type or --description.'),
    })
    expect(await json(['webhooks', 'pause', id])).toMatchObject({ state: 'paused' })
    expect(await json(['webhooks', 'resume', id])).toMatchObject({ state: 'active' })
    const rotated = await json(['webhooks', 'rotate', id, '--grace', '1h'])
    expect(rotated.secret).not.toBe(secret)
    expect(rotated.previous_secret_expires_at).toBeLessThan(Date.now() / 1000 + 3700)

    const { id: event } = await json(['webhooks', 'test', id])
    const delivered = async () => {
      const { data } = await json(['webhooks', 'deliveries', id, '--state', 'delivered'])
      return data.length > 0
    }
    await waitUntil('the test event', delivered)
    const [names = [], row = []] = rowsOf((await svc(['webhooks', 'deliveries', id], owner())).out)
    expect(Object.fromEntries(names.map((name, at) => [name, row[at]]))).toMatchObject({
      id: event,
      state: 'delivered',
      attempts: '1',
      status: '204',
      error: '-',
    })
    expect(await json(['webhooks', 'redeliver', id, event])).toMatchObject({ id: event, state: 'pending' })
    await waitUntil('it comes again', () => receiver.received.filter(one => one.id === event).length === 2)

    expect(await svc(['webhooks', 'delete', id], owner())).toEqual({
      code: 0,
      out: '',
      err: `Deleted ${id}.\n`,
    })
    expect((await svc(['webhooks', 'get', id], owner())).code).toBe(4)
  })

  test('a URL that is not allowed is refused with its field, and a token may not manage endpoints', async () => {
    const create = ['webhooks', 'create', '--type', 'orders.*', '--url']
    const refused = await svc([...create, 'https://10.0.0.1/'], owner())
    expect([7, 8]).toContain(refused.code)
    expect(refused.err).toContain('url')
    expect((await svc(['webhooks', 'list'], { ...owner(), SVC_TOKEN: scene.dev.api_token })).code).toBe(3)
    expect((await svc(['webhooks', 'create', '--url', 'https://hooks.example.com'], owner())).code).toBe(2)
  })
})

test('events list shows what happened, and chooses', async () => {
  const { id, token } = await newToken()
  const offer = await createOffer(token)
  const found = () => json(['events', 'list', '--aggregate', offer.id, '--actor', id])
  await waitUntil('the event', async () => (await found()).data.length === 1)
  const [names = [], row = []] = rowsOf((await svc(['events', 'list', '--aggregate', offer.id], owner())).out)
  expect(Object.fromEntries(names.map((name, at) => [name, row[at]]))).toMatchObject({
    type: 'offers.created',
    aggregate_id: offer.id,
    actor: 'seen',
  })
})

test('events tail prints what happens from then on, each event once, until it is stopped', async () => {
  const { id, token } = await newToken()
  const before = await createOffer(token)
  await waitUntil('the event', async () => {
    return (await json(['events', 'list', '--aggregate', before.id])).data.length === 1
  })
  const stop = new AbortController()
  const running = start(['events', 'tail', '--actor', id, '--json'], owner(), '', stop.signal)
  const offers: string[] = []
  // It begins when its first answer is there.
  await waitUntil('a first line', async () => {
    offers.push((await createOffer(token)).id)
    return running.out() !== ''
  })
  for (const _ of [1, 2]) offers.push((await createOffer(token)).id)
  const seen = () =>
    running
      .out()
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line).aggregate_id)
  await waitUntil('the last one', () => seen().includes(offers.at(-1)))
  stop.abort()
  await running.ended
  expect(seen()).not.toContain(before.id)
  expect(seen().slice(-3)).toEqual(offers.slice(-3))
  expect(new Set(seen()).size).toBe(seen().length)
})

test('audit prints lines with addresses, oldest first, and goes on after any of them', async () => {
  const { id, token } = await newToken()
  const offers: string[] = []
  for (const _ of [1, 2, 3]) offers.push((await createOffer(token)).id)
  const audit = async (...args: string[]) => {
    const { code, out } = await svc(['audit', '--credential', id, ...args], owner())
    expect(code).toBe(0)
    return out
      .split('\n')
      .filter(Boolean)
      .map(line => JSON.parse(line))
  }
  await waitUntil('all of them', async () => (await audit()).length === 3)
  const lines = await audit()
  expect(lines.map(({ aggregate_id }) => aggregate_id)).toEqual(offers)
  expect(lines[0]).toMatchObject({ address: expect.any(String), actor: { kind: 'api_token', id } })
  expect(await audit('--cursor', lines[0].cursor)).toEqual(lines.slice(1))
  expect((await svc(['audit'], { ...owner(), SVC_TOKEN: token })).code).toBe(3)
})

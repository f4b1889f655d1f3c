// What happened, and where it is sent, against the running product, with pipes.
import { createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { text } from 'node:stream/consumers'
import { waitUntil } from '@svc/local/wait-until'
import { expect, test } from 'vitest'
import { cliScene } from './cli-scene.ts'
import { serve } from './serve.ts'
import { start, svc } from './svc-here.ts'

const scene = cliScene()
const { owner, json } = scene

const newToken = () => json(['tokens', 'create', '--name', 'seen'])
const createOffer = (token: string) =>
  json(['offers', 'create', '--product', scene.dev.product_id], { ...owner(), SVC_TOKEN: token })

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

test('webhooks listen sends events of the wanted types to a local program, signed, and goes on when it fails', async () => {
  const got: { headers: IncomingHttpHeaders; body: string }[] = []
  const server = await serve(async (request, response) => {
    got.push({ headers: request.headers, body: await text(request) })
    response.writeHead(got.length === 1 ? 500 : 204).end()
  })
  const { token } = await newToken()
  const stop = new AbortController()
  const line = ['webhooks', 'listen', '--forward', server.url, '--type', 'offers.*']
  const running = start(line, owner(), '', stop.signal)
  const made: string[] = []
  await waitUntil('two deliveries', async () => {
    made.push((await createOffer(token)).id)
    return got.length >= 2
  })
  await waitUntil('their lines', () => running.out().split('\n').length > 2)
  stop.abort()
  await running.ended
  server.close()
  const [, secret = ''] = /Signing secret: (whsec_\S+)/.exec(running.err()) ?? []
  for (const { headers, body } of got) {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    expect(signature).toBe(`v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`)
    const { data, ...event } = JSON.parse(body)
    expect(event).toEqual({
      ...{ id, type: 'offers.created', created_at: expect.any(Number), sequence: expect.any(Number) },
      ...{ workspace_id: scene.dev.workspace_id, aggregate_id: expect.stringMatching(/^offer_/) },
    })
    expect(made).toContain(event.aggregate_id)
    expect(data.workspace_id).toBe(scene.dev.workspace_id)
  }
  expect(running.out()).toMatch(/ {2}HTTP 500\n.* {2}HTTP 204\n/)
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

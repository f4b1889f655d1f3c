// Webhook endpoints over HTTP, and what arrives there.
import { forFile } from '@svc/testing/for-file'
import { waitUntil } from '@svc/local/wait-until'
import { sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { type Receiver, startReceiver as start } from '@svc/testing/webhook-receiver'
import { Webhook } from 'standardwebhooks'
import { expect, onTestFinished, test } from 'vitest'

const running = forFile(joinProduct)

const url = 'https://hooks.example.com/svc'

const send = (method: string, path: string, body?: object, status?: number, credential?: string) =>
  sender(running.baseUrls[0] ?? '')(method, path, credential ?? running.dev.owner.session_token, {
    body,
    status,
    workspace: running.dev.workspace_id,
  })

async function startReceiver(answer?: Receiver['answer']) {
  const receiver = await start(answer)
  onTestFinished(receiver.stop)
  return receiver
}

async function newEndpoint(to: string = url, event_types: string[] = ['clusters.*']) {
  const made = await send('POST', '/webhook_endpoints', { url: to, event_types })
  onTestFinished(async () => void (await send('DELETE', `/webhook_endpoints/${made.id}`).catch(() => {})))
  return made as Record<'id' | 'secret', string>
}

const received = (receiver: Receiver, count: number) =>
  waitUntil(`${count} webhooks`, () => receiver.received.length >= count)

const newCluster = async () => String((await send('POST', '/clusters', { name: 'seen' })).id)

test('an endpoint is created with its secret, which nothing shows again, and changed and deleted', async () => {
  const { secret, ...created } = await send('POST', '/webhook_endpoints', {
    url,
    event_types: ['orders.*', 'orders.*', 'installs.created'],
  })
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
  expect(created).toMatchObject({
    id: expect.stringMatching(/^whe_/),
    url,
    event_types: ['orders.*', 'installs.created'],
    description: '',
    state: 'active',
    disabled_reason: null,
    failing_since: null,
    last_delivered_at: null,
    previous_secret_expires_at: null,
  })
  const endpoint = `/webhook_endpoints/${created.id}`
  expect(await send('GET', endpoint)).toEqual(created)
  expect((await send('GET', '/webhook_endpoints')).data).toContainEqual(created)
  const changed = await send('PATCH', endpoint, { description: 'Desk' })
  expect(changed).toEqual({ ...created, description: 'Desk' })
  const [row] = await running.sql`select * from activity.webhook_endpoints where id = ${String(created.id)}`
  expect(JSON.stringify(row)).not.toContain(secret)
  await send('DELETE', endpoint, undefined, 204)
  for (const method of ['GET', 'DELETE']) await send(method, endpoint, undefined, 404)
})

test.each([
  ['a URL that is not https', { url: 'http://hooks.example.com' }, ['url']],
  ['a private address', { url: 'https://10.0.0.1/hook' }, ['url']],
  ['another port', { url: 'https://hooks.example.com:8443/hook' }, ['url']],
  ['no URL', { url: 'hooks' }, ['url']],
  ['an unknown type', { event_types: ['orders.*', 'orders.lost'] }, ['event_types', '1']],
  ['a type of the audit log', { event_types: ['api_tokens.refused'] }, ['event_types', '0']],
  ['a type of people', { event_types: ['sign_ins.*'] }, ['event_types', '0']],
])('%s is refused with its path', async (_, fields, path) => {
  const body = { url, event_types: ['orders.*'], ...fields }
  expect(await send('POST', '/webhook_endpoints', body, 422)).toMatchObject({ errors: [{ path }] })
  const { id } = await newEndpoint()
  expect(await send('PATCH', `/webhook_endpoints/${id}`, fields, 422)).toMatchObject({ errors: [{ path }] })
})

test('endpoints are those of the workspace, for its owners and admins, and twenty at most', async () => {
  const { dev } = running
  const { id } = await newEndpoint()
  for (const credential of [dev.api_token, dev.member.session_token]) {
    await send('GET', '/webhook_endpoints', undefined, 403, credential)
  }
  await send('GET', `/webhook_endpoints/${id}`, undefined, 403, dev.stranger.session_token)
  const made: unknown[] = []
  onTestFinished(async () => {
    for (const one of made) await send('DELETE', `/webhook_endpoints/${one}`)
  })
  expect((await send('GET', '/limits')).quotas).toContainEqual(
    expect.objectContaining({ quota: 'webhook_endpoints', used: 1, most: 20 }),
  )
  for (let n = 1; n < 20; n++)
    made.push((await send('POST', '/webhook_endpoints', { url, event_types: ['orders.*'] })).id)
  expect(await send('POST', '/webhook_endpoints', { url, event_types: ['orders.*'] }, 422)).toMatchObject({
    errors: [{ code: 42212, metadata: { quota: 'webhook_endpoints', most: '20' } }],
  })
})

test('what happens in the product arrives, signed by the old secret as well while it is being changed', async () => {
  const receiver = await startReceiver()
  const { id, secret } = await newEndpoint(receiver.url)
  const first = await newCluster()
  await received(receiver, 1)
  const [event] = receiver.received
  expect(new Webhook(secret).verify(event?.body ?? '', event?.headers ?? {})).toMatchObject({
    id: event?.headers['webhook-id'],
    type: 'clusters.created',
    aggregate_id: first,
    workspace_id: running.dev.workspace_id,
    data: { workspace_id: running.dev.workspace_id },
  })
  expect(await send('GET', `/events/${event?.id}`)).toMatchObject({
    type: 'clusters.created',
    aggregate_id: first,
  })

  const rotate = (body?: object) => send('POST', `/webhook_endpoints/${id}/rotate_secret`, body)
  const second = await rotate()
  expect(Number(second.previous_secret_expires_at) - Date.now() / 1000).toBeGreaterThan(23 * 3600)
  await newCluster()
  await received(receiver, 2)
  const both = receiver.received[1]
  expect(both?.headers['webhook-signature']?.split(' ')).toHaveLength(2)
  for (const each of [secret, String(second.secret)])
    expect(new Webhook(each).verify(both?.body ?? '', both?.headers ?? {})).toMatchObject({ id: both?.id })

  const third = await rotate({ expires_in: 0 })
  expect(third.previous_secret_expires_at).toBeNull()
  await newCluster()
  await received(receiver, 3)
  const last = receiver.received[2]
  expect(() => new Webhook(String(second.secret)).verify(last?.body ?? '', last?.headers ?? {})).toThrow()
  expect(new Webhook(String(third.secret)).verify(last?.body ?? '', last?.headers ?? {})).toBeTruthy()
})

test('a paused endpoint gets nothing but tests, and what happened meanwhile when it is resumed', async () => {
  const receiver = await startReceiver()
  const { id } = await newEndpoint(receiver.url)
  const endpoint = `/webhook_endpoints/${id}`
  expect(await send('POST', `${endpoint}/pause`)).toMatchObject({ state: 'paused' })
  const missed = await newCluster()
  const test = await send('POST', `${endpoint}/test`)
  expect(test).toMatchObject({ type: 'webhook_endpoints.test', state: 'pending', attempts: [] })
  await received(receiver, 1)
  expect(receiver.received[0]).toMatchObject({
    id: test.id,
    type: 'webhook_endpoints.test',
    aggregate_id: id,
  })
  expect(await send('POST', `${endpoint}/resume`)).toMatchObject({ state: 'active' })
  await received(receiver, 2)
  expect(receiver.received[1]?.aggregate_id).toBe(missed)
})

test('deliveries show each attempt, and one more is made on request, which says nothing of the health', async () => {
  const receiver = await startReceiver(() => ({ status: 204 }))
  const { id } = await newEndpoint(receiver.url)
  const endpoint = `/webhook_endpoints/${id}`
  await newCluster()
  await received(receiver, 1)
  const list = async (query = '') =>
    (await send('GET', `${endpoint}/deliveries${query}`)).data as Record<string, unknown>[]
  await waitUntil('a delivery', async () => (await list('?state=delivered')).length === 1)
  const [delivered] = await list()
  const accepted = { at: expect.any(Number), status: 204, duration_ms: expect.any(Number), error: null }
  expect(delivered).toMatchObject({
    id: receiver.received[0]?.id,
    type: 'clusters.created',
    state: 'delivered',
    next_attempt_at: null,
    attempts: [accepted],
  })

  receiver.answer = () => ({ status: 500 })
  const again = await send('POST', `${endpoint}/deliveries/${delivered?.id}/redeliver`)
  expect(again).toMatchObject({ id: delivered?.id, state: 'pending', next_attempt_at: expect.any(Number) })
  await received(receiver, 2)
  expect(receiver.received[1]?.id).toBe(receiver.received[0]?.id)
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  await waitUntil('its end', async () => (await list('?state=delivered')).length === 1)
  expect(await list()).toMatchObject([
    { state: 'delivered', attempts: [accepted, { ...accepted, status: 500, error: 'HTTP 500' }] },
  ])
  expect(await send('GET', endpoint)).toMatchObject({
    failing_since: null,
    last_delivered_at: expect.any(Number),
  })

  await send('POST', `${endpoint}/deliveries/evt_none/redeliver`, undefined, 404)
  await send('GET', '/webhook_endpoints/whe_none/deliveries', undefined, 404)
})

test('what an endpoint answered is for owners and admins of its workspace alone', async () => {
  const { dev } = running
  const receiver = await startReceiver(() => ({ status: 500, body: 'password: hunter2' }))
  const { id } = await newEndpoint(receiver.url)
  const { id: delivery } = await send('POST', `/webhook_endpoints/${id}/test`)
  const path = `/webhook_endpoints/${id}/deliveries/${delivery}`
  await waitUntil('its answer', async () => (await send('GET', path)).response !== null)
  expect(await send('GET', path, undefined, 200, dev.admin.session_token)).toMatchObject({
    id: delivery,
    request: { headers: { 'webhook-id': delivery }, body: receiver.received[0]?.body },
    response: { body: 'password: hunter2' },
  })
  for (const credential of [dev.member.session_token, dev.api_token, dev.stranger.session_token])
    await send('GET', path, undefined, 403, credential)
  const other = path.replace(id, (await newEndpoint()).id)
  for (const absent of [other, path.replace(String(delivery), 'evt_none')])
    await send('GET', absent, undefined, 404)
  for (const list of [`/webhook_endpoints/${id}/deliveries`, '/events', '/audit_log'])
    expect(JSON.stringify(await send('GET', list))).not.toContain('hunter2')
})

test('a mistyped type of event is refused with the one that was probably meant, ten at most', async () => {
  const wrong = ['orders.complete', 'order.*', 'nothing.like_it', ...Array(20).fill('orders.creatd')]
  const { errors } = await send('POST', '/webhook_endpoints', { url, event_types: wrong }, 422)
  const messages = (errors as { message: string }[]).map(({ message }) => message)
  expect(messages.slice(0, 3)).toEqual([
    'Webhooks get no events of the type orders.complete. Did you mean orders.completed?',
    'Webhooks get no events of the type order.*. Did you mean orders.*?',
    'Webhooks get no events of the type nothing.like_it: the guide to events lists the types.',
  ])
  expect(messages.filter(message => message.endsWith('?'))).toHaveLength(9)
})

test('owners and admins get a mail about an endpoint that was disabled, once', async () => {
  const { dev, sql } = running
  const receiver = await startReceiver(() => ({ status: 410 }))
  const { id } = await newEndpoint(receiver.url)
  await newCluster()
  const host = new URL(receiver.url).host
  const requested = () => sql`select key from auth_tokens.requested_mail where starts_with(key, ${id})`
  await waitUntil('mail', async () => (await requested()).length === 1)
  const mails = () => sql`select email from auth_tokens.messages where details ->> 'host' = ${host}`
  // A product that has a mail server may have sent some already.
  const expectOneForEach = async () => {
    const emails = (await mails()).map(({ email }) => email)
    expect([dev.admin.email, dev.owner.email]).toEqual(expect.arrayContaining(emails))
    expect(new Set(emails).size).toBe(emails.length)
  }
  await expectOneForEach()
  await sql`update activity.webhook_endpoints set mail = 'disabled' where id = ${id}`
  const settled = async () =>
    (await sql`select from activity.webhook_endpoints where id = ${id} and mail is null`).length === 1
  await waitUntil('another request', settled)
  expect(await requested()).toHaveLength(1)
  await expectOneForEach()
})

// No span contains a secret, whatever is used to sign in, created or refused, since spans leave the machine.
import { createApiToken, createSessionToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import type { TracedStack } from '@svc/testing/stack/traced-stack'
import { waitUntil } from '@svc/local/wait-until'
import { expect } from 'vitest'
import { ask } from '../../answers.ts'
import { approveDevice, guessed } from '../../approve-device.ts'
import { hashesOf } from '../../hashes-of.ts'

const note = 'internal note: the discount is secret'
const notes = 'notes for entitled customers alone'
const customer = 'Confidential Customer Ltd'
const json = { 'content-type': 'application/json' }

/** No span contains credentials, codes, addresses, passwords or notes. */
export async function expectNoSecretInTraces(running: TracedStack) {
  const { dev, baseUrls, stack } = running
  const base = baseUrls[0] ?? ''
  const site = base.replace(/\/v1$/, '')
  const context = { authorization: `Bearer ${dev.owner.session_token}`, 'svc-context': dev.workspace_id }
  const unknown = [createApiToken(), createSessionToken()]

  // Callers, including secrets sent in the wrong place.
  for (const credential of [dev.api_token, ...unknown]) {
    await ask(`${base}/installs?token=${credential}`, { headers: { authorization: `Bearer ${credential}` } })
    await ask(`${base}/clusters/${credential}/compute_settings`, { headers: context })
    await ask(`${base}/${credential}`, { headers: { ...context, traceparent: credential } })
    await ask(`${base}/installs`, { headers: { ...context, 'svc-context': credential } })
    await ask(`${base}/installs`, {
      headers: { ...context, 'x-forwarded-for': credential, baggage: `a=${credential}` },
    })
    await ask(`${base}/installs`, { method: 'PATCH', headers: { ...context, 'svc-request-id': credential } })
  }

  // A webhook endpoint that nobody listens at: its secret, and its URL, which often is one.
  const hook = `/hook/${newId('whe')}`
  const send = async (method: string, path: string, body?: object) => {
    const init = { method, headers: { ...context, ...json }, ...(body && { body: JSON.stringify(body) }) }
    return JSON.parse((await ask(`${base}${path}`, init)).text)
  }
  const webhook = await send('POST', '/webhook_endpoints', {
    url: `http://127.0.0.1:2${hook}`,
    event_types: ['offers.*'],
  })
  await send('POST', `/webhook_endpoints/${webhook.id}/test`)
  await waitUntil('an attempt that failed', async () => {
    const { data } = await send('GET', `/webhook_endpoints/${webhook.id}/deliveries`)
    return data.some(({ attempts }: { attempts: unknown[] }) => attempts.length > 0)
  })

  // A person on the pages, and the device that they approve.
  const { email } = dev.member
  const { jar, user_code, device_code, access_token } = await approveDevice(site, dev.member)
  const exchanged = await ask(`${site}/oauth/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: String(
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
        client_id: 'svc-cli',
        subject_token: access_token,
        subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      }),
    ),
  })
  const jwt = JSON.parse(exchanged.text).access_token ?? ''
  expect(exchanged.status).toBe(200)
  await ask(`${base}/installs`, {
    headers: { authorization: `Bearer ${jwt}`, 'svc-context': dev.workspace_id },
  })

  // Tokens and offers, created and refused, and an internal error whose parameters are known.
  const post = (path: string, body: object, headers = {}) =>
    ask(`${base}${path}`, {
      method: 'POST',
      headers: { ...context, ...json, ...headers },
      body: JSON.stringify(body),
    })
  const { id, token } = JSON.parse((await post('/api_tokens', { name: 'traced?' })).text)
  await ask(`${base}/api_tokens`, { headers: { authorization: `Bearer ${token}` } })
  await ask(`${base}/api_tokens/${id}`, { method: 'DELETE', headers: context })
  const offer = {
    product_id: dev.product_id,
    internal_note: note,
    notes,
    customer: { display_name: customer },
    allowed_emails: [email],
  }
  const key = newId('offer')
  const offered = await post('/offers', offer, { 'idempotency-key': key })
  expect(offered.status).toBe(201)
  const { short_hash } = JSON.parse(offered.text)
  await jar.ask(`${site}/i/${short_hash}?email=${email}`)
  await post('/offers', { ...offer, notes: [note] }, { 'idempotency-key': key })
  await running.sql`alter table offers.offers rename to hidden`
  const failed = await post('/offers', offer)
  await running.sql`alter table offers.hidden rename to offers`
  expect(failed.status).toBe(500)

  // The last request, in its own trace: by then the others have been written.
  const last = await ask(`${base}/installs`, { headers: context })
  const lastId = last.headers.get('svc-request-id')
  await waitUntil('the last span', async () =>
    (await running.spans()).some(
      ({ name, attributes }) => name === 'GET /v1/installs' && attributes['svc.request_id'] === lastId,
    ),
  )
  const spans = await running.spans()
  const names = new Set(spans.map(({ name }) => name))
  for (const name of ['POST /sign-in', 'POST /device', 'GET /i/:short_hash', 'GET', 'auth-tokens.sign_in']) {
    expect(names).toContain(name)
  }
  expect(
    spans.filter(({ attributes }) => attributes['error.type'] === 'Internal').map(({ name }) => name),
  ).toEqual(expect.arrayContaining(['POST /v1/offers', 'offers.create_offer']))

  const text = JSON.stringify(spans)
  const people = [dev.owner, dev.admin, dev.member, dev.stranger]
  const credentials = [
    dev.api_token,
    dev.other_api_token,
    token,
    access_token,
    jwt,
    webhook.secret,
    hook,
    device_code,
    ...unknown,
    ...people.map(({ session_token }) => session_token),
    ...jar.cookies.values(),
  ]
  const hashes = [...credentials, user_code.replace('-', '')].flatMap(hashesOf)
  for (const secret of [
    ...credentials,
    ...credentials.map(one => one.slice(0, -4)),
    ...hashes,
    user_code,
    user_code.replace('-', ''),
    ...people.flatMap(person => [person.password, person.email, encodeURIComponent(person.email)]),
    ...Object.values(stack.secrets.nats),
    ...Object.values(stack.secrets.postgres),
    ...[guessed, note, notes, customer, short_hash, key, id, dev.workspace_id, '127.0.0.1'],
  ]) {
    expect(secret.length).toBeGreaterThan(7)
    expect(text.includes(secret), secret).toBe(false)
  }
}

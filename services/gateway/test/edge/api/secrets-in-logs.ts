// No log line contains a secret, at the most verbose level, whatever happens to a request.
import { forgetCachedAnswers } from '@svc/testing/forget-cached-answers'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { waitUntil } from '@svc/local/wait-until'
import { createApiToken, createSessionToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import type { TestStack } from '@svc/testing/stack/stack'
import { startReceiver } from '@svc/testing/webhook-receiver'
import { expect } from 'vitest'
import { ask } from '../../answers.ts'
import { approveDevice } from '../../approve-device.ts'
import { hashesOf } from '../../hashes-of.ts'
import { exchange, rawRequest } from '../../raw-http.ts'

const note = 'internal note: the discount is secret'
const notes = 'notes for entitled customers alone'
const answered = 'the answer of a receiver, with its password'
const customer = 'Confidential Customer Ltd'

/** No log line contains credentials, their hashes, passwords or notes. */
export async function expectNoSecretInLogs(stack: TestStack) {
  const { dev, backoffice, baseUrls } = stack
  const base = baseUrls[0] ?? ''
  const unknownToken = createApiToken()
  const unknownSession = createSessionToken()
  const mistyped = `${dev.api_token.slice(0, -1)}${dev.api_token.endsWith('0') ? '1' : '0'}`
  const session = `Bearer ${dev.owner.session_token}`
  const context = { authorization: session, 'svc-context': dev.workspace_id }
  const json = { 'content-type': 'application/json' }
  const password = 'hunter2 hunter2 hunter2'

  // Callers, refused in every way.
  for (const credential of [dev.api_token, dev.other_api_token, unknownToken, unknownSession, mistyped]) {
    await ask(`${base}/installs`, { headers: { authorization: `Bearer ${credential}` } })
    await ask(`${base}/installs`, { headers: { authorization: credential } })
    await ask(`${base}/installs`, { headers: { authorization: `Basic ${credential}` } })
    await ask(`${base}/installs?token=${credential}`, { headers: context })
    await ask(`${base}/clusters/${credential}/compute_settings`, { headers: context })
    await ask(`${base}/${credential}`, { headers: { authorization: session } })
    await ask(`${base}/installs`, { headers: { ...context, 'svc-context': credential } })
    await exchange(base, rawRequest({ headers: [`Authorization: Bearer ${credential}`, 'Bad Header: x'] }))
    await exchange(base, rawRequest({ target: `/%zz${credential}` }), { answers: 1 })
  }

  // Tokens and sessions that are created and end.
  const created = await ask(`${base}/api_tokens`, {
    method: 'POST',
    headers: { ...context, ...json },
    body: JSON.stringify({ name: 'logged?' }),
  })
  const { id, token } = JSON.parse(created.text)
  await ask(`${base}/api_tokens`, { headers: { authorization: `Bearer ${token}` } })
  await ask(`${base}/api_tokens/${id}`, { method: 'DELETE', headers: context })
  await ask(`${base}/api_tokens`, { headers: { authorization: `Bearer ${token}` } })
  const user = await invoke(backoffice, authTokens, 'put_user', {
    caller: { kind: 'internal', id: 'test' },
    body: { email: `${newId('user')}@test.example`, password },
  })
  const opened = await invoke(backoffice, authTokens, 'create_session', {
    caller: { kind: 'internal', id: 'test' },
    body: { user_id: user.id },
  })

  const site = base.replace(/\/v1$/, '')
  const onPages = await approveDevice(site, dev.member)
  const { device_code, access_token } = onPages
  await ask(`${site}/oauth/token?device_code=${device_code}`, {
    method: 'POST',
    body: new URLSearchParams({ device_code }),
  })
  await ask(`${site}/oauth/revoke`, { method: 'POST', body: new URLSearchParams({ token: access_token }) })

  // A webhook endpoint that nobody listens at: its secrets, and its URL, which often is one.
  const hook = `/hook/${newId('whe')}`
  const endpoint = { url: `http://127.0.0.1:2${hook}`, event_types: ['offers.*', 'webhook_endpoints.*'] }
  const send = async (method: string, path: string, body: object = {}) =>
    JSON.parse(
      (await ask(`${base}${path}`, { method, headers: { ...context, ...json }, body: JSON.stringify(body) }))
        .text,
    )
  const webhook = await send('POST', '/webhook_endpoints', endpoint)
  const rotated = await send('POST', `/webhook_endpoints/${webhook.id}/rotate_secret`)
  await ask(`${base}/webhook_endpoints`, {
    method: 'POST',
    headers: { ...context, ...json },
    body: JSON.stringify({ ...endpoint, event_types: [webhook.secret], secret: webhook.secret }),
  })
  await ask(`${base}/webhook_endpoints/${encodeURIComponent(webhook.secret)}`, { headers: context })
  await send('POST', `/webhook_endpoints/${webhook.id}/test`)
  await waitUntil('an attempt that failed', async () => {
    const answer = await ask(`${base}/webhook_endpoints/${webhook.id}/deliveries`, { headers: context })
    return JSON.parse(answer.text).data.some(({ attempts }: { attempts: unknown[] }) => attempts.length > 0)
  })

  const receiver = await startReceiver(() => ({ status: 500, body: answered }))
  const answering = await send('POST', '/webhook_endpoints', { ...endpoint, url: receiver.url })
  const tested = await send('POST', `/webhook_endpoints/${answering.id}/test`)
  const delivery = `${base}/webhook_endpoints/${answering.id}/deliveries/${tested.id}`
  await waitUntil('an answer', async () =>
    (await ask(delivery, { headers: context })).text.includes(answered),
  )
  receiver.stop()

  // Offers, created and refused.
  const offer = {
    product_id: dev.product_id,
    internal_note: note,
    notes,
    customer: { display_name: customer },
  }
  for (const body of [
    offer,
    { ...offer, product_id: 'prod_unknown' },
    { ...offer, token: dev.api_token },
    { ...offer, [dev.api_token]: 1 },
    { ...offer, field_values: { region: { value: note, locked: true } } },
    { ...offer, internal_note: [note] },
  ]) {
    const headers = { ...context, ...json, 'idempotency-key': newId('offer') }
    await ask(`${base}/offers`, { method: 'POST', headers, body: JSON.stringify(body) })
    await ask(`${base}/offers`, { method: 'POST', headers, body: `${JSON.stringify(body)} no JSON` })
  }

  // Internal errors: the statements fail, and their errors have all parameters.
  const faults = () => stack.lines.filter(line => line.includes('"msg":"operation failed"')).length
  const before = faults()
  await stack.sql`alter table offers.offers rename to hidden`
  await stack.sql`alter table auth_tokens.api_tokens add constraint never check (name <> 'fault') not valid`
  await stack.sql`
    alter table activity.webhook_endpoints add constraint never check (description <> 'fault') not valid`
  const fault = { method: 'POST', headers: { ...context, ...json } }
  const failed = [
    await ask(`${base}/offers`, { ...fault, body: JSON.stringify(offer) }),
    await ask(`${base}/api_tokens`, { ...fault, body: JSON.stringify({ name: 'fault' }) }),
    await ask(`${base}/webhook_endpoints`, {
      ...fault,
      body: JSON.stringify({ ...endpoint, description: 'fault' }),
    }),
  ]
  await forgetCachedAnswers(stack.sql)
  await stack.sql`alter table auth_tokens.sessions rename to hidden`
  failed.push(await ask(`${base}/installs`, { headers: context }))
  await stack.sql`alter table auth_tokens.hidden rename to sessions`
  await stack.sql`alter table offers.hidden rename to offers`
  for (const { status, text } of failed) {
    expect(status).toBe(500)
    expect(JSON.parse(text)).toMatchObject({ _tag: 'Internal', errors: [{ code: 50001 }] })
    expect(text).not.toMatch(/constraint|relation|sql/i)
  }

  // Logs are written in batches: when the last request is there, all before it are.
  const last = await ask(`${base}/installs`, { headers: context })
  const lastId = last.headers.get('svc-request-id') ?? ''
  const logged = (text: string) => stack.lines.some(line => line.includes(text))
  const failedId = failed.at(-1)?.headers.get('svc-request-id') ?? ''
  await waitUntil('the last request in the log', () => logged(lastId) && logged(failedId))
  await waitUntil('the faults in the log', () => faults() >= before + failed.length)

  const log = stack.lines.join('\n')
  expect(log).toContain(dev.workspace_id)
  const credentials = [
    dev.api_token,
    dev.other_api_token,
    unknownToken,
    unknownSession,
    mistyped,
    token,
    opened.token,
    webhook.secret,
    rotated.secret,
    onPages.access_token,
    onPages.device_code,
    ...onPages.jar.cookies.values(),
    ...[dev.owner, dev.admin, dev.member, dev.stranger].map(({ session_token }) => session_token),
  ]
  const passwords = [
    password,
    ...[dev.owner, dev.admin, dev.member, dev.stranger].map(user => user.password),
    ...Object.values(stack.stack.secrets.nats),
    ...Object.values(stack.stack.secrets.postgres),
  ]
  const hashes = credentials.flatMap(hashesOf)
  for (const secret of [
    ...credentials,
    ...credentials.map(one => one.slice(0, -4)),
    ...hashes,
    ...passwords,
    ...[onPages.user_code, onPages.user_code.replace('-', '')],
  ]) {
    expect(log.includes(secret), secret).toBe(false)
  }
  for (const text of [note, notes, answered, customer, hook, '$argon2id$']) expect(log).not.toContain(text)
}

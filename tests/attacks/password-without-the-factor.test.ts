// Somebody who knows the password of a person with a second factor, has a session of their own, and sees what browsers and
// authenticators send: a challenge answered twice, on another site or with another key; codes used again, raced or guessed
// over two replicas; a pending sign-in in another browser.
import { type CallBus, createCall } from '@svc/bus/call'
import { connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { FactorProof } from '@svc/contract/auth-tokens/factors'
import type { ApiError } from '@svc/contract/core/errors'
import { createSessionToken, hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { codeOf, createAuthenticator } from '@svc/testing/authenticator'
import { insertMember, insertWorkspace } from '@svc/testing/members'
import { sized } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import type { Product } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { z } from 'zod'
import { bucketOf } from '../../services/auth-tokens/src/credentials/attempts.ts'

const program = { caller: { kind: 'internal', id: 'test' } } as const
const origin = { address: '', user_agent: 'attack' }
const password = 'a good long password'

let product: Product
let site: string
let gateway: { call: CallBus; close(): Promise<void> }
beforeAll(async () => {
  product = await joinProduct()
  site = product.dev.base_url
  const bus = await connectBus(product.stack.bus('tests'), { info() {}, warn() {}, error() {} })
  gateway = { call: createCall(bus), close: () => bus.close() }
})
afterAll(async () => {
  await gateway?.close()
  await product?.stop()
})

async function newPerson() {
  const email = `${newId('user')}@attacks.example`
  const { id: user } = await invoke(product.backoffice, authTokens, 'put_user', {
    ...program,
    body: { email, password },
  })
  const session = await invoke(product.backoffice, authTokens, 'create_session', {
    ...program,
    body: { user_id: user },
  })
  const own = { caller: { kind: 'session', id: session.id, user } } as const
  async function start<K extends Started['kind']>(kind: K) {
    const body = { kind, proof: { password } }
    const answer = await invoke(gateway.call, authTokens, 'start_factor', { ...own, body })
    return answer as Extract<Started, { kind: K }>
  }
  return { email, user, own, start, token: session.token }
}
type Person = Awaited<ReturnType<typeof newPerson>>
type Started = z.output<typeof authTokens.operations.start_factor.output>

async function withPasskey() {
  const person = await newPerson()
  const key = createAuthenticator(site)
  const { options } = await person.start('passkey')
  const body = { name: 'Key', passkey: key.create(options) }
  await invoke(gateway.call, authTokens, 'add_passkey', { ...person.own, body })
  return { ...person, key }
}

async function withTotp() {
  const person = await newPerson()
  const { permit, sealed, secret } = await person.start('totp')
  const codeAt = (steps: number) => codeOf(secret, Date.now() + steps * 30_000)
  const body = { permit, sealed, code: codeAt(-1) }
  const { recovery_codes } = await invoke(gateway.call, authTokens, 'add_totp', { ...person.own, body })
  return { ...person, codeAt, codes: recovery_codes ?? [] }
}

async function pendingOf({ email }: Person) {
  const answer = await invoke(gateway.call, authTokens, 'sign_in', {
    ...program,
    body: { email, password, origin },
  })
  if (answer.outcome !== 'pending') throw new Error(answer.outcome)
  const hash = hashCredential(answer.token)
  const { options } = await invoke(gateway.call, authTokens, 'read_pending_sign_in', {
    ...program,
    body: { hash },
  })
  return { token: answer.token, hash, options }
}

const complete = (hash: string | undefined, proof: FactorProof) =>
  invoke(gateway.call, authTokens, 'complete_sign_in', { ...program, body: { hash, proof, origin } }).then(
    () => 'signed in',
    (error: ApiError) => error.reason ?? (error.body as { errors: { code: number }[] }).errors[0]?.code,
  )

test('an answer to a challenge signs in once, on this site, with a key of this account, where it was asked', async () => {
  const [victim, thief] = [await withPasskey(), await withPasskey()]
  const one = await pendingOf(victim)
  const passkey = victim.key.get(one.options)
  const other = await pendingOf(victim)
  expect(await complete(other.hash, { passkey })).toBe(42217)
  expect(await complete(undefined, { passkey })).toBe(42217)
  expect(await complete(one.hash, { passkey })).toBe('signed in')
  expect(await complete(one.hash, { passkey })).toBe(40107)

  const elsewhere = victim.key.get(other.options, 'https://svc.example.evil')
  expect(await complete(other.hash, { passkey: elsewhere })).toBe(42217)
  expect(await complete(other.hash, { passkey: thief.key.get(other.options) })).toBe(42217)
  const renamed = { ...thief.key.get(other.options), id: victim.key.id, rawId: victim.key.id }
  expect(await complete(other.hash, { passkey: renamed })).toBe(42217)
  const made = victim.key.get({ challenge: Buffer.from(createSessionToken()).toString('base64url') })
  expect(await complete(other.hash, { passkey: made })).toBe(42217)
})

test('an answer to the challenge of a sign-in with a passkey alone opens one session, however often it is sent', async () => {
  const { key } = await withPasskey()
  const { options } = await invoke(gateway.call, authTokens, 'read_pending_sign_in', { ...program, body: {} })
  const passkey = key.get(options)
  const answers = await Promise.all(
    Array.from({ length: sized(50, 500) }, () => complete(undefined, { passkey })),
  )
  expect(answers.filter(answer => answer === 'signed in')).toHaveLength(1)
})

test('a challenge to add a passkey adds one, and in no other session of the person', async () => {
  const person = await newPerson()
  const { options } = await person.start('passkey')
  const add = (by: Person['own']['caller']) =>
    invoke(gateway.call, authTokens, 'add_passkey', {
      caller: by,
      body: { name: 'Key', passkey: createAuthenticator(site).create(options) },
    }).then(
      () => 'added',
      (error: ApiError) => (error.body as { errors: { code: number }[] }).errors[0]?.code,
    )
  const another = { ...person.own.caller, id: newId('sess') }
  expect(await add(another)).toBe(42218)
  const answers = await Promise.all(Array.from({ length: 20 }, () => add(person.own.caller)))
  expect(answers.filter(answer => answer === 'added')).toHaveLength(1)
  expect(await add(person.own.caller)).toBe(42218)
})

test('a code that was used, or is raced, signs in once', async () => {
  const person = await withTotp()
  const pending = await Promise.all(Array.from({ length: 5 }, () => pendingOf(person)))
  for (const code of [person.codeAt(0), person.codes[0] ?? '']) {
    await product.sql`
      delete from auth_tokens.attempts where bucket = ${bucketOf('factor_codes_per_account', person.user)}`
    const answers = await Promise.all(
      Array.from({ length: sized(50, 500) }, (_, at) =>
        complete(pending[at % pending.length]?.hash, { code }),
      ),
    )
    expect(answers.filter(answer => answer === 'signed in')).toHaveLength(1)
  }
})

test('guesses over both replicas end after five, whatever they are for', async () => {
  const person = await withTotp()
  const pending = await pendingOf(person)
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, at) => complete(pending.hash, { code: at % 2 ? 'guess' : '000000' })),
  )
  expect(answers.filter(answer => answer === 42217)).toHaveLength(5)
  expect(await complete(pending.hash, { code: person.codes[0] ?? '' })).toBe(42902)
})

test('a pending sign-in is nothing in another browser, and is no credential anywhere', async () => {
  const person = await withTotp()
  const { token } = await pendingOf(person)
  const [first = '', second = ''] = product.baseUrls
  for (const base of [first, second]) {
    const headers = { authorization: `Bearer ${token}` }
    expect((await fetch(`${base}/workspaces`, { headers })).status).toBe(401)
    const exchange = {
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }
    const exchanged = await fetch(new URL('/oauth/token', base), {
      method: 'POST',
      body: new URLSearchParams(exchange),
    })
    expect(exchanged.status).toBe(400)
    // The browser of somebody else, who knows the address of the page.
    const page = await fetch(new URL('/sign-in/factor', base), { redirect: 'manual' })
    expect([page.status, page.headers.get('location')]).toEqual([303, expect.stringMatching(/^\/sign-in\?/)])
    const asSession = await fetch(new URL('/security', base), {
      headers: { cookie: `__Host-svc_session=${token}` },
      redirect: 'manual',
    })
    expect(asSession.status).toBe(303)
    const device = await fetch(new URL('/device', base), {
      headers: { cookie: `__Host-svc_session=${token}` },
      redirect: 'manual',
    })
    expect(device.status).toBe(303)
  }
})

test('a session from before the factor approves no device and makes no token, by itself, by its JWT, or by the password', async () => {
  const person = await withTotp()
  const workspace = await insertWorkspace(product.sql)
  await insertMember(product.sql, { workspace, user: person.user, role: 'owner' })
  const [base = ''] = product.baseUrls
  const exchanged = await fetch(new URL('/oauth/token', base), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
      subject_token: person.token,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    }),
  })
  const { access_token } = (await exchanged.json()) as { access_token: string }
  const codeOfRefusal = (answer: Promise<unknown>) =>
    answer.then(
      () => undefined,
      (error: ApiError) => (error.body as { errors: { code: number }[] }).errors[0]?.code,
    )
  const own = person.own.caller
  expect(
    await codeOfRefusal(
      invoke(gateway.call, authTokens, 'confirm_session', { caller: own, body: { proof: { password } } }),
    ),
  ).toBe(40002)
  for (const credential of [person.token, access_token]) {
    const answer = await fetch(`${base}/api_tokens`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'svc-context': workspace,
        'content-type': 'application/json',
      },
      body: '{"name":"n"}',
    })
    const { errors } = (await answer.json()) as { errors: { code: number }[] }
    expect([answer.status, errors[0]?.code]).toEqual([401, 40104])
  }

  const client_id = 'svc-cli'
  const started = await invoke(gateway.call, authTokens, 'start_device_grant', {
    ...program,
    body: { client_id, origin },
  })
  if (started.outcome !== 'started') throw new Error(started.outcome)
  const lookups = [{ kind: 'session' as const, hash: hashCredential(person.token) }]
  const { callers } = await invoke(gateway.call, authTokens, 'resolve_credentials', {
    ...program,
    body: { lookups, checks_addresses: true },
  })
  const caller = callers[0] as typeof own
  const entered = await invoke(gateway.call, authTokens, 'enter_user_code', {
    caller,
    body: { user_code_hash: hashCredential(started.user_code.replace('-', '')) },
  })
  if (entered.outcome !== 'found') throw new Error(entered.outcome)
  const body = { grant_id: entered.grant.id, decision: 'approved' } as const
  expect(await codeOfRefusal(invoke(gateway.call, authTokens, 'decide_device_grant', { caller, body }))).toBe(
    40104,
  )
  const device_code_hash = hashCredential(started.device_code)
  const polled = { device_code_hash, client_id, origin }
  const { outcome } = await invoke(gateway.call, authTokens, 'poll_device_grant', {
    ...program,
    body: polled,
  })
  expect(outcome).toBe('authorization_pending')
})

/** A product with two gateways and two replicas of auth-tokens, people and credentials in it, and what gateways keep of them. */
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { Role } from '@svc/contract/core/caller'
import { ApiError } from '@svc/contract/core/errors'
import { waitUntil } from '@svc/local/wait-until'
import { maskOf, permissions } from '@svc/contract/core/permissions'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { amountOf, parseExposition } from '@svc/testing/deploy/exposition'
import { exchangeRun, newJob } from '@svc/testing/ci-runs'
import { joinProduct } from '@svc/testing/stack/join-product'
import { type Product, startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect } from 'vitest'
import { forge } from '../../../services/gateway/test/edge/jwt/forged-tokens.ts'
import { newSigningKeys, type SigningKey } from './signing-keys.ts'
import { insertMember } from '@svc/testing/members'

export let product: Product
/** The product where it belongs to the test file alone, whose faults harm nobody else. */
export let own: TestStack
let isShared = false
/** Calls what the gateway calls. */
export let asGateway: CallBus
let bus: Bus
let keys: SigningKey[]

export function useOwnProduct(): void {
  isShared = false
  useProduct(async () => {
    own = await startTestStack({ replicas: { gateway: 2, 'auth-tokens': 2 } })
    keys = await newSigningKeys(own.sql, 20)
    return own
  })
  // Before the product is stopped.
  afterAll(() => {
    for (const program of [...own.stack.processes.gateway, ...own.stack.processes['auth-tokens']])
      program.kill('SIGCONT')
  })
}

export function useSharedProduct(): void {
  isShared = true
  useProduct(joinProduct)
}

function useProduct(start: () => Promise<Product>): void {
  beforeAll(async () => {
    product = await start()
    bus = await connectBus(product.stack.bus('tests'), { info() {}, warn() {}, error() {} })
    asGateway = createCall(bus)
  })
  afterAll(async () => {
    await bus?.close()
    await product?.stop()
  })
}

/** A retired key that the gateways have read, or read within 15 s of the start. */
export const takeSigningKey = (): SigningKey => keys.pop() as SigningKey

export const internal = (workspace?: string) => ({ kind: 'internal', id: 'test', workspace }) as const

/** A request with a credential that is in use, and how it is answered when that is dead. */
export interface Use {
  readonly headers: Record<string, string>
  readonly refusedWith: 401 | 403
  readonly method?: string
  readonly path?: string
}

/** @returns the status */
export async function send(
  { headers, method = 'GET', path = '/installs' }: Use,
  gateway: number,
): Promise<number> {
  const response = await fetch(`${product.baseUrls[gateway]}${path}`, { method, headers })
  await response.arrayBuffer()
  return response.status
}

export const gateways = () => product.baseUrls.map((_, gateway) => gateway)

/** How many requests each way of admission has let in at this gateway, or not. */
export async function admissions(gateway: number) {
  const response = await fetch(`${product.stack.gateways[gateway]?.healthUrl}/metrics`)
  const exposition = parseExposition(await response.text())
  const sumOf = (outcome: string) =>
    ['api_token', 'session', 'jwt']
      .map(kind => ({ service: 'gateway', kind, outcome }))
      .map(labels => amountOf(exposition, 'svc_credential_lookups_total', labels))
      .reduce((one, other) => one + other)
  return { kept: sumOf('kept'), found: sumOf('found') }
}

/** Whether this gateway admits all of them by answers that it keeps: one request each. */
async function areKeptAt(gateway: number, uses: readonly Use[]): Promise<boolean> {
  const before = await admissions(gateway)
  await Promise.all(uses.map(use => send(use, gateway)))
  const after = await admissions(gateway)
  return after.kept - before.kept === uses.length && after.found === before.found
}

/** Whether every gateway does. One whose renewal came late keeps nothing for a while: then ask once more. */
export async function areKept(...uses: Use[]): Promise<boolean> {
  return !(await Promise.all(gateways().map(gateway => areKeptAt(gateway, uses)))).includes(false)
}

/** Uses them until every gateway keeps them; at the run's product, whose counters others move as well, several times. */
export async function warm(...uses: Use[]): Promise<void> {
  if (!isShared) return waitUntil('every gateway to keep them', () => areKept(...uses), { everyMs: 100 })
  for (const use of uses) {
    for (const gateway of gateways()) for (let n = 0; n < 3; n++) await send(use, gateway)
  }
}

/** Every gateway refuses every request with them, from now on. */
export async function expectRefused(...uses: Use[]): Promise<void> {
  const all = uses.flatMap(use => gateways().flatMap(gateway => [1, 2, 3].map(() => ({ use, gateway }))))
  const statuses = await Promise.all(all.map(({ use, gateway }) => send(use, gateway)))
  expect(statuses).toEqual(all.map(({ use }) => use.refusedWith))
}

/** What a call over the bus is answered. */
export async function statusOf(call: Promise<unknown>): Promise<number> {
  try {
    await call
    return 200
  } catch (error) {
    if (error instanceof ApiError) return error.status
    throw error
  }
}

/** As a person who has no part in the tests, but may do everything. */
export async function asOwner(
  method: string,
  path: string,
  gateway: number,
  body?: object,
): Promise<Response> {
  return fetch(`${product.baseUrls[gateway]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${product.dev.owner.session_token}`,
      'svc-context': product.dev.workspace_id,
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
}

export interface Person {
  readonly user: string
  readonly email: string
}

export async function newPerson(role?: Role, workspace = product.dev.workspace_id): Promise<Person> {
  const user = newId('user')
  const email = `${user}@test.example`
  await product.sql`
    insert into auth_tokens.users (id, email, password_hash) values (${user}, ${email}, 'none')`
  if (role) await insertMember(product.sql, { workspace, user, role })
  return { user, email }
}

export interface Session {
  readonly id: string
  readonly token: string
  /** Uses this session in the workspace. */
  readonly use: Use
  /** Uses a JWT that the session was exchanged for. */
  readonly useOfJwt: Use
  readonly jwt: string
}

const scoped = (token: string, workspace: string) => ({
  authorization: `Bearer ${token}`,
  'svc-context': workspace,
})

export async function newSession(
  { user }: Person,
  refusedWith: Use['refusedWith'] = 401,
  workspace = product.dev.workspace_id,
): Promise<Session> {
  const { id, token } = await invoke(product.backoffice, authTokens, 'create_session', {
    caller: internal(),
    body: { user_id: user },
  })
  const jwt = await jwtOf(token)
  return {
    id,
    token,
    jwt,
    use: { headers: scoped(token, workspace), refusedWith },
    useOfJwt: { headers: scoped(jwt, workspace), refusedWith },
  }
}

/** One that can act in the demo's workspace only, and a JWT of it, as they are in use: without naming the workspace. */
export async function newBoundSession(person: Person, refusedWith: Use['refusedWith'] = 401) {
  const { id, token } = await newSession(person)
  await product.sql`
    update auth_tokens.sessions set workspace_id = ${product.dev.workspace_id}, can = ${maskOf(permissions)} where id = ${id}`
  const uses = [token, await jwtOf(token)].map(credential => ({ ...useOfToken(credential), refusedWith }))
  return { id, uses }
}

async function jwtOf(token: string): Promise<string> {
  const exchanged = await invoke(asGateway, authTokens, 'exchange_session', {
    caller: internal(),
    body: { hash: hashCredential(token) },
  })
  if (exchanged.outcome !== 'issued') throw new Error(exchanged.outcome)
  return exchanged.access_token
}

export interface Token {
  readonly id: string
  readonly use: Use
  /** That, and the use of a JWT that it was exchanged for. */
  readonly uses: readonly Use[]
}

const useOfToken = (token: string): Use => ({
  headers: { authorization: `Bearer ${token}` },
  refusedWith: 401,
})

export async function newToken(workspace = product.dev.workspace_id): Promise<Token> {
  const { id, token } = await invoke(product.backoffice, authTokens, 'create_api_token', {
    caller: internal(workspace),
    body: { name: 'n' },
  })
  const use = useOfToken(token)
  return { id, use, uses: [use, useOfToken(await jwtOf(token))] }
}

/** A CI trust in a workspace of the demo, and tokens that runs get by it. */
export async function newTrust() {
  const job = newJob()
  const created = await asOwner('POST', '/ci_trusts', 0, job.trust)
  expect(created.status).toBe(201)
  const { id } = (await created.json()) as { id: string }
  return {
    id,
    async newToken(): Promise<Use> {
      const answer = await exchangeRun(asGateway, job.run(product.dev.workspace_id))
      if (answer.outcome !== 'issued') throw new Error(answer.outcome)
      return { ...useOfToken(answer.access_token), path: '/offers' }
    },
  }
}

/** One that ends with the membership of who creates it. */
export async function newTokenOf({ token, use: { headers } }: Session): Promise<Use> {
  const response = await fetch(`${product.baseUrls[0]}/api_tokens`, {
    method: 'POST',
    headers: { ...headers, authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{"name":"n","ends_with_creator":true}',
  })
  expect(response.status).toBe(201)
  return useOfToken(((await response.json()) as { token: string }).token)
}

/** What only an admin may do, with a body that is refused: 400, and 403 for a member. */
export const adminOnly = ({ use }: Session): Use => ({
  headers: { ...use.headers, 'content-type': 'application/json' },
  method: 'POST',
  path: '/api_tokens',
  refusedWith: 403,
})

/** A JWT of the session, signed by this key. */
export function useOfKey({ kid, key }: SigningKey, { jwt, useOfJwt }: Session): Use {
  const token = forge({ alg: 'ES256', typ: 'at+jwt', kid }, decodeJwt(jwt), key)
  return { ...useOfJwt, headers: { ...useOfJwt.headers, authorization: `Bearer ${token}` } }
}

// Permission × operation, over HTTP and on the bus: a session of the owner, or an API token, that has one permission may do
// what needs that one.
import { type CallBus, createCall } from '@svc/bus/call'
import { type Bus, connectBus } from '@svc/bus/connection'
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { ApiError } from '@svc/contract/core/errors'
import type { Operation } from '@svc/contract/core/operation'
import { maskOf, type Permission, permissions } from '@svc/contract/core/permissions'
import { services } from '@svc/contract/services'
import { forFile } from '@svc/testing/for-file'
import { everything } from '@svc/testing/size'
import { joinProduct } from '@svc/testing/stack/join-product'
import { createLog } from '@svc/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ask, envelope } from '../../answers.ts'
import { httpOperations, prepareCluster, sampleOf } from '../../samples.ts'

const stack = forFile(joinProduct)
const sessions = new Map<Permission, string>()
const tokens = new Map<Permission, string>()
let bus: Bus
let call: CallBus
let owner: string
let etag: string

const internal = { kind: 'internal', id: 'test' } as const

beforeAll(async () => {
  const { dev, sql } = stack
  etag = await prepareCluster(dev)
  // The gateway may call what only its pages call.
  bus = await connectBus(stack.stack.bus('gateway'), createLog('test', 'silent'))
  call = createCall(bus)
  const [user] = await sql`select id from auth_tokens.users where email = ${dev.owner.email}`
  owner = user?.id
  for (const permission of permissions) {
    const { id, token } = await invoke(stack.backoffice, authTokens, 'create_session', {
      caller: internal,
      body: { user_id: owner },
    })
    await sql`update auth_tokens.sessions set can = ${maskOf([permission])} where id = ${id}`
    sessions.set(permission, token)
    const narrowed = await invoke(stack.backoffice, authTokens, 'create_api_token', {
      caller: { ...internal, workspace: dev.workspace_id },
      body: { name: permission, permissions: [permission] },
    })
    tokens.set(permission, narrowed.token)
  }
})

afterAll(() => bus?.close())

const missing = 40307

// In `npm test` each operation is tried without its permission by some of the others.
const others = (n: number, permission: Permission | undefined) =>
  permissions.filter((of, at) => of !== permission && (everything || (n + at) % 6 === 0))

async function codeOverHttp(name: string, method: string, credential: string, inWorkspace: boolean) {
  const { path, headers, body } = sampleOf(name, { dev: stack.dev, etag })
  const { status, text } = await ask(stack.dev.base_url + path, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      authorization: `Bearer ${credential}`,
      ...(inWorkspace && { 'svc-context': stack.dev.workspace_id }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return status === 403 ? envelope.parse(JSON.parse(text)).errors[0] : undefined
}

const allOperations = Object.values(services).flatMap(service =>
  Object.entries<Operation>(service.operations).map(([name, operation]) => ({ service, name, operation })),
)

test.each(httpOperations.map((one, n) => ({ ...one, n })))(
  '$name is allowed over HTTP with its permission only',
  async one => {
    const { name, method, operation, n } = one
    const { permission, access } = operation
    const refused = async (of: Permission, credentials = sessions) => {
      const entry = await codeOverHttp(name, method, credentials.get(of) ?? '', access.workspace)
      // A caller that may create a credential is refused one that may do more.
      return entry?.code === missing && entry.metadata?.permission === (permission ?? 'account')
        ? of
        : undefined
    }
    const without = others(n, permission)
    const mayAll = permission === undefined && (access.anonymous || access.itself)
    expect((await Promise.all(without.map(of => refused(of)))).filter(Boolean)).toEqual(mayAll ? [] : without)
    if (permission) expect(await refused(permission)).toBeUndefined()
    const isForTokens = access.credentials.includes('api_token') && access.roles.includes('member')
    if (!permission || !isForTokens) return
    const byToken = without.map(of => refused(of, tokens))
    expect((await Promise.all(byToken)).filter(Boolean)).toEqual(without)
    expect(await refused(permission, tokens)).toBeUndefined()
  },
)

const called = allOperations
  .filter(({ operation }) => operation.access.credentials.includes('session'))
  .map((one, n) => ({ ...one, n }))

test.each(called)(
  '$name is allowed on the bus with its permission only',
  async ({ service, name, operation: { permission, access }, n }) => {
    const refusedWith = async (of: Permission) => {
      const caller = {
        kind: 'session',
        id: 'sess_01h455vb4pex5vsknk084sn02q',
        user: owner,
        workspace: stack.dev.workspace_id,
        role: 'owner',
        can: maskOf([of]),
      } as const
      // Without any input: whoever is allowed is told what is missing, and nothing changes.
      const answer = invoke(call, service as never, name as never, { caller } as never)
      const error = await answer.then(
        () => undefined,
        reason => reason,
      )
      return error instanceof ApiError && codeOf(error) === missing ? of : undefined
    }
    const mayAll = permission === undefined && (access.anonymous || access.itself)
    if (mayAll) return expect(await refusedWith('events:read')).toBeUndefined()
    const without = others(n, permission)
    expect((await Promise.all(without.map(refusedWith))).filter(Boolean)).toEqual(without)
    if (permission) expect(await refusedWith(permission)).toBeUndefined()
  },
)

test.each<[of: Permission, needed: string, operation: string, more?: object]>([
  ['catalogue:write', 'policies:activate', 'POST /offer_channels/{id}/policies', { activate: true }],
  ['webhooks:write', 'events:read', 'POST /webhook_endpoints'],
  ['members:write', 'catalogue:read', 'POST /workspaces/{id}/members'],
])('%s alone does not do what needs %s: %s', async (of, needed, operation, more) => {
  const { path, body } = sampleOf(operation, { dev: stack.dev, etag })
  const answer = await ask(stack.dev.base_url + path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${sessions.get(of)}`,
      'svc-context': stack.dev.workspace_id,
    },
    body: JSON.stringify({ ...(body as object), ...more }),
  })
  expect(answer.status).toBe(403)
  const [entry] = envelope.parse(JSON.parse(answer.text)).errors
  expect(entry).toMatchObject({ code: missing, metadata: { permission: needed } })
})

const codeOf = ({ body }: ApiError) => envelope.safeParse(body).data?.errors[0]?.code

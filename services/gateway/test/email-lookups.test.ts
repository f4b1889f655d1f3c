// What a request costs on the bus: one look-up of its credential, the operation, and nothing else but where an address counts.
import type { CallRequest } from '@svc/bus/call'
import { refusal } from '@svc/contract/errors'
import { newId } from '@svc/runtime/id'
import { freePort } from '@svc/local/free-port'
import { createLog } from '@svc/runtime/log'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createResolver } from '../src/credentials.ts'
import { createServer } from '../src/server.ts'
import { ask, expectRefusal, refused } from './answers.ts'
import { httpOperations, sampleOf } from './samples.ts'

/** Where the verified address of who calls decides. */
const byAddress = new Set(['GET /i/{short_hash}', 'POST /i/{short_hash}/orders'])
const openToAll = new Set(['GET /i/{short_hash}'])
const signed = new Set(['POST /webhooks/stripe'])

const workspace_id = newId('ws')
const user = newId('user')
const credentials = {
  session: 's'.repeat(32),
  jwt: `eyJ${'a'.repeat(20)}.eyJ${'a'.repeat(20)}.${'a'.repeat(20)}`,
}
/** What auth-tokens says of whoever is asked for. */
let kind: 'session' | 'jwt' = 'session'
let emails: (() => string | null)[] = []

const sent: CallRequest[] = []
const encode = (body: unknown) => ({
  status: 200,
  body: new TextEncoder().encode(JSON.stringify(body)),
  header: () => '',
})
const call = async (request: CallRequest) => {
  sent.push(request)
  if (request.subject === 'rpc.auth-tokens.resolve_credentials') {
    const caller = { kind, id: newId('sess'), user, workspace: workspace_id, role: 'owner' }
    const { lookups } = JSON.parse(new TextDecoder().decode(request.body)) as {
      lookups: { context?: string }[]
    }
    // Without a context the caller is in no workspace.
    const { workspace, role, ...bare } = caller
    return encode({ callers: lookups.map(({ context }) => (context ? caller : bare)) })
  }
  if (request.subject === 'rpc.auth-tokens.read_email') {
    const next = emails.length > 1 ? emails.shift() : emails[0]
    return encode({ email: next?.() ?? null })
  }
  return encode({})
}

let gateway: ReturnType<typeof createServer>
let base_url: string
beforeAll(async () => {
  gateway = createServer({
    call,
    resolve: createResolver({
      call,
      verifyToken: async () => ({ kind: 'jwt', session: newId('sess'), id: 'jti' }) as never,
      maxPending: 100,
    }),
    connected: () => true,
    draining: () => false,
    publicUrl: 'http://localhost',
    trustedProxies: [],
    signingKeys: () => undefined,
    maxInFlight: 4,
    log: createLog('test', 'silent'),
  })
  base_url = `${await gateway.listen({ port: await freePort(), host: '127.0.0.1' })}/v1`
})
afterAll(() => gateway?.close())

async function request(name: string, method: string, credential?: string) {
  const ids = new Proxy({ workspace_id, member: { email: 'a@b.example' } } as Record<string, unknown>, {
    get: (known, key) => known[String(key)] ?? 'x_1',
  })
  const { path, headers, body } = sampleOf(name, { dev: ids as never, etag: 'e' })
  const inPath = name.includes('/workspaces/{id}')
  sent.length = 0
  const answer = await ask(base_url + path, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(credential && { authorization: `Bearer ${credential}` }),
      ...(credential && !inPath && { 'svc-context': workspace_id }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  })
  return { answer, subjects: sent.map(({ subject }) => subject.split('.').slice(1).join('.')) }
}

const callerOf = () =>
  JSON.parse(sent.at(-1)?.headers['Svc-Caller'] ?? '{}') as { email?: string; kind: string }

test.each(httpOperations.flatMap(one => (['session', 'jwt'] as const).map(is => ({ ...one, is }))))(
  '$name with a $is',
  async ({ name, method, is }) => {
    kind = is
    emails = [() => 'buyer@example.com']
    const { answer, subjects } = await request(name, method, credentials[is])
    expect(answer.status, answer.text).toBeLessThan(300)
    const lookUp = signed.has(name) ? [] : ['auth-tokens.resolve_credentials']
    const address = byAddress.has(name) ? ['auth-tokens.read_email'] : []
    expect(subjects).toEqual([
      ...lookUp,
      ...address,
      expect.stringMatching(/^(offers|auth-tokens|compute)\.\w+$/),
    ])
    expect(callerOf().email).toBe(byAddress.has(name) ? 'buyer@example.com' : undefined)
  },
)

test.each(httpOperations)('$name without a credential', async ({ name, method }) => {
  const { answer, subjects } = await request(name, method)
  if (!openToAll.has(name) && !signed.has(name)) {
    expectRefusal(answer, refused('Unauthorized', 40101))
    expect(subjects).toEqual([])
  } else {
    expect(subjects).toHaveLength(1)
    expect(callerOf()).toEqual({ kind: 'anonymous', id: 'anonymous' })
  }
})

const resolve = () => request('GET /i/{short_hash}', 'GET', credentials.session)

test('a person without a verified address comes without one', async () => {
  emails = [() => null]
  const { answer } = await resolve()
  expect([answer.status, callerOf().kind, callerOf().email]).toEqual([200, kind, undefined])
})

test('where nobody can tell the address the operation is not called', async () => {
  const timeout = () => {
    throw refusal('timeout')
  }
  const unavailable = () => {
    throw refusal('unavailable')
  }
  emails = [unavailable]
  expectRefusal((await resolve()).answer, refused('Unavailable', 50301))
  expect(sent.map(({ subject }) => subject)).not.toContain('rpc.offers.resolve_offer')
  // A replica that is frozen swallows what it is sent; another one answers.
  emails = [timeout, timeout, () => 'late@example.com']
  expect((await resolve()).answer.status).toBe(200)
  expect(callerOf().email).toBe('late@example.com')
  emails = [timeout]
  expectRefusal((await resolve()).answer, refused('Unavailable', 50301))
})

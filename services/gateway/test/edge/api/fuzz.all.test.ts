// Random requests from the OpenAPI document, for every operation: every answer is as documented, and none is an
// internal error.
import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { openApiDocument } from '@svc/contract/openapi/document'
import { waitUntil } from '@svc/local/wait-until'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import fc from 'fast-check'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { ask } from '../../answers.ts'
import { type CatalogueIds, makeCatalogue } from './fuzz-catalogue.ts'
import { type EndpointIds, makeEndpoints, nowhere } from './fuzz-endpoints.ts'
import { type InvitationIds, makeInvitations } from './fuzz-invitations.ts'
import { makeOrders, type OrderIds } from './fuzz-orders.ts'
import { answerCheck, type OpenApiDocument, type Route, routesOf } from './openapi-answers.ts'
import { anyJson } from './openapi-arbitrary.ts'
import { type RandomRequest, randomRequest, type Senders } from './openapi-requests.ts'
import { insertMember } from '@svc/testing/members'
import { prepareCluster } from '../../samples.ts'

/** Requests per operation. More of them find more: FUZZ_RUNS=10000 takes some minutes. */
const runs = Number(process.env.FUZZ_RUNS ?? 10)
const several = 20

const document = openApiDocument() as unknown as OpenApiDocument
const problemOf = answerCheck()
const stack = forFile(joinProduct)
let senders: Senders
let tokenIds: string[]
let sessionIds: string[]
let memberIds: string[]
let clusterIds: string[]
let eventIds: string[] = []
let catalogue: CatalogueIds
let endpoints: EndpointIds
let orders: OrderIds
let invitations: InvitationIds

beforeAll(async () => {
  const { dev, backoffice } = stack
  const etag = await prepareCluster(dev)
  const tokens = await Promise.all(
    Array.from({ length: several }, () =>
      invoke(backoffice, authTokens, 'create_api_token', {
        caller: { kind: 'internal', id: 'test', workspace: dev.workspace_id },
        body: { name: 'fuzz' },
      }),
    ),
  )
  tokenIds = tokens.map(({ id }) => id)
  const caller = { kind: 'internal', id: 'test' } as const
  const [owner] = await stack.sql`select id from auth_tokens.users where email = ${dev.owner.email}`
  const sessions = await Promise.all(
    Array.from({ length: several }, () =>
      invoke(backoffice, authTokens, 'create_session', { caller, body: { user_id: owner?.id } }),
    ),
  )
  sessionIds = sessions.map(({ id }) => id)
  memberIds = await Promise.all(
    Array.from({ length: several }, async () => {
      const user_id = newId('user')
      await stack.sql`
        insert into auth_tokens.users (id, email, password_hash)
        values (${user_id}, ${`${user_id}@test.example`}, 'none')`
      await insertMember(stack.sql, { workspace: dev.workspace_id, user: user_id, role: 'member' })
      return user_id
    }),
  )
  clusterIds = await Promise.all(
    Array.from({ length: several }, async () => {
      const body = { name: 'fuzz' }
      const operator = { ...caller, workspace: dev.workspace_id }
      return (await invoke(backoffice, compute, 'create_cluster', { caller: operator, body })).id
    }),
  )
  catalogue = await makeCatalogue(dev)
  endpoints = await makeEndpoints(dev)
  orders = await makeOrders(dev)
  invitations = await makeInvitations(stack, several)
  await waitUntil('events', async () => {
    const { text } = await ask(`${dev.base_url}/events`, {
      headers: { authorization: `Bearer ${dev.api_token}` },
    })
    eventIds = JSON.parse(text).data.map(({ id }: { id: string }) => id)
    return eventIds.length > 0
  })
  const bearer = (credential: string) => `Bearer ${credential}`
  senders = {
    admitted: [dev.owner, dev.admin].map(user => bearer(user.session_token)),
    others: [dev.api_token, dev.member.session_token, dev.stranger.session_token].map(bearer),
    known: {
      product_id: [dev.product_id],
      package_version_id: [dev.package_version_id],
      offer_channel_id: [dev.offer_channel_id],
      package_id: catalogue.packages.kept,
      current_package_version_id: catalogue.versions,
      input_schema: [{ properties: {} }, { properties: { a: { type: 'string', pattern: '^a+$' } } }],
      version: ['1.0.0', '2.0.0'],
      number: [1, 1, 2],
      state: ['active', 'exhausted', 'expired', 'revoked'],
      short_hash: orders.hashes,
      relation: ['owned', 'sold', 'placed', 'received'],
      cluster_id: [dev.cluster_id, dev.other_cluster_id],
      idempotency_key: ['fuzz', 'none'],
      expires_at: [4_000_000_000],
      url: [nowhere, nowhere, 'https://10.0.0.1/'],
      event_types: [['offers.*'], ['orders.completed', 'clusters.*'], ['none.*']],
      delivery_id: endpoints.deliveries,
      'If-Match': [etag, `"${etag}"`, 'stale'],
      'Svc-Context': [...Array.from({ length: 20 }, () => dev.workspace_id), dev.other_workspace_id],
      max_machines: [1, 7, 1000, 1001],
      '*': ['region', 'seats', 'company', 'domain', 'domain', 'unknown', 'constructor'],
    },
  }
})

/** The ids that fit the path. What is removed on the way is not needed by the callers. */
function sendersTo({ path, method }: Route): Senders {
  const { cluster_id, other_cluster_id, workspace_id, other_workspace_id } = stack.dev
  const [, first = '', , step = ''] = path.split('/')
  const { packages, products, offer_channels, versions, offers } = catalogue
  const fate = method === 'DELETE' ? 'doomed' : 'kept'
  const ids: Record<string, string[]> = {
    offers,
    packages: packages[fate],
    package_versions: versions,
    products: products[fate],
    offer_channels: offer_channels[fate],
    events: eventIds,
    webhook_endpoints: endpoints[step === 'deliveries' ? 'delivered' : fate],
    clusters: [
      // Agents lose access only to a cluster that is kept.
      ...(method === 'DELETE' && step === '' ? clusterIds : [cluster_id, cluster_id, cluster_id]),
      other_cluster_id,
    ],
    workspaces: [workspace_id, workspace_id, workspace_id, other_workspace_id],
    sessions: sessionIds,
    orders: orders.for(step),
    installs: orders.installs,
    api_tokens: tokenIds,
    invitations: invitations[step === 'accept' ? 'accept' : 'decline'],
  }
  // Those of the owner are still to be ended one by one.
  const admitted = `${method} ${path}` === 'DELETE /sessions' ? senders.admitted.slice(1) : senders.admitted
  const known = { id: ids[first] ?? [], user_id: memberIds, invitation_id: invitations.revoke }
  return { ...senders, admitted, known: { ...senders.known, ...known } }
}

/** How an operation authenticates its caller: not at all, by a signature, by a credential, or by one of its own. */
function kindOf({ operation: { security } }: Route) {
  if (security.length === 0) return 'signed'
  if (security.some(one => Object.hasOwn(one, 'install_credential'))) return 'own'
  return security.some(one => Object.keys(one).length === 0) ? 'open' : 'credential'
}

async function expectDocumented(route: Route, { path, headers, body }: RandomRequest): Promise<number> {
  const answer = await ask(stack.dev.base_url + path, {
    method: route.method,
    headers,
    ...(body && { body: Buffer.from(body) }),
  })
  expect(answer.status, answer.text).toBeLessThan(500)
  expect(problemOf(route, answer)).toBeUndefined()
  return answer.status
}

const routes = routesOf(document)

describe.each(routes)('$name', route => {
  test(`answers ${runs} random requests as documented, and never with an internal error`, async () => {
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(randomRequest(route, sendersTo(route)), async request => {
        const status = await expectDocumented(route, request)
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      }),
      { numRuns: runs },
    )
    if (runs < 400) return
    // Otherwise the requests were not close enough to valid ones.
    const success = Object.keys(route.operation.responses)
      .map(Number)
      .find(status => status < 300)
    // Stripe takes no payments here, and no install has a credential that could be guessed.
    const refusal = route.path.startsWith('/webhooks/') ? 404 : 401
    const expected = ['signed', 'own'].includes(kindOf(route)) ? [refusal, 400] : [success, 400, 401, 403]
    expect([...statuses.keys()]).toEqual(expect.arrayContaining(expected))
  })
})

test('POST /offers answers any JSON in field_values as documented', async () => {
  const route = routes.find(({ name }) => name === 'POST /offers') as Route
  const { dev } = stack
  await fc.assert(
    fc.asyncProperty(anyJson, anyJson, async (value, other) => {
      const field_values = { seats: { value, locked: true }, region: other }
      await expectDocumented(route, {
        path: '/offers',
        headers: [
          ['authorization', `Bearer ${dev.api_token}`],
          ['content-type', 'application/json'],
        ],
        body: Buffer.from(JSON.stringify({ product_id: dev.product_id, field_values })),
      })
    }),
    { numRuns: runs },
  )
})

test('no internal error was logged', () => {
  expect(stack.lines.filter(line => /"level":(50|60)/.test(line))).toEqual([])
})

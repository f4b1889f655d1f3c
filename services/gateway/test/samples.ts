/** A valid request for every HTTP operation, and the status of its answer. An operation without one fails the tests. */
import type { DevFile } from '@svc/local/seed-demo'
import { type NamedOperation, operations } from '@svc/contract/services'

export interface Sample {
  /** Relative to the versioned root. */
  readonly path: string
  readonly status: number
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export interface SampleInput {
  readonly dev: DevFile
  /** ETag of the demo's cluster. */
  readonly etag: string
}

export const absentTokenId = 'tok_01h00000000000000000000000'
const absentUser = 'user_01h00000000000000000000000'

const absent = (prefix: string) => `${prefix}_01h00000000000000000000000`

const absentHash = '1'.repeat(12)
const ofAbsentEndpoint = (name: string) =>
  name.slice(name.indexOf('/')).replace('{id}', absent('whe')).replace('{delivery_id}', absent('evt'))

const samplePolicy = {
  approval: 'automatic',
  checkout: 'none',
  pricing: { kind: 'fixed', currency: 'eur', interval: 'month', unit_amount: 100 },
  allow_non_billable_test: true,
}

const samples: Record<string, (input: SampleInput) => Sample> = {
  'POST /offers': ({ dev }) => ({ path: '/offers', status: 201, body: { product_id: dev.product_id } }),
  'GET /offers': () => ({ path: '/offers?limit=2', status: 200 }),
  'GET /offers/{id}': () => ({ path: `/offers/${absent('offer')}`, status: 404 }),
  'POST /offers/{id}/revoke': () => ({ path: `/offers/${absent('offer')}/revoke`, status: 404 }),
  'POST /packages': () => ({ path: '/packages', status: 201, body: { name: 'sample' } }),
  'GET /packages': () => ({ path: '/packages?limit=2', status: 200 }),
  // The demo's package is not in its file, but an unknown one also shows who is admitted.
  'GET /packages/{id}': () => ({ path: `/packages/${absent('pkg')}`, status: 404 }),
  'PATCH /packages/{id}': () => ({
    path: `/packages/${absent('pkg')}`,
    status: 404,
    body: { name: 'sample' },
  }),
  'DELETE /packages/{id}': () => ({ path: `/packages/${absent('pkg')}`, status: 404 }),
  'GET /packages/{id}/versions': () => ({ path: `/packages/${absent('pkg')}/versions`, status: 404 }),
  'POST /packages/{id}/versions': () => ({
    path: `/packages/${absent('pkg')}/versions`,
    status: 404,
    body: { version: '1.0.0', input_schema: { properties: {} } },
  }),
  'GET /package_versions/{id}': ({ dev }) => ({
    path: `/package_versions/${dev.package_version_id}`,
    status: 200,
  }),
  'POST /products': () => ({
    path: '/products',
    status: 422,
    body: { name: 'sample', package_id: absent('pkg') },
  }),
  'GET /products': () => ({ path: '/products?limit=2', status: 200 }),
  'GET /products/{id}': ({ dev }) => ({ path: `/products/${dev.product_id}`, status: 200 }),
  'PATCH /products/{id}': ({ dev }) => ({
    path: `/products/${dev.product_id}`,
    status: 200,
    body: { current_package_version_id: dev.package_version_id },
  }),
  'DELETE /products/{id}': () => ({ path: `/products/${absent('prod')}`, status: 404 }),
  'POST /offer_channels': ({ dev }) => ({
    path: '/offer_channels',
    status: 201,
    body: { product_id: dev.product_id, name: 'sample' },
  }),
  'GET /offer_channels': ({ dev }) => ({
    path: `/offer_channels?limit=2&product_id=${dev.product_id}`,
    status: 200,
  }),
  'GET /offer_channels/{id}': ({ dev }) => ({ path: `/offer_channels/${dev.offer_channel_id}`, status: 200 }),
  'PATCH /offer_channels/{id}': ({ dev }) => ({
    path: `/offer_channels/${dev.offer_channel_id}`,
    status: 200,
    body: { status: 'active' },
  }),
  'DELETE /offer_channels/{id}': () => ({ path: `/offer_channels/${absent('och')}`, status: 404 }),
  'GET /offer_channels/{id}/policies': ({ dev }) => ({
    path: `/offer_channels/${dev.offer_channel_id}/policies?limit=2`,
    status: 200,
  }),
  'POST /offer_channels/{id}/policies': ({ dev }) => ({
    path: `/offer_channels/${dev.offer_channel_id}/policies`,
    status: 201,
    body: { policy: samplePolicy },
  }),
  'GET /offer_channels/{id}/policies/{number}': ({ dev }) => ({
    path: `/offer_channels/${dev.offer_channel_id}/policies/1`,
    status: 200,
  }),
  'POST /offer_channels/{id}/policies/{number}/activate': ({ dev }) => ({
    path: `/offer_channels/${dev.offer_channel_id}/policies/1/activate`,
    status: 200,
  }),
  'GET /i/{short_hash}': () => ({ path: `/i/${absentHash}`, status: 404 }),
  'POST /i/{short_hash}/orders': () => ({ path: `/i/${absentHash}/orders`, status: 404 }),
  'GET /orders': () => ({ path: '/orders?limit=2&relation=received', status: 200 }),
  'GET /orders/{id}': () => ({ path: `/orders/${absent('order')}`, status: 404 }),
  'POST /orders/{id}/submit': () => ({ path: `/orders/${absent('order')}/submit`, status: 404, body: {} }),
  'POST /orders/{id}/cancel': () => ({ path: `/orders/${absent('order')}/cancel`, status: 404 }),
  'POST /orders/{id}/checkout': () => ({ path: `/orders/${absent('order')}/checkout`, status: 404 }),
  'POST /orders/{id}/approve': () => ({ path: `/orders/${absent('order')}/approve`, status: 404 }),
  'POST /orders/{id}/reject': () => ({ path: `/orders/${absent('order')}/reject`, status: 404, body: {} }),
  'POST /orders/{id}/confirm_payment': () => ({
    path: `/orders/${absent('order')}/confirm_payment`,
    status: 404,
  }),
  // Stripe takes no payments here.
  'POST /webhooks/stripe': () => ({
    path: '/webhooks/stripe',
    status: 400,
    headers: { 'stripe-signature': 't=1,v1=0' },
    body: { id: 'evt_sample' },
  }),
  'GET /limits': () => ({ path: '/limits', status: 200 }),
  'GET /installs': () => ({ path: '/installs?limit=2&relation=sold', status: 200 }),
  'GET /installs/{id}': () => ({ path: `/installs/${absent('inst')}`, status: 404 }),
  'POST /installs/{id}/credential': () => ({ path: `/installs/${absent('inst')}/credential`, status: 404 }),
  'GET /installs/{id}/field_values': () => ({
    path: `/installs/${absent('inst')}/field_values`,
    status: 401,
    headers: { 'svc-install-credential': 'sample' },
  }),
  'POST /installs/{id}/remove': () => ({ path: `/installs/${absent('inst')}/remove`, status: 404 }),
  'POST /api_tokens': () => ({ path: '/api_tokens', status: 201, body: { name: 'sample' } }),
  'GET /api_tokens': () => ({ path: '/api_tokens', status: 200 }),
  // What is deleted would have to be recreated for every cell, but an unknown one also shows who is admitted.
  'DELETE /api_tokens/{id}': () => ({ path: `/api_tokens/${absentTokenId}`, status: 404 }),
  'POST /api_tokens/{id}/rotate': () => ({ path: `/api_tokens/${absentTokenId}/rotate`, status: 404 }),
  'GET /sessions': () => ({ path: '/sessions', status: 200 }),
  'DELETE /sessions': () => ({ path: '/sessions', status: 200 }),
  'DELETE /sessions/{id}': () => ({ path: '/sessions/sess_01h00000000000000000000000', status: 404 }),
  'GET /user': () => ({ path: '/user', status: 200 }),
  'POST /workspaces': () => ({ path: '/workspaces', status: 201, body: { name: 'sample' } }),
  'GET /workspaces': () => ({ path: '/workspaces', status: 200 }),
  'GET /workspaces/{id}/members': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/members`,
    status: 200,
  }),
  'GET /workspaces/{id}/mail_preferences': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/mail_preferences`,
    status: 200,
  }),
  'PATCH /workspaces/{id}/mail_preferences': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/mail_preferences`,
    status: 200,
    body: { order_expired: true },
  }),
  // Already a member: a caller who is told so was admitted.
  'POST /workspaces/{id}/members': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/members`,
    status: 409,
    body: { email: dev.member.email, role: 'member' },
  }),
  'GET /workspaces/{id}/invitations': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/invitations`,
    status: 200,
  }),
  'DELETE /workspaces/{id}/invitations/{invitation_id}': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/invitations/${absent('inv')}`,
    status: 404,
  }),
  'GET /invitations': () => ({ path: '/invitations', status: 200 }),
  'POST /invitations/{id}/accept': () => ({ path: `/invitations/${absent('inv')}/accept`, status: 404 }),
  'POST /invitations/{id}/decline': () => ({ path: `/invitations/${absent('inv')}/decline`, status: 404 }),
  'PATCH /workspaces/{id}': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}`,
    status: 200,
    body: { support_email: null },
  }),
  'PATCH /workspaces/{id}/members/{user_id}': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/members/${absentUser}`,
    status: 404,
    body: { role: 'member' },
  }),
  'DELETE /workspaces/{id}/members/{user_id}': ({ dev }) => ({
    path: `/workspaces/${dev.workspace_id}/members/${absentUser}`,
    status: 404,
  }),
  'GET /events': () => ({ path: '/events?limit=2', status: 200 }),
  'GET /events/{id}': () => ({ path: `/events/${absent('evt')}`, status: 404 }),
  'GET /event_counts': () => ({ path: '/event_counts?types=offers.created&days=2', status: 200 }),
  'GET /audit_log': () => ({ path: '/audit_log?limit=2', status: 200 }),
  'POST /webhook_endpoints': () => ({
    path: '/webhook_endpoints',
    status: 422,
    body: { url: 'http://sample.example', event_types: ['offers.*'] },
  }),
  'GET /webhook_endpoints': () => ({ path: '/webhook_endpoints?limit=2', status: 200 }),
  ...Object.fromEntries(
    [
      'GET /webhook_endpoints/{id}',
      'DELETE /webhook_endpoints/{id}',
      'POST /webhook_endpoints/{id}/rotate_secret',
      'POST /webhook_endpoints/{id}/pause',
      'POST /webhook_endpoints/{id}/resume',
      'POST /webhook_endpoints/{id}/test',
      'GET /webhook_endpoints/{id}/deliveries',
      'POST /webhook_endpoints/{id}/deliveries/{delivery_id}/redeliver',
    ].map(name => [name, () => ({ path: ofAbsentEndpoint(name), status: 404 })]),
  ),
  'PATCH /webhook_endpoints/{id}': () => ({
    path: ofAbsentEndpoint('PATCH /webhook_endpoints/{id}'),
    status: 404,
    body: { description: 'sample' },
  }),
  'POST /clusters': () => ({ path: '/clusters', status: 201, body: { name: 'sample' } }),
  'GET /clusters': () => ({ path: '/clusters?limit=2', status: 200 }),
  'GET /clusters/{id}': ({ dev }) => ({ path: `/clusters/${dev.cluster_id}`, status: 200 }),
  'GET /clusters/{id}/machines': ({ dev }) => ({
    path: `/clusters/${dev.cluster_id}/machines?hours=2`,
    status: 200,
  }),
  'PATCH /clusters/{id}': ({ dev }) => ({
    path: `/clusters/${dev.cluster_id}`,
    status: 200,
    body: { name: 'sample' },
  }),
  'DELETE /clusters/{id}': () => ({ path: `/clusters/${absent('clus')}`, status: 404 }),
  'POST /clusters/{id}/agent_secret': () => ({
    path: `/clusters/${absent('clus')}/agent_secret`,
    status: 404,
  }),
  'DELETE /clusters/{id}/agent_secret': () => ({
    path: `/clusters/${absent('clus')}/agent_secret`,
    status: 404,
  }),
  'GET /clusters/{id}/compute_settings': ({ dev }) => ({
    path: `/clusters/${dev.cluster_id}/compute_settings`,
    status: 200,
  }),
  // Setting what is already set keeps the etag, so the sample can be repeated.
  'PATCH /clusters/{id}/compute_settings': ({ dev, etag }) => ({
    path: `/clusters/${dev.cluster_id}/compute_settings`,
    status: 200,
    headers: { 'if-match': etag },
    body: { max_machines: 7 },
  }),
}

export const httpOperations = operations.flatMap(({ operation }: NamedOperation) =>
  operation.http
    ? [{ name: `${operation.http.method} ${operation.http.path}`, method: operation.http.method, operation }]
    : [],
)

export function sampleOf(name: string, input: SampleInput): Sample {
  const sample = samples[name]?.(input)
  if (!sample) throw new Error(`${name} has no sample: add one to samples.ts`)
  return sample
}

/** Brings the demo's cluster to the state that the sample sets, and returns its etag. */
export async function prepareCluster({ base_url, cluster_id, api_token }: DevFile): Promise<string> {
  const url = `${base_url}/clusters/${cluster_id}/compute_settings`
  const headers = { authorization: `Bearer ${api_token}`, 'content-type': 'application/json' }
  const current = (await (await fetch(url, { headers })).json()) as { etag: string }
  const changed = await fetch(url, {
    method: 'PATCH',
    headers: { ...headers, 'if-match': current.etag },
    body: JSON.stringify({ max_machines: 7 }),
  })
  return ((await changed.json()) as { etag: string }).etag
}

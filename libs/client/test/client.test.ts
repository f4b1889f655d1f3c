import type { Operation } from '@svc/contract/core/operation'
import { services } from '@svc/contract/services'
import { joinProduct } from '@svc/testing/stack/join-product'
import { keepRunning } from '@svc/testing/keep-running'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type Client, createClient } from '../src/client.ts'
import { changeComputeSettings } from '../src/compute-settings.ts'
import { ApiResponseError } from '../src/errors.ts'
import { items } from '../src/paging.ts'
import { shortName } from '../src/short-names.ts'

const stack = keepRunning(joinProduct)
let member: Client
let owner: Client
beforeAll(async () => {
  const { base_url, api_token, owner: user, workspace_id } = stack.dev
  member = createClient({ baseUrl: base_url, token: api_token })
  owner = createClient({ baseUrl: base_url, token: user.session_token, workspace: workspace_id })
})

/** The error that a call ends with. */
async function refusal(call: Promise<unknown>): Promise<ApiResponseError> {
  const outcome = await call.catch(reason => reason)
  if (!(outcome instanceof ApiResponseError)) throw new Error('it was not refused', { cause: outcome })
  return outcome
}

const operations = Object.values(services).flatMap(({ name: service, operations }) =>
  Object.entries<Operation>(operations)
    .filter(([, { http, raw }]) => http && !raw)
    .map(([name]) => ({ service, name, ...shortName(name) })),
)

test('has every HTTP operation of the contract under two names, except webhooks, and nothing else', () => {
  const methods = member as unknown as Record<string, Record<string, unknown>>
  const named = new Set<unknown>()
  for (const { service, name, group, verb } of operations) {
    const method = methods[service]?.[name]
    expect(method, name).toBeTypeOf('function')
    expect(methods[group]?.[verb], `${group}.${verb}`).toBe(method)
    named.add(method)
  }
  expect(named.size).toBe(operations.length)
  const all = Object.values(methods).flatMap(group => Object.values(group))
  expect(all).toHaveLength(2 * operations.length)
})

test('short names are one word of the contract in camel case, and the same at compile time', async () => {
  for (const { group, verb } of operations)
    expect(`${group}.${verb}`).toMatch(/^[a-z]+([A-Z][a-z]+)*s\.[a-z]+$/)
  expectTypeOf(member.tokens.list).toEqualTypeOf(member['auth-tokens'].list_api_tokens)
  expectTypeOf(member.offers.create).toEqualTypeOf(member.offers.create_offer)
  expectTypeOf(member.channelPolicies.activate).toEqualTypeOf(member.offers.activate_channel_policy)
  expectTypeOf(member.computeSettings.update).toEqualTypeOf(member.compute.update_compute_settings)
  // @ts-expect-error there is no such verb
  expect(member.tokens.get).toBeUndefined()
  const { body } = await member.tokens.list({ query: { limit: 1 } })
  expect(body.data).toHaveLength(1)
})

describe('every operation', () => {
  test('offers.create_offer creates an offer, and replays it for the same key', async () => {
    const body = { product_id: stack.dev.product_id, notes: 'Grüße 🚀' }
    const first = await member.offers.create_offer({ headers: { 'idempotency-key': 'client' }, body })
    expectTypeOf(first.body).toEqualTypeOf<{ id: string; short_hash: string }>()
    expect(first).toMatchObject({ status: 201, body: { id: expect.stringMatching(/^offer_/) } })
    expect(first.headers.get('idempotent-replayed')).toBeNull()
    const again = await member.offers.create_offer({ headers: { 'idempotency-key': 'client' }, body })
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    const other = await member.offers.create_offer({ headers: { 'idempotency-key': undefined }, body })
    expect(other.body.id).not.toBe(first.body.id)
  })

  test('offers.list_installs lists, with and without a query', async () => {
    const empty = { data: [], next_cursor: null }
    expect(await member.offers.list_installs()).toMatchObject({ status: 200, body: empty })
    expect((await member.offers.list_installs({ query: { limit: 5, cursor: undefined } })).body).toEqual(
      empty,
    )
  })

  test('offers leads from the link of an offer to an install, and shows its name without a token', async () => {
    const { dev } = stack
    const { body: made } = await member.offers.create_offer({
      body: { product_id: dev.product_id, notes: 'Hello.', allow_api_tokens: true },
    })
    const params = { short_hash: made.short_hash }
    const nobody = createClient({ baseUrl: dev.base_url })
    const seen = await nobody.offers.resolve_offer({ params })
    expect(seen.body).toEqual({
      name: expect.any(String),
      sign_in_required: true,
      summary: expect.objectContaining({ state: 'active' }),
      offer: null,
    })
    const customer = createClient({ baseUrl: dev.base_url, token: dev.other_api_token })
    const resolved = await customer.offers.resolve_offer({ params })
    expect(resolved.body.offer).toMatchObject({ state: 'active', seat_available: true, notes: 'Hello.' })
    const { body: order } = await customer.offers.create_order({ params })
    const again = await customer.offers.create_order({ params })
    expect([again.body.id, again.headers.get('idempotent-replayed')]).toEqual([order.id, 'true'])
    const submitted = await customer.offers.submit_order({
      params: { id: order.id },
      body: { field_values: { region: 'eu', company: 'Acme' } },
    })
    expectTypeOf(submitted.body.install_id).toEqualTypeOf<string | null>()
    const id = submitted.body.install_id ?? ''
    const owned = await customer.offers.get_install({ params: { id } })
    expectTypeOf(owned.body.state).toEqualTypeOf<'started' | 'removed'>()
    const query = { relation: 'sold', offer_id: made.id }
    expect((await member.offers.list_installs({ query })).body).toEqual({
      data: [owned.body],
      next_cursor: null,
    })
    expect((await refusal(customer.offers.cancel_order({ params: { id: order.id } }))).errors).toMatchObject([
      { code: 40910, metadata: { state: 'completed' } },
    ])
  })

  test('auth-tokens creates tokens, lists them in pages and revokes them', async () => {
    const tokens = owner['auth-tokens']
    const expires_at = Math.floor(Date.now() / 1000) + 3600
    const created = await tokens.create_api_token({ body: { name: 'client', expires_at } })
    expect(created).toMatchObject({ status: 201, body: { name: 'client', expires_at } })
    const mine = createClient({ baseUrl: stack.dev.base_url, token: created.body.token })
    expect((await mine.offers.list_installs()).status).toBe(200)
    const first = await tokens.list_api_tokens({ query: { limit: 1 } })
    expect(first.body.data).toMatchObject([{ id: created.body.id, hint: created.body.token.slice(-4) }])
    const cursor = first.body.next_cursor ?? ''
    const second = await tokens.list_api_tokens({ query: { limit: '1', cursor } })
    expect(second.body.data).toMatchObject([{ name: 'demo' }])
    const revoked = await tokens.revoke_api_token({ params: { id: created.body.id } })
    expectTypeOf(revoked.body).toEqualTypeOf<undefined>()
    expect(revoked).toMatchObject({ status: 204, body: undefined })
    expect((await refusal(mine.offers.list_installs())).status).toBe(401)
  })

  test('compute reads and updates settings', async () => {
    const params = { id: stack.dev.cluster_id }
    const { body, headers } = await member.compute.get_compute_settings({ params })
    expect(headers.get('etag')).toBe(`"${body.etag}"`)
    const updated = await member.compute.update_compute_settings({
      params,
      headers: { 'if-match': body.etag },
      body: { auto_scaling_enabled: true, max_machines: 9 },
    })
    expect(updated).toMatchObject({ status: 200, body: { auto_scaling: 'active', max_machines: 9 } })
    expect((await member.compute.get_compute_settings({ params })).body).toEqual(updated.body)
  })
})

test('lists continue across pages', async () => {
  const { base_url: baseUrl, other_api_token: token } = stack.dev
  const workspaces = []
  for await (const { id } of items(createClient({ baseUrl, token })['auth-tokens'].list_workspaces)) {
    workspaces.push(id)
  }
  expect(workspaces).toEqual([stack.dev.other_workspace_id])
  const list = owner['auth-tokens'].list_members
  const params = { id: stack.dev.workspace_id }
  const emails = []
  for await (const { email } of items(list, { params, query: { limit: 1 } })) emails.push(email)
  const { owner: first, admin, member: last } = stack.dev
  expect(emails.sort()).toEqual([first.email, admin.email, last.email].sort())
})

test('no change is lost when many change the settings of a cluster at once', async () => {
  const id = stack.dev.cluster_id
  const before = await changeComputeSettings(member, id, () => undefined)
  // Amounts whose sums all differ, since two callers that set the same value have no conflict.
  const amounts = [1, 2, 4, 8, 16, 32, 64, 128]
  await Promise.all(
    amounts.map(amount =>
      changeComputeSettings(member, id, ({ max_machines }) => ({ max_machines: max_machines + amount }), {
        writes: 20,
      }),
    ),
  )
  const after = await changeComputeSettings(member, id, () => undefined)
  expect(after.max_machines - before.max_machines).toBe(255)
})

describe('a refusal', () => {
  test('is an error with status, tag, entries and request id', async () => {
    const error = await refusal(
      member.offers.create_offer({ body: { product_id: '', notes: 'n'.repeat(501) } }),
    )
    expect(error).toMatchObject({
      name: 'ValidationError',
      message: 'product_id must have at least 1 character.',
      status: 400,
      tag: 'Validation',
      errors: [
        { code: 40002, path: ['product_id'] },
        { code: 40002, path: ['notes'] },
      ],
      requestId: expect.stringMatching(/^req_/),
      retryAfter: undefined,
    })
    expect(error).toBeInstanceOf(Error)
  })

  test.each<[string, () => Promise<unknown>, number, string]>([
    [
      'a role too low',
      () => member['auth-tokens'].create_api_token({ body: { name: 'n' } }),
      403,
      'Forbidden',
    ],
    [
      'an absent token',
      () => owner['auth-tokens'].revoke_api_token({ params: { id: 'tok_a' } }),
      404,
      'NotFound',
    ],
    [
      'an unknown product',
      () => member.offers.create_offer({ body: { product_id: 'prod_a' } }),
      422,
      'Unprocessable',
    ],
    [
      'an id with a slash',
      () => owner['auth-tokens'].revoke_api_token({ params: { id: 'a/../b?c#d' } }),
      400,
      'Validation',
    ],
  ])('says so: %s', async (_, call, status, tag) => {
    expect(await refusal(call())).toMatchObject({ status, tag })
  })

  test.each(['', '.', '..', undefined])('sends nothing where a path parameter is %j', async id => {
    const sent: unknown[] = []
    const { baseUrl, token } = { baseUrl: 'http://127.0.0.1:9', token: 'none' }
    const client = createClient({ baseUrl, token, fetch: async (...all) => Promise.reject(sent.push(all)) })
    const call = client['auth-tokens'].delete_member({ params: { id: 'ws_a', user_id: id as string } })
    await expect(call).rejects.toThrow(/^params\.user_id must be an id/)
    expect(sent).toEqual([])
  })

  test('without an envelope has the whole body', async () => {
    const { compute } = member
    const absent = await refusal(compute.get_compute_settings({ params: { id: 'clus_a' } }))
    expect(absent).toMatchObject({
      status: 404,
      tag: 'ClusterNotFoundError',
      message: 'ClusterNotFoundError',
      errors: [],
      body: { _tag: 'ClusterNotFoundError' },
    })
    const params = { id: stack.dev.cluster_id }
    const { etag } = (await compute.get_compute_settings({ params })).body
    const stale = { params, headers: { 'if-match': 'stale' }, body: { max_machines: 3 } }
    expect(await refusal(compute.update_compute_settings(stale))).toMatchObject({
      status: 409,
      tag: 'ComputeSettingsConflictError',
      body: { currentEtag: etag },
    })
  })

  test('because of a bad credential, or a missing workspace', async () => {
    const { base_url: baseUrl, owner: user } = stack.dev
    const nobody = createClient({ baseUrl, token: 'nobody' })
    expect(await refusal(nobody.offers.list_installs())).toMatchObject({ status: 401, tag: 'Unauthorized' })
    const nowhere = createClient({ baseUrl, token: user.session_token })
    expect(await refusal(nowhere.offers.list_installs())).toMatchObject({
      status: 403,
      errors: [{ code: 40301 }],
    })
  })
})

test('sends the configured headers, through the given fetch', async () => {
  const sent: { url: string; init: RequestInit | undefined }[] = []
  const client = createClient({
    baseUrl: 'https://api.example.com/v1/',
    token: 'secret',
    workspace: 'ws_a',
    fetch: async (url, init) => {
      sent.push({ url: String(url), init })
      return new Response('{}', { status: 200 })
    },
  })
  await client.compute.update_compute_settings({
    params: { id: 'clus_a' },
    headers: { 'if-match': 'e' },
    body: { max_machines: 1 },
  })
  await client.offers.list_installs({ query: { limit: 3 } })
  const [update, list] = sent
  expect(update).toMatchObject({
    url: 'https://api.example.com/v1/clusters/clus_a/compute_settings',
    init: { method: 'PATCH', body: '{"max_machines":1}' },
  })
  expect(Object.fromEntries(new Headers(update?.init?.headers))).toEqual({
    authorization: 'Bearer secret',
    'svc-context': 'ws_a',
    'if-match': 'e',
    'content-type': 'application/json',
  })
  expect(list).toMatchObject({
    url: 'https://api.example.com/v1/installs?limit=3',
    init: { method: 'GET', body: undefined },
  })
})

test('sends no credential if it has none', async () => {
  let headers = new Headers()
  const client = createClient({
    baseUrl: 'https://api.example.com/v1/',
    fetch: async (_url, init) => {
      headers = new Headers(init?.headers)
      return new Response('{}', { status: 200 })
    },
  })
  await client.offers.resolve_offer({ params: { short_hash: 'a' } })
  expect([...headers.keys()]).toEqual([])
})

test('demands at compile time what an operation requires', () => {
  expectTypeOf(member.offers.create_offer).parameter(0).toHaveProperty('body')
  expectTypeOf(member.offers.list_installs).parameters.toExtend<[unknown?, unknown?]>()
  // @ts-expect-error a bus-only operation has no HTTP side
  expect(member.offers.close_cluster).toBeUndefined()
  // @ts-expect-error a webhook is called by someone else's program
  expect(member.offers.receive_stripe_event).toBeUndefined()
  // @ts-expect-error a product-backed offer has a product
  const incomplete: Parameters<Client['offers']['create_offer']>[0] = { body: { notes: 'n' } }
  // @ts-expect-error If-Match is required
  const unmatched: Parameters<Client['compute']['update_compute_settings']>[0] = {
    params: { id: 'a' },
    body: {},
  }
  expect([incomplete, unmatched]).toHaveLength(2)
})

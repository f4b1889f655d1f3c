import type { Operation } from '@svc/contract/core/operation'
import { services } from '@svc/contract/services'
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, expectTypeOf, test } from 'vitest'
import { type Client, createClient } from '../src/client.ts'
import { changeComputeSettings } from '../src/compute-settings.ts'
import { ApiResponseError } from '../src/errors.ts'
import { shortName } from '@svc/contract/short-names'

const stack = forFile(joinProduct)
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
  expect(member.tokens.pause).toBeUndefined()
  const { body } = await member.tokens.list({ query: { limit: 1 } })
  expect(body.data).toHaveLength(1)
})

describe('at a gateway', () => {
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

  test('auth-tokens.revoke_api_token is answered without a body', async () => {
    const tokens = owner['auth-tokens']
    const expires_at = Math.floor(Date.now() / 1000) + 3600
    const created = await tokens.create_api_token({ body: { name: 'client', expires_at } })
    expect(created).toMatchObject({ status: 201, body: { name: 'client', expires_at } })
    const revoked = await tokens.revoke_api_token({ params: { id: created.body.id } })
    expectTypeOf(revoked.body).toEqualTypeOf<undefined>()
    expect(revoked).toMatchObject({ status: 204, body: undefined })
  })
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

  test('comes from the operation itself for an id with a slash', async () => {
    const call = owner['auth-tokens'].revoke_api_token({ params: { id: 'a/../b?c#d' } })
    expect(await refusal(call)).toMatchObject({ status: 400, tag: 'Validation' })
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
  expectTypeOf<Awaited<ReturnType<Client['offers']['get_install']>>['body']['state']>().toEqualTypeOf<
    'started' | 'removed'
  >()
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

// Each event says who made the change, by which request, and what differs.
import { forFile } from '@svc/testing/for-file'
import { invoke } from '@svc/bus/invoke'
import { offers } from '@svc/contract/offers/offers'
import { caller, requester } from '@svc/testing/stack/driven-stack'
import { followProduct } from '@svc/testing/stack/follow-product'
import type { Product } from '@svc/testing/stack/stack'
import { beforeAll, expect, test } from 'vitest'

const followed = forFile(followProduct)
let running: Product
beforeAll(() => {
  running = followed.product
})

async function send(method: string, path: string, credential: string, body?: object) {
  const request = requester(running.baseUrls[0] ?? '')
  const { status, answer, requestId } = await request(method, path, credential, {
    body,
    workspace: running.dev.workspace_id,
  })
  return { ...(answer as { id: string; token?: string }), status, request_id: requestId }
}

/** Tokens with these names, each as the actor that it is. */
async function newTokens(names: readonly string[]) {
  const { owner, workspace_id } = running.dev
  return Promise.all(
    names.map(async name => {
      const { id, token = '' } = await send('POST', '/api_tokens', owner.session_token, { name })
      return { token, actor: { kind: 'api_token', id, name, credential_id: id, workspace_id } }
    }),
  )
}

test('offers that are written together have each the token and the request that made it', async () => {
  const { package_version_id } = running.dev
  const tokens = await newTokens(['Zoë "1"', 'ci'])
  const made = await Promise.all(
    Array.from({ length: 40 }, async (_, n) => {
      const { token, actor } = tokens[n % 2] as (typeof tokens)[number]
      return { actor, ...(await send('POST', '/offers', token, { package_version_id })) }
    }),
  )
  const ids = new Set(made.map(({ id }) => id))
  const told = new Map(
    (await followed.eventsWhere(40, ({ aggregate_id }) => ids.has(aggregate_id))).map(event => [
      event.aggregate_id,
      event,
    ]),
  )
  for (const { id, actor, request_id } of made) {
    expect(told.get(id)).toMatchObject({ actor, request_id, changes: null })
  }
})

test('a person is named with their session, and what they changed has both states', async () => {
  const { owner, workspace_id } = running.dev
  const { id } = await send('POST', '/packages', owner.session_token, { name: 'before' })
  const renamed = await send('PATCH', `/packages/${id}`, owner.session_token, { name: 'after' })
  const [created, updated] = await followed.eventsWhere(2, ({ aggregate_id }) => aggregate_id === id)
  const person = {
    kind: 'user',
    id: expect.stringMatching(/^user_/),
    name: owner.email,
    credential_id: expect.stringMatching(/^sess_/),
    workspace_id,
  }
  expect(created).toMatchObject({ actor: person, changes: null })
  expect(updated).toMatchObject({
    actor: person,
    request_id: renamed.request_id,
    changes: { name: { before: 'before', after: 'after' } },
  })
  // From where is for the audit log alone.
  expect(JSON.stringify([created, updated])).not.toContain('127.0.0.1')
})

test('a program of the operator is named as on the bus', async () => {
  const { workspace_id, product_id, owner } = running.dev
  const { id } = await send('POST', '/offer_channels', owner.session_token, { product_id, name: 'old' })
  const renamed = {
    ...caller(workspace_id),
    params: { id: `${id}` },
    body: { name: 'new' },
    requestId: 'req_put',
  }
  await invoke(running.backoffice, offers, 'update_offer_channel', renamed)
  const [, updated] = await followed.eventsWhere(2, ({ aggregate_id }) => aggregate_id === id)
  expect(updated).toMatchObject({
    actor: { kind: 'internal', id: 'backoffice', name: null, credential_id: null, workspace_id },
    request_id: 'req_put',
    changes: { name: { before: 'old', after: 'new' } },
  })
})

test('a token that is refused tells what it was refused for', async () => {
  const [token] = await newTokens(['refused'])
  const refused = await send('GET', '/sessions', token?.token ?? '')
  expect(refused.status).toBe(403)
  const [event] = await followed.eventsWhere(
    1,
    ({ type, aggregate_id }) => type === 'api_tokens.refused' && aggregate_id === token?.actor.id,
  )
  expect(event).toMatchObject({
    actor: token?.actor,
    request_id: refused.request_id,
    data: { workspace_id: running.dev.workspace_id, reason: 'credential_kind', count: 1 },
  })
})

test('a token that is deleted as soon as it was refused leaves its refusal behind', async () => {
  const [token] = await newTokens(['gone'])
  const refused = await send('GET', '/sessions', token?.token ?? '')
  const deleted = await send('DELETE', `/api_tokens/${token?.actor.id}`, running.dev.owner.session_token)
  expect([refused.status, deleted.status]).toEqual([403, 204])
  const [event] = await followed.eventsWhere(
    1,
    ({ type, aggregate_id }) => type === 'api_tokens.refused' && aggregate_id === token?.actor.id,
  )
  expect(event).toMatchObject({ actor: token?.actor, request_id: refused.request_id, data: { count: 1 } })
})

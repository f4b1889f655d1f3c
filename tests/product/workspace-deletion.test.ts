// A workspace is deleted: what blocks it, what ends with the reply, and what of it other services end later.
import { forFile } from '@svc/testing/for-file'
import { joinProduct } from '@svc/testing/stack/join-product'
import { insertMember } from '@svc/testing/members'
import { waitUntil } from '@svc/local/wait-until'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'

const product = forFile(joinProduct)

interface Answer {
  readonly status: number
  // Any answer: the tests compare it with literals.
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly body: any
}

async function ask(
  method: string,
  path: string,
  token: string,
  workspace?: string,
  body?: object,
): Promise<Answer> {
  const response = await fetch(`${product.baseUrls[0]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(workspace && { 'svc-context': workspace }),
      ...(body && { 'content-type': 'application/json' }),
    },
    ...(body && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  return { status: response.status, body: text && JSON.parse(text) }
}

/** A workspace of the stranger with an open offer. */
async function newSeller() {
  const { session_token } = product.dev.stranger
  const { id } = (await ask('POST', '/workspaces', session_token, undefined, { name: 'Leaving' })).body
  const own = (method: string, path: string, body?: object) => ask(method, path, session_token, id, body)
  const { body: pack } = await own('POST', '/packages', { name: 'Pack' })
  const { body: version } = await own('POST', `/packages/${pack.id}/versions`, {
    version: '1',
    input_schema: { type: 'object', properties: {} },
  })
  expect(version.errors).toBeUndefined()
  const made = await own('POST', '/offers', { package_version_id: version.id, max_uses: null })
  expect([made.status, made.body.errors]).toEqual([201, undefined])
  return { id, own, short_hash: made.body.short_hash, remove: () => own('DELETE', `/workspaces/${id}`) }
}

const order = (short_hash: string) =>
  ask('POST', `/i/${short_hash}/orders`, product.dev.member.session_token, product.dev.workspace_id)
const brief = ({ status, body }: Answer) => [status, body?.errors?.[0]?.code, body?.errors?.[0]?.metadata]

test('a cluster, an order and an install block it, and are named', async () => {
  const { own, short_hash, remove } = await newSeller()
  const cluster = (await own('POST', '/clusters', { name: 'c' })).body.id
  expect(brief(await remove())).toMatchObject([409, 40909, { cluster }])
  await own('DELETE', `/clusters/${cluster}`)
  const placed = (await order(short_hash)).body.id
  expect(brief(await remove())).toMatchObject([409, 40909, { order: placed }])
  const { member, workspace_id } = product.dev
  const customer = (path: string, body?: object) =>
    ask('POST', path, member.session_token, workspace_id, body)
  const { install_id: install } = (await customer(`/orders/${placed}/submit`, { field_values: {} })).body
  expect(brief(await remove())).toMatchObject([409, 40909, { install }])
  await customer(`/installs/${install}/remove`)
  expect((await remove()).status).toBe(204)
})

test('what was in it ends with the reply, at every gateway; its webhooks and clusters later', async () => {
  const { id, own, short_hash, remove } = await newSeller()
  const token = (await own('POST', '/api_tokens', { name: 't' })).body.token
  await insertMember(product.sql, { workspace: id, user: await memberId(), role: 'admin' })
  const asAdmin = () => ask('DELETE', `/workspaces/${id}`, product.dev.member.session_token)
  expect((await asAdmin()).status).toBe(403)
  await own('POST', `/workspaces/${id}/members`, { email: 'kim@acme.example', role: 'member' })
  await own('POST', '/webhook_endpoints', { url: 'https://example.com/', event_types: ['offers.*'] })
  expect((await remove()).status).toBe(204)
  expect((await ask('GET', '/installs', token)).status).toBe(401)
  expect((await own('GET', '/installs')).status).toBe(403)
  expect((await remove()).status).toBe(403)
  expect(
    await product.sql`
    select from auth_tokens.invitations where workspace_id = ${id} and revoked_at is null`,
  ).toHaveLength(0)
  expect((await order(short_hash)).status).toBe(409)
  const seen = await ask(
    'GET',
    `/i/${short_hash}`,
    product.dev.member.session_token,
    product.dev.workspace_id,
  )
  expect(seen.body.offer.state).toBe('revoked')
  await product.sql`
    insert into compute.clusters select * from jsonb_populate_record(null::compute.clusters, (
      select to_jsonb(c) || jsonb_build_object('id', 'clus_' || ${id}::text, 'workspace_id', ${id}::text)
      from compute.clusters c where c.id = ${product.dev.cluster_id}
    ))`
  await product.sql`update auth_tokens.workspaces set deleted_at = now() - interval '11 s' where id = ${id}`
  await waitUntil('the rest to be cleared', async () => {
    const [{ left }] = (await product.sql`
      select (select count(*) from auth_tokens.workspaces where id = ${id} and clearing)
        + (select count(*) from compute.clusters where workspace_id = ${id})
        + (select count(*) from activity.webhook_endpoints where workspace_id = ${id}) as left`) as unknown as [
      { left: string },
    ]
    return left === '0'
  })
})

test('an order and a deletion that come at once do not both succeed', async () => {
  for (let round = 0; round < sized(5, 40); round++) {
    const { short_hash, remove } = await newSeller()
    const [ordered, removed] = await Promise.all([order(short_hash), remove()])
    expect([
      [200, 409],
      [201, 409],
      [404, 204],
      [409, 204],
    ]).toContainEqual([ordered.status, removed.status])
  }
})

test('tokens and members that come in at the same time are out as well', async () => {
  for (let round = 0; round < sized(5, 40); round++) {
    const { id, own, remove } = await newSeller()
    const making = [1, 2, 3].map(n => own('POST', '/api_tokens', { name: `t${n}` }))
    const [removed] = await Promise.all([remove(), ...making])
    expect(removed?.status).toBe(204)
    const left = await product.sql`select id from auth_tokens.api_tokens where workspace_id = ${id}`
    expect(left).toHaveLength(0)
  }
})

const memberId = async () => {
  const { body } = await ask('GET', '/user', product.dev.member.session_token)
  return String(body.id)
}

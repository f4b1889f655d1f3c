// An id of another workspace is answered exactly as one that does not exist, by every operation that takes one.
import { schemaOf } from '@svc/contract/openapi/json-schema'
import { forFile } from '@svc/testing/for-file'
import { waitUntil } from '@svc/local/wait-until'
import { newJob } from '@svc/testing/ci-runs'
import { useOrders } from '@svc/testing/statements/every-order-statement'
import { requester, sender } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, expect, test } from 'vitest'
import { httpOperations, sampleOf } from '../../services/gateway/test/samples.ts'

const product = forFile(joinProduct)
/** By the first segment of the path, and names of further parameters. */
let ids: Record<string, string>
let owner: (method: string, path: string, body?: object) => Promise<{ id: string } & Record<string, unknown>>
let asStranger: (name: string, path: string) => Promise<{ status: number; answer: object }>

beforeAll(async () => {
  const { dev, sql, baseUrls } = product
  const baseUrl = baseUrls[0] ?? ''
  const send = sender(baseUrl)
  owner = async (method, path, body) =>
    (await send(method, path, dev.owner.session_token, { body, workspace: dev.workspace_id })) as never
  const { offer_id, install_id, completed } = await useOrders({ dev, sql, baseUrl })
  const [version] = await sql`
    select package_id from offers.package_versions where id = ${dev.package_version_id}`
  const url = 'https://receiver.example/'
  ids = {
    offers: offer_id,
    orders: completed,
    installs: install_id,
    packages: version?.package_id,
    package_versions: dev.package_version_id,
    products: dev.product_id,
    offer_channels: dev.offer_channel_id,
    clusters: dev.cluster_id,
    api_tokens: (await owner('POST', '/api_tokens', { name: 'Foreign' })).id,
    ci_trusts: (await owner('POST', '/ci_trusts', newJob().trust)).id,
    webhook_endpoints: (await owner('POST', '/webhook_endpoints', { url, event_types: ['offers.*'] })).id,
    number: '1',
  }
  await waitUntil('an event', async () => {
    const { data } = (await owner('GET', '/events?limit=1')) as unknown as { data: { id: string }[] }
    Object.assign(ids, { events: data[0]?.id })
    return data.length > 0
  })
  const endpoint = `/webhook_endpoints/${ids.webhook_endpoints}`
  ids.delivery_id = (await owner('POST', `${endpoint}/test`)).id
  await waitUntil('its attempt', async () => {
    const { attempts } = await owner('GET', `${endpoint}/deliveries/${ids.delivery_id}`)
    return (attempts as unknown[]).length > 0
  })
  const { id: workspace } = await send('POST', '/workspaces', dev.stranger.session_token, {
    body: { name: 'Elsewhere' },
  })
  asStranger = async (name, path) => {
    const { body, headers } = sampleOf(name, { dev, etag: '"x"' })
    const [method = ''] = name.split(' ')
    const options = { body: body as object, headers, workspace: String(workspace) }
    const { status, answer } = await requester(baseUrl)(method, path, dev.stranger.session_token, options)
    return { status, answer }
  }
})

/** Each once for every relation, since either may show what is another's. */
const lists = httpOperations
  .filter(({ operation: { http } }) => http?.method === 'GET' && !http.path.includes('{'))
  .flatMap(({ name, operation: { query } }) => {
    const { properties = {}, required = [] } = schemaOf(query)
    const path = (more: object = {}) => {
      const [path, search] = sampleOf(name, { dev: product.dev, etag: '' }).path.split('?')
      // Other filters of the example could hide it.
      const asked = [...new URLSearchParams(search)].filter(([key]) => required.includes(key))
      return `${path}?${new URLSearchParams([...asked, ...Object.entries(more)])}`
    }
    const widest = properties.limit && { limit: '100' }
    return (properties.relation?.enum ?? [undefined]).map(relation => ({
      ...{ name, relation, path, isPaged: 'cursor' in properties },
      search: { ...widest, ...(relation && { relation }) },
    }))
  })

test.each(lists)('$name $relation shows nothing of another workspace', async ({ name, path, search }) => {
  const { status, answer } = await asStranger(name, path(search))
  expect(status).toBe(200)
  for (const [kind, id] of Object.entries(ids))
    if (kind !== 'number') expect(JSON.stringify(answer)).not.toContain(id)
})

const paged = lists.filter(({ isPaged }) => isPaged)
test.each(paged)('$name $relation refuses what is no cursor of its own', async ({ name, path, search }) => {
  for (const text of ['', 'nonsense', "' or 1=1", 'other_0', 'inst_0 or 1=1']) {
    const cursor = Buffer.from(text).toString('base64url') || 'x'
    const { status, answer } = await asStranger(name, path({ ...search, cursor }))
    expect([text, status, answer]).toMatchObject([text, 400, { errors: [{ code: 40004, path: ['cursor'] }] }])
  }
})

/** The gateway's scoping matrix and tests of members have those of workspaces and invitations; sessions have their own. */
const withIds = httpOperations.filter(
  ({ operation: { http, credentialHeaders } }) =>
    http?.path.includes('{') &&
    !credentialHeaders &&
    !/^\/(i|workspaces|invitations|sessions)\//.test(http.path),
)
const pathOf = (path: string, name: (kind: string) => string | undefined) =>
  path.replace(
    /\{(\w+)\}/g,
    (_, parameter) => name(parameter === 'id' ? (path.split('/')[1] ?? '') : parameter) ?? '',
  )

test.each(withIds)('$name', async ({ name, operation: { http } }) => {
  const path = http?.path ?? ''
  const own = pathOf(path, kind => ids[kind])
  expect(own).not.toContain('//')
  const absent = pathOf(path, kind =>
    kind === 'number' ? '1' : ids[kind]?.replace(/_.*/, `_${'0'.repeat(26)}`),
  )
  const shown = async () => (http?.method === 'GET' ? owner('GET', own) : undefined)
  const before = await shown()
  const answer = await asStranger(name, own)
  expect(answer).toMatchObject({ status: 404 })
  expect(answer).toEqual(await asStranger(name, absent))
  expect(await shown()).toEqual(before)
})

test('what a stranger asked for by its id is as it was', async () => {
  for (const [kind, id] of Object.entries(ids)) {
    if (['number', 'delivery_id', 'api_tokens', 'events'].includes(kind)) continue
    expect(await owner('GET', `/${kind}/${id}`)).toMatchObject({ id })
  }
})

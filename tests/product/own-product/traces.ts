// One trace for everything that a request causes, whichever processes take part.
import { randomBytes } from 'node:crypto'
import { newAgentSecrets } from '@svc/local/agent-secrets'
import { waitUntil } from '@svc/local/wait-until'
import type { WrittenSpan } from '@svc/testing/stack/register-tracing'
import { treeOf } from '@svc/testing/stack/traced-stack'
import { expect, test } from 'vitest'
import { newApiToken, running } from './scene.ts'

const hex = (bytes: number) => randomBytes(bytes).toString('hex')
const newParent = () => {
  const trace_id = hex(16)
  const parent_id = hex(8)
  return { trace_id, parent_id, traceparent: `00-${trace_id}-${parent_id}-01` }
}

function ask(path: string, headers: Record<string, string>, body?: object) {
  return fetch(`${running.baseUrls[0]}${path}`, {
    method: body ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${running.dev.api_token}`,
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    body: body && JSON.stringify(body),
  })
}

const createOffer = (headers: Record<string, string>) =>
  ask('/offers', headers, { product_id: running.dev.product_id })

const root = 'POST /v1/offers'

/** What a request does first whose credential was not used lately. */
const lookUp = [
  '  gateway wait credential_lookups',
  '    gateway batch credential_lookups',
  '      gateway CLIENT auth-tokens.resolve_credentials',
  '        auth-tokens SERVER auth-tokens.resolve_credentials',
  '          auth-tokens wait credential_reads',
  '            auth-tokens batch credential_reads',
  '              auth-tokens CLIENT SELECT passkeys SELECT totp_factors SELECT workspaces SELECT api_tokens SELECT signing_keys SELECT sessions SELECT users SELECT memberships',
]

test('an offer is one trace, from the caller through HTTP and both services to SQL', async () => {
  const { trace_id, parent_id, traceparent } = newParent()
  const authorization = `Bearer ${await newApiToken()}`
  const answer = await createOffer({ authorization, traceparent, tracestate: 'vendor=value' })
  expect(answer.status).toBe(201)
  const spans = await running.trace(trace_id, root)
  expect(treeOf(spans)).toEqual([
    'gateway SERVER POST /v1/offers',
    ...lookUp,
    '  gateway CLIENT offers.create_offer',
    '    offers SERVER offers.create_offer',
    '      offers CLIENT SELECT idempotency_keys SELECT products SELECT package_versions SELECT offer_channels SELECT channel_policies',
    '      offers wait offers',
    '        offers batch offers',
    '          offers CLIENT SELECT products SELECT offer_channels INSERT idempotency_keys INSERT offers INSERT outbox',
  ])
  expect(new Set(spans.map(({ trace_state }) => trace_state))).toEqual(new Set(['vendor=value']))
  const request_id = answer.headers.get('svc-request-id')
  const { attributes, ...server } = spans.find(({ name }) => name === root) ?? expect.fail('no root')
  expect(server).toMatchObject({ parent_id, status: { code: 0 }, links: [] })
  expect(attributes).toEqual({
    'http.request.method': 'POST',
    'http.route': '/v1/offers',
    'http.response.status_code': 201,
    'url.scheme': 'http',
    'svc.request_id': request_id,
    'svc.operation': 'offers.create_offer',
    'svc.caller.kind': 'api_token',
  })
  const executed = spans.find(({ process, kind }) => process === 'offers' && kind === 1)
  expect(executed?.attributes).toEqual({
    'rpc.system': 'nats',
    'rpc.service': 'offers',
    'rpc.method': 'create_offer',
    'svc.operation': 'offers.create_offer',
    'svc.request_id': request_id,
    'svc.status': 201,
  })
  const inserted = spans.find(({ attributes: { 'db.operation.name': operation } }) => operation === 'INSERT')
  expect(inserted).toMatchObject({
    attributes: { 'db.system.name': 'postgresql', 'db.query.summary': inserted?.name },
    events: [{ name: 'connection acquired' }],
    status: { code: 0 },
  })
})

test('once the catalogue is cached the next offer takes one statement', async () => {
  const { trace_id, traceparent } = newParent()
  expect((await createOffer({})).status).toBe(201)
  expect((await createOffer({ traceparent })).status).toBe(201)
  const tree = treeOf(await running.trace(trace_id, root))
  expect(tree.filter(line => !lookUp.includes(line)).slice(1)).toEqual([
    '  gateway CLIENT offers.create_offer',
    '    offers SERVER offers.create_offer',
    '      offers wait offers',
    '        offers batch offers',
    '          offers CLIENT SELECT products SELECT offer_channels INSERT idempotency_keys INSERT offers INSERT outbox',
  ])
})

test('log lines have the ids of the trace', async () => {
  const { trace_id, traceparent } = newParent()
  await createOffer({ traceparent })
  const spans = await running.trace(trace_id, root)
  const span_id = spans.find(({ name }) => name === root)?.span_id
  await waitUntil('the line of the request', () =>
    running.lines.some(line => line.includes('"msg":"request"') && line.includes(trace_id)),
  )
  const line = running.lines.find(text => text.includes('"msg":"request"') && text.includes(trace_id)) ?? ''
  expect(JSON.parse(line.slice(line.indexOf('{')))).toMatchObject({ trace_id, span_id, route: '/v1/offers' })
})

test.each([
  ['no traceparent', {}],
  ['one that is malformed', { traceparent: 'a trace of mine' }],
  ['one of zeros', { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` }],
  ['one of the forbidden version', { traceparent: `ff-${hex(16)}-${hex(8)}-01` }],
  ['two that disagree', [newParent(), newParent()].map(({ traceparent }) => ['traceparent', traceparent])],
])('%s: a new trace, and the usual answer', async (_what, given) => {
  const headers = new Headers(given as HeadersInit)
  headers.set('authorization', `Bearer ${running.dev.api_token}`)
  const answer = await fetch(`${running.baseUrls[0]}/installs`, { headers })
  expect(answer.status).toBe(200)
  const request_id = answer.headers.get('svc-request-id')
  const own = async () =>
    (await running.spans()).find(
      ({ kind, process, attributes }) =>
        process === 'gateway' && kind === 1 && attributes['svc.request_id'] === request_id,
    )
  await waitUntil('its span', async () => (await own()) !== undefined)
  const span = await own()
  expect(span?.parent_id).toBeUndefined()
  const sent = [...headers].filter(([name]) => name === 'traceparent').join()
  expect(sent).not.toContain(span?.trace_id)
})

test('a trace that the caller does not sample is not sampled anywhere', async () => {
  const { trace_id, parent_id } = newParent()
  expect((await createOffer({ traceparent: `00-${trace_id}-${parent_id}-00` })).status).toBe(201)
  // Once a later trace is complete, an earlier one would be there.
  const later = newParent()
  await createOffer({ traceparent: later.traceparent })
  await running.trace(later.trace_id, root)
  expect((await running.spans()).filter(span => span.trace_id === trace_id)).toEqual([])
})

test('each of the requests that share look-ups has its own wait, linked to the batch wherever that is', async () => {
  // Two credentials, so that batches have several items, and items several requests.
  const askAtOnce = async () => {
    const credentials = [await newApiToken(), await newApiToken()]
    const parents = Array.from({ length: 50 }, newParent)
    const answers = await Promise.all(
      parents.map(({ traceparent }, at) =>
        ask('/installs', { authorization: `Bearer ${credentials[at % 2]}`, traceparent }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(parents.map(() => 200))
    const traces = await Promise.all(
      parents.map(({ trace_id }) => running.trace(trace_id, 'GET /v1/installs')),
    )
    return { traces, batches: traces.flat().filter(({ name }) => name === 'batch credential_lookups') }
  }
  const isShared = ({ attributes }: WrittenSpan) => attributes['svc.batch.size'] === 2
  let { traces, batches } = await askAtOnce()
  // On a busy machine they may arrive one after the other, and share nothing.
  while (!batches.some(isShared)) ({ traces, batches } = await askAtOnce())
  expect(batches.length).toBeLessThan(50)
  const all = traces.flat()
  for (const batch of batches) {
    expect(all.filter(({ parent_id }) => parent_id === batch.span_id)).toMatchObject([
      { name: 'auth-tokens.resolve_credentials', trace_id: batch.trace_id },
    ])
  }
  const linkTo = ({ trace_id, span_id }: { trace_id: string; span_id: string }) => ({ trace_id, span_id })
  for (const trace of traces) {
    const waits = trace.filter(({ name }) => name === 'wait credential_lookups')
    expect(waits.length).toBeLessThanOrEqual(1)
    const [wait] = waits
    // It came when the answer was there.
    if (!wait) continue
    const below = batches.find(({ parent_id }) => parent_id === wait.span_id)
    const linked = batches.filter(({ links }) => links.some(({ span_id }) => span_id === wait.span_id))
    if (below) {
      expect({ linked, links: wait.links }).toEqual({ linked: [], links: [] })
      continue
    }
    expect(linked).toHaveLength(1)
    expect(wait.links).toEqual(linked.map(linkTo))
    // The wait lasts until the batch's call is answered. Start times are exact to a millisecond.
    const call = all.find(({ parent_id }) => parent_id === linked[0]?.span_id)
    expect(wait.start_us).toBeLessThanOrEqual((call?.start_us ?? 0) + 2000)
    expect(wait.end_us + 2000).toBeGreaterThanOrEqual(call?.end_us ?? Number.POSITIVE_INFINITY)
  }
  // The statements of the pages are shared in the same way.
  const shared = all.filter(({ name }) => name === 'wait owned_install_pages')
  expect(shared.length).toBe(50)
})

test('a call that an agent makes by itself starts a trace', async () => {
  const { cluster_id: id, workspace_id: workspace } = running.dev
  const agent = await running.stack.startAgent(await newAgentSecrets(running.backoffice, [{ id, workspace }]))
  const asked = async () =>
    (await running.spans()).find(
      ({ process, name }) => process === 'compute-agent' && name === 'compute.get_agent_settings',
    )
  await waitUntil('the agent has asked', async () => (await asked()) !== undefined)
  const { trace_id = '' } = (await asked()) ?? {}
  expect(treeOf(await running.trace(trace_id, 'compute.get_agent_settings'))).toEqual([
    'compute-agent CLIENT compute.get_agent_settings',
    '  compute SERVER compute.get_agent_settings',
    '    compute CLIENT SELECT clusters',
  ])
  await agent.stop()
})

test('background work of a process makes no traces', async () => {
  const roots = (await running.spans()).filter(({ parent_id }) => parent_id === undefined)
  expect(roots.length).toBeGreaterThan(0)
  // It was called, or it called something: an agent, and the gateway for its keys.
  expect(roots.filter(({ kind, attributes }) => kind !== 1 && !('rpc.method' in attributes))).toEqual([])
  expect((await running.spans()).map(({ name }) => name).join()).not.toContain('stream_position')
})

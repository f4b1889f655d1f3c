// POST /installs/{id}/remove: by the owner, once, and then its cluster can be deleted.
import { forFile } from '@svc/testing/for-file'
import { connectBus } from '@svc/bus/connection'
import { waitUntil } from '@svc/local/wait-until'
import { joinProduct } from '@svc/testing/stack/join-product'
import { readEvents } from '@svc/testing/read-events'
import { sized } from '@svc/testing/size'
import { expect, test } from 'vitest'
import { withRoom } from '../http.ts'

const stack = forFile(joinProduct)

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: a JSON answer that tests compare with literals
  readonly body: any
}

const send = (method: string, path: string, body?: object, as = customer(), gateway = 0): Promise<Answer> =>
  withRoom(async () => {
    const response = await fetch(`${stack.baseUrls[gateway]}${path}`, {
      method,
      headers: { ...as, ...(body && { 'content-type': 'application/json' }) },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: text && JSON.parse(text) }
  })

/** The other workspace, so that the seller is not the customer. */
const customer = () => ({ authorization: `Bearer ${stack.dev.other_api_token}` })
const seller = () => ({ authorization: `Bearer ${stack.dev.api_token}` })
const owner = () => ({
  authorization: `Bearer ${stack.dev.owner.session_token}`,
  'svc-context': stack.dev.workspace_id,
})

async function newInstall(cluster_id?: string, as = customer()) {
  const offer = await send(
    'POST',
    '/offers',
    { package_version_id: stack.dev.package_version_id, allow_api_tokens: true },
    seller(),
  )
  const order = await send('POST', `/i/${offer.body.short_hash}/orders`, undefined, as)
  const field_values = { region: 'eu', company: 'Acme' }
  const { body } = await send('POST', `/orders/${order.body.id}/submit`, { field_values, cluster_id }, as)
  expect(body.state).toBe('completed')
  return { id: body.install_id as string, offer_id: offer.body.id as string }
}

const removals = sized(20, 100)
test(`the first of ${removals} removals at once sets the time, and there is one event`, async () => {
  const { id } = await newInstall()
  const { instructions, ...before } = (await send('GET', `/installs/${id}`)).body
  expect(before).toMatchObject({ state: 'started', removed_at: null })
  const answers = await Promise.all(
    Array.from({ length: removals }, (_, at) =>
      send('POST', `/installs/${id}/remove`, undefined, customer(), at % 2),
    ),
  )
  const [{ body } = { body: {} }] = answers
  expect(body).toEqual({ ...before, state: 'removed', removed_at: expect.any(Number) })
  for (const answer of answers) expect(answer).toEqual({ status: 200, body })
  expect((await send('GET', `/installs/${id}`)).body).toEqual({ ...body, instructions })
  const bus = await connectBus(stack.stack.bus('backoffice'), { info() {}, warn() {}, error() {} })
  let events: Awaited<ReturnType<typeof readEvents>> = []
  await waitUntil('the event of the removal', async () => {
    events = (await readEvents(bus)).filter(({ aggregate_id }) => aggregate_id === id)
    return events.length > 1
  }).finally(() => bus.close())
  expect(events.map(({ type }) => type)).toEqual(['installs.created', 'installs.removed'])
  expect(events[1]?.data).toEqual({
    workspace_id: stack.dev.workspace_id,
    customer_workspace_id: stack.dev.other_workspace_id,
    offer_id: before.offer_id,
    order_id: before.order_id,
    cluster_id: null,
  })
})

test('the record stays and its seat stays redeemed, and both sides find it by its state', async () => {
  const { id, offer_id } = await newInstall()
  await send('POST', `/installs/${id}/remove`)
  expect((await send('GET', `/offers/${offer_id}`, undefined, seller())).body).toMatchObject({
    state: 'exhausted',
  })
  const sold = `/installs?relation=sold&offer_id=${offer_id}`
  const ids = async (path: string, as = customer()) =>
    (await send('GET', path, undefined, as)).body.data.map((install: { id: string }) => install.id)
  expect(await ids(`${sold}&state=removed`, seller())).toEqual([id])
  expect(await ids(`${sold}&state=started`, seller())).toEqual([])
  expect(await ids('/installs?state=removed&limit=1')).toEqual([id])
})

test('for the seller and for strangers it is 404, like an unknown install, and nothing changes', async () => {
  const { id } = await newInstall()
  const unknown = await send('POST', '/installs/inst_01h00000000000000000000000/remove', undefined, seller())
  expect(unknown).toMatchObject({ status: 404, body: { errors: [{ code: 40402 }] } })
  expect(await send('POST', `/installs/${id}/remove`, undefined, seller())).toEqual(unknown)
  expect((await send('GET', `/installs/${id}`)).body.state).toBe('started')
})

test('a cluster can be deleted once every install in it is removed', async () => {
  const made = await send('POST', '/clusters', { name: 'short-lived' }, owner())
  expect(made.status).toBe(201)
  const cluster = `/clusters/${made.body.id}`
  const installs = [await newInstall(made.body.id, seller()), await newInstall(made.body.id, seller())]
  for (const { id } of installs) {
    const refused = await send('DELETE', cluster, undefined, owner())
    expect(refused).toMatchObject({ status: 409 })
    await send('POST', `/installs/${id}/remove`, undefined, seller())
  }
  expect(await send('DELETE', cluster, undefined, owner())).toEqual({ status: 204, body: '' })
  expect((await send('GET', `/installs/${installs[0]?.id}`, undefined, seller())).body.cluster_id).toBe(
    made.body.id,
  )
})

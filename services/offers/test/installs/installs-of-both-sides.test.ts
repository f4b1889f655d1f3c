// GET /installs and GET /installs/{id}: the owner's view and the seller's, with every filter.

import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { everything, sized } from '@svc/testing/size'
import { beforeAll, describe, expect, test } from 'vitest'
import { maxValueBytes } from '../../src/installs/read-installs.ts'
import { maxScanned } from '../../src/scanned-page.ts'
import {
  made,
  newProduct,
  type Reply,
  readAll,
  type Send,
  startHttpScene,
  statusAndProblems,
} from '../http-scene.ts'
import { insertInstalls, type StoredInstall } from './stored-installs.ts'

const scene = forFile(() => startHttpScene(joinProduct))
let own: Send
let theirs: Send
/** Installs of both senders' workspaces, and of others. */
let installs: StoredInstall[]
let workspaces: Record<'own' | 'theirs', string>

const ids = (items: { id: string }[]) => items.map(({ id }) => id)
const many = <Id>(count: number, make: () => Id) => Array.from({ length: count }, make)
const pick = <Value>(from: readonly Value[], at: number) => from[at % from.length] as Value

beforeAll(async () => {
  ;({ own, theirs } = scene)
  const { dev, sql } = scene.stack
  workspaces = { own: dev.workspace_id, theirs: dev.other_workspace_id }
  const sellers = [dev.workspace_id, dev.other_workspace_id, newId('ws')]
  const offers = many(3, () => newId('offer'))
  const versions = many(2, () => newId('pkgv'))
  const clusters = [null, newId('clus'), newId('clus'), newId('clus')]
  const products = [null, newId('prod'), newId('prod')]
  // Numbers without a common divisor: every combination comes up.
  installs = await insertInstalls(
    sql,
    Array.from({ length: 1300 }, (_, at) => ({
      workspace_id: pick(sellers, at),
      customer_workspace_id: pick(sellers, Math.floor(at / 3)),
      offer_id: pick(offers, Math.floor(at / 9)),
      product_id: pick(products, Math.floor(at / 7)),
      package_version_id: pick(versions, Math.floor(at / 11)),
      cluster_id: pick(clusters, Math.floor(at / 13)),
      field_values: { at },
    })),
  )
})

const sides = { owned: 'customer_workspace_id', sold: 'workspace_id' } as const
type Relation = keyof typeof sides
const filters = ['offer_id', 'product_id', 'package_version_id', 'cluster_id', 'state'] as const
type Filter = Partial<Record<(typeof filters)[number], string>>

const expectedIds = (workspace: string, relation: Relation, filter: Filter) =>
  ids(
    installs.filter(
      install =>
        install[sides[relation]] === workspace &&
        Object.entries(filter).every(([name, value]) => install[name as keyof Filter] === value),
    ),
  )

describe.each(['owned', 'sold'] as const)('relation=%s', relation => {
  // Every subset of the filters; in `npm test` on one of the two sides, requested by one of the two workspaces.
  const subsets = Array.from({ length: 2 ** filters.length }, (_, bits) =>
    filters.filter((_, at) => bits & (1 << at)),
  ).filter(({ length }) => everything || (length % 2 === 0) === (relation === 'owned'))

  test.each(subsets.map(subset => [subset.join(', ') || 'nothing', subset] as const))(
    "filtered by %s lists what matches, on the caller's own side only",
    async (_, subset) => {
      // An install with a value for every filter.
      const example = installs.find(
        one => one[sides[relation]] === workspaces.own && one.product_id && one.cluster_id,
      )
      const filter: Filter = Object.fromEntries(subset.map(name => [name, example?.[name] ?? '']))
      const path = `/installs?${new URLSearchParams({ relation, ...filter })}`
      const callers = [
        [own, workspaces.own],
        [theirs, workspaces.theirs],
      ] as const
      for (const [send, workspace] of callers.filter(
        (_, at) => everything || at === subsets.indexOf(subset) % 2,
      )) {
        const wanted = expectedIds(workspace, relation, filter)
        // In `npm test` small pages for short lists, and large ones for long lists.
        const few = wanted.length <= 50
        for (const limit of everything ? [7, 100] : [few ? 7 : 100]) {
          const listed = await readAll(send, path, limit)
          expect(ids(listed)).toEqual(wanted)
        }
      }
      expect(expectedIds(workspaces.own, relation, filter).length).toBeGreaterThan(0)
    },
  )

  test.each(filters.filter(name => name !== 'state'))(
    'filtered by an unknown %s lists nothing',
    async name => {
      expect((await own('GET', `/installs?relation=${relation}&${name}=none`)).body).toEqual({
        data: [],
        next_cursor: null,
      })
    },
  )
})

test('without a relation, the installs that the workspace owns are listed', async () => {
  expect(ids(await readAll(own, '/installs', 100))).toEqual(expectedIds(workspaces.own, 'owned', {}))
})

test('an install that a workspace sold to itself is in each list once', async () => {
  const both = installs.filter(
    ({ workspace_id, customer_workspace_id }) =>
      workspace_id === workspaces.own && customer_workspace_id === workspaces.own,
  )
  expect(both.length).toBeGreaterThan(100)
  for (const relation of ['owned', 'sold']) {
    const listed = ids(await readAll(own, `/installs?relation=${relation}`, 100))
    for (const { id } of both) expect(listed.filter(one => one === id)).toHaveLength(1)
  }
})

test.each([
  ['relation=both', '40004 relation'],
  ['relation=', '40004 relation'],
  ['state=active', '40004 state'],
  ['offer_id=', '40004 offer_id'],
  ['cluster_id=%00', '40004 cluster_id'],
  ['customer_workspace_id=ws_a', '40004 customer_workspace_id'],
])('?%s is 400', async (query, problem) => {
  expect(statusAndProblems(await own('GET', `/installs?${query}`))).toEqual([400, problem])
})

describe('GET /installs/{id}', () => {
  test('returns the same as the list, and its instructions, to the owner and to the seller', async () => {
    for (const relation of ['owned', 'sold']) {
      const [listed] = (await own('GET', `/installs?limit=1&relation=${relation}`)).body.data
      expect(await own('GET', `/installs/${listed?.id}`)).toEqual({
        status: 200,
        body: { ...listed, instructions: null },
      })
    }
    const between = installs.find(
      ({ workspace_id, customer_workspace_id }) =>
        workspace_id === workspaces.theirs && customer_workspace_id === workspaces.own,
    )
    const answers = await Promise.all([own, theirs].map(send => send('GET', `/installs/${between?.id}`)))
    expect(answers[0]).toMatchObject({ status: 200, body: { id: between?.id } })
    expect(answers[1]).toEqual(answers[0])
  })
})

test('a completed order makes an install that both sides read alike', async () => {
  const { product_id, version_id } = await newProduct(own)
  const field_values = { seats: { value: 3, locked: true } }
  const offer = (await own('POST', '/offers', { product_id, field_values, allow_api_tokens: true })).body
  const order_id = await made(theirs, `/i/${offer.short_hash}/orders`, {})
  const began = Math.floor(Date.now() / 1000)
  const submitted = await theirs('POST', `/orders/${order_id}/submit`, { field_values: { seats: 99 } })
  const { body } = await theirs('GET', `/installs/${submitted.body.install_id}`)
  const { instructions, ...install } = body
  expect(instructions).toBeNull()
  expect(install).toEqual({
    id: expect.stringMatching(/^inst_[0-7][0-9a-hjkmnp-tv-z]{25}$/),
    state: 'started',
    subscription: null,
    workspace_id: workspaces.theirs,
    seller_workspace_id: workspaces.own,
    offer_id: offer.id,
    order_id,
    product_id,
    package_version_id: version_id,
    version: '1.0.0',
    cluster_id: null,
    field_values: { seats: 3 },
    created_at: expect.any(Number),
    removed_at: null,
  })
  expect(install.created_at as number).toBeGreaterThanOrEqual(began)
  expect(install.created_at as number).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000))
  const sold = `/installs?relation=sold&offer_id=${offer.id}`
  expect((await own('GET', sold)).body).toEqual({ data: [install], next_cursor: null })
  expect((await theirs('GET', '/installs?limit=1')).body.data).toEqual([install])
  expect((await theirs('GET', sold)).body).toEqual({ data: [], next_cursor: null })
})

describe('a page', () => {
  test('is cut where its field values would exceed an answer, and the next page continues there', async () => {
    const { sql } = scene.stack
    const customer = await newWorkspace()
    const field_values = { text: 'x'.repeat(maxValueBytes * 2) }
    const offer_id = newId('offer')
    const large = await insertInstalls(
      sql,
      Array.from({ length: sized(3, 12) }, () => ({
        workspace_id: workspaces.own,
        customer_workspace_id: customer.workspace,
        field_values,
        offer_id,
      })),
    )
    for (const [send, query] of [
      [customer.send, ''],
      [customer.send, '?state=started'],
      [own, `?relation=sold&offer_id=${offer_id}`],
    ] as const) {
      const path = `/installs${query}`
      const listed = await readAll(send, path, 100)
      expect(ids(listed)).toEqual(ids(large))
      expect(listed[0]?.field_values).toEqual(field_values)
      const { status, body } = await send('GET', path)
      expect([status, body.data.length, body.next_cursor]).toEqual([200, 1, expect.any(String)])
    }
  })

  test('scans a bounded number of installs, and is short if none of them matches', async () => {
    const customer = await newWorkspace()
    const seller = newId('ws')
    const cluster_id = newId('clus')
    const rows = (count: number, cluster_id: string | null) =>
      Array.from({ length: count }, () => ({
        workspace_id: seller,
        customer_workspace_id: customer.workspace,
        cluster_id,
      }))
    const old = await insertInstalls(scene.stack.sql, rows(3, cluster_id))
    await insertInstalls(scene.stack.sql, rows(2 * maxScanned - 1, null))
    const path = `/installs?cluster_id=${cluster_id}`
    const pages: string[][] = []
    for (let cursor = ''; ; ) {
      const { body }: Reply = await customer.send('GET', `${path}${cursor && `&cursor=${cursor}`}`)
      pages.push(ids(body.data))
      if (body.next_cursor === null) break
      cursor = body.next_cursor
    }
    // The last one scanned matches.
    expect(pages).toEqual([[], [old[0]?.id], [old[1]?.id, old[2]?.id]])
  })
})

/** Its owner is a member of no other workspace. */
async function newWorkspace() {
  const { dev } = scene.stack
  const stranger = scene.as(dev.stranger.session_token)
  const workspace = await made(stranger, '/workspaces', { name: 'Customer' })
  return { workspace, send: scene.as(dev.stranger.session_token, { 'svc-context': workspace }) }
}

// What is created with an Idempotency-Key is created once (docs/specification.md, R73).
import { forFile } from '@svc/testing/for-file'
import { invoke } from '@svc/bus/invoke'
import { activity } from '@svc/contract/activity/activity'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import { compute } from '@svc/contract/compute/compute'
import { type QuotaName, quotas } from '@svc/contract/core/quotas'
import { offers } from '@svc/contract/offers/offers'
import { waitUntil } from '@svc/local/wait-until'
import { hashCredential } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { sized } from '@svc/testing/size'
import { caller } from '@svc/testing/stack/driven-stack'
import { joinProduct } from '@svc/testing/stack/join-product'
import { beforeAll, describe, expect, test } from 'vitest'
import { type Catalogue, type Kind, kinds } from './creation-kinds.ts'

const product = forFile(joinProduct)
let workspace: string
let made: Catalogue
/** Whose workspaces these are. */
let person: string
beforeAll(async () => {
  workspace = (await create('/workspaces', { name: 'Keys' })).id
  const { id: package_id } = await create('/packages', { name: 'Keys' })
  const { id: product_id } = await create('/products', { name: 'Keys', package_id })
  made = { package_id, product_id }
  const [{ created_by = '' } = {}] = await product.sql`
    select created_by from auth_tokens.workspaces where id = ${workspace}`
  person = created_by
})

interface Created {
  readonly status: number
  readonly id: string
  readonly replayed: string | null
  readonly body: Record<string, unknown>
  readonly error: { code?: number; path?: string[]; metadata?: Record<string, string> }
}

let turn = 0
async function request(method: string, path: string, body?: object, key?: string): Promise<Created> {
  const answer = await fetch(`${product.baseUrls[turn++ % product.baseUrls.length]}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${product.dev.owner.session_token}`,
      ...(!path.startsWith('/workspaces') && { 'svc-context': workspace }),
      ...(body && { 'content-type': 'application/json' }),
      ...(key && { 'idempotency-key': key }),
    },
    body: body && JSON.stringify(body),
  })
  const text = await answer.text()
  const read = text ? JSON.parse(text) : {}
  const replayed = answer.headers.get('idempotent-replayed')
  return { status: answer.status, id: read.id, replayed, body: read, error: read.errors?.[0] ?? {} }
}

const create = (path: string, body: object, key?: string) => request('POST', path, body, key)

/** The answer to a repetition of what `first` is the answer to. */
function expectReplay(again: Created, first: Created, { hasSecret }: Kind) {
  if (!hasSecret) return expect(again).toMatchObject({ status: 201, id: first.id, replayed: 'true' })
  expect(again).toMatchObject({
    status: 409,
    error: { code: 40918, path: ['Idempotency-Key'], metadata: { id: first.id } },
  })
  expect(JSON.stringify(again.body)).not.toContain(first.body.token ?? first.body.secret)
}

/** Events of the resource, once everything that its service wrote before the event of `later` is kept. */
async function eventsOf({ event }: Kind, id: string, later: string) {
  const ofThese = () => product.sql<{ id: string }[]>`
    select split_part(aggregate_id, '/', 1) as id from activity.events
    where type = ${event} and split_part(aggregate_id, '/', 1) in (${id}, ${later})
      and workspace_id in (${workspace}, ${id}, ${later})`
  await waitUntil('the later event', async () => (await ofThese()).some(one => one.id === later))
  return (await ofThese()).filter(one => one.id === id).length
}

describe.each(Object.entries(kinds))('%s', (_name, kindOf) => {
  // The same for all operations: a key belongs to one of them.
  const key = newId('offer')

  test('sent twice with one key makes one, also in another spelling', async () => {
    const kind = kindOf(made)
    const first = await create(kind.path, kind.body, key)
    expect(first).toMatchObject({ status: 201, replayed: null })
    for (const body of [kind.body, kind.same ?? kind.body])
      expectReplay(await create(kind.path, body, key), first, kind)
    const other = await create(kind.path, kind.body)
    expect(other).toMatchObject({ status: 201, replayed: null })
    expect(other.id).not.toBe(first.id)
    expect(await eventsOf(kind, first.id, other.id)).toBe(1)
  })

  test('a key with another content is refused, and a refusal does not use up a key', async () => {
    const kind = kindOf(made)
    const changed = 'name' in kind.body ? { name: 'changed' } : { description: 'changed' }
    const refusal = { status: 409, error: { code: 40901, path: ['Idempotency-Key'] } }
    expect(await create(kind.path, { ...kind.body, ...changed }, key)).toMatchObject(refusal)
    const [body, status] = kind.refused
    const next = newId('offer')
    expect((await create(kind.path, body, next)).status).toBe(status)
    expect(await create(kind.path, kind.body, next)).toMatchObject({ status: 201, replayed: null })
  })

  test('many at once over two replicas make one', async () => {
    const kind = kindOf(made)
    const together = newId('offer')
    const answers = await Promise.all(
      Array.from({ length: sized(20, 500) }, () => create(kind.path, kind.body, together)),
    )
    const [first, ...more] = answers.filter(({ status, replayed }) => status === 201 && !replayed)
    expect(more).toEqual([])
    if (!first) throw new Error(`nothing was created: ${JSON.stringify(answers[0])}`)
    for (const again of answers) if (again !== first) expectReplay(again, first, kind)
    const later = await create(kind.path, kind.body)
    expect(await eventsOf(kind, first.id, later.id)).toBe(1)
  })

  test('a repetition is answered also where nothing more may be created', async () => {
    const kind = kindOf(made)
    const { quota } = kind
    const last = newId('offer')
    const first = await create(kind.path, kind.body, last)
    if (quota) await setQuota(quota, 0)
    else await useUpAttempts()
    expect((await create(kind.path, kind.body)).status).toBe(quota ? 422 : 429)
    expect((await create(kind.path, kind.body, newId('offer'))).status).toBe(quota ? 422 : 429)
    expectReplay(await create(kind.path, kind.body, last), first, kind)
    if (quota) await setQuota(quota, 1000)
  })
})

const resources = Object.entries(kinds).filter(([name]) => name !== 'create_workspace')
test.each(resources)('what %s made frees its key when it is deleted', async (_name, kindOf) => {
  const kind = kindOf(made)
  const key = newId('offer')
  const first = await create(kind.path, kind.body, key)
  expect((await request('DELETE', `${kind.path}/${first.id}`)).status).toBe(204)
  const second = await create(kind.path, kind.body, key)
  expect(second).toMatchObject({ status: 201, replayed: null })
  expect(second.id).not.toBe(first.id)
})

const renamed = Object.entries(kinds).filter(([name]) => !/token|trust|endpoint/.test(name))
test.each(renamed)('a repetition of %s answers with the resource as it is now', async (name, kindOf) => {
  if (name === 'create_workspace') await freeAttempts()
  const kind = kindOf(made)
  const key = newId('offer')
  const first = await create(kind.path, kind.body, key)
  expect((await request('PATCH', `${kind.path}/${first.id}`, { name: 'Renamed' })).status).toBe(200)
  const again = await create(kind.path, kind.body, key)
  expect(again).toMatchObject({ status: 201, replayed: 'true', body: { ...first.body, name: 'Renamed' } })
})

test('a token that has ended was created with its key nevertheless', async () => {
  const key = newId('offer')
  const body = { name: 'short', expires_at: Math.floor(Date.now() / 1000) + 3600 }
  const first = await create('/api_tokens', body, key)
  await product.sql`
    update auth_tokens.api_tokens set expires_at = now() - interval '1 minute' where id = ${first.id}`
  expectReplay(await create('/api_tokens', body, key), first, kinds.create_api_token(made))
})

test('whoever left the workspace that they made learns so, and no more', async () => {
  const key = newId('offer')
  const first = await create('/workspaces', { name: 'Left' }, key)
  await product.sql`delete from auth_tokens.memberships where workspace_id = ${first.id}`
  const again = await create('/workspaces', { name: 'Left' }, key)
  expect(again).toMatchObject({ status: 409, error: { code: 40918, metadata: { id: first.id } } })
})

test('a key belongs to one workspace, and that of a workspace to one person', async () => {
  const key = newId('offer')
  const body = { name: 'shared' }
  const theirs = await create('/packages', body, key)
  const own = await fetch(`${product.baseUrls[0]}/packages`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${product.dev.api_token}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify(body),
  })
  expect(own.status).toBe(201)
  expect((await own.json()).id).not.toBe(theirs.id)
})

test('one of many requests that create one workspace is counted', async () => {
  await freeAttempts()
  const key = newId('offer')
  await Promise.all(Array.from({ length: 10 }, () => create('/workspaces', { name: 'Counted' }, key)))
  const [{ count = 0 } = {}] = await product.sql`
    select cardinality(times) as count from auth_tokens.attempts where bucket = ${bucket()}`
  expect(count).toBe(1)
})

const services = { offers, 'auth-tokens': authTokens, compute, activity } as const
const setQuota = (quota: QuotaName, most: number) =>
  invoke(product.backoffice, services[quotas[quota].service], 'set_quota', {
    ...caller(workspace),
    body: { quota, most },
  })

const bucket = () => `workspaces_per_person ${hashCredential(person)}`
const useUpAttempts = () => product.sql`
  update auth_tokens.attempts set times = array_fill(now(), array[100]) where bucket = ${bucket()}`
const freeAttempts = () => product.sql`
  update auth_tokens.attempts set times = '{}' where bucket = ${bucket()}`

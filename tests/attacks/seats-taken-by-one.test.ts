// Any account: it created 50 workspaces and took 50 seats of an offer that is open to any customer, one for each. An
// API token took one without a person. The seller could not release them before they expired, after up to a day, and
// then it started again.
import { hashCredential, createSessionToken } from '@svc/runtime/credential'
import { newId } from '@svc/runtime/id'
import { joinProduct } from '@svc/testing/stack/join-product'
import { forFile } from '@svc/testing/for-file'
import { describe, expect, test } from 'vitest'
import { requester } from '@svc/testing/stack/driven-stack'

const product = forFile(joinProduct)

interface Asked {
  readonly body?: object
  readonly workspace?: string
  /** Which of the two gateways. */
  readonly gateway?: number
}

type Answered = {
  readonly id: string
  readonly short_hash: string
  readonly workspace_id: string
  readonly seats: object
  readonly allow_api_tokens: boolean
  readonly errors: readonly object[]
}
async function ask(token: string, method: string, path: string, { gateway = 0, ...more }: Asked = {}) {
  const root = `${product.stack.gateways[gateway % 2]?.url}/v1`
  const { status, answer } = await requester<Answered>(root)(method, path, token, more)
  return { status, body: answer }
}

const asSeller = (method: string, path: string, body?: object) =>
  ask(product.dev.api_token, method, path, body ? { body } : {})

async function newOffer(max_uses: number, more: object = {}) {
  const { status, body } = await asSeller('POST', '/offers', {
    product_id: product.dev.product_id,
    max_uses,
    ...more,
  })
  expect(status).toBe(201)
  return body
}

/** A person who owns that many workspaces, a day's worth, written directly into the tables. */
async function newPerson(count: number) {
  const user = newId('user')
  const token = createSessionToken()
  const workspaces = Array.from({ length: count }, () => newId('ws'))
  await product.sql`
    insert into auth_tokens.users (id, email, verified_at) values (${user}, ${`${user}@attackers.example`}, now())`
  await product.sql`
    insert into auth_tokens.sessions (id, user_id, hash, created_at, expires_at)
    values (${newId('sess')}, ${user}, decode(${hashCredential(token)}, 'hex'), now(), now() + interval '1 day')`
  await product.sql`insert into auth_tokens.workspaces (id, name) select id, 'Mine' from unnest(${workspaces}::text[]) id`
  await product.sql`
    insert into auth_tokens.memberships (user_id, workspace_id, role)
    select ${user}, id, 'owner' from unnest(${workspaces}::text[]) id`
  return { token, workspaces }
}

const order = (token: string, hash: string, workspace?: string, gateway = 0) =>
  ask(token, 'POST', `/i/${hash}/orders`, { workspace, gateway })

function count(answers: { status: number }[]) {
  const seen: Record<number, number> = {}
  for (const { status } of answers) seen[status] = (seen[status] ?? 0) + 1
  return seen
}

const seatsOf = async (id: string) => (await asSeller('GET', `/offers/${id}`)).body.seats

const many = 60

test(`one person with 50 workspaces takes one seat, by ${many} requests at once over two gateways`, async () => {
  const { id, short_hash } = await newOffer(60)
  const { token, workspaces } = await newPerson(50)
  const answers = await Promise.all(
    Array.from({ length: many }, (_, n) => order(token, short_hash, workspaces[n % 50], n)),
  )
  expect(await seatsOf(id)).toMatchObject({ reserved: 1, available: 59 })
  const { 201: taken = 0, 409: refused = 0, ...others } = count(answers)
  // Further requests for the same workspace get the same order again.
  expect(taken).toBeGreaterThanOrEqual(1)
  expect(taken).toBeLessThanOrEqual(10)
  expect(refused).toBeGreaterThan(0)
  expect(Object.keys(others).filter(status => status !== '503')).toEqual([])
  const [first] = answers.filter(({ status }) => status === 201)
  const refusal = answers.find(({ status }) => status === 409)?.body.errors[0]
  expect(refusal).toMatchObject({
    code: 40917,
    metadata: { order_id: first?.body.id, workspace_id: first?.body.workspace_id },
  })
})

describe('an API token', () => {
  test(`takes no seat of an offer that is open to any customer, by ${many} requests at once`, async () => {
    const { id, short_hash } = await newOffer(many)
    const { other_api_token: token } = product.dev
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) => order(token, short_hash, undefined, n)),
    )
    expect(await seatsOf(id)).toMatchObject({ reserved: 0, available: many })
    const { 403: refused = 0, ...others } = count(answers)
    expect(refused).toBeGreaterThan(0)
    expect(Object.keys(others).filter(status => status !== '503')).toEqual([])
  })

  test('takes one where the seller allows it', async () => {
    const { id, short_hash } = await newOffer(many, { allow_api_tokens: true })
    expect((await asSeller('GET', `/offers/${id}`)).body.allow_api_tokens).toBe(true)
    const { other_api_token: token } = product.dev
    const answers = await Promise.all(
      Array.from({ length: many }, (_, n) => order(token, short_hash, undefined, n)),
    )
    expect(await seatsOf(id)).toMatchObject({ reserved: 1 })
    const { 201: taken = 0, ...others } = count(answers)
    expect(taken).toBeGreaterThan(0)
    expect(Object.keys(others).filter(status => status !== '503')).toEqual([])
  })
})

// What the gateway looks up before it knows the workspace of a request.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { codeOf, newCustomer, type Running, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)
const gateway = { kind: 'internal', id: 'gateway' } as const

const workspaceOf = (id: string, caller: Parameters<Running['ask']>[1] = gateway) =>
  running.ask('find_order_workspace', caller, { params: { id } })

const latestOf = async (short_hash: string, user_id: string, except?: string) => {
  const { status, body } = await running.ask('find_latest_order', gateway, {
    params: { short_hash },
    body: { user_id, except },
  })
  expect(status).toBe(200)
  return body.order
}

test('only internal programs can look up the workspaces of an order', async () => {
  const customer = newCustomer()
  const { short_hash } = await running.newOffer()
  const { id } = (await running.order(short_hash, customer)).body
  expect(await workspaceOf(id)).toMatchObject({
    status: 200,
    body: { workspace_id: customer.workspace, seller_workspace_id: running.seller },
  })
  expect(codeOf(await workspaceOf(newId('order')))).toEqual([404, 40402])
  expect((await workspaceOf(id, customer)).status).toBe(403)
  const params = { short_hash }
  const answer = await running.ask('find_latest_order', customer, {
    params,
    body: { user_id: customer.user },
  })
  expect(answer.status).toBe(403)
})

test('a person at a browser reads who takes payments, and an API token does not', async () => {
  const person = { kind: 'session', id: newId('sess'), user: newId('user') } as const
  expect(await running.ask('read_checkout_provider', person)).toMatchObject({
    status: 200,
    body: { provider: 'manual' },
  })
  const token = { kind: 'api_token', id: newId('tok'), workspace: running.seller, role: 'member' } as const
  expect((await running.ask('read_checkout_provider', token)).status).toBe(403)
})

test("a person's latest order from an offer is found in any workspace, with its current state", async () => {
  const customer = newCustomer()
  const { id: offer, short_hash } = await running.newOffer({ max_uses: null })
  const other = await running.newOffer()
  expect(await latestOf(short_hash, customer.user)).toBeNull()
  const first = (await running.order(short_hash, customer)).body.id
  await running.order(other.short_hash, customer)
  await running.order(short_hash, newCustomer())
  expect(await latestOf(short_hash, customer.user)).toEqual({
    id: first,
    state: 'open',
    workspace_id: customer.workspace,
    created_at: expect.any(Number),
  })
  const elsewhere = { ...customer, workspace: newId('ws') }
  await running.cancel(first, customer)
  const second = (await running.order(short_hash, elsewhere)).body.id
  await running.revoke(offer)
  expect(await latestOf(short_hash, customer.user)).toEqual({
    id: second,
    state: 'cancelled',
    workspace_id: elsewhere.workspace,
    created_at: expect.any(Number),
  })
  expect(await latestOf(short_hash, customer.user, second)).toMatchObject({ id: first, state: 'cancelled' })
  expect(await latestOf('111111111111', customer.user)).toBeNull()
})

test('a cancelled order does not hide the one before it', async () => {
  const customer = newCustomer()
  const { short_hash } = await running.newOffer({ max_uses: null })
  const first = (await running.order(short_hash, customer)).body.id
  await running.submit(first, customer)
  await running.cancel((await running.order(short_hash, customer)).body.id, customer)
  expect(await latestOf(short_hash, customer.user)).toMatchObject({ id: first, state: 'completed' })
})

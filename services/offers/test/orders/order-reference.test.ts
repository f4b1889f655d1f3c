// The reference of an order, and the instructions that come with its terms.
import { forFile } from '@svc/testing/for-file'
import { newId } from '@svc/runtime/id'
import { expect, test } from 'vitest'
import { codeOf, newCustomer, shareOffers } from '../running-offers.ts'

const running = forFile(shareOffers)

test('a reference is the end of the id, in every answer, and the mail has the same one', async () => {
  const customer = newCustomer()
  const { short_hash } = await running.newOffer({ way: 'checkout' })
  const { id, ...created } = (await running.order(short_hash, customer)).body
  const reference = `${id.slice(-8, -4)}-${id.slice(-4)}`.toUpperCase()
  expect(reference).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/)
  expect(created).toMatchObject({ reference, name: expect.any(String) })
  const listed = await running.ask('list_orders', customer, { query: {} })
  expect((listed.body as unknown as { data: object[] }).data).toEqual([
    expect.objectContaining({ id, reference }),
  ])
  const facts = await running.ask(
    'read_order_facts',
    { kind: 'internal', id: 'activity' },
    { body: { ids: [id] } },
  )
  expect(facts.body).toMatchObject({ orders: [{ reference }] })
})

test('two orders of a seller never have the same one', async () => {
  const { id: offer_id, short_hash } = await running.newOffer({ max_uses: null })
  const { id } = (await running.order(short_hash, newCustomer())).body
  const copy = (workspace: string) => running.sql`
    insert into offers.orders (
      id, workspace_id, offer_id, customer_workspace_id, holder, state, expires_at, created_at, updated_at
    )
    values (${`${newId('order').slice(0, -8)}${id.slice(-8)}`}, ${workspace}, ${offer_id}, ${newId('ws')}, ${newId('user')}, 'open', 0, now(), now())`
  await expect(copy(running.seller)).rejects.toMatchObject({
    code: '23505',
    constraint_name: 'orders_reference',
  })
})

test('instructions are the order’s own: a later policy leaves them as they are', async () => {
  const { id: offer_id, short_hash } = await running.newOffer({ way: 'checkout' })
  await running.sql`
    update offers.offers set terms = terms || '{"payment_instructions": "By transfer."}' where id = ${offer_id}`
  const customer = newCustomer()
  const { id } = (await running.order(short_hash, customer)).body
  const answer = await running.ask('get_order', customer, { params: { id } })
  expect(answer.body).toMatchObject({ terms: { payment_instructions: 'By transfer.' } })
  const resolved = await running.ask('resolve_offer', customer, { params: { short_hash } })
  expect(JSON.stringify(resolved.body)).not.toContain('By transfer.')
  expect(codeOf(await running.ask('get_order', newCustomer(), { params: { id } }))).toEqual([404, 40402])
})

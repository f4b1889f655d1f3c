// A customer who confirms their own payment, and a stranger who ends what others pay for. A seller's script that confirms one payment
// five hundred times gave away as many months.
import { forFile } from '@svc/testing/for-file'
import { sized } from '@svc/testing/size'
import { startCustomerSide } from '../../services/offers/test/orders/customer-side-scene.ts'
import { expect, test } from 'vitest'

const scene = forFile(startCustomerSide)
const callers = sized(100, 500)

async function newPaid() {
  const { short_hash } = await scene.newOffer('checkout')
  const { id } = await scene.order(short_hash, scene.customer, 'ours')
  const paid = await scene.seller('POST', `/orders/${id}/confirm_payment`)
  return String(paid.body.install_id)
}

const subscriptionOf = async (id: string) =>
  (await scene.seller('GET', `/installs/${id}`)).body.subscription as { paid_through: number }

test('nobody but the seller confirms a payment, and strangers do nothing to a subscription', async () => {
  const id = await newPaid()
  const before = await subscriptionOf(id)
  const paths = ['cancel_subscription', 'resume_subscription', 'billing_portal', 'licence']
  const stranger = scene.inWorkspace(scene.outsider)
  for (const path of paths) expect((await stranger('POST', `/installs/${id}/${path}`)).status, path).toBe(404)
  for (const person of [scene.customer, scene.colleague, scene.outsider]) {
    const body = { after: before.paid_through }
    const { status } = await scene.inWorkspace(person)('POST', `/installs/${id}/confirm_payment`, body)
    expect(status).toBe(404)
  }
  expect(await subscriptionOf(id)).toEqual(before)
})

test('a payment that is confirmed by many at once is one period', async () => {
  const id = await newPaid()
  const { paid_through } = await subscriptionOf(id)
  const confirm = () => scene.seller('POST', `/installs/${id}/confirm_payment`, { after: paid_through })
  const statuses = new Set((await Promise.all(Array.from({ length: callers }, confirm))).map(r => r.status))
  expect([...statuses]).toEqual([200])
  const after = await subscriptionOf(id)
  const days = (after.paid_through - paid_through) / 86_400
  expect(days).toBeGreaterThanOrEqual(28)
  expect(days).toBeLessThanOrEqual(31)
})

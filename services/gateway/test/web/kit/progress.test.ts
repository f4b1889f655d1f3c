// Where an order stands, by its state and the terms.
import { h } from 'preact'
import { renderToString } from 'preact-render-to-string'
import { expect, test } from 'vitest'
import type { Order } from '../../../src/web/kit/orders/order.ts'
import { OrderProgress } from '../../../src/web/kit/orders/progress.tsx'
import { paymentText } from '../../../src/web/store/order/receipt-view.tsx'

const both = { approval: 'manual', checkout: 'required' }
const values = {}
const checkout = { provider: 'manual', refund: null }

test.each([
  [
    { state: 'open', terms: both, field_values: null },
    'Details (now)|Approval (later)|Payment (later)|Install (later)',
  ],
  [
    { state: 'awaiting_approval', terms: both, field_values: values },
    'Details (done)|Approval (now)|Payment (later)|Install (later)',
  ],
  [
    { state: 'awaiting_checkout', terms: both, field_values: values, checkout },
    'Details (done)|Approval (done)|Payment (now)|Install (later)',
  ],
  [
    { state: 'completed', terms: both, field_values: values, checkout },
    'Details (done)|Approval (done)|Payment (done)|Install (done)',
  ],
  [
    { state: 'completed', terms: { approval: 'automatic', checkout: 'none' }, field_values: values },
    'Details (done)|Install (done)',
  ],
  [
    { state: 'rejected', terms: both, field_values: values },
    'Details (done)|Approval (ended here)|Payment (later)|Install (later)',
  ],
  [
    { state: 'expired', terms: both, field_values: null },
    'Details (ended here)|Approval (later)|Payment (later)|Install (later)',
  ],
  [
    { state: 'cancelled', terms: both, field_values: values },
    'Details (done)|Approval (ended here)|Payment (later)|Install (later)',
  ],
  [
    { state: 'cancelled', terms: both, field_values: values, checkout },
    'Details (done)|Approval (done)|Payment (ended here)|Install (later)',
  ],
  [
    { state: 'expired', terms: { approval: 'automatic', checkout: 'required' }, field_values: values },
    'Details (done)|Payment (ended here)|Install (later)',
  ],
])('%j', (given, shown) => {
  const order = { checkout: null, ...given } as unknown as Order
  const markup = renderToString(h(OrderProgress, { order }))
  const texts = [...markup.matchAll(/<li[^>]*>(.*?)<\/li>/g)].map(([, text = '']) =>
    text.replace(/<[^>]*>/g, ''),
  )
  expect(texts.join('|')).toBe(shown)
  expect(markup.includes('aria-current="step"')).toBe(shown.includes('(now)'))
})

const price = { currency: 'eur', unit_amount: 4900, interval: 'month' }

test.each([
  [{ price: null, commercial_mode: 'paid' }, null, 'Nothing was charged.'],
  [{ price, commercial_mode: 'non_billable_test' }, null, 'Nothing was charged.'],
  [{ price: { ...price, unit_amount: 0 }, commercial_mode: 'paid' }, checkout, 'Nothing was charged.'],
  [{ price, commercial_mode: 'paid' }, checkout, 'Paid. The seller has confirmed the payment.'],
  [{ price, commercial_mode: 'paid' }, { provider: 'stripe', refund: null }, 'Paid with Stripe.'],
  [{ price, commercial_mode: 'paid' }, null, 'The seller will bill you separately.'],
])('a receipt for %j, paid with %j', (terms, paid, text) => {
  expect(paymentText({ terms, checkout: paid } as unknown as Order)).toBe(text)
})

import { workspaceMember } from '../../core/access.ts'
import type { Operation } from '../../core/operation.ts'
import { idOf, page, pageQuery, unixSeconds } from '../../core/text.ts'
import { at, globex, grace } from '../../openapi/example-names.ts'
import type { Reference } from '../../openapi/operation-reference.ts'
import { forGrace } from '../offers-example-bodies.ts'
import { productBacked } from '../offer-input.ts'
import { subscriptionState } from '../installs.ts'
import { offerSummary } from '../published-offers.ts'
import * as z from 'zod'

const { currency, interval } = productBacked.shape.pricing_request.unwrap().shape
const count = z.int().min(0)
const unit_amount = count.describe('In the smallest currency unit.')

/** No more orders of one customer are counted. */
export const maxCountedOrders = 1000

const customer = z
  .object({
    id: idOf('workspace that ordered', 'ws'),
    email: z
      .string()
      .nullable()
      .describe('Verified, of the newest order that has one; null: API tokens ordered.'),
    customer: offerSummary.shape.customer.describe(
      'The snapshot of the newest offer they ordered that has one. Null: none.',
    ),
    internal_note: offerSummary.shape.internal_note.describe(
      'Of the newest offer they ordered that has one. Null: none.',
    ),
    orders: count.describe(`In any state; at most the newest ${maxCountedOrders} are counted.`),
    installs: count.describe('Of these orders, without those that were removed.'),
    value: z
      .array(z.object({ currency, unit_amount }))
      .describe('What these completed orders cost, without tests: the sum of one period of each price.'),
    subscriptions: z
      .array(z.object({ state: subscriptionState, currency, unit_amount, interval }))
      .describe(
        'What these installs cost each period: the sum of the subscriptions that have not ended, of each state, currency and interval.',
      ),
    first_ordered_at: unixSeconds.describe('When the first order was placed, in Unix seconds.'),
    last_ordered_at: unixSeconds.describe('When the newest order was placed, in Unix seconds.'),
  })
  .meta({ id: 'Customer' })

export const operation = {
  summary: 'List the customers: every workspace that ordered',
  http: { method: 'GET', path: '/customers', status: 200 },
  access: workspaceMember,
  permission: 'orders:read',
  query: pageQuery,
  output: page(customer).describe(
    'A page may be shorter than `limit` without being the last: continue until `next_cursor` is null.',
  ),
  errors: [],
  safe: true,
} as const satisfies Operation

export const reference = (): Reference<typeof operation> => ({
  command: {
    name: 'customers list',
    examples: ['customers list --all'],
    columns: [
      'id',
      'name: customer.display_name || email',
      'orders',
      'installs',
      "value: join(', ', value[].join(' ', [to_string(unit_amount), currency]))",
      "pays: join(', ', subscriptions[].join(' ', [to_string(unit_amount), currency, 'per', interval, state]))",
      'last_ordered_at',
    ],
  },
  page: '/customers',
  group: 'Customers',
  description:
    'The newest workspace comes first. Counted from the orders when asked; nothing else is stored. `GET /orders?relation=received&customer_id=…` has the orders of one.',
  examples: [
    {
      step: 835,
      summary: 'Who ordered',
      by: 'owner',
      request: { query: {} },
      answer: {
        body: {
          data: [
            {
              id: globex,
              email: grace.email,
              customer: forGrace.customer,
              internal_note: 'Met at the fair; pays by invoice.',
              orders: 1,
              installs: 1,
              value: [],
              subscriptions: [],
              first_ordered_at: at(3000),
              last_ordered_at: at(3000),
            },
          ],
          next_cursor: null,
        },
      },
    },
  ],
})

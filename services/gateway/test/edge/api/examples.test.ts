// The examples of the OpenAPI document. Each is sent to the product as it is, and the answer is the one in the
// document.
import { events } from '@svc/contract/events'
import { allExamples, examplesOf } from '@svc/contract/openapi/all-examples'
import { operations } from '@svc/contract/services'
import { eventsWithOwnTests, eventsWithoutExample } from '@svc/testing/examples/events-without-example'
import { replayExamples } from '@svc/testing/examples/replay-examples'
import type { ExampleResult } from '@svc/testing/examples/run-examples'
import { joinProduct } from '@svc/testing/stack/join-product'
import { testEnv } from '@svc/testing/stack/test-env'
import { forFile } from '@svc/testing/for-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { gatewayConfig } from '../../../src/config.ts'

const stack = forFile(joinProduct)
let results: ExampleResult[]

beforeAll(async () => {
  results = await replayExamples(stack)
})

const numbered = allExamples.map((example, n) => ({ ...example, n }))

test.each(numbered)('$operation: $summary', ({ n }) => {
  const { answered, expected } = results[n] ?? {}
  expect(comparable(asByDefault(answered))).toEqual(comparable(expected))
})

/** `libs/contract/test/secret-events.test.ts` holds that these are all whose answer has a secret, and all that end one. */
const leavingEvents = operations.filter(({ operation }) => operation.http && operation.event)

test.each(leavingEvents)(
  '$name leaves the event that the contract names',
  async ({ service, name, operation }) => {
    const ids = results
      .filter(
        ({ example, status }) => example.service === service && example.operation === name && status < 300,
      )
      .map(({ requestId }) => requestId ?? '')
    const event = operation.event ?? ''
    await expect
      .poll(async () => {
        const kept = await stack.sql`
        select from activity.events where type = ${event} and request_id = any (${ids})`
        return kept.length
      })
      .toBeGreaterThan(0)
  },
)

test('every type of event is caused by an example, or has a test of its own', async () => {
  const expected = Object.keys(events).filter(
    type => !eventsWithoutExample.includes(type) && !eventsWithOwnTests.test(type),
  )
  const ids = results.map(({ requestId }) => requestId ?? '')
  await expect
    .poll(async () => {
      const kept = await stack.sql`
        select distinct type from activity.events where request_id = any (${ids})`
      return expected.filter(type => !kept.some(event => event.type === type))
    })
    .toEqual([])
})

/** What the run's product limits, in parts of what is the default. */
const raised = {
  credential: gatewayConfig.RATE_LIMIT_CREDENTIAL.parse(undefined) / Number(testEnv.RATE_LIMIT_CREDENTIAL),
  workspace: gatewayConfig.RATE_LIMIT_WORKSPACE.parse(undefined) / Number(testEnv.RATE_LIMIT_WORKSPACE),
}
type Limit = { policy: keyof typeof raised; limit: number }

const asByDefault = (answer: unknown = {}) =>
  JSON.parse(JSON.stringify(answer), (key, value) =>
    key === 'rate_limits'
      ? value.map((each: Limit) => ({ ...each, limit: each.limit * raised[each.policy] }))
      : value,
  )

/**
 * An attempt to send to the endpoint of the examples may have failed meanwhile, and of their offers that refer to a package
 * any may be named.
 */
const comparable = (answer: unknown = {}) =>
  JSON.parse(
    JSON.stringify(answer).replace(/(?<="offer":"|and offer )offer_01kb2m8xq5e7ta9c3v6n4hw\d{3}/g, 'one'),
    (key, value) => {
      if (key === 'failing_since') return null
      const isDelivery = value?.attempts && 'request' in value
      return isDelivery ? { ...value, state: '', attempts: [], next_attempt_at: null, request: null } : value
    },
  )

/** Its success needs Stripe: services/offers/test/subscriptions/billing-portal.test.ts. */
const withStripe = ['create_billing_portal']

describe.each(operations.filter(({ name, operation }) => operation.http && !withStripe.includes(name)))(
  '$service.$name',
  named => {
    const shown = examplesOf(named).filter(({ aside }) => !aside)

    test('has an example of its success, which is shown', () => {
      expect(shown.filter(({ answer }) => answer.status < 300)).not.toEqual([])
    })

    test('has examples with unique names', () => {
      const names = shown.map(each => `${each.name} ${each.answer.status}`)
      expect(new Set(names).size).toBe(names.length)
    })
  },
)

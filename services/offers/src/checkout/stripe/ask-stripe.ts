import { setTimeout as delay } from 'node:timers/promises'
import { refusal } from '@svc/contract/core/errors'
import { type Metrics, createMetrics } from '@svc/telemetry/metrics'
import Stripe from 'stripe'
import type { StripeConfig } from '../../config.ts'
import { type FailureKind, StripeFailure, stripeFailure } from './stripe-failure.ts'

/**
 * Runs one request until `deadline` (Unix milliseconds).
 *
 * @throws StripeFailure; ApiError `Unavailable` if too many are in progress
 */
export type AskStripe = <T>(
  deadline: number,
  request: (stripe: Stripe, options: Stripe.RequestOptions) => Promise<T>,
) => Promise<T>

const maxAtOnce = 64
const maxTries = 4
const firstPauseMs = 150
const shortestMs = 100

export function createAskStripe(
  { secretKey, apiBase }: Pick<StripeConfig, 'secretKey' | 'apiBase'>,
  metrics: Metrics = createMetrics(),
): AskStripe {
  const counted = meterTries(metrics)
  const stripe = new Stripe(secretKey, {
    ...(apiBase && addressOf(new URL(apiBase))),
    // Has one timeout for the whole request. The other client's timeout restarts with every byte, and it retries by
    // itself.
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 0,
    // Telemetry would write a file into the home folder and send its content.
    telemetry: false,
  })
  let underWay = 0

  return async (deadline, request) => {
    if (underWay >= maxAtOnce) throw refusal('overloaded')
    underWay++
    try {
      return await repeatedly(deadline, timeout =>
        counted(request(stripe, { timeout, maxNetworkRetries: 0 })),
      )
    } finally {
      underWay--
    }
  }
}

function meterTries(metrics: Metrics) {
  const count = (outcome: 'ok' | FailureKind) => metrics.counter('svc_stripe_requests_total', { outcome })
  const ok = count('ok')
  const failures: Record<FailureKind, () => void> = {
    unreachable: count('unreachable'),
    busy: count('busy'),
    fault: count('fault'),
    refused: count('refused'),
  }
  for (const one of [ok, ...Object.values(failures)]) one(0)
  return async <T>(answer: Promise<T>): Promise<T> => {
    try {
      const answered = await answer
      ok()
      return answered
    } catch (error) {
      const failure = stripeFailure(error)
      failures[failure.kind]()
      throw failure
    }
  }
}

async function repeatedly<T>(deadline: number, request: (timeoutMs: number) => Promise<T>): Promise<T> {
  let failure = new StripeFailure('unreachable')
  for (let tries = 1; deadline - Date.now() >= shortestMs; tries++) {
    try {
      return await request(Math.floor(deadline - Date.now()))
    } catch (error) {
      failure = error as StripeFailure
    }
    if (failure.kind === 'fault' || failure.kind === 'refused' || tries === maxTries) break
    const pauseMs = firstPauseMs * 2 ** (tries - 1) * (0.5 + Math.random())
    await delay(Math.max(0, Math.min(pauseMs, deadline - Date.now())))
  }
  throw failure
}

const addressOf = ({ protocol, hostname, port }: URL): Stripe.StripeConfig => ({
  protocol: protocol === 'http:' ? 'http' : 'https',
  host: hostname,
  port: port || (protocol === 'http:' ? 80 : 443),
})

/** The id in a reference that may be expanded; '' where there is none. */
export const idOf = (reference: string | { id: string } | undefined): string =>
  typeof reference === 'object' ? reference.id : (reference ?? '')

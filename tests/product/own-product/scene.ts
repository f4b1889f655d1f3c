import { invoke } from '@svc/bus/invoke'
import { authTokens } from '@svc/contract/auth-tokens/auth-tokens'
import type { TestStackOptions } from '@svc/testing/stack/stack'
import { startTracedStack, type TracedStack } from '@svc/testing/stack/traced-stack'
import { afterAll, beforeAll } from 'vitest'

export const maxInFlight = 256
/** What is sent and configured, and must not leak. */
export const planted = 'planted8347'

/** The product of the test file that uses it. */
export let running: TracedStack

/** Starts it for the whole test file, one process of each kind by default. */
export function useOwnProduct(replicas: TestStackOptions['replicas'] = {}): void {
  beforeAll(async () => {
    running = await startTracedStack({
      env: {
        LOG_LEVEL: 'trace',
        MAX_IN_FLIGHT: String(maxInFlight),
        STRIPE_SECRET_KEY: `sk_test_${planted}`,
        STRIPE_WEBHOOK_SECRET: `whsec_${planted}`,
        STRIPE_API_BASE: 'http://127.0.0.1:1',
      },
      replicas,
    })
  })
  afterAll(() => running?.stop())
}

/** A token of the demo's workspace that no gateway has an answer for. */
export async function newApiToken(): Promise<string> {
  const { backoffice, dev } = running
  const caller = { kind: 'internal', id: 'test', workspace: dev.workspace_id } as const
  const body = { name: 'for one test' }
  return (await invoke(backoffice, authTokens, 'create_api_token', { caller, body })).token
}

// Why services go before gateways: what each does that meets the other of the release before (docs/running/upgrade.md). The releases
// differ by the leases on credentials (docs/people/leases.md) and one operation.
import { rm } from 'node:fs/promises'
import { repoRoot } from '@svc/local/repo-root'
import { waitUntil } from '@svc/local/wait-until'
import { amountOf, parseExposition } from '@svc/testing/deploy/exposition'
import { requester } from '@svc/testing/stack/driven-stack'
import { startTestStack, type TestStack } from '@svc/testing/stack/stack'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWithout } from './builds.ts'

const made: string[] = []
let running: TestStack

beforeAll(async () => {
  made.push(await buildWithout('auth-tokens', ['hold_leases', 'get_limits']))
  made.push(await buildWithout('gateway', ['hold_leases']))
  running = await startTestStack({ root: made[0] })
})
afterAll(async () => {
  await running?.stop()
  for (const root of made) await rm(root, { recursive: true, force: true })
})

interface Gateway {
  readonly url?: string
  readonly healthUrl: string
}

async function send({ url }: Gateway, method: string, path: string, credential: string, body?: object) {
  const workspace = running.dev.workspace_id
  const { status, answer } = await requester(`${url}/v1`)(method, path, credential, { body, workspace })
  return { status, body: answer }
}

/** How many requests it has let in by answers that it keeps. */
async function kept({ healthUrl }: Gateway) {
  const exposition = parseExposition(await (await fetch(`${healthUrl}/metrics`)).text())
  const labels = { service: 'gateway', kind: 'api_token', outcome: 'kept' }
  return amountOf(exposition, 'svc_credential_lookups_total', labels)
}

/** Checks that a token that was in use at each of them is refused by each from the reply of its revocation on. */
async function revocationsHold(...gateways: Gateway[]) {
  const { session_token: owner } = running.dev.owner
  const [first] = gateways as [Gateway]
  const created = await send(first, 'POST', '/api_tokens', owner, { name: 'soon revoked' })
  const { id, token } = created.body as { id: string; token: string }
  const everywhere = async () => {
    const answers = gateways.map(one => send(one, 'GET', '/installs', token))
    return (await Promise.all(answers)).map(({ status }) => status)
  }
  for (let round = 0; round < 5; round++) expect(await everywhere()).toEqual(gateways.map(() => 200))
  expect((await send(first, 'DELETE', `/api_tokens/${id}`, owner)).status).toBe(204)
  expect(await everywhere()).toEqual(gateways.map(() => 401))
}

test('a gateway lacks what services of the release before have not got, and keeps nothing; a gateway of the release before lacks nothing', async () => {
  const { stack, dev } = running
  const gateway = stack.gateways[0] as Gateway
  const limits = () => send(gateway, 'GET', '/limits', dev.api_token)
  expect(await limits()).toMatchObject({ status: 503, body: { _tag: 'Unavailable' } })
  await revocationsHold(gateway)
  expect(await kept(gateway)).toBe(0)

  const [before] = stack.processes['auth-tokens']
  await stack.startReplica('auth-tokens', repoRoot)
  await before?.stop()
  expect((await limits()).status).toBe(200)
  const isKept = async () => {
    await send(gateway, 'GET', '/installs', dev.api_token)
    return (await kept(gateway)) > 0
  }
  await waitUntil('a lease', isKept, { everyMs: 100 })

  const old = await stack.startReplica('gateway', made[1] ?? '')
  expect((await send(old, 'GET', '/limits', dev.api_token)).status).toBe(200)
  await revocationsHold(old, gateway)
  expect(await kept(old)).toBe(0)
})

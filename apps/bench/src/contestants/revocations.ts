/** The product under a steady load with many tokens, calm and while other tokens of the same workspace are revoked. */
import { calm, type Contestant, revoking } from './contestant.ts'
import { loadTokens, revocationsPerSecond, spareSeconds, steadyRate } from './steady-load.ts'
import { startBeside } from '../load/beside.ts'
import type { WindowPlan } from '../load/window.ts'
import type { Seed } from '../load/workloads.ts'

/**
 * @param product a contestant on which nothing else is measured meanwhile
 * @param url of its gateway
 */
export async function revocationContestants(
  product: Contestant,
  url: string,
  seed: Seed,
): Promise<readonly [Contestant, Contestant]> {
  const api = createTokensApi(url, seed)
  const tokens: string[] = []
  while (tokens.length < loadTokens) tokens.push((await api.create()).token)
  const open = { per_second: steadyRate, tokens }
  const others: string[] = []

  const whileRevoking = async (plan: WindowPlan) => {
    const revocations = startBeside(revokeFirst(api.revoke, others), revocationsPerSecond, 'revocations')
    try {
      return await revocations.during(product.measure(plan))
    } finally {
      await revocations.stop()
    }
  }
  const contestant = (name: string, label: string, measure: Contestant['measure']): Contestant => ({
    ...product,
    name,
    label,
    async measure(plan) {
      // Before either window, so that both find the same tokens.
      while (others.length < revocationsPerSecond * (plan.seconds + spareSeconds)) {
        others.push((await api.create()).id)
      }
      return measure({ ...plan, open })
    },
  })
  return [
    contestant(calm, 'no revocations', plan => product.measure(plan)),
    contestant(revoking, `${revocationsPerSecond} revocations a second`, whileRevoking),
  ]
}

/** Each call revokes the first of the tokens that are left. */
export const revokeFirst = (revoke: (id: string) => Promise<unknown>, ids: string[]) => async () => {
  const id = ids.shift()
  if (id === undefined) throw new Error('There is no token left to be revoked.')
  await revoke(id)
}

function createTokensApi(url: string, { owner_session, workspace_id }: Seed) {
  const send = async (method: string, path: string, status: number, body?: object) => {
    const response = await fetch(`${url}/v1/api_tokens${path}`, {
      method,
      signal: AbortSignal.timeout(15_000),
      headers: {
        authorization: `Bearer ${owner_session}`,
        'svc-context': workspace_id,
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (response.status === status) return text
    throw new Error(`${method} /api_tokens${path} was answered ${response.status}: ${text.slice(0, 500)}`)
  }
  return {
    create: async () =>
      JSON.parse(await send('POST', '', 201, { name: 'bench' })) as { id: string; token: string },
    revoke: (id: string) => send('DELETE', `/${id}`, 204),
  }
}
